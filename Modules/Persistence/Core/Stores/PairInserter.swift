/// An inserter of the join rows of one many-to-many relationship inside a store's transaction.
///
/// Its options define the action for existing and dangling join rows.
public protocol PairInserter: AnyObject {
    /// The outcomes of the join rows so far; their ends are checked only at the end of the transaction.
    ///
    /// If join rows come from a list column of rows, rejections are counted with the rows.
    var counts: InsertCounts { get }

    /// Adds a join row.
    ///
    /// A join row that already exists is a conflict, unless it comes from a list column of rows: in a symmetric
    /// relationship, both ends name it.
    ///
    /// - Parameter pair: The join row.
    /// - Throws: ``PersistenceError`` with the location if the join row already exists, unless the options permit it.
    func insert(_ pair: JoinRowInput) throws
}

/// A join row as a record of an input contains it.
public struct JoinRowInput: Sendable {
    /// The join row, in the orientation of the join table's source and target.
    public var row: JoinRow
    /// The location of the record in its input.
    public var location: RowLocation
    /// The record's original bytes, if they were kept.
    public var note: ArraySlice<UInt8>
    /// A Boolean value that indicates whether the row is new whose list column contains the join row.
    public var isOwnerNew: Bool

    /// Creates a join row with its location.
    public init(_ row: JoinRow, location: RowLocation, note: ArraySlice<UInt8> = [], isOwnerNew: Bool = true) {
        self.row = row
        self.location = location
        self.note = note
        self.isOwnerNew = isOwnerNew
    }
}

/// The rows whose list columns contain join rows; a dangling join row is an error of its row.
public struct PairOwners {
    /// The inserter of the rows.
    public let inserter: any RowInserter
    /// A Boolean value that indicates whether the rows are the sources of the join rows.
    public let isSource: Bool

    /// Creates owners from the rows of an inserter.
    public init(_ inserter: any RowInserter, isSource: Bool) {
        self.inserter = inserter
        self.isSource = isSource
    }
}

/// An inserter of join rows for stores that cannot reject them.
///
/// A dangling join row is an error, regardless of the options.
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
    /// Decides about a join row that already exists, and counts it.
    ///
    /// - Parameters:
    ///   - pair: The join row.
    ///   - join: The join table's name.
    ///   - counts: The counts of the join rows so far.
    /// - Returns: Whether the join row is to be written again, with its new positions.
    /// - Throws: ``PersistenceError/Code/uniqueness`` if the options neither replace the join row nor skip it.
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
