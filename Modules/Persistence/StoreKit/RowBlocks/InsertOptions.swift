public import StrataCore

/// The options of a bulk insert: the actions for rows that exist already and for dangling references.
///
/// ```swift
/// let options = InsertOptions(onMissingReference: .reject) { records.append($0.location.record) }
/// ```
///
/// By default, the first such row fails the whole bulk insert, and nothing is stored. Choose other actions to repeat an
/// import (``ConflictAction/ignore``), to load changes (``ConflictAction/update``), or to load incomplete data
/// (``MissingReferenceAction/null``, ``MissingReferenceAction/reject``). With ``onFailure``, rows with duplicate unique
/// values are rejected one by one, and the other rows are stored.
///
/// ## Topics
///
/// ### Creating options
///
/// - ``init(onConflict:onMissingReference:buildsIndexesLast:onFailure:)``
///
/// ### Rows that exist already
///
/// - ``onConflict``
/// - ``ConflictAction``
///
/// ### Dangling references
///
/// - ``onMissingReference``
/// - ``MissingReferenceAction``
///
/// ### Rejected rows
///
/// - ``onFailure``
/// - ``RowFailure``
/// - ``InsertCounts``
///
/// ### Speed
///
/// - ``buildsIndexesLast``
///
/// ### Implementing a store
///
/// - ``refuse(_:at:note:row:counts:)``
/// - ``takesAgain(_:of:counts:)``
public struct InsertOptions {
    /// The action of a bulk insert for an input row that exists already in the store.
    ///
    /// A row exists if the store has its identifier, the value of a unique attribute, or the values of attributes that
    /// are unique together.
    public enum ConflictAction: String, Sendable, Hashable, CaseIterable {
        /// The bulk insert fails.
        case abort
        /// The stored row remains unchanged, and the input row is skipped.
        case ignore
        /// The stored row gets all values of the input row; in a column that the input lacks, it gets the default or
        /// null.
        case replace
        /// The stored row gets the values of the input row, and keeps its other values.
        case update
    }

    /// The action for a dangling reference: one to an object that does not exist at the end of the bulk insert.
    public enum MissingReferenceAction: String, Sendable, Hashable, CaseIterable {
        /// The bulk insert fails.
        case error
        /// The reference becomes null, and a dangling join row is dropped; if the reference is mandatory, the insert
        /// fails.
        case null
        /// The row with the dangling reference is rejected, and so are the rows that reference it.
        ///
        /// For a dangling join row, the join row is rejected; if a list column contains it, the row with that column is
        /// rejected.
        case reject
    }

    /// The action for an input row that exists already in the store.
    ///
    /// A row exists if the store has its identifier, its unique value, or its values that are unique together. The
    /// identifier of a stored row never changes. If a unique value of an input row belongs to a stored row with another
    /// identifier, the input row is an error, or it is skipped with ``ConflictAction/ignore``. With
    /// ``ConflictAction/update`` and ``ConflictAction/replace``, this is decided after the last input row, so that rows
    /// can exchange unique values.
    public var onConflict: ConflictAction
    /// The action for a reference to an object that does not exist at the end of the bulk insert.
    public var onMissingReference: MissingReferenceAction
    /// A Boolean value that indicates whether the indexes of an empty table are built after all rows are inserted.
    ///
    /// This is faster for millions of rows.
    public var buildsIndexesLast: Bool
    /// A closure that receives each row that is rejected because of a unique value or a dangling reference.
    ///
    /// If it is `nil`, the first such row fails the bulk insert. If the closure throws an error, the bulk insert fails
    /// with that error.
    ///
    /// The closure runs on the thread that inserts, inside the transaction. It must not write to the store. Dangling
    /// references are found at the end, so that the rows are not reported in the order of the input.
    public var onFailure: ((RowFailure) throws -> Void)?

    /// Creates options; by default, a row that exists already and a dangling reference fail the bulk insert.
    public init(
        onConflict: ConflictAction = .abort, onMissingReference: MissingReferenceAction = .error,
        buildsIndexesLast: Bool = true, onFailure: ((RowFailure) throws -> Void)? = nil
    ) {
        self.onConflict = onConflict
        self.onMissingReference = onMissingReference
        self.buildsIndexesLast = buildsIndexesLast
        self.onFailure = onFailure
    }
}

extension InsertOptions {
    /// Returns a Boolean value that indicates whether the bulk insert may have to remove rows that it has already
    /// stored.
    ///
    /// A row is removed if its reference is dangling, or if it references a one-to-one counterpart that arrives later
    /// and already belongs to another row.
    package func mayReject(_ entity: EntityDescription) -> Bool {
        switch onMissingReference {
        case .error: false
        case .reject: true
        // This concerns a one-to-one counterpart that arrives later and belongs to another row. It also applies if the
        // first error aborts the insert, because the error reports the row as it was.
        case .null: entity.uniqueKeys.contains { $0.columns.contains { entity.columns[$0].destination != nil } }
        }
    }

    /// Passes the error of a rejected row to ``onFailure``, or throws the error.
    ///
    /// - Parameters:
    ///   - error: The reason for the rejection.
    ///   - location: The location of the row in its input.
    ///   - note: The original bytes of the row; empty if they were not retained.
    ///   - row: The row as it was stored before the error was found; `nil` if it was not stored.
    ///   - counts: The counts of the bulk insert, to which the rejected row is added.
    /// - Throws: `error` if ``onFailure`` is `nil` or if `error` does not concern the row itself; otherwise the error
    ///   that ``onFailure`` throws.
    public func refuse(
        _ error: PersistenceError, at location: RowLocation, note: [UInt8], row: StoredRow? = nil,
        counts: inout InsertCounts
    ) throws {
        var error = error
        // An error of a row gets the row's location. A full disk or a damaged store is not the fault of a row.
        if !error.code.isOfStore { error.location = location }
        guard let onFailure, [.uniqueness, .validation, .danglingReference].contains(error.code) else { throw error }
        counts.rejected += 1
        try onFailure(RowFailure(error, location: location, note: note, row: row))
    }
}

/// A row that a bulk insert rejected.
public struct RowFailure {
    /// The reason for the rejection, with the location of the row.
    public var error: PersistenceError
    /// The location of the row in its input.
    public var location: RowLocation
    /// The original bytes of the row; empty if they were not retained.
    public var note: [UInt8]
    /// The row as it was stored before the error was found; `nil` if it was not stored.
    ///
    /// If the row was stored, other rows may have been resolved to reference it.
    public var row: StoredRow?

    init(_ error: PersistenceError, location: RowLocation, note: [UInt8], row: StoredRow?) {
        self.error = error
        self.error.location = location
        self.location = location
        self.note = note
        self.row = row
    }
}

/// The counts of a bulk insert's rows by their outcome.
///
/// Every input row is counted once, as inserted, updated, ignored or rejected. The other two counts are of references
/// and join rows.
public struct InsertCounts: Sendable, Hashable {
    /// The count of rows that were inserted as new rows.
    public var inserted = 0
    /// The count of stored rows that got new values.
    public var updated = 0
    /// The count of input rows that were skipped because they exist already in the store.
    public var ignored = 0
    /// The count of input rows that were rejected because of a unique value or a dangling reference.
    public var rejected = 0
    /// The count of dangling references that were set to null.
    public var nulledReferences = 0
    /// The count of join rows that were dropped because one of their ends does not exist.
    public var droppedPairs = 0

    /// Creates counts that are all zero.
    public init() {}

    /// Returns counts that are the sums of the left and the right counts.
    public static func + (left: InsertCounts, right: InsertCounts) -> InsertCounts {
        var sum = left
        sum.inserted += right.inserted
        sum.updated += right.updated
        sum.ignored += right.ignored
        sum.rejected += right.rejected
        sum.nulledReferences += right.nulledReferences
        sum.droppedPairs += right.droppedPairs
        return sum
    }
}
