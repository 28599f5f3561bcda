public import StrataCore
public import StrataStoreKit

/// A source that generates the rows of an entity on request, by their numbers.
///
/// Several threads may request rows at the same time and in any order.
public protocol RowProducer: Sendable {
    /// The entity whose rows are generated.
    var entity: EntityDescription { get }

    /// The count of rows; the producer also determines their identifiers.
    var count: Int { get }

    /// The count of rows that one call of ``fill(_:with:)`` generates, at least 1.
    ///
    /// Common values are several thousand; use fewer rows if long texts would make the block large.
    var rowsInBlock: Int { get }

    /// Appends generated rows to a block.
    ///
    /// - Parameters:
    ///   - block: An empty block of the entity's rows.
    ///   - rows: The numbers of the rows to append, from 0 and less than ``count``.
    /// - Throws: Any error, which then ends the export.
    func fill(_ block: inout RowBlock, with rows: Range<Int>) throws
}
