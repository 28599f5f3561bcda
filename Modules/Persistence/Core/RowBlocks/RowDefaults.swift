import Foundation

/// What new rows of a bulk insert get where a column is absent.
public struct RowDefaults {
    private let defaults: [DefaultValue?]
    /// One instant for all rows, to the millisecond: a finer one would only be noise in every file.
    private let now: StoredValue
    private let positionColumn: Int?
    private let positions: RowPositions?

    /// The defaults of an entity, for one bulk insert.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - positions: The positions of new rows if the entity keeps the order of files. Without them, a new row has
    ///       none.
    public init(_ entity: EntityDescription, positions: RowPositions? = nil) {
        defaults = entity.columns.map { $0.attribute?.defaultValue }
        let milliseconds = (Date.now.timeIntervalSinceReferenceDate * 1000).rounded(.down)
        now = .date(Date(timeIntervalSinceReferenceDate: milliseconds / 1000))
        positionColumn = entity.positionColumn
        self.positions = positions
    }

    /// The value for a column; null where it has no default.
    ///
    /// Each call for the column of positions gives the next one: call it once for a new row, and not for a row that is
    /// replaced.
    public func value(_ column: Int) -> StoredValue {
        switch defaults[column] {
        case .constant(let value): value
        case .now: now
        case .newUUID: .uuid(UUID())
        case nil: column == positionColumn ? positions.map { .integer($0.take()) } ?? .null : .null
        }
    }
}

/// The positions of new rows of an entity that keeps the order of files: one counter for all rows that a transaction
/// inserts.
///
/// Not `Sendable`: a transaction has one.
public final class RowPositions {
    /// The next position.
    public private(set) var next: Int64

    /// Creates the positions of a transaction.
    ///
    /// - Parameter next: The first position, above each position and identifier of the entity: the entity's next
    ///     identifier.
    public init(next: Int64) { self.next = next }

    /// Returns the next position, and counts on.
    public func take() -> Int64 {
        defer { next += 1 }
        return next
    }
}

extension EntityDescription {
    /// The columns without which no row can be new: mandatory, and without a default.
    public var requiredColumns: [Int] {
        columns.indices.filter { !columns[$0].isOptional && columns[$0].attribute?.defaultValue == nil }
    }

    /// The columns whose values a record type computes.
    package var computedColumns: [Int] { columns.indices.filter { columns[$0].attribute?.isComputed == true } }
}
