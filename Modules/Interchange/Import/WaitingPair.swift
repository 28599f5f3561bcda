import StrataCore
import StrataStoreKit

/// A join row of a many-to-many relationship that is to be stored.
///
/// It may have to wait because one of its ends is imported later; see ``KeyResolver``.
struct WaitingPair {
    /// One end of a join row: an identifier, or the key values of an object.
    enum End {
        case identifier(Int64)
        case keyed(KeyedValue)
    }

    let inserter: BatchPairInserter
    var source: End
    var target: End
    var sourcePosition: Int64?
    var targetPosition: Int64?
    let location: RowLocation
    /// The record's original bytes, if they are retained.
    let note: ArraySlice<UInt8>
    /// A Boolean value that indicates whether the row whose list column contains the join row is new.
    var isOwnerNew = true

    /// Stores the join row; a missing end is replaced by a placeholder, which the check of join rows finds.
    func store(_ resolver: KeyResolver, _ writer: BatchWriter) throws {
        try store(
            source: try identifier(source, resolver, writer) ?? placeholder(source, resolver),
            target: try identifier(target, resolver, writer) ?? placeholder(target, resolver))
    }

    /// Returns the join row with its existing ends resolved, because key values may identify another object later.
    func found(_ resolver: KeyResolver, _ writer: BatchWriter) throws -> WaitingPair {
        var pair = self
        if let id = try identifier(source, resolver, writer) { pair.source = .identifier(id) }
        if let id = try identifier(target, resolver, writer) { pair.target = .identifier(id) }
        return pair
    }

    /// Stores the join row if both ends were found.
    ///
    /// - Returns: `true` if both ends were found.
    func storeIfComplete() throws -> Bool {
        guard case .identifier(let source) = source, case .identifier(let target) = target else { return false }
        try store(source: source, target: target)
        return true
    }

    private func store(source: Int64, target: Int64) throws {
        let row = JoinRow(
            JoinPair(source: source, target: target), sourcePosition: sourcePosition, targetPosition: targetPosition)
        try inserter.insert(JoinRowInput(row, location: location, note: note, isOwnerNew: isOwnerNew))
    }

    private func identifier(_ end: End, _ resolver: KeyResolver, _ writer: BatchWriter) throws -> Int64? {
        switch end {
        case .identifier(let id): id
        case .keyed(let value): try resolver.identifier(of: value, in: writer)
        }
    }

    private func placeholder(_ end: End, _ resolver: KeyResolver) -> Int64 {
        switch end {
        case .identifier(let id): id
        case .keyed(let value): resolver.placeholder(for: value)
        }
    }
}
