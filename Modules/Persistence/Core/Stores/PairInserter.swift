/// Takes the pairs of one many-to-many relationship inside a store's transaction, with what is to happen where they do not fit.
public protocol PairInserter: AnyObject {
    /// What became of the pairs so far; their ends are checked at the end of the transaction only.
    ///
    /// Of pairs that stand in a column of rows, rejected ones are counted with the rows.
    var counts: InsertCounts { get }

    /// Adds a pair.
    ///
    /// One that is there already is a conflict, unless rows have it in a column: of a symmetric relationship both ends name it then.
    ///
    /// - Parameter pair: The pair.
    /// - Throws: ``PersistenceError`` with the location where the pair is there already, unless the options take it.
    func insert(_ pair: GivenPair) throws
}

/// A pair as a record of an input has it.
public struct GivenPair: Sendable {
    /// The pair, in the orientation of the join table's source and target.
    public var row: JoinRow
    /// Where the record stands in its input.
    public var location: RowLocation
    /// The record's original bytes, where they are kept.
    public var note: ArraySlice<UInt8>
    /// Whether the row is new in whose column the pair stands.
    public var isOwnerNew: Bool

    /// A pair.
    public init(_ row: JoinRow, location: RowLocation, note: ArraySlice<UInt8> = [], isOwnerNew: Bool = true) {
        self.row = row
        self.location = location
        self.note = note
        self.isOwnerNew = isOwnerNew
    }
}

/// The rows in whose columns pairs stand: one that leads nowhere is their mistake.
public struct PairOwners {
    /// What took the rows.
    public let inserter: any RowInserter
    /// Whether they are the sources of the pairs.
    public let isSource: Bool

    /// The rows of an inserter.
    public init(_ inserter: any RowInserter, isSource: Bool) {
        self.inserter = inserter
        self.isSource = isSource
    }
}

/// Pairs in a store that has no way of its own to leave them out: one that leads nowhere is an error, whatever the options say.
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

    func insert(_ pair: GivenPair) throws {
        if !isList, try isThere(pair.row.pair) {
            guard try options.takesAgain(pair, of: join, counts: &counts) else { return }
        } else {
            counts.inserted += 1
        }
        try writer.insert(pair.row, of: join, location: pair.location)
    }

    private func isThere(_ pair: JoinPair) throws -> Bool {
        var isThere = false
        try writer.read { reader in
            try reader.joins(JoinRequest(join, of: .source, ids: [pair.source])) { row in
                isThere = isThere || row.pair.target == pair.target
                return isThere ? .stop : .next
            }
        }
        return isThere
    }
}

extension InsertOptions {
    /// Decides on a pair that is there already, and counts it.
    ///
    /// - Parameters:
    ///   - pair: The pair.
    ///   - join: The join table's name.
    ///   - counts: Of the pairs so far.
    /// - Returns: Whether the pair is to be written again, with the positions that it has now.
    /// - Throws: ``PersistenceError/Code/uniqueness`` where the options neither take it nor leave it out.
    public func takesAgain(
        _ pair: GivenPair, of join: String, counts: inout InsertCounts
    ) throws -> Bool {
        switch onConflict {
        case .abort:
            let error = PersistenceError(.uniqueness, "the pair is there already", entity: join)
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
