import Foundation

/// What new rows of a bulk insert get where a column is absent.
public struct RowDefaults {
    private let defaults: [DefaultValue?]
    /// One instant for all rows, to the millisecond: a finer one would only be noise in every file.
    private let now: StoredValue

    /// The defaults of an entity, for one bulk insert.
    public init(_ entity: EntityDescription) {
        defaults = entity.columns.map { $0.attribute?.defaultValue }
        let milliseconds = (Date.now.timeIntervalSinceReferenceDate * 1000).rounded(.down)
        now = .date(Date(timeIntervalSinceReferenceDate: milliseconds / 1000))
    }

    /// The value for a column; null where it has no default.
    public func value(_ column: Int) -> StoredValue {
        switch defaults[column] {
        case .constant(let value): value
        case .now: now
        case .newUUID: .uuid(UUID())
        case nil: .null
        }
    }
}

extension EntityDescription {
    /// The columns without which no row can be new: mandatory, and nothing to take their place.
    public var requiredColumns: [Int] {
        columns.indices.filter { !columns[$0].isOptional && columns[$0].attribute?.defaultValue == nil }
    }
}
