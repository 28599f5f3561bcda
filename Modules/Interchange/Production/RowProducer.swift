public import StrataCore
public import StrataStoreKit

/// A source that generates the rows of an entity on request, by their numbers.
///
/// Several threads may request rows at the same time and in any order.
///
/// A producer must return the same row for the same number each time, on any thread. Then the bytes of an export do not
/// depend on the count of threads. This producer generates rows with one text:
///
/// ```swift
/// struct NumberedItems: RowProducer {
///     let entity: EntityDescription
///     let count: Int
///     let rowsInBlock = 4_096
///
///     func fill(_ block: inout RowBlock, with rows: Range<Int>) throws {
///         for number in rows {
///             block.beginRow(id: Int64(number + 1), location: RowLocation(line: 0, record: number + 1))
///             block.set(.string("Item \(number + 1)"), column: 0)
///         }
///     }
/// }
/// ```
public protocol RowProducer: Sendable {
    /// The entity whose rows are generated.
    var entity: EntityDescription { get }

    /// The count of rows; the producer also determines their identifiers.
    ///
    /// It must not change during an export.
    var count: Int { get }

    /// The count of rows that one call of ``fill(_:with:)`` generates, at least 1.
    ///
    /// Common values are several thousand; use fewer rows if long texts would make the block large.
    var rowsInBlock: Int { get }

    /// Appends generated rows to a block.
    ///
    /// The block has the columns of ``entity``, in their order. Rows are not validated, so every mandatory column needs
    /// a value of its type. Identifiers must be from 1 to 2^53 - 1, and different in all blocks.
    ///
    /// - Parameters:
    ///   - block: An empty block of the entity's rows.
    ///   - rows: The numbers of the rows to append, from 0 and less than ``count``.
    /// - Throws: Any error, which then ends the export.
    func fill(_ block: inout RowBlock, with rows: Range<Int>) throws
}
