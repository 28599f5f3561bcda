public import Foundation
import StrataCore

extension FetchRequest where Record == DynamicRecord {
    /// Creates a request in text for records without a type.
    ///
    /// The texts have the syntax of the tool's options `--where` and `--sort`.
    ///
    /// ```swift
    /// let rich = try FetchRequest(
    ///     employees, where: "salary >= 50000 and boss.lastName = 'Ito'", sort: "dateHired desc, lower(lastName)",
    ///     limit: 10)
    /// ```
    ///
    /// - Parameters:
    ///   - entity: The entity of the records.
    ///   - predicate: The condition for the records; an empty text is an error. For the syntax, see ``PredicateText``.
    ///   - sort: The sort keys, the most significant first; an empty text sorts by identifier.
    ///   - limit: The maximum number of records, at least 0; `nil` is no limit.
    ///   - offset: The number of records to skip at the beginning, at least 0.
    ///   - now: A closure that returns the value of `now()` in a text.
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

    /// Creates a request in text for all records of an entity, in an order.
    ///
    /// - Parameters:
    ///   - entity: The entity of the records.
    ///   - sort: The sort keys, the most significant first; an empty text sorts by identifier.
    ///   - limit: The maximum number of records, at least 0; `nil` is no limit.
    ///   - offset: The number of records to skip at the beginning, at least 0.
    /// - Throws: ``PredicateTextError`` with the location of the error in the text, and the nearest valid name.
    public init(_ entity: DynamicEntity, sort: String, limit: Int? = nil, offset: Int = 0) throws {
        self.init(entity, nil, sort: try SortKey.keys(entity, sort), limit: limit, offset: offset)
    }
}

extension RecordFilter where Record == DynamicRecord {
    /// Creates a filter from a predicate in text; combine it with others by `&&`, `||` and `!`.
    ///
    /// - Parameters:
    ///   - entity: The entity of the records.
    ///   - predicate: The text.
    ///   - now: A closure that returns the value of `now()` in the text.
    /// - Throws: ``PredicateTextError`` with the location of the error in the text, and the nearest valid name.
    public init(
        _ entity: DynamicEntity, where predicate: String, now: @escaping @Sendable () -> Date = { Date() }
    ) throws {
        self = .condition(try entity.text(now: now).condition(predicate))
    }

    /// Returns a filter that compares a property with a value.
    ///
    /// - Parameters:
    ///   - attribute: The property.
    ///   - comparison: The comparison of the property with the value.
    ///   - value: The value.
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

    /// Returns the sort keys of a text such as `dateHired desc, boss.lastName`, or none for an empty text.
    ///
    /// - Parameters:
    ///   - entity: The entity of the records.
    ///   - text: The text.
    ///   - now: A closure that returns the value of `now()` in the text.
    /// - Returns: The sort keys, the most significant first.
    /// - Throws: ``PredicateTextError`` with the location of the error in the text, and the nearest valid name.
    public static func keys(
        _ entity: DynamicEntity, _ text: String, now: @escaping @Sendable () -> Date = { Date() }
    ) throws -> [SortKey] {
        try entity.text(now: now).sort(text).map(SortKey.init)
    }
}

extension RecordEntity where Record == DynamicRecord {
    /// Returns a parser of texts about the entity.
    ///
    /// - Parameter now: A closure that returns the value of `now()` in a text.
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
