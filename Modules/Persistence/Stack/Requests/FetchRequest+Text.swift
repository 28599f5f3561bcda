public import Foundation
import StrataCore

extension FetchRequest where Record == DynamicRecord {
    /// A request in text, of records without a type: the texts that the tool's `--where` and `--sort` take.
    ///
    /// ```swift
    /// let rich = try FetchRequest(employees, where: "salary >= 50000 and boss.lastName = 'Ito'", sort: "dateHired desc, lower(lastName)", limit: 10)
    /// ```
    ///
    /// - Parameters:
    ///   - entity: Whose records.
    ///   - predicate: Which records; an empty text is an error. ``PredicateText`` says how it is read.
    ///   - sort: The order, most important key first; an empty text is the order by identifier.
    ///   - limit: The most records to give, at least 0; `nil` is no limit.
    ///   - offset: How many of the first records to leave out, at least 0.
    ///   - now: What `now()` in a text is.
    /// - Throws: ``PredicateTextError`` that says where a text is wrong, and the nearest right name.
    public init(
        _ entity: DynamicEntity, where predicate: String, sort: String = "", limit: Int? = nil, offset: Int = 0,
        now: @escaping @Sendable () -> Date = { Date() }
    ) throws {
        self.init(
            entity, try RecordFilter(entity, where: predicate, now: now),
            sort: try SortKey.keys(entity, sort, now: now),
            limit: limit, offset: offset)
    }

    /// A request in text of all records of an entity, in an order.
    ///
    /// - Parameters:
    ///   - entity: Whose records.
    ///   - sort: The order, most important key first; an empty text is the order by identifier.
    ///   - limit: The most records to give, at least 0; `nil` is no limit.
    ///   - offset: How many of the first records to leave out, at least 0.
    /// - Throws: ``PredicateTextError`` that says where the text is wrong, and the nearest right name.
    public init(_ entity: DynamicEntity, sort: String, limit: Int? = nil, offset: Int = 0) throws {
        self.init(entity, nil, sort: try SortKey.keys(entity, sort), limit: limit, offset: offset)
    }
}

extension RecordFilter where Record == DynamicRecord {
    /// What a predicate in text selects; it combines with others by `&&`, `||` and `!`.
    ///
    /// - Parameters:
    ///   - entity: Whose records.
    ///   - predicate: The text.
    ///   - now: What `now()` in the text is.
    /// - Throws: ``PredicateTextError`` that says where the text is wrong, and the nearest right name.
    public init(
        _ entity: DynamicEntity, where predicate: String, now: @escaping @Sendable () -> Date = { Date() }
    ) throws {
        self = .condition(try entity.text(now: now).condition(predicate))
    }

    /// What has a value in a property.
    ///
    /// - Parameters:
    ///   - attribute: The property.
    ///   - comparison: How the property compares with the value.
    ///   - value: The value.
    /// - Returns: The filter.
    /// - Throws: ``ValueError`` when the value has no stored form.
    public static func compare<Value: AttributeValue>(
        _ attribute: DynamicAttribute<Value>, _ comparison: FetchComparison, _ value: Value
    ) throws -> RecordFilter {
        .condition(.compare(.property(attribute.name), comparison, .constant(try value.storedValue())))
    }
}

extension SortKey where Record == DynamicRecord {
    /// Sorts by a property.
    public init<Value>(_ attribute: DynamicAttribute<Value>, order: SortOrder = .forward) {
        self.init(attribute.name, order: order)
    }

    /// The sort keys of a text: `dateHired desc, boss.lastName`; none of an empty one.
    ///
    /// - Parameters:
    ///   - entity: Whose records.
    ///   - text: The text.
    ///   - now: What `now()` in the text is.
    /// - Returns: The sort keys, most important first.
    /// - Throws: ``PredicateTextError`` that says where the text is wrong, and the nearest right name.
    public static func keys(
        _ entity: DynamicEntity, _ text: String, now: @escaping @Sendable () -> Date = { Date() }
    ) throws -> [SortKey] {
        try entity.text(now: now).sort(text).map(SortKey.init)
    }
}

extension RecordEntity where Record == DynamicRecord {
    /// Reads texts about the entity.
    ///
    /// - Parameter now: What `now()` in a text is.
    /// - Returns: What reads them.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` when the model does not have the entity.
    func text(now: @escaping @Sendable () -> Date = { Date() }) throws -> PredicateText {
        guard let origin else {
            throw PersistenceError(
                .invalidRequest, "the entity is of no model, by which a text could be read", entity: name)
        }
        return try PredicateText(name, in: origin, now: now)
    }
}
