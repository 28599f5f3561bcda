import Foundation

/// Makes the rows of a description, as values: the same description gives the same rows on every machine and in every version.
///
/// ```swift
/// let invoices = try Fixtures(seed: 42, for: Invoice.self)
/// let three = try invoices.records(Invoice.self, count: 3)
/// let eighth: Invoice = try invoices.record(at: 7)
/// ```
///
/// Rows are addressed: row 999 is the same whether a thousand or a million are made, in whatever order and on however many threads. A
/// row's identifier is its number from 0, plus 1. What a row holds depends on the seed, the entity, the number and the dataset version;
/// a reference depends on the count of its entity besides, and a bounded one on both counts. Nothing else has a say: not the clock, the
/// locale, the machine. Needs no store, and is safe to use from several threads.
public struct Fixtures: Sendable {
    /// What is made.
    public let description: FixtureDescription
    private let plans: [String: EntityPlan]

    /// Looks a description over and makes it ready.
    ///
    /// - Parameter description: The description.
    /// - Throws: ``FixtureError`` naming the entity and the attribute where something cannot be made.
    /// - Complexity: O(*n*) in the texts there are, some tenths of a millisecond, and in the targets of bounded references.
    public init(_ description: FixtureDescription) throws(FixtureError) {
        self.description = description
        guard (1...FixtureDescription.newestVersion).contains(description.datasetVersion) else {
            throw FixtureDescription.unknown(version: description.datasetVersion)
        }
        var names: Set<String> = []
        for entity in description.schema where !names.insert(entity.name).inserted {
            throw FixtureError(.invalidDescription, entity: entity.name, "the entity is there twice")
        }
        for name in description.entities.keys.sorted() where !description.schema.contains(where: { $0.name == name }) {
            throw FixtureError(
                .unknown, entity: name,
                "there is no such entity; there are \(description.schema.map(\.name).joined(separator: ", "))")
        }
        for (locale, weight) in description.locales.sorted(by: { $0.key < $1.key }) {
            guard (0...1_000_000).contains(weight), NameLists.all.contains(where: { $0.code == locale }) else {
                let codes = NameLists.all.map(\.code).joined(separator: ", ")
                throw FixtureError(
                    .invalidDescription,
                    "locales: \"\(locale)\": \(weight) cannot be; there are \(codes), with weights from 0 to 1000000")
            }
        }
        guard description.locales.values.contains(where: { $0 > 0 }) else {
            throw FixtureError(.invalidDescription, "locales: there is none with a weight above 0")
        }
        var plans: [String: EntityPlan] = [:]
        // In the order of the schema, so that of several mistakes the same one is always named.
        for entity in description.schema where description.entities[entity.name] != nil {
            do throws(FixtureError) {
                plans[entity.name] = try PlanCompiler.plan(entity.name, of: description)
            } catch {
                throw description.places.located(error)
            }
        }
        self.plans = plans
        var links: [LinkPlan] = []
        for entity in description.schema where description.entities[entity.name] != nil {
            for link in entity.links {
                do throws(FixtureError) {
                    links.append(try LinkPlan(link, of: entity.name, in: description))
                } catch {
                    throw description.places.located(error)
                }
            }
        }
        self.links = links
    }

    /// Record types of your own, each as it describes itself.
    ///
    /// - Parameters:
    ///   - seed: The seed.
    ///   - type: A record type.
    ///   - others: Other record types, with the targets of all references.
    /// - Throws: ``FixtureError`` naming the entity and the attribute where something cannot be made.
    public init(
        seed: UInt64, for type: any FixtureRecord.Type, _ others: any FixtureRecord.Type...
    ) throws(FixtureError) {
        try self.init(try FixtureDescription(seed: seed, schema: ([type] + others).map { $0.fixtureEntity }))
    }

    /// The number of rows that the description has of an entity; 0 where it makes none.
    public func count(of entity: String) -> Int { plans[entity]?.count ?? 0 }

    /// The pairs of many-to-many relationships, in the order of the schema.
    package let links: [LinkPlan]

    /// The plan of an entity.
    ///
    /// - Throws: ``FixtureError`` with the code `unknown` where the description does not make it.
    package func plan(of entity: String) throws(FixtureError) -> EntityPlan {
        guard let plan = plans[entity] else {
            throw FixtureError(.unknown, entity: entity, "the description does not make this entity")
        }
        return plan
    }

    /// A row by value.
    ///
    /// - Parameters:
    ///   - entity: The entity's name.
    ///   - index: The row's number, 0 to 999,999,999; it may be beyond the count.
    /// - Returns: The row.
    /// - Throws: ``FixtureError`` with the code `unknown` for an entity that is not made, `outOfRange` for the index, `unsatisfiable` where
    ///   a unique value for so many rows is not there.
    public func row(of entity: String, at index: Int) throws(FixtureError) -> FixtureRow {
        try row(of: entity, at: index, with: [:])
    }

    /// A row of which some values are given; those that are made over others are made over them.
    func row(
        of entity: String, at index: Int, with given: [String: FixtureValue]
    ) throws(FixtureError) -> FixtureRow {
        let plan = try plan(of: entity)
        try plan.check(index)
        let cells = try plan.cells(of: given)
        var values: [String: FixtureValue] = [:]
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: plan.longestText) { scratch in
            plan.makeRow(index, with: cells) { row in
                for (place, field) in plan.entity.fields.enumerated() {
                    values[field.name] =
                        given[field.name]
                        ?? FixtureValue(row.cells[place], type: field.type, row: row, scratch: scratch)
                }
            }
        }
        return FixtureRow(entity: entity, index: index, values: values)
    }
}

extension FixtureValue {
    /// A value that was made.
    init(
        _ cell: FixtureCell, type: FixtureField.ValueType, row: BorrowedRow,
        scratch: UnsafeMutableBufferPointer<UInt8>
    ) {
        switch cell {
        case .null: self = .null
        case .boolean(let value): self = .boolean(value)
        case .real(let number):
            self = type == .date ? .date(Date(timeIntervalSinceReferenceDate: number)) : .double(number)
        case .integer(let number):
            if case .decimal(let scale) = type {
                self = .decimal(
                    Decimal(sign: number < 0 ? .minus : .plus, exponent: -scale, significand: Decimal(number.magnitude))
                )
            } else if case .double(let scale) = type {
                self = .double(FixtureCell.double(number, scale: scale))
            } else {
                self = .integer(number)
            }
        case .date(let seconds, let nanoseconds):
            self = FixtureValue(seconds: seconds, nanoseconds: nanoseconds, type: type)
        case .uuid(let upper, let lower):
            func byte(_ word: UInt64, _ number: UInt64) -> UInt8 {
                UInt8(truncatingIfNeeded: word >> (56 - 8 * number))
            }
            self = .uuid(
                UUID(
                    uuid: (
                        byte(upper, 0), byte(upper, 1), byte(upper, 2), byte(upper, 3), byte(upper, 4), byte(upper, 5),
                        byte(upper, 6), byte(upper, 7), byte(lower, 0), byte(lower, 1), byte(lower, 2), byte(lower, 3),
                        byte(lower, 4), byte(lower, 5), byte(lower, 6), byte(lower, 7)
                    )))
        case .bytes: self = .binary(Data(row.text(cell, scratch)))
        case .text, .pair, .code, .color, .made:
            let text = row.text(cell, scratch)
            self = type == .binary ? .binary(Data(text)) : .text(String(decoding: text, as: UTF8.self))
        }
    }
}
