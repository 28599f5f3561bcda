public import Foundation
import StrataCore

extension FetchRequest where Record == DynamicRecord {
    /// Creates a request for records without a Swift type from a condition and sort keys in text form.
    ///
    /// The texts have the same syntax as the options `--where` and `--sort` of the command-line tool.
    ///
    /// ```swift
    /// let rich = try FetchRequest(
    ///     employees, where: "salary >= 50000 and boss.lastName = 'Ito'", sort: "dateHired desc, lower(lastName)",
    ///     limit: 10)
    /// ```
    ///
    /// - Parameters:
    ///   - entity: The entity of the records.
    ///   - predicate: The condition that selects the records; an empty text is an error. For the syntax, see
    ///     ``PredicateText``.
    ///   - sort: The sort keys, the most significant first; if the text is empty, records are sorted by identifier.
    ///   - limit: The maximum number of records, at least 0; `nil` means no limit.
    ///   - offset: The number of selected records to skip at the beginning, at least 0.
    ///   - now: A closure that returns the date for `now()` in a text.
    /// - Throws: ``PredicateTextError`` with the location of the error in the text, and the nearest valid name.
    public init(
        _ entity: DynamicEntity, where predicate: String, sort: String = "", limit: Int? = nil, offset: Int = 0,
        now: @escaping @Sendable () -> Date = { Date() }
    ) throws {
        self.init(
            entity, try RecordFilter(entity, where: predicate, now: now),
            sort: try SortKey.keys(entity, sort, now: now),
            limit: limit, offset: offset)
    }

    /// Creates a request for all records of an entity, sorted by sort keys in text form.
    ///
    /// - Parameters:
    ///   - entity: The entity of the records.
    ///   - sort: The sort keys, the most significant first; if the text is empty, records are sorted by identifier.
    ///   - limit: The maximum number of records, at least 0; `nil` means no limit.
    ///   - offset: The number of records to skip at the beginning, at least 0.
    /// - Throws: ``PredicateTextError`` with the location of the error in the text, and the nearest valid name.
    public init(_ entity: DynamicEntity, sort: String, limit: Int? = nil, offset: Int = 0) throws {
        self.init(entity, nil, sort: try SortKey.keys(entity, sort), limit: limit, offset: offset)
    }
}

extension RecordFilter where Record == DynamicRecord {
    /// Creates a filter from a condition in text form, which you can combine with other filters by `&&`, `||` and `!`.
    ///
    /// - Parameters:
    ///   - entity: The entity of the records.
    ///   - predicate: The condition that selects the records.
    ///   - now: A closure that returns the date for `now()` in the text.
    /// - Throws: ``PredicateTextError`` with the location of the error in the text, and the nearest valid name.
    public init(
        _ entity: DynamicEntity, where predicate: String, now: @escaping @Sendable () -> Date = { Date() }
    ) throws {
        self = .condition(try entity.text(now: now).condition(predicate))
    }

    /// Returns a filter that compares a property with a value.
    ///
    /// - Parameters:
    ///   - attribute: The handle of the property.
    ///   - comparison: The comparison operator, whose left operand is the property.
    ///   - value: The value with which the property is compared.
    /// - Returns: The filter.
    /// - Throws: ``ValueError`` if the value has no stored form.
    public static func compare<Value: AttributeValue>(
        _ attribute: DynamicAttribute<Value>, _ comparison: FetchComparison, _ value: Value
    ) throws -> RecordFilter {
        .condition(.compare(.property(attribute.name), comparison, .constant(try value.storedValue())))
    }
}

extension SortKey where Record == DynamicRecord {
    /// Creates a sort key from a property.
    public init<Value>(_ attribute: DynamicAttribute<Value>, order: SortOrder = .forward) {
        self.init(attribute.name, order: order)
    }

    /// Returns the sort keys in a text such as `dateHired desc, boss.lastName`; for an empty text, an empty array.
    ///
    /// - Parameters:
    ///   - entity: The entity of the records.
    ///   - text: The sort keys in text form, the most significant first.
    ///   - now: A closure that returns the date for `now()` in the text.
    /// - Returns: The sort keys, the most significant first.
    /// - Throws: ``PredicateTextError`` with the location of the error in the text, and the nearest valid name.
    public static func keys(
        _ entity: DynamicEntity, _ text: String, now: @escaping @Sendable () -> Date = { Date() }
    ) throws -> [SortKey] {
        try entity.text(now: now).sort(text).map(SortKey.init)
    }
}

extension RecordEntity where Record == DynamicRecord {
    /// Returns a parser of conditions and sort keys for records of the entity.
    ///
    /// - Parameter now: A closure that returns the date for `now()` in a text.
    /// - Returns: The parser.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if the model does not have the
    ///   entity.
    func text(now: @escaping @Sendable () -> Date = { Date() }) throws -> PredicateText {
        guard let origin else {
            throw PersistenceError(
                .invalidRequest, "the entity belongs to no model, which is required to read a text", entity: name)
        }
        return try PredicateText(name, in: origin, now: now)
    }
}
