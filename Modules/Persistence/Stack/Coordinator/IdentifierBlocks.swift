import StrataCore

/// The identifiers that a context reserved in the store and has not used yet.
///
/// A context and the units of work of its repositories share one object on one queue, so that no identifiers are
/// wasted.
final class IdentifierBlocks {
    /// The smallest and the largest block size; blocks grow, so that a context with many inserts rarely asks the store.
    private static let sizes = 32...4096

    private struct Block {
        var free: ClosedRange<Int64>?
        var nextCount = IdentifierBlocks.sizes.lowerBound
        /// The greatest identifier that is known to be free in a unit of work.
        var lastChecked: Int64 = 0
        /// The number of the unit of work.
        var work = 0
    }

    private let coordinator: PersistentStoreCoordinator
    private var blocks: [String: Block] = [:]
    private var work = 0

    init(_ coordinator: PersistentStoreCoordinator) {
        self.coordinator = coordinator
    }

    /// Begins a unit of work; other writers may have used identifiers of a block in the meantime.
    func beginWork() { work += 1 }

    /// Skips the identifiers up to an identifier that was assigned outside the block.
    func skip(_ id: Int64, of entity: String) {
        guard let free = blocks[entity]?.free, free.contains(id) else { return }
        blocks[entity]?.free = id < free.upperBound ? id + 1...free.upperBound : nil
    }

    /// Returns the next identifier of the current block, or of a new block.
    ///
    /// Imports, and records with explicit identifiers, may use identifiers of a reserved block, in any process. If the
    /// store has a row in a block, the block is discarded. All later identifiers of an entity are then greater than
    /// those of its rows.
    func next(of entity: String) throws -> Int64 {
        var block = blocks[entity] ?? Block()
        if let free = block.free, block.work != work || block.lastChecked < free.lowerBound {
            // Most units of work need few identifiers. A unit that needs more checks the rest of the block at once.
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
