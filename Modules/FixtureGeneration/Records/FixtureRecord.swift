/// A record type that describes its fields, so that fixtures of this type can be generated.
///
/// ```swift
/// struct Invoice: FixtureRecord {
///     let number: String
///     let total: Decimal
///
///     static let fixtureEntity = FixtureEntity(
///         "Invoice",
///         [
///             FixtureField("number", type: .text, generator: .code(prefix: "INV-", digits: 6), isUnique: true),
///             FixtureField(
///                 "total", type: .decimal(scale: 2), generator: .logNormal(median: 80, sigma: 1, .init(1...5_000))),
///         ])
///
///     init(fixture row: FixtureRow) throws {
///         number = try row["number"]
///         total = try row["total"]
///     }
/// }
///
/// let invoices = try Fixtures(seed: 7, for: Invoice.self)
/// ```
///
/// The fields that the initializer reads must be declared in ``fixtureEntity``. A misspelled name is reported when the
/// first record is created, with the names that exist. If the entity references another one, also pass the type of the
/// target to the generator.
///
/// A record type of a model needs no conformance to generate rows of the model: see
/// ``FixtureDescription/init(model:counts:seed:version:)``.
///
/// ## Topics
///
/// ### Describing the fields
///
/// - ``fixtureEntity``
///
/// ### Creating records
///
/// - ``init(fixture:)``
public protocol FixtureRecord {
    /// The entity, with its name and its fields.
    ///
    /// Its name affects the generated values. A renamed entity has other rows.
    static var fixtureEntity: FixtureEntity { get throws }

    /// Creates a record from a row.
    ///
    /// The row contains a value for each field of the entity. Read them by name, as the type of the property: `number =
    /// try row["number"]`.
    ///
    /// - Throws: ``FixtureError`` if the row lacks a field or a value has another type, and errors of the record's own
    ///   rules.
    init(fixture row: FixtureRow) throws
}

extension Fixtures {
    /// Returns the generated record with an index, optionally changed.
    ///
    /// A test states the values that it depends on, and leaves the others to the generator:
    ///
    /// ```swift
    /// let known = try invoices.record(Invoice.self, with: ["number": "INV-000001"])
    /// ```
    ///
    /// Values that are derived from other fields use the values in `given`: a price above a cost is above the given
    /// cost. The closure `change` runs after the record was created, so it affects no other value. Given values need
    /// not be unique among the records.
    ///
    /// - Parameters:
    ///   - type: The record type, whose entity is in the description.
    ///   - index: The number of the row, from 0 to 999,999,999.
    ///   - given: Values that replace generated values, by the names of the fields.
    ///   - change: A closure that can change the generated record.
    /// - Returns: The record.
    /// - Throws: ``FixtureError`` if the row cannot be generated or a given value is not valid for its field, and the
    ///   errors of the record's initializer and of `change`.
    public func record<Record: FixtureRecord>(
        _ type: Record.Type = Record.self, at index: Int = 0, with given: [String: FixtureValue] = [:],
        _ change: (inout Record) throws -> Void = { _ in }
    ) throws -> Record {
        var record = try Record(fixture: try row(of: try Record.fixtureEntity.name, at: index, with: given))
        try change(&record)
        return record
    }

    /// Returns generated records with consecutive indexes, beginning with the first one.
    ///
    /// If `count` is omitted, the records from `first` to the end of the description are returned; the array is empty
    /// if `first` is beyond the end.
    ///
    /// - Parameters:
    ///   - type: The record type, whose entity is in the description.
    ///   - count: The number of records, at least 0. The default is the number in the description.
    ///   - first: The index of the first record, from 0.
    /// - Returns: The records, in the order of their indexes.
    /// - Throws: The errors of ``record(_:at:with:_:)``, and ``FixtureError`` with the code `outOfRange` for a negative
    ///   count.
    /// - Complexity: O(*n*) in the number of records, all of which are in memory at once.
    public func records<Record: FixtureRecord>(
        _ type: Record.Type = Record.self, count: Int? = nil, from first: Int = 0
    ) throws -> [Record] {
        let name = try Record.fixtureEntity.name
        let numbers = EntityFixtures.counts
        guard numbers.contains(first), numbers.contains(count ?? 0) else {
            throw FixtureError(
                .outOfRange, entity: name,
                "\(count.map { "\($0)" } ?? "all") records from \(first) on were requested; both numbers must be from "
                    + "0 to \(numbers.upperBound)"
            )
        }
        _ = try plan(of: name)
        let count = count ?? max(0, self.count(of: name) - first)
        return try (first..<first + count).map { try record(type, at: $0) }
    }
}
