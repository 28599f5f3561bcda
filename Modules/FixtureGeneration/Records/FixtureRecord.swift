/// A record type that describes its fields, so that fixtures of it can be made.
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
public protocol FixtureRecord {
    /// The entity: its name and its fields.
    static var fixtureEntity: FixtureEntity { get }

    /// Makes a record of a row.
    ///
    /// - Throws: What reading the row throws, or what the record's own rules are.
    init(fixture row: FixtureRow) throws
}

extension Fixtures {
    /// One record.
    ///
    /// - Parameters:
    ///   - type: The record type, whose entity the description makes.
    ///   - index: The row's number, 0 to 999,999,999.
    ///   - given: Values that are not to be made, by the names of the fields.
    ///   - change: Changes what was made, where the type lets it.
    /// - Returns: The record.
    /// - Throws: ``FixtureError`` where the row cannot be made or a given value is not the field's; what the record's initialiser or `change` throws.
    public func record<Record: FixtureRecord>(
        _ type: Record.Type = Record.self, at index: Int = 0, with given: [String: FixtureValue] = [:],
        _ change: (inout Record) throws -> Void = { _ in }
    ) throws -> Record {
        var record = try Record(fixture: try row(of: Record.fixtureEntity.name, at: index, with: given))
        try change(&record)
        return record
    }

    /// The first records, or some from one on.
    ///
    /// - Parameters:
    ///   - type: The record type, whose entity the description makes.
    ///   - count: How many, 0 or more; as many as the description has unless given.
    ///   - first: The number of the first one.
    /// - Returns: The records, in the order of their numbers.
    /// - Throws: As ``record(_:at:with:_:)`` does, and ``FixtureError`` with the code `outOfRange` for a negative count.
    /// - Complexity: O(*n*); all are in memory at once.
    public func records<Record: FixtureRecord>(
        _ type: Record.Type = Record.self, count: Int? = nil, from first: Int = 0
    ) throws -> [Record] {
        let name = Record.fixtureEntity.name
        let numbers = EntityFixtures.counts
        guard numbers.contains(first), numbers.contains(count ?? 0) else {
            throw FixtureError(
                .outOfRange, entity: name,
                "\(count.map { "\($0)" } ?? "all") records from \(first) on are asked for; both are from 0 to \(numbers.upperBound)"
            )
        }
        _ = try plan(of: name)
        let count = count ?? max(0, self.count(of: name) - first)
        return try (first..<first + count).map { try record(type, at: $0) }
    }
}
