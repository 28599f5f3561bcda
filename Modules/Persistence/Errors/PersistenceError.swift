/// What went wrong in the stack or a store.
///
/// `description` names no value of the user's data; `debugDescription` does.
public struct PersistenceError: Error, Sendable {
    /// What kind of failure it is, for code that decides what to do.
    public enum Code: String, Sendable, Hashable {
        /// The model contradicts itself.
        case invalidModel
        /// The store was made with another model.
        case incompatibleModel
        /// The store's format is newer than this version of Strata.
        case newerFormat
        /// The file is a database of another application.
        case foreignStore
        /// The file is no database.
        case notADatabase
        /// There is no store at that place.
        case storeNotFound
        /// The store cannot be created there.
        case cannotCreate
        /// The system forbids it.
        case permissionDenied
        /// The store is open for reading only.
        case readOnly
        /// Another process or connection held the store longer than the busy timeout.
        case locked
        /// The disk is full.
        case diskFull
        /// Reading or writing failed.
        case inputOutput
        /// The file is damaged.
        case corrupt
        /// The container was closed.
        case closed
        /// The version of SQLite is too old.
        case unsupportedSQLite
        /// A request names what the model does not have, or a condition cannot be translated.
        case invalidRequest
        /// Arithmetic of a condition overflowed or divided by zero.
        case arithmetic
        /// A save's objects break rules of the model; see ``PersistenceError/failures``.
        case validation
        /// Rows were changed by somebody else; see ``PersistenceError/conflicts``.
        case conflict
        /// Two objects of one entity have a value that is declared unique, or an identifier.
        case uniqueness
        /// A relationship points to an object that does not exist.
        case danglingReference
        /// There is no object with that identifier.
        case objectNotFound
        /// An object is used after it was deleted, or its context was reset.
        case detachedObject
        /// The entity's identifiers are used up.
        case identifiersExhausted
        /// SQLite reported something else.
        case database
    }

    /// What kind of failure it is.
    public var code: Code
    /// What happened and what to do about it, without values of the user's data.
    public var message: String
    /// The entity concerned, if one is.
    public var entity: String?
    /// The attribute or relationship concerned, if one is.
    public var attribute: String?
    /// The value concerned, as text; shown by `debugDescription` only.
    public var value: String?
    /// The store's file, if it has one.
    public var path: String?
    /// Where in a bulk insert's input the row stands, if it came from one.
    public var place: RowLocation?
    /// Every rule that a save broke.
    public var failures: [ValidationFailure] = []
    /// Every object that a save found changed by somebody else.
    public var conflicts: [MergeConflict] = []
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
        var text = "\(code.rawValue): "
        if let path { text += "\(path): " }
        if let subject { text += "\(subject): " }
        text += message
        if let value { text += " (value: \(value))" }
        for failure in failures { text += "\n  \(failure.debugDescription)" }
        for conflict in conflicts { text += "\n  \(conflict.debugDescription)" }
        if let sqliteCode { text += "\n  SQLite code \(sqliteCode)" }
        if let sql { text += "\n  \(sql)" }
        return text
    }

    private var subject: String? {
        switch (entity, attribute) {
        case (let entity?, let attribute?): "\(entity).\(attribute)"
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
