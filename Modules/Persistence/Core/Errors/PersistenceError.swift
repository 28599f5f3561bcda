/// An error of a store, or of the code that uses stores: containers, contexts and bulk operations.
///
/// Its `description` contains no value of the user's data; its `debugDescription` does.
public struct PersistenceError: Error, Sendable {
    /// The kind of a ``PersistenceError``, for code that decides how to handle the error.
    ///
    /// The type is a structure with static members and not an enumeration, so that a new member does not break an
    /// existing `switch`. Match with `==` or `case .name`, and add a `default`.
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

        /// The name of the code, such as `invalidModel`.
        public var description: String { rawValue }

        /// The parts of the model contradict each other.
        public static let invalidModel = Code(.invalidModel)
        /// The store was created with a model that differs from the one with which it is opened.
        public static let incompatibleModel = Code(.incompatibleModel)
        /// The format of the store's file is newer than this version of Strata.
        public static let newerFormat = Code(.newerFormat)
        /// The file is a database of another application.
        public static let foreignStore = Code(.foreignStore)
        /// The file is not a database file.
        public static let notADatabase = Code(.notADatabase)
        /// No store exists at the location.
        public static let storeNotFound = Code(.storeNotFound)
        /// The store cannot be created at the location.
        public static let cannotCreate = Code(.cannotCreate)
        /// The operating system denies access to the store.
        public static let permissionDenied = Code(.permissionDenied)
        /// The store is opened for reading only and cannot be changed.
        public static let readOnly = Code(.readOnly)
        /// Another process or connection locked the store for longer than the busy timeout.
        public static let locked = Code(.locked)
        /// The disk of the store is full.
        public static let diskFull = Code(.diskFull)
        /// Reading or writing the store's file failed.
        public static let inputOutput = Code(.inputOutput)
        /// The store's file is damaged: it contains data that no store writes.
        public static let corrupt = Code(.corrupt)
        /// A row of the store cannot be read as a record.
        ///
        /// The record's initializer or the Swift type of an attribute rejects the row; see
        /// ``PersistenceError/underlying``.
        public static let unreadable = Code(.unreadable)
        /// The container or the store was closed before the call.
        public static let closed = Code(.closed)
        /// The installed version of SQLite is too old for Strata.
        public static let unsupportedSQLite = Code(.unsupportedSQLite)
        /// A request is invalid: it contains a name that the model does not have, or a condition that cannot be
        /// translated.
        public static let invalidRequest = Code(.invalidRequest)
        /// A calculation in a condition overflowed or divided by zero.
        public static let arithmetic = Code(.arithmetic)
        /// The objects of a save break rules of the model; see ``PersistenceError/failures``.
        public static let validation = Code(.validation)
        /// Another writer changed the rows of a save after they were read; see ``PersistenceError/conflicts``.
        public static let conflict = Code(.conflict)
        /// Two objects of one entity have the same identifier or the same unique value.
        public static let uniqueness = Code(.uniqueness)
        /// A relationship references an object that does not exist.
        public static let danglingReference = Code(.danglingReference)
        /// No object has the requested identifier.
        public static let objectNotFound = Code(.objectNotFound)
        /// An object is used after it was deleted or after its context was reset.
        public static let detachedObject = Code(.detachedObject)
        /// A unit of work would also save changes that were pending in its context before the unit of work began.
        public static let pendingChanges = Code(.pendingChanges)
        /// No identifier of the entity is left for a new row.
        public static let identifiersExhausted = Code(.identifiersExhausted)
        /// Another process or connection migrated the store to another model after this container opened it.
        ///
        /// Every read and every write fails until the store is opened with the new model.
        public static let storeMigrated = Code(.storeMigrated)
        /// A migration would delete data that the caller has not permitted to drop; see ``MigrationOptions/drops``.
        public static let dataLoss = Code(.dataLoss)
        /// A commit failed such that the changes may or may not be stored.
        ///
        /// There are two causes: the connection to a server was lost during the commit, or the disk did not confirm the
        /// write of a durable single-file store. Read the rows before you repeat the changes; otherwise the changes may
        /// be made twice.
        public static let unknownOutcome = Code(.unknownOutcome)
        /// The database engine reported an error that no other code describes.
        public static let database = Code(.database)
    }

    /// The kind of the error.
    public var code: Code
    /// A description of the error and of its remedy, without values of the user's data.
    public var message: String
    /// The name of the entity that the error concerns; `nil` if it concerns none.
    public var entity: String?
    /// The name of the attribute or relationship that the error concerns; `nil` if it concerns none.
    ///
    /// If the error concerns values that are unique together, the text contains all names, separated by commas.
    public var attribute: String?
    /// The identifier of the object that the error concerns; `nil` if it concerns no single object.
    public var id: Int64?
    /// The attribute's value that the error concerns, as text; only `debugDescription` contains it.
    public var value: String?
    /// The path of the store's file; `nil` if the error concerns no file.
    public var path: String?
    /// The location of the row in the input of a bulk insert; `nil` if the row is not from such an input.
    public var location: RowLocation?
    /// All rules of the model that the objects of a save break; empty for another code than ``Code/validation``.
    public var failures: [ValidationFailure] = []
    /// All conflicts of a save with other writers; empty for another code than ``Code/conflict``.
    public var conflicts: [MergeConflict] = []
    /// The error of the caller's code that caused this error; only `debugDescription` contains it.
    ///
    /// The caller's code is a record's initializer, the Swift type of an attribute, or a hook.
    public var underlying: (any Error)?
    /// The text of the SQL statement that failed; `nil` if the error concerns no statement.
    public var sql: String?
    /// SQLite's extended result code; `nil` if SQLite did not report the error.
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
    /// The separator between the names of attributes that are unique together; no name contains this separator.
    package static let attributeSeparator = ", "

    /// The names in ``attribute``, as an array.
    ///
    /// The array has several names if the error concerns values that are unique together. It is empty if the error
    /// concerns no attribute.
    public var attributes: [String] {
        attribute?.split(separator: Self.attributeSeparator).map(String.init) ?? []
    }
}

extension PersistenceError {
    /// Returns the error's message, with row identifiers replaced with names.
    ///
    /// - Parameter name: A closure that returns the name of the row with an identifier, such as `code “A”`; an empty
    ///   name omits the row.
    /// - Returns: The message, in which the names replace texts such as `object 7`.
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
    /// A text with the error, its location and its remedy, without values of the user's data.
    public var description: String {
        var text = ""
        if let path { text += "\(path): " }
        if let subject { text += "\(subject): " }
        text += message
        for failure in failures { text += "\n  \(failure.description)" }
        for conflict in conflicts { text += "\n  \(conflict.description)" }
        return text
    }

    /// A text with ``description``, the value concerned, the SQL statement and SQLite's code.
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

/// The location of a row's record in the input of a bulk insert.
public struct RowLocation: Sendable, Hashable {
    /// The index of the input among the inputs of the bulk insert, from 0.
    public var source: Int
    /// The number of the line in the input on which the record starts, from 1.
    public var line: Int
    /// The number of the record in the input, from 1.
    public var record: Int

    /// Creates a location from the index of an input, a line number and a record number.
    public init(source: Int = 0, line: Int, record: Int) {
        self.source = source
        self.line = line
        self.record = record
    }
}

extension RowLocation: Comparable {
    /// Returns a Boolean value that indicates whether the left location is before the right one in the inputs.
    public static func < (left: RowLocation, right: RowLocation) -> Bool {
        (left.source, left.record, left.line) < (right.source, right.record, right.line)
    }
}
