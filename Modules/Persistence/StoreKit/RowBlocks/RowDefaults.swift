import Foundation
public import StrataCore

/// The default values that new rows of a bulk insert get in absent columns.
///
/// A store creates one value for each bulk insert of an entity, so that all rows get the same time of creation.
public struct RowDefaults {
    private let defaults: [DefaultValue?]
    /// The value of all defaults that are the time of creation, one instant to the millisecond.
    ///
    /// More digits would only lengthen the values in every file.
    private let now: StoredValue
    private let positionColumn: Int?
    private let positions: RowPositions?

    /// Creates the defaults of an entity for one bulk insert.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - positions: The counter of row positions, if the entity keeps the order of files. If it is `nil`, new rows
    ///     have no position.
    public init(_ entity: EntityDescription, positions: RowPositions? = nil) {
        defaults = entity.columns.map { $0.attribute?.defaultValue }
        let milliseconds = (Date.now.timeIntervalSinceReferenceDate * 1000).rounded(.down)
        now = .date(Date(timeIntervalSinceReferenceDate: milliseconds / 1000))
        positionColumn = entity.positionColumn
        self.positions = positions
    }

    /// Returns the default value of a column; null if the column has no default.
    ///
    /// Each call for the position column returns the next position. Call the method once for each new row, and not for
    /// a row that is replaced.
    public func value(_ column: Int) -> StoredValue {
        switch defaults[column] {
        case .constant(let value): value
        case .now: now
        case .newUUID: .uuid(UUID())
        case nil: column == positionColumn ? positions.map { .integer($0.take()) } ?? .null : .null
        }
    }
}

/// A counter of the row positions that new rows of an entity get, if the entity keeps the order of files.
///
/// A transaction uses one counter for all rows that it inserts. The class is not `Sendable`.
public final class RowPositions {
    /// The position that the next new row gets.
    public private(set) var next: Int64

    /// Creates a counter for one transaction.
    ///
    /// - Parameter next: The first position: the entity's next identifier, which is greater than all positions and
    ///   identifiers of the entity.
    public init(next: Int64) { self.next = next }

    /// Returns the position for a new row, and advances the counter by one.
    public func take() -> Int64 {
        defer { next += 1 }
        return next
    }
}
