/// The options of a bulk insert for existing rows and for dangling references.
public struct InsertOptions {
    /// The action for a row whose identifier or unique values already exist in the store.
    ///
    /// The unique values are a unique attribute or attributes that are unique together.
    public enum ConflictAction: String, Sendable, Hashable, CaseIterable {
        /// The insert fails.
        case abort
        /// The stored row is unchanged, and the new row is skipped.
        case ignore
        /// The stored row gets all values of the new row; columns that the new row lacks get the default or null.
        case replace
        /// The stored row gets the values that the new row has, and keeps its other values.
        case update
    }

    /// The action for a reference to an object that exists neither in the store nor in the insert at its end.
    public enum MissingReferenceAction: String, Sendable, Hashable, CaseIterable {
        /// The insert fails.
        case error
        /// The reference becomes null, and a join row is dropped; a mandatory reference is an error.
        case null
        /// The row and the rows that refer to it are rejected.
        ///
        /// A join row is rejected, or the row whose list column contains it.
        case reject
    }

    /// The action for a row that already exists.
    ///
    /// A row exists if the store has its identifier, its unique value, or its values that are unique together. The
    /// identifier of a stored row never changes. A row is an error if the row with its unique value has another
    /// identifier (``ConflictAction/ignore`` skips it). ``ConflictAction/update`` and ``ConflictAction/replace`` decide
    /// this after the last row of the input, so that rows can exchange unique values.
    public var onConflict: ConflictAction
    /// The action for a dangling reference.
    public var onMissingReference: MissingReferenceAction
    /// A Boolean value that indicates whether the indexes of an empty table are built after the rows are inserted.
    ///
    /// This is faster for millions of rows.
    public var buildsIndexesLast: Bool
    /// A closure that receives each row that is rejected because of a unique value or a dangling reference.
    ///
    /// Without a closure, the first such row fails the insert. If the closure throws, the insert fails.
    public var onFailure: ((RowFailure) throws -> Void)?

    /// Creates options; by default, every conflict and every dangling reference is an error.
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
    /// Returns a Boolean value that indicates whether stored rows of an entity may be removed again during the insert.
    ///
    /// A row is removed if its reference is dangling, or if its one-to-one counterpart arrives later and already
    /// belongs to another row.
    package func mayReject(_ entity: EntityDescription) -> Bool {
        switch onMissingReference {
        case .error: false
        case .reject: true
        // This concerns a one-to-one counterpart that arrives later and belongs to another row. It also applies if the
        // first error aborts the insert, because the error reports the row as it was.
        case .null: entity.uniqueKeys.contains { $0.columns.contains { entity.columns[$0].destination != nil } }
        }
    }

    /// Passes the error of a row to ``onFailure``, or throws it.
    ///
    /// - Parameters:
    ///   - error: The reason for the rejection.
    ///   - location: The location of the row in its input.
    ///   - note: The row's original bytes, if they were kept.
    ///   - row: The row as it was, if it was stored before the insert found the error.
    ///   - counts: The counts, in which the row is counted as rejected.
    /// - Throws: The error, if there is no ``onFailure`` or if the error does not concern the row itself; the error
    ///     that ``onFailure`` throws.
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
    /// The reason, with the row's location.
    public var error: PersistenceError
    /// The location of the row in its input.
    public var location: RowLocation
    /// The row's original bytes, if they were kept.
    public var note: [UInt8]
    /// The row as it was, if it was stored before the insert found the error.
    ///
    /// In this case, other rows may have been resolved to it.
    public var row: StoredRow?

    init(_ error: PersistenceError, location: RowLocation, note: [UInt8], row: StoredRow?) {
        self.error = error
        self.error.location = location
        self.location = location
        self.note = note
        self.row = row
    }
}

/// The counts of rows by their outcome in a bulk insert.
public struct InsertCounts: Sendable, Hashable {
    /// The count of new rows.
    public var inserted = 0
    /// The count of existing rows that got new values.
    public var updated = 0
    /// The count of existing rows that were left unchanged.
    public var ignored = 0
    /// The count of rows that were rejected because of a unique value or a dangling reference.
    public var rejected = 0
    /// The count of dangling references that were set to null.
    public var nulledReferences = 0
    /// The count of join rows of many-to-many relationships that were dropped because a reference was dangling.
    public var droppedPairs = 0

    /// Creates counts of zero.
    public init() {}

    /// Returns the sum of two counts.
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
