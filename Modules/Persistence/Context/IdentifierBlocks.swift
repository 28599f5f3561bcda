/// The identifiers a context took from the store and has not given yet, by entity.
///
/// One for a context and all that works on its queue, so that records created one by one are numbered one by one.
final class IdentifierBlocks {
    /// Blocks grow from the first size to the last, so that a context that inserts much asks the store rarely.
    private static let sizes = 32...4096

    private struct Block {
        var free: ClosedRange<Int64>?
        var nextSize = IdentifierBlocks.sizes.lowerBound
    }

    private var blocks: [String: Block] = [:]

    /// The next identifier of the block at hand, or of a new one.
    func next(of entity: String, _ reserve: (Int) throws -> ClosedRange<Int64>) throws -> Int64 {
        var block = blocks[entity] ?? Block()
        let free: ClosedRange<Int64>
        if let left = block.free {
            free = left
        } else {
            free = try reserve(block.nextSize)
            block.nextSize = min(block.nextSize * 2, Self.sizes.upperBound)
        }
        block.free = free.count > 1 ? free.lowerBound + 1...free.upperBound : nil
        blocks[entity] = block
        return free.lowerBound
    }
}
