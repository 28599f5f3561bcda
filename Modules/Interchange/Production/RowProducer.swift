public import StrataCore

/// A source that generates rows of an entity on demand: by number, in any order, in several threads at once.
public protocol RowProducer: Sendable {
    /// The entity.
    var entity: EntityDescription { get }

    /// The count of rows; their identifiers are those of the blocks.
    var count: Int { get }

    /// The count of rows that are generated at once, at least 1.
    ///
    /// A common value is some thousands; use fewer if long texts would make the block large.
    var rowsInBlock: Int { get }

    /// Appends rows to a block.
    ///
    /// - Parameters:
    ///   - block: An empty block of the entity's rows.
    ///   - rows: The rows' numbers from 0, within ``count``.
    /// - Throws: An error, which aborts the whole production.
    func fill(_ block: inout RowBlock, with rows: Range<Int>) throws
}
