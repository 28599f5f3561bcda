/// An error of a store, or of the code that uses stores: containers, contexts and bulk operations.
///
/// ```swift
/// do {
///     try context.existingObject(with: id, of: Team.self).points += 1
///     try context.save()
///     return true
/// } catch let error as PersistenceError where error.code == .conflict {
///     context.rollback()
///     try context.refreshAllObjects()
///     return false
/// }
/// ```
///
/// Decide by the ``code``; it is stable, and the message is not. Each code describes its cause and what the caller can
/// do. A save, a batch or a transaction that throws has written nothing, unless the code is ``Code/unknownOutcome``.
///
/// The `description` contains no value of the user's data, so that it can be logged; the `debugDescription` contains
/// values, the SQL statement and the underlying error. Properties that do not apply to an error are `nil` or empty.
///
/// ## Topics
///
/// ### Deciding
///
/// - ``code``
/// - ``Code``
///
/// ### Describing
///
/// - ``message``
/// - ``description``
/// - ``debugDescription``
///
/// ### The object
///
/// - ``entity``
/// - ``attribute``
/// - ``attributes``
/// - ``id``
/// - ``value``
/// - ``location``
///
/// ### All causes
///
/// - ``failures``
/// - ``conflicts``
/// - ``underlying``
///
/// ### The store
///
/// - ``path``
/// - ``sql``
/// - ``sqliteCode``
///
/// ### Creating an error
///
/// - ``init(_:_:entity:attribute:path:)``
///
/// ### Errors that every store reports alike
///
/// - ``taken(_:_:)``
/// - ``taken(_:index:value:by:)``
/// - ``taken(_:key:value:by:)``
/// - ``takenByOther(_:column:value:id:owner:)``
/// - ``takenByOther(_:key:value:id:owner:)``
/// - ``identifiersExhausted(_:)``
/// - ``immutableChanged(_:column:value:id:)``
/// - ``dangling(_:_:from:to:)``
/// - ``dangling(_:_:isTargetMissing:)``
/// - ``storeClosed``
/// - ``snapshotClosed``
/// - ``transactionIsOver``
/// - ``checkSnapshotCount(_:)``
/// - ``notReadOnly(_:)``
/// - ``notAnnouncing(_:)``
/// - ``notDurable(_:)``
public struct PersistenceError: Error, Sendable {
    /// The kind of a ``PersistenceError``, for code that decides how to handle the error.
    ///
    /// The type is a structure with static members and not an enumeration, so that a new member does not break an
    /// existing `switch`. Match with `==` or `case .name`, and add a `default`.
    ///
    /// ## Topics
    ///
    /// ### Opening a store
    ///
    /// - ``storeNotFound``
    /// - ``cannotCreate``
    /// - ``notADatabase``
    /// - ``foreignStore``
    /// - ``newerFormat``
    /// - ``unsupportedSQLite``
    ///
    /// ### Models and migrations
    ///
    /// - ``invalidModel``
    /// - ``incompatibleModel``
    /// - ``dataLoss``
    /// - ``storeMigrated``
    ///
    /// ### Files, disks and locks
    ///
    /// - ``locked``
    /// - ``readOnly``
    /// - ``permissionDenied``
    /// - ``diskFull``
    /// - ``inputOutput``
    /// - ``corrupt``
    /// - ``unknownOutcome``
    /// - ``database``
    ///
    /// ### Writing objects
    ///
    /// - ``validation``
    /// - ``conflict``
    /// - ``uniqueness``
    /// - ``danglingReference``
    /// - ``identifiersExhausted``
    ///
    /// ### Reading objects
    ///
    /// - ``objectNotFound``
    /// - ``unreadable``
    /// - ``arithmetic``
    ///
    /// ### Calls
    ///
    /// - ``invalidRequest``
    /// - ``closed``
    /// - ``detachedObject``
    /// - ``pendingChanges``
    ///
    /// ### Names
    ///
    /// - ``rawValue``
    /// - ``description``
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Kind: String {
            case invalidModel, incompatibleModel, newerFormat, foreignStore, notADatabase, storeNotFound,
                cannotCreate, permissionDenied, readOnly, locked, diskFull, inputOutput, corrupt, closed,
                unsupportedSQLite, invalidRequest, arithmetic, validation, conflict, uniqueness, danglingReference,
                objectNotFound, detachedObject, pendingChanges, identifiersExhausted, database, unreadable,
                storeMigrated, dataLoss, unknownOutcome, notTracked, otherStore, historyExpired
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
        ///
        /// The creation of a ``ManagedObjectModel`` throws it. It is a mistake in the program or in the model file; the
        /// message names the entity, the property and the remedy.
        public static let invalidModel = Code(.invalidModel)
        /// The store was created with a model that differs from the one with which it is opened.
        ///
        /// The differences need a migration that is not possible or not permitted: a change cannot be inferred, the
        /// options refuse a migration (``MigrationOptions/Mode/refuse``), or the store is opened for reading only. The
        /// store is unchanged. Preview the migration to see the differences, and add a migration plan for changes that
        /// cannot be inferred.
        public static let incompatibleModel = Code(.incompatibleModel)
        /// The format of the store's file is newer than this version of Strata.
        ///
        /// The store is unchanged. Open it with the version of Strata that wrote it, or with a later one.
        public static let newerFormat = Code(.newerFormat)
        /// The file is a database of another application.
        ///
        /// The file is unchanged, and Strata never replaces it. Choose another location.
        public static let foreignStore = Code(.foreignStore)
        /// The file is not a database file.
        ///
        /// The location is a folder, a device, or a file of another format. It is unchanged. Choose another location,
        /// or restore the store from a backup if its file was overwritten.
        public static let notADatabase = Code(.notADatabase)
        /// No store exists at the location.
        ///
        /// The store was opened without the permission to create it (``StoreOptions/createsStore``) or for reading
        /// only, or it was to be checked, copied or inspected. It is also thrown if another program removed the file of
        /// an open store.
        public static let storeNotFound = Code(.storeNotFound)
        /// The store cannot be created at the location.
        ///
        /// The folder does not exist or cannot be written. A copy or a backup also throws it if a file exists at its
        /// location already.
        public static let cannotCreate = Code(.cannotCreate)
        /// The operating system denies access to the store.
        ///
        /// Change the permissions of the file or of its folder, or open the store for reading only. A SQLite store also
        /// creates additional files in the folder of its file.
        public static let permissionDenied = Code(.permissionDenied)
        /// The store is opened for reading only and cannot be changed.
        ///
        /// A write to such a store throws it, and so does a write to a file that the system does not permit to change.
        public static let readOnly = Code(.readOnly)
        /// Another process or connection locked the store for longer than the busy timeout.
        ///
        /// Nothing was written. Repeat the operation, or raise ``StoreOptions/busyTimeout``. A call that replaces,
        /// removes or repairs a store throws it if the store is open elsewhere. A store on a server also throws it if
        /// no connection became free in time.
        public static let locked = Code(.locked)
        /// The disk of the store is full.
        ///
        /// Nothing was written. Free space, and repeat the operation; a migration may need as much space as the store
        /// has.
        public static let diskFull = Code(.diskFull)
        /// Reading or writing the store's file failed.
        ///
        /// The operating system reported an error, or another program changed the file of an open store. The message
        /// contains the system's reason.
        public static let inputOutput = Code(.inputOutput)
        /// The store's file is damaged: it contains data that no store writes.
        ///
        /// Another program or a failing disk changed the file. Check the store to find all faults; a check can repair
        /// indexes and metadata. Otherwise restore a backup.
        public static let corrupt = Code(.corrupt)
        /// A row of the store cannot be read as a record.
        ///
        /// The record's initializer or the Swift type of an attribute rejects the row; see
        /// ``PersistenceError/underlying``.
        public static let unreadable = Code(.unreadable)
        /// The container or the store was closed before the call.
        ///
        /// Any later call of a closed store, snapshot or container throws it. Open the store again, and repeat the
        /// call.
        public static let closed = Code(.closed)
        /// The installed version of SQLite is too old for Strata.
        ///
        /// Version 3.37 is the oldest one that Strata supports.
        public static let unsupportedSQLite = Code(.unsupportedSQLite)
        /// A request is invalid: it contains a name that the model does not have, or a condition that cannot be
        /// translated.
        ///
        /// It is a mistake in the calling code, or in a text that a user has entered; do not repeat the call. A request
        /// throws it before a row is read. Other calls that are not permitted throw it as well, such as a save inside a
        /// closure in which the same thread already writes to the store.
        public static let invalidRequest = Code(.invalidRequest)
        /// A calculation in a condition overflowed or divided by zero.
        ///
        /// Precede the calculation with a condition that excludes the values, because conditions are evaluated from
        /// left to right: `quantity != 0 && price / quantity > 1`.
        public static let arithmetic = Code(.arithmetic)
        /// The objects of a save break rules of the model; see ``PersistenceError/failures``.
        ///
        /// ``PersistenceError/failures`` contains all broken rules of all objects of a save. A batch reports those of
        /// its first invalid row, or at most 100. Nothing was written. A save can be repeated after the objects were
        /// corrected.
        public static let validation = Code(.validation)
        /// Another writer changed the rows of a save after they were read; see ``PersistenceError/conflicts``.
        ///
        /// Nothing was written. Refresh the objects and repeat the changes, or give the context a merge policy that
        /// resolves conflicts.
        public static let conflict = Code(.conflict)
        /// Two objects of one entity have the same identifier or the same unique value.
        ///
        /// ``PersistenceError/attributes`` names the unique properties; it is `id` for an identifier. Nothing was
        /// written.
        public static let uniqueness = Code(.uniqueness)
        /// A relationship references an object that does not exist.
        ///
        /// The object was deleted or never existed, or another context has not saved it yet. In a bulk insert,
        /// ``InsertOptions/onMissingReference`` can reject the row or set the reference to null instead.
        public static let danglingReference = Code(.danglingReference)
        /// No object has the requested identifier.
        ///
        /// The object was deleted, perhaps by another process, or the identifier is wrong.
        public static let objectNotFound = Code(.objectNotFound)
        /// An object is used after it was deleted or after its context was reset.
        ///
        /// Keep the identifier of an object instead of the object itself, and fetch the object again.
        public static let detachedObject = Code(.detachedObject)
        /// A unit of work would also save changes that were pending in its context before the unit of work began.
        ///
        /// Save or roll back the pending changes before the unit of work.
        public static let pendingChanges = Code(.pendingChanges)
        /// No identifier of the entity is left for a new row.
        ///
        /// The greatest identifier, 2^53 - 1, was assigned. In practice, a row with a very large identifier was
        /// inserted.
        public static let identifiersExhausted = Code(.identifiersExhausted)
        /// Another process or connection migrated the store to another model after this container opened it.
        ///
        /// Every read and every write fails until the store is opened with the new model. Close the container, and open
        /// the store with a program that has the new model.
        public static let storeMigrated = Code(.storeMigrated)
        /// A migration would delete data that the caller has not permitted to drop; see ``MigrationOptions/drops``.
        ///
        /// The store is unchanged. The message lists the data, with the count of rows. Name it in the options if it may
        /// be deleted, or declare the earlier name of a renamed property with `renamedFrom`.
        public static let dataLoss = Code(.dataLoss)
        /// A commit failed such that the changes may or may not be stored.
        ///
        /// There are two causes: the connection to a server was lost during the commit, or the disk did not confirm the
        /// write of a durable single-file store. Read the rows before you repeat the changes; otherwise the changes may
        /// be made twice.
        public static let unknownOutcome = Code(.unknownOutcome)
        /// The store keeps no history, or its kind cannot keep one.
        public static let notTracked = Code(.notTracked)
        /// A history token is one of another store, or of the same store before it was replaced or restored.
        ///
        /// Read all rows, and continue after a new token.
        public static let otherStore = Code(.otherStore)
        /// Transactions after a history token were deleted; the message contains the oldest token that can be used.
        ///
        /// Read all rows, and continue after a new token.
        public static let historyExpired = Code(.historyExpired)
        /// The database engine reported an error that no other code describes.
        ///
        /// ``PersistenceError/sql`` and ``PersistenceError/sqliteCode`` contain the statement and SQLite's code, if
        /// there are any.
        public static let database = Code(.database)
    }

    /// The kind of the error.
    ///
    /// A later version may add codes; treat an unknown code as a failure of the operation.
    public var code: Code
    /// A description of the error and of its remedy, without values of the user's data.
    ///
    /// The text may change in any release. It has no final period. Show ``description`` to people instead, which also
    /// names the file and the object.
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
    ///
    /// Only bulk inserts and imports set it. Several inputs are distinguished by ``RowLocation/source``.
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
    ///
    /// A store in another package creates its errors with this initializer, or with the functions for errors that every
    /// store reports alike.
    ///
    /// - Parameters:
    ///   - code: The kind of the error.
    ///   - message: The cause and the remedy, without a final period and without values of the user's data.
    ///   - entity: The name of the entity that the error concerns.
    ///   - attribute: The name of the attribute or relationship; names that are unique together are separated by `, `.
    ///   - path: The path of the store's file.
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
///
/// Errors of a bulk insert contain the location, so that a message can name the line of a file. A caller that has no
/// file can pass any numbers, such as the index of the row in an array.
public struct RowLocation: Sendable, Hashable {
    /// The index of the input among the inputs of the bulk insert, from 0.
    public var source: Int
    /// The number of the line in the input on which the record starts, from 1.
    public var line: Int
    /// The number of the record in the input, from 1.
    public var record: Int

    /// Creates a location from the index of an input, a line number and a record number.
    ///
    /// - Parameters:
    ///   - source: The index of the input, from 0.
    ///   - line: The number of the line, from 1; 0 if there are no lines.
    ///   - record: The number of the record, from 1; 0 if it is unknown.
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
