import StrataCore

/// A pair of a many-to-many relationship on its way into the store.
struct WaitingPair {
    /// One end: an identifier, or what names an object.
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
    /// The record's original bytes, where they are kept.
    let note: ArraySlice<UInt8>
    /// Whether the row is new in whose column the pair stands.
    var isOwnerNew = true

    /// Stores the pair; an end that is not there is stood for, and found by the check of the pairs.
    func store(_ resolver: KeyResolver, _ writer: BatchWriter) throws {
        try store(
            source: try identifier(source, resolver, writer) ?? standIn(source, resolver),
            target: try identifier(target, resolver, writer) ?? standIn(target, resolver))
    }

    /// The pair with the ends that are there: what names one now may name another one later.
    func found(_ resolver: KeyResolver, _ writer: BatchWriter) throws -> WaitingPair {
        var pair = self
        if let id = try identifier(source, resolver, writer) { pair.source = .identifier(id) }
        if let id = try identifier(target, resolver, writer) { pair.target = .identifier(id) }
        return pair
    }

    /// Stores the pair if both ends were found.
    ///
    /// - Returns: Whether they were.
    func storeIfComplete() throws -> Bool {
        guard case .identifier(let source) = source, case .identifier(let target) = target else { return false }
        try store(source: source, target: target)
        return true
    }

    private func store(source: Int64, target: Int64) throws {
        let row = JoinRow(
            JoinPair(source: source, target: target), sourcePosition: sourcePosition, targetPosition: targetPosition)
        try inserter.insert(GivenPair(row, location: location, note: note, isOwnerNew: isOwnerNew))
    }

    private func identifier(_ end: End, _ resolver: KeyResolver, _ writer: BatchWriter) throws -> Int64? {
        switch end {
        case .identifier(let id): id
        case .keyed(let value): try resolver.identifier(of: value, in: writer)
        }
    }

    private func standIn(_ end: End, _ resolver: KeyResolver) -> Int64 {
        switch end {
        case .identifier(let id): id
        case .keyed(let value): resolver.standIn(for: value)
        }
    }
}
