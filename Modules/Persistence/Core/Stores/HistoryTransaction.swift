public import Foundation

/// One committed transaction in the history of a store, with its changes.
public struct HistoryTransaction: Sendable, Hashable {
    /// The position of the transaction; what follows is read after it.
    public let token: HistoryToken
    /// The time at which the transaction began to write, by the clock of its process, to the millisecond.
    public let date: Date
    /// The author that the writer gave, such as the name of a service; `nil` if it gave none.
    public let author: String?
    /// The name of the context that saved; `nil` for batches, imports and migrations.
    public let context: String?
    /// The process and the open store that wrote: name, process number and a random text.
    public let process: String
    /// The changes in the order in which they were written.
    public let changes: [HistoryChange]

    /// Creates a transaction, for doubles in tests.
    public init(
        token: HistoryToken, date: Date, author: String?, context: String?, process: String, changes: [HistoryChange]
    ) {
        (self.token, self.date, self.author) = (token, date, author)
        (self.context, self.process, self.changes) = (context, process, changes)
    }
}

/// A change in a transaction: of one row, of rows with consecutive identifiers, or of one join row.
public struct HistoryChange: Sendable, Hashable {
    /// The kinds of changes.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Rows were inserted.
        case insert
        /// Rows were updated.
        case update
        /// Rows were deleted, and with them their join rows.
        case delete
        /// A join row of a many-to-many relationship was added.
        case joinAdded
        /// A join row of a many-to-many relationship was removed.
        case joinRemoved
        /// Any rows of the entity, or any join rows, may have changed, such as by a migration.
        case everything
    }

    /// The kind of the change.
    public let kind: Kind
    /// The name of the entity or, for join rows, of the relationship's join table.
    public let entity: String
    /// The identifiers of the rows; for a join row, its two ends; `nil` for ``Kind/everything``.
    ///
    /// An import of many rows is one change for each range of consecutive identifiers.
    public let identifiers: ClosedRange<Int64>?
    /// The identifier at the other end of a join row; `nil` for other changes.
    public let target: Int64?
    /// The names of the updated attributes and references; `nil` if they are unknown, as for an import.
    public let columns: [String]?
    /// The values that a row had before it was updated or deleted; empty unless the level is ``HistoryLevel/values``,
    /// or the attribute is preserved after deletion.
    public let before: [String: StoredValue]

    /// Creates a change, for doubles in tests.
    public init(
        _ kind: Kind, _ entity: String, _ identifiers: ClosedRange<Int64>? = nil, target: Int64? = nil,
        columns: [String]? = nil, before: [String: StoredValue] = [:]
    ) {
        (self.kind, self.entity, self.identifiers) = (kind, entity, identifiers)
        (self.target, self.columns, self.before) = (target, columns, before)
    }
}

/// A named reader of a history, whose position the store keeps.
public struct HistoryPosition: Sendable, Hashable {
    /// The name of the consumer.
    public let consumer: String
    /// The last transaction that the consumer has processed.
    public let token: HistoryToken
    /// The time at which the position last moved.
    public let date: Date

    package init(consumer: String, token: HistoryToken, date: Date) {
        (self.consumer, self.token, self.date) = (consumer, token, date)
    }
}
