import StrataCore

/// The identifiers a context took from the store and has not given out yet.
///
/// A context and the units of work that repositories run beside it share one, on one queue, so that identifiers are not wasted.
final class IdentifierBlocks {
    /// Blocks grow from the first size to the last, so that a context that inserts much asks the store rarely.
    private static let sizes = 32...4096

    private struct Block {
        var free: ClosedRange<Int64>?
        var nextCount = IdentifierBlocks.sizes.lowerBound
    }

    private let coordinator: PersistentStoreCoordinator
    private var blocks: [String: Block] = [:]

    init(_ coordinator: PersistentStoreCoordinator) {
        self.coordinator = coordinator
    }

    /// Leaves out the identifiers up to one that was given past the block.
    func skip(_ id: Int64, of entity: String) {
        guard let free = blocks[entity]?.free, free.contains(id) else { return }
        blocks[entity]?.free = id < free.upperBound ? id + 1...free.upperBound : nil
    }

    /// The next identifier of the block at hand, or of a new one.
    func next(of entity: String) throws -> Int64 {
        var block = blocks[entity] ?? Block()
        let free: ClosedRange<Int64>
        if let left = block.free {
            free = left
        } else {
            free = try coordinator.reserveIdentifiers(block.nextCount, of: entity)
            block.nextCount = min(block.nextCount * 2, Self.sizes.upperBound)
        }
        block.free = free.lowerBound < free.upperBound ? free.lowerBound + 1...free.upperBound : nil
        blocks[entity] = block
        return free.lowerBound
    }
}
