import StrataCore

/// The identifiers that a context reserved in the store and has not used yet.
///
/// A context and the separate contexts of its units of work share one object, so that no identifiers are wasted.
///
/// Only the queue of the context uses the object. Identifiers of a block that are never used remain unused, also after
/// the process has ended; the identifiers of an entity therefore have gaps.
final class IdentifierBlocks {
    /// The minimum and maximum number of identifiers in a block; each further block is larger, so that many inserts
    /// need few requests to the store.
    private static let sizes = 32...4096

    private struct Block {
        var free: ClosedRange<Int64>?
        var nextCount = IdentifierBlocks.sizes.lowerBound
        /// The greatest identifier for which the current unit of work has checked that no row has it.
        var lastChecked: Int64 = 0
        /// The number of the unit of work in which that check was made.
        var work = 0
    }

    private let coordinator: PersistentStoreCoordinator
    private var blocks: [String: Block] = [:]
    private var work = 0

    init(_ coordinator: PersistentStoreCoordinator) {
        self.coordinator = coordinator
    }

    /// Begins a unit of work, so that blocks are checked again; other writers may have used their identifiers
    /// meanwhile.
    func beginWork() { work += 1 }

    /// Skips all identifiers up to one that a record received explicitly.
    func skip(_ id: Int64, of entity: String) {
        guard let free = blocks[entity]?.free, free.contains(id) else { return }
        blocks[entity]?.free = id < free.upperBound ? id + 1...free.upperBound : nil
    }

    /// Returns the next identifier of the current block, or of a new block.
    ///
    /// Imports and records with explicit identifiers, in any process, may use identifiers that this block reserved. If
    /// the store has a row with an identifier of the block, the block is discarded. All later identifiers of the entity
    /// are then greater than those of its rows.
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
