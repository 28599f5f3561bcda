/// An error of the stack or of a store.
///
/// `description` contains no value of the user's data; `debugDescription` does.
public struct PersistenceError: Error, Sendable {
    /// The kind of a failure, for code that decides what to do.
    ///
    /// The type is a structure with static members and not an enumeration. A new member therefore does not break an
    /// existing `switch`. Match with `==` or `case .name`, and add a `default`. The description is the name.
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

        /// The name of the code, for logs, metrics and tests, such as `invalidModel`.
        ///
        /// The name does not change in later versions.
        public var rawValue: String { kind.rawValue }

        /// The name.
        public var description: String { rawValue }

        /// The model contradicts itself.
        public static let invalidModel = Code(.invalidModel)
        /// The store was created with another model.
        public static let incompatibleModel = Code(.incompatibleModel)
        /// The store's format is newer than this version of Strata.
        public static let newerFormat = Code(.newerFormat)
        /// The file is a database of another application.
        public static let foreignStore = Code(.foreignStore)
        /// The file is not a database.
        public static let notADatabase = Code(.notADatabase)
        /// No store exists at the location.
        public static let storeNotFound = Code(.storeNotFound)
        /// The store cannot be created at the location.
        public static let cannotCreate = Code(.cannotCreate)
        /// The operating system denies access.
        public static let permissionDenied = Code(.permissionDenied)
        /// The store is open for reading only.
        public static let readOnly = Code(.readOnly)
        /// Another process or connection locked the store for longer than the busy timeout.
        public static let locked = Code(.locked)
        /// The disk is full.
        public static let diskFull = Code(.diskFull)
        /// Reading or writing failed.
        public static let inputOutput = Code(.inputOutput)
        /// The file is damaged: its content is not what a store writes.
        public static let corrupt = Code(.corrupt)
        /// A row of the store cannot be read as a record.
        ///
        /// The record's initializer or the type of a value rejects the row; see ``PersistenceError/underlying``.
        public static let unreadable = Code(.unreadable)
        /// The container was closed.
        public static let closed = Code(.closed)
        /// The version of SQLite is too old.
        public static let unsupportedSQLite = Code(.unsupportedSQLite)
        /// A request names something that the model does not have, or a condition cannot be translated.
        public static let invalidRequest = Code(.invalidRequest)
        /// Arithmetic of a condition overflowed or divided by zero.
        public static let arithmetic = Code(.arithmetic)
        /// The objects of a save break rules of the model; see ``PersistenceError/failures``.
        public static let validation = Code(.validation)
        /// Another writer changed the rows; see ``PersistenceError/conflicts``.
        public static let conflict = Code(.conflict)
        /// Two objects of one entity have the same identifier, or the same value of a unique attribute.
        public static let uniqueness = Code(.uniqueness)
        /// A relationship points to an object that does not exist.
        public static let danglingReference = Code(.danglingReference)
        /// No object has the identifier.
        public static let objectNotFound = Code(.objectNotFound)
        /// An object is used after it was deleted or after its context was reset.
        public static let detachedObject = Code(.detachedObject)
        /// A unit of work would save changes that it did not make.
        public static let pendingChanges = Code(.pendingChanges)
        /// The entity's identifiers are used up.
        public static let identifiersExhausted = Code(.identifiersExhausted)
        /// Another process or connection migrated the store to another model after this container opened it.
        ///
        /// Every read and every write fails until the store is opened with the new model.
        public static let storeMigrated = Code(.storeMigrated)
        /// A migration would drop data that the caller did not name; see ``MigrationOptions/drops``.
        public static let dataLoss = Code(.dataLoss)
        /// The commit may or may not be stored.
        ///
        /// There are two causes: the connection to a server was lost during the commit, or the disk did not confirm the
        /// write of a durable single-file store. Read the rows before you repeat the changes; otherwise they may be
        /// made twice.
        public static let unknownOutcome = Code(.unknownOutcome)
        /// The database engine reported another error.
        public static let database = Code(.database)
    }

    /// The kind of the failure.
    public var code: Code
    /// A description of the failure and of its remedy, without values of the user's data.
    public var message: String
    /// The entity concerned, if any.
    public var entity: String?
    /// The attribute or relationship concerned, if any.
    ///
    /// For values that are unique together, it contains all names, separated by commas.
    public var attribute: String?
    /// The identifier of the object concerned, if any.
    public var id: Int64?
    /// The value concerned, as text; only `debugDescription` shows it.
    public var value: String?
    /// The store's file, if it has one.
    public var path: String?
    /// The location of the row in the input of a bulk insert, if the row came from one.
    public var location: RowLocation?
    /// Every rule that the save broke.
    public var failures: [ValidationFailure] = []
    /// Every conflict of the save with another writer.
    public var conflicts: [MergeConflict] = []
    /// The error that caused this one, thrown by the caller's code; only `debugDescription` shows it.
    ///
    /// The caller's code is a record's initializer, a value's type or a hook.
    public var underlying: (any Error)?
    /// The statement that failed, if any.
    public var sql: String?
    /// SQLite's extended result code, if it reported one.
    public var sqliteCode: Int32?

    /// Creates an error with a code and a message.
    public init(_ code: Code, _ message: String, entity: String? = nil, attribute: String? = nil, path: String? = nil) {
        self.code = code
        self.message = message
        self.entity = entity
        self.attribute = attribute
        self.path = path
    }
}

extension PersistenceError {
    /// The separator between the names of attributes that are unique together; no name contains it.
    package static let attributeSeparator = ", "

    /// The names in ``attribute``.
    ///
    /// The array has several names if the values are unique together. It is empty if the error concerns no attribute.
    public var attributes: [String] {
        attribute?.split(separator: Self.attributeSeparator).map(String.init) ?? []
    }
}

extension PersistenceError {
    /// Returns the message with names in place of the row identifiers.
    ///
    /// - Parameter name: Returns the name of a row for its identifier, such as `code “A”`; an empty name omits the row.
    /// - Returns: The message, in which names replace texts such as `object 7`.
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
    /// The error, its location and its remedy, without values of the user's data.
    public var description: String {
        var text = ""
        if let path { text += "\(path): " }
        if let subject { text += "\(subject): " }
        text += message
        for failure in failures { text += "\n  \(failure.description)" }
        for conflict in conflicts { text += "\n  \(conflict.description)" }
        return text
    }

    /// The description with values, the statement and SQLite's code.
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

/// The location of a row in the input of a bulk insert.
public struct RowLocation: Sendable, Hashable {
    /// The number of the input, from 0, if the bulk insert has several.
    public var source: Int
    /// The physical line on which the record starts, from 1.
    public var line: Int
    /// The record's number, from 1.
    public var record: Int

    /// Creates a location.
    public init(source: Int = 0, line: Int, record: Int) {
        self.source = source
        self.line = line
        self.record = record
    }
}

extension RowLocation: Comparable {
    /// Returns a Boolean value that indicates whether the left row is before the right row in the input.
    public static func < (left: RowLocation, right: RowLocation) -> Bool {
        (left.source, left.record, left.line) < (right.source, right.record, right.line)
    }
}
