public import StrataCore

/// An inserter of the join rows of one many-to-many relationship inside a store's transaction.
///
/// Its options define the action for join rows that exist already, and for dangling join rows.
public protocol PairInserter: AnyObject {
    /// The counts of the join rows so far, by their outcome; missing ends are found only at the end of the transaction.
    ///
    /// If the join rows are from a list column, a rejected join row is counted as a rejection of the row with that
    /// column.
    var counts: InsertCounts { get }

    /// Inserts a join row.
    ///
    /// If the join row exists already, the options decide. A join row from a list column of a symmetric relationship
    /// may exist, because the list columns of both ends contain it.
    ///
    /// - Parameter pair: The join row.
    /// - Throws: ``PersistenceError`` with the location if the join row exists already, unless the options permit it.
    func insert(_ pair: JoinRowInput) throws
}

/// A join row as a record of a bulk insert's input contains it.
public struct JoinRowInput: Sendable {
    /// The join row, with the source and target of the join table.
    public var row: JoinRow
    /// The location of the record in its input.
    public var location: RowLocation
    /// The original bytes of the record; empty if they were not retained.
    public var note: ArraySlice<UInt8>
    /// A Boolean value that indicates whether the row whose list column contains the join row is a new row.
    public var isOwnerNew: Bool

    /// Creates a join row with the location of its record.
    public init(_ row: JoinRow, location: RowLocation, note: ArraySlice<UInt8> = [], isOwnerNew: Bool = true) {
        self.row = row
        self.location = location
        self.note = note
        self.isOwnerNew = isOwnerNew
    }
}

/// The rows whose list columns contain join rows.
///
/// If such a join row is dangling, the error is that of the row with the list column.
public struct PairOwners {
    /// The inserter of the rows with the list column.
    public let inserter: any RowInserter
    /// A Boolean value that indicates whether the rows with the list column are the sources of the join rows.
    public let isSource: Bool

    /// Creates owners from the inserter of the rows with the list column.
    public init(_ inserter: any RowInserter, isSource: Bool) {
        self.inserter = inserter
        self.isSource = isSource
    }
}

/// An inserter of join rows for stores that cannot reject single join rows.
///
/// A dangling join row fails the transaction, regardless of the options.
final class CheckedPairInserter: PairInserter {
    private unowned let writer: any RowWriter
    private let join: String
    private let options: InsertOptions
    private let isList: Bool
    private(set) var counts = InsertCounts()

    init(_ writer: any RowWriter, _ join: String, _ options: InsertOptions, isList: Bool) {
        self.writer = writer
        self.join = join
        self.options = options
        self.isList = isList
    }

    func insert(_ pair: JoinRowInput) throws {
        if !isList, try exists(pair.row.pair) {
            guard try options.takesAgain(pair, of: join, counts: &counts) else { return }
        } else {
            counts.inserted += 1
        }
        try writer.insert(pair.row, of: join, location: pair.location)
    }

    private func exists(_ pair: JoinPair) throws -> Bool {
        var exists = false
        try writer.read { reader in
            try reader.joins(JoinRequest(join, of: .source, ids: [pair.source])) { row in
                exists = exists || row.pair.target == pair.target
                return exists ? .stop : .next
            }
        }
        return exists
    }
}

extension InsertOptions {
    /// Returns whether to write a join row that exists already with its new positions, and updates the counts.
    ///
    /// - Parameters:
    ///   - pair: The join row.
    ///   - join: The join table's name.
    ///   - counts: The counts of the join rows so far.
    /// - Returns: `true` if the join row is to be written with its new positions; `false` if it is skipped.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/uniqueness`` if the options neither replace the
    ///   join row nor skip it.
    public func takesAgain(
        _ pair: JoinRowInput, of join: String, counts: inout InsertCounts
    ) throws -> Bool {
        switch onConflict {
        case .abort:
            let error = PersistenceError(.uniqueness, "the join row already exists", entity: join)
            try refuse(error, at: pair.location, note: Array(pair.note), counts: &counts)
            return false
        case .ignore:
            counts.ignored += 1
            return false
        case .replace, .update:
            counts.updated += 1
            return true
        }
    }
}
