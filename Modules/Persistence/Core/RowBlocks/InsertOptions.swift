/// What a bulk insert does about rows that are there already and about references that lead nowhere.
public struct InsertOptions {
    /// What happens to a row whose identifier or unique value, or values that are unique together, the store has already.
    public enum ConflictAction: String, Sendable, Hashable, CaseIterable {
        /// It is an error.
        case abort
        /// The stored row stays as it is, the new one is left out.
        case ignore
        /// The stored row gets all values of the new one; what the new one lacks becomes the default or null.
        case replace
        /// The stored row gets the values that the new one has, and keeps the others.
        case update
    }

    /// What happens to a reference to an object that neither the store nor the insert has at the end.
    public enum MissingReferenceAction: String, Sendable, Hashable, CaseIterable {
        /// It is an error.
        case error
        /// It becomes null; an error where the reference is mandatory. A pair is forgotten.
        case null
        /// The row is left out, and with it the rows that refer to it. A pair is, or the row in whose column it stands.
        case reject
    }

    /// What happens to a row that is there already.
    ///
    /// A row is there when its identifier is or, beside that, a value of it that is declared unique, or values that are unique together. The identifier of a stored row
    /// never changes: a row that names another one than the row that has its unique value is an error (``ConflictAction/ignore`` leaves it out).
    /// ``ConflictAction/update`` and ``ConflictAction/replace`` decide about that when all rows came, so that rows can exchange unique values.
    public var onConflict: ConflictAction
    /// What happens to a reference that leads nowhere.
    public var onMissingReference: MissingReferenceAction
    /// Whether rows come by the million: the indexes of an empty table are then built after them.
    public var buildsIndexesLast: Bool
    /// Told of each row that is left out because it breaks uniqueness or refers to nothing; without it the first one ends the insert.
    ///
    /// What it throws ends the insert.
    public var onFailure: ((RowFailure) throws -> Void)?

    /// Options; the default is that every conflict and every missing reference is an error.
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
    /// Whether rows of an entity may be taken out again that were stored: because they refer to nothing, or because what they refer to came later
    /// and was another's already.
    package func mayTakeOut(_ entity: EntityDescription) -> Bool {
        switch onMissingReference {
        case .error: false
        case .reject: true
        // Of a partner that comes later, and is another's: asked for also where the first error ends all, which is told of the row as it was.
        case .null: entity.uniqueKeys.contains { $0.columns.contains { entity.columns[$0].destination != nil } }
        }
    }

    /// Gives a row's error to whoever takes them, or throws it.
    ///
    /// - Parameters:
    ///   - error: Why the row is left out.
    ///   - location: Where the row stands in its input.
    ///   - note: The row's original bytes, where they were kept.
    ///   - row: The row as it was, where it was stored before it was found to be wrong.
    ///   - counts: Counts the row as rejected.
    /// - Throws: The error where nobody takes it, or where it is not the row's own; what the taker throws.
    public func refuse(
        _ error: PersistenceError, at location: RowLocation, note: [UInt8], row: StoredRow? = nil,
        counts: inout InsertCounts
    ) throws {
        var error = error
        // Rows are refused for what is wrong with them; a full disk or a damaged store is everybody's.
        if !error.code.isOfStore { error.location = location }
        guard let onFailure, [.uniqueness, .validation, .danglingReference].contains(error.code) else { throw error }
        counts.rejected += 1
        try onFailure(RowFailure(error, location: location, note: note, row: row))
    }
}

/// A row that a bulk insert left out.
public struct RowFailure {
    /// Why, with the row's location.
    public var error: PersistenceError
    /// Where the row stands in its input.
    public var location: RowLocation
    /// The row's original bytes, where they were kept.
    public var note: [UInt8]
    /// The row as it was, where it was stored before it was found to be wrong: others may have been led to it.
    public var row: StoredRow?

    init(_ error: PersistenceError, location: RowLocation, note: [UInt8], row: StoredRow?) {
        self.error = error
        self.error.location = location
        self.location = location
        self.note = note
        self.row = row
    }
}

/// What became of the rows of a bulk insert.
public struct InsertCounts: Sendable, Hashable {
    /// Rows that are new.
    public var inserted = 0
    /// Rows that were there and got new values.
    public var updated = 0
    /// Rows that were there and were left as they are.
    public var ignored = 0
    /// Rows left out because they break uniqueness or refer to nothing.
    public var rejected = 0
    /// References that were made null because they lead nowhere.
    public var nulledReferences = 0
    /// Pairs of many-to-many relationships that were forgotten because an end leads nowhere.
    public var droppedPairs = 0

    /// Counts of nothing.
    public init() {}

    /// The sum of two counts.
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
