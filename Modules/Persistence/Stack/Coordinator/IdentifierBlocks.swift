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
        /// The greatest identifier that is known to be free in a unit of work.
        var lastChecked: Int64 = 0
        /// The unit of work.
        var work = 0
    }

    private let coordinator: PersistentStoreCoordinator
    private var blocks: [String: Block] = [:]
    private var work = 0

    init(_ coordinator: PersistentStoreCoordinator) {
        self.coordinator = coordinator
    }

    /// Begins a unit of work: others may have used identifiers of a block meanwhile.
    func beginWork() { work += 1 }

    /// Leaves out the identifiers up to one that was given past the block.
    func skip(_ id: Int64, of entity: String) {
        guard let free = blocks[entity]?.free, free.contains(id) else { return }
        blocks[entity]?.free = id < free.upperBound ? id + 1...free.upperBound : nil
    }

    /// Returns the next identifier of the block at hand, or of a new one.
    ///
    /// Imports and records with identifiers of their own use identifiers of blocks, in any process. A block in which the
    /// store has a row is dropped: all later identifiers of an entity are greater than those of its rows.
    func next(of entity: String) throws -> Int64 {
        var block = blocks[entity] ?? Block()
        if let free = block.free, block.work != work || block.lastChecked < free.lowerBound {
            // Most units of work need a few; one that needs more looks at the rest at once.
            let isFirst = block.work != work
            let last =
                isFirst ? min(free.upperBound, free.lowerBound + Int64(Self.sizes.lowerBound) - 1) : free.upperBound
            if try coordinator.hasRow(of: entity, in: free.lowerBound...last) { block.free = nil }
            (block.work, block.lastChecked) = (work, last)
        }
        let free: ClosedRange<Int64>
        if let left = block.free {
            free = left
        } else {
            free = try coordinator.reserveIdentifiers(block.nextCount, of: entity)
            block.nextCount = min(block.nextCount * 2, Self.sizes.upperBound)
            (block.work, block.lastChecked) = (work, free.upperBound)
        }
        block.free = free.lowerBound < free.upperBound ? free.lowerBound + 1...free.upperBound : nil
        blocks[entity] = block
        return free.lowerBound
    }
}
