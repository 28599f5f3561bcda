public import StrataCore

/// Rows of an entity that are made when they are needed: by number, in any order, by several threads at once.
public protocol RowProducer: Sendable {
    /// The entity.
    var entity: EntityDescription { get }

    /// How many rows there are; their identifiers are those of the blocks.
    var count: Int { get }

    /// How many rows are made at once, at least 1: some thousand, and fewer where texts may be so long that a block of them would not be small.
    var rowsInBlock: Int { get }

    /// Adds rows to a block.
    ///
    /// - Parameters:
    ///   - block: A block of the entity's rows, empty.
    ///   - rows: The rows' numbers from 0, within ``count``.
    /// - Throws: What makes the whole production end.
    func fill(_ block: inout RowBlock, with rows: Range<Int>) throws
}
