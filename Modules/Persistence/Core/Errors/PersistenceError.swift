/// What went wrong in the stack or a store.
///
/// `description` names no value of the user's data; `debugDescription` does.
public struct PersistenceError: Error, Sendable {
    /// What kind of failure it is, for code that decides what to do.
    ///
    /// A structure with static members and no enumeration, so that a new one breaks nobody's `switch`: match with `==` or
    /// `case .name`, and have a `default`. Its description is its name.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Kind: String {
            case invalidModel, incompatibleModel, newerFormat, foreignStore, notADatabase, storeNotFound,
                cannotCreate, permissionDenied, readOnly, locked, diskFull, inputOutput, corrupt, closed,
                unsupportedSQLite, invalidRequest, arithmetic, validation, conflict, uniqueness, danglingReference,
                objectNotFound, detachedObject, pendingChanges, identifiersExhausted, database, unreadable,
                storeMigrated, dataLoss, unknownOutcome
        }

        private let kind: Kind

        private init(_ kind: Kind) {
            self.kind = kind
        }

        /// The name, for logs, metrics and tests: `invalidModel`.
        ///
        /// It stays the same in later versions.
        public var rawValue: String { kind.rawValue }

        /// The name.
        public var description: String { rawValue }

        /// The model contradicts itself.
        public static let invalidModel = Code(.invalidModel)
        /// The store was made with another model.
        public static let incompatibleModel = Code(.incompatibleModel)
        /// The store's format is newer than this version of Strata.
        public static let newerFormat = Code(.newerFormat)
        /// The file is a database of another application.
        public static let foreignStore = Code(.foreignStore)
        /// The file is no database.
        public static let notADatabase = Code(.notADatabase)
        /// There is no store at that place.
        public static let storeNotFound = Code(.storeNotFound)
        /// The store cannot be created there.
        public static let cannotCreate = Code(.cannotCreate)
        /// The system forbids it.
        public static let permissionDenied = Code(.permissionDenied)
        /// The store is open for reading only.
        public static let readOnly = Code(.readOnly)
        /// Another process or connection held the store longer than the busy timeout.
        public static let locked = Code(.locked)
        /// The disk is full.
        public static let diskFull = Code(.diskFull)
        /// Reading or writing failed.
        public static let inputOutput = Code(.inputOutput)
        /// The file is damaged: what the store holds is not what a store writes.
        public static let corrupt = Code(.corrupt)
        /// A row of the store is no record: the record's initialiser or a value's type refuses it; see ``PersistenceError/underlying``.
        public static let unreadable = Code(.unreadable)
        /// The container was closed.
        public static let closed = Code(.closed)
        /// The version of SQLite is too old.
        public static let unsupportedSQLite = Code(.unsupportedSQLite)
        /// A request names what the model does not have, or a condition cannot be translated.
        public static let invalidRequest = Code(.invalidRequest)
        /// Arithmetic of a condition overflowed or divided by zero.
        public static let arithmetic = Code(.arithmetic)
        /// A save's objects break rules of the model; see ``PersistenceError/failures``.
        public static let validation = Code(.validation)
        /// Rows were changed by somebody else; see ``PersistenceError/conflicts``.
        public static let conflict = Code(.conflict)
        /// Two objects of one entity have a value that is declared unique, or an identifier.
        public static let uniqueness = Code(.uniqueness)
        /// A relationship points to an object that does not exist.
        public static let danglingReference = Code(.danglingReference)
        /// There is no object with that identifier.
        public static let objectNotFound = Code(.objectNotFound)
        /// An object is used after it was deleted, or its context was reset.
        public static let detachedObject = Code(.detachedObject)
        /// A unit of work would save changes that are not its own.
        public static let pendingChanges = Code(.pendingChanges)
        /// The entity's identifiers are used up.
        public static let identifiersExhausted = Code(.identifiersExhausted)
        /// Somebody has migrated the store to another model since it was opened: nothing can be read or written any more, until it is opened with that one.
        public static let storeMigrated = Code(.storeMigrated)
        /// A migration would drop data that nobody named; see ``MigrationOptions/drops``.
        public static let dataLoss = Code(.dataLoss)
        /// Whether a commit is stored could not be found out.
        ///
        /// The connection to a server was lost while it committed, or a durable store of one file is written, and the disk did not say that it keeps that. What is done
        /// again without a look at the rows may be done twice.
        public static let unknownOutcome = Code(.unknownOutcome)
        /// The engine reported something else.
        public static let database = Code(.database)
    }

    /// What kind of failure it is.
    public var code: Code
    /// What happened and what to do about it, without values of the user's data.
    public var message: String
    /// The entity concerned, if one is.
    public var entity: String?
    /// The attribute or relationship concerned, if one is; the names with commas between where values are unique together.
    public var attribute: String?
    /// The identifier of the object concerned, if one is.
    public var id: Int64?
    /// The value concerned, as text; shown by `debugDescription` only.
    public var value: String?
    /// The store's file, if it has one.
    public var path: String?
    /// Where in a bulk insert's input the row stands, if it came from one.
    public var location: RowLocation?
    /// Every rule that a save broke.
    public var failures: [ValidationFailure] = []
    /// Every object that a save found changed by somebody else.
    public var conflicts: [MergeConflict] = []
    /// What code of the caller's threw, where that is the reason: a record's initialiser, a value's type, a hook; shown by `debugDescription` only.
    public var underlying: (any Error)?
    /// The statement that failed, if one did.
    public var sql: String?
    /// SQLite's extended result code, if it reported one.
    public var sqliteCode: Int32?

    /// An error with a code and a message.
    public init(_ code: Code, _ message: String, entity: String? = nil, attribute: String? = nil, path: String? = nil) {
        self.code = code
        self.message = message
        self.entity = entity
        self.attribute = attribute
        self.path = path
    }
}

extension PersistenceError {
    /// Between the names of attributes that are unique together; none of them has it.
    package static let attributeSeparator = ", "

    /// The names in ``attribute``: several where values are unique together, none where no attribute is concerned.
    public var attributes: [String] {
        attribute?.split(separator: Self.attributeSeparator).map(String.init) ?? []
    }
}

extension PersistenceError {
    /// Returns the message with other names for the rows that it numbers.
    ///
    /// - Parameter name: The name of a row by its identifier, such as `code “A”`; an empty one leaves the row out.
    /// - Returns: The message, in which `object 7` is named.
    package func message(naming name: (Int64) -> String) -> String {
        var named = ""
        var rest = message[...]
        while let match = rest.firstMatch(of: /object ([0-9]+)(: )?/) {
            let text = Int64(match.1).map(name) ?? String(match.0)
            named += rest[..<match.range.lowerBound] + text
            if !text.isEmpty { named += match.2 ?? "" }
            rest = rest[match.range.upperBound...]
        }
        return named + rest
    }
}

extension PersistenceError: CustomStringConvertible, CustomDebugStringConvertible {
    /// What happened, where, and what to do; without values of the user's data.
    public var description: String {
        var text = ""
        if let path { text += "\(path): " }
        if let subject { text += "\(subject): " }
        text += message
        for failure in failures { text += "\n  \(failure.description)" }
        for conflict in conflicts { text += "\n  \(conflict.description)" }
        return text
    }

    /// The description with values, the statement, and SQLite's code.
    public var debugDescription: String {
        var text = "\(code): "
        if let path { text += "\(path): " }
        if let subject { text += "\(subject): " }
        text += message
        if let value { text += " (value: \(value))" }
        for failure in failures { text += "\n  \(failure.debugDescription)" }
        for conflict in conflicts { text += "\n  \(conflict.debugDescription)" }
        if let underlying { text += "\n  \(underlying)" }
        if let sqliteCode { text += "\n  SQLite code \(sqliteCode)" }
        if let sql { text += "\n  \(sql)" }
        return text
    }

    private var subject: String? {
        switch (entity, attribute) {
        case (let entity?, let attribute?):
            attributes.count > 1 ? "\(entity) (\(attribute))" : "\(entity).\(attribute)"
        case (let entity?, nil): entity
        default: nil
        }
    }
}

/// Where in its input a row of a bulk insert stands.
public struct RowLocation: Sendable, Hashable {
    /// The number of the input, from 0, where a bulk insert has several.
    public var source: Int
    /// The physical line on which the record starts, from 1.
    public var line: Int
    /// The record's number, from 1.
    public var record: Int

    /// A place.
    public init(source: Int = 0, line: Int, record: Int) {
        self.source = source
        self.line = line
        self.record = record
    }
}

extension RowLocation: Comparable {
    /// The order of the input.
    public static func < (left: RowLocation, right: RowLocation) -> Bool {
        (left.source, left.record, left.line) < (right.source, right.record, right.line)
    }
}
