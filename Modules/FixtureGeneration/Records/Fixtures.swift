import Foundation

/// A generator of the rows that a description specifies, which are the same on every machine and in every version of
/// Strata.
///
/// ```swift
/// let invoices = try Fixtures(seed: 42, for: Invoice.self)
/// let three = try invoices.records(Invoice.self, count: 3)
/// let eighth: Invoice = try invoices.record(at: 7)
/// ```
///
/// Each row can be generated separately. Row 999 is the same whether a thousand or a million rows are generated. It
/// also does not depend on the order in which rows are generated, or on the number of threads. The identifier of a row
/// is its index plus 1.
///
/// The values of a row depend on the seed, the entity name, the index of the row and the dataset version. A reference
/// also depends on the row count of its target entity, and a bounded reference on the row counts of both entities.
/// Nothing else affects the values, such as the clock, the locale or the machine. The generator needs no store, and
/// several threads can use it at once.
///
/// Creating the value validates and compiles the whole description. Generating rows then cannot fail, except for an
/// index or for caller's values that are not valid. Create the value once, and use it for all rows.
///
/// Rows are values in memory. To write files or stores, use a dataset of `StrataFixtureDatasets`, which generates rows
/// in blocks without the cost of a dictionary for each row.
///
/// ## Topics
///
/// ### Creating a generator
///
/// - ``init(_:)``
/// - ``init(seed:for:_:)``
///
/// ### Generating records
///
/// - ``record(_:at:with:_:)``
/// - ``records(_:count:from:)``
///
/// ### Generating rows
///
/// - ``row(of:at:)``
/// - ``count(of:)``
///
/// ### Reading the description
///
/// - ``description``
public struct Fixtures: Sendable {
    /// The description of the rows.
    ///
    /// It cannot be changed. Change a copy, and create another generator.
    public let description: FixtureDescription
    /// The compiled plans of the described entities, by entity name.
    private let plans: [String: EntityPlan]

    /// Creates a generator after validating a description.
    ///
    /// The first error in the order of the schema is thrown, so equal descriptions cause equal errors. If the
    /// description was read from a file, the error contains the line and the column of the attribute.
    ///
    /// - Parameter description: The description.
    /// - Throws: ``FixtureError`` with the entity and the attribute that cannot be generated.
    /// - Complexity: O(*n*) in the number of texts, which takes some tenths of a millisecond, and in the number of
    ///   targets of bounded references.
    public init(_ description: FixtureDescription) throws(FixtureError) {
        self.description = description
        guard (1...FixtureDescription.newestVersion).contains(description.datasetVersion) else {
            throw FixtureDescription.unknown(version: description.datasetVersion)
        }
        var names: Set<String> = []
        for entity in description.schema where !names.insert(entity.name).inserted {
            throw FixtureError(.invalidDescription, entity: entity.name, "the entity is declared twice")
        }
        for name in description.entities.keys.sorted() where !description.schema.contains(where: { $0.name == name }) {
            throw FixtureError(
                .unknown, entity: name,
                "the entity does not exist; the entities are \(description.schema.map(\.name).joined(separator: ", "))")
        }
        for (locale, weight) in description.locales.sorted(by: { $0.key < $1.key }) {
            guard (0...1_000_000).contains(weight), NameLists.all.contains(where: { $0.code == locale }) else {
                let codes = NameLists.all.map(\.code).joined(separator: ", ")
                throw FixtureError(
                    .invalidDescription,
                    "locales: \"\(locale)\" with the weight \(weight) is not valid; the locales are \(codes), "
                        + "with weights from 0 to 1000000")
            }
        }
        guard description.locales.values.contains(where: { $0 > 0 }) else {
            throw FixtureError(.invalidDescription, "locales: at least one locale must have a weight above 0")
        }
        var plans: [String: EntityPlan] = [:]
        // The entities are compiled in the order of the schema, so that the first of several errors is always the same.
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

    /// Creates a generator of your own record types, with the default description of each type.
    ///
    /// The description contains every type, with the row count of its entity. To change counts, locales or generators,
    /// create a ``FixtureDescription`` instead, and pass it to ``init(_:)``.
    ///
    /// - Parameters:
    ///   - seed: The seed.
    ///   - type: A record type.
    ///   - others: Other record types, which must include the targets of all references.
    /// - Throws: ``FixtureError`` with the entity and the attribute that cannot be generated, or the error of a type's
    ///   ``FixtureRecord/fixtureEntity``.
    public init(
        seed: UInt64, for type: any FixtureRecord.Type, _ others: any FixtureRecord.Type...
    ) throws {
        try self.init(try FixtureDescription(seed: seed, schema: ([type] + others).map { try $0.fixtureEntity }))
    }

    /// Returns the number of an entity's rows in the description, or 0 if the description does not contain the entity.
    ///
    /// The count is the default number of records. Generating a row does not require that its index is less than the
    /// count.
    public func count(of entity: String) -> Int { plans[entity]?.count ?? 0 }

    /// The plans for join rows of many-to-many relationships, in the order of the schema.
    ///
    /// Only relationships whose source entity is described have a plan.
    package let links: [LinkPlan]

    /// Returns the plan for generating the rows of an entity.
    ///
    /// The plan is shared, not copied. A caller that generates many rows of one entity should obtain it once.
    ///
    /// - Throws: ``FixtureError`` with the code `unknown` if the description does not contain the entity.
    package func plan(of entity: String) throws(FixtureError) -> EntityPlan {
        guard let plan = plans[entity] else {
            throw FixtureError(.unknown, entity: entity, "the description does not contain this entity")
        }
        return plan
    }

    /// Returns the generated row with an index, as a value.
    ///
    /// Values have the types of the fields: a decimal field contains ``FixtureValue/decimal(_:)``, and a null value
    /// ``FixtureValue/null``. Use ``record(_:at:with:_:)`` to create values of your own types.
    ///
    /// - Parameters:
    ///   - entity: The name of the entity.
    ///   - index: The index of the row, from 0 to 999,999,999. It can exceed the row count of the description.
    /// - Returns: The row.
    /// - Throws: ``FixtureError`` with the code `unknown` if the description does not contain the entity, `outOfRange`
    ///   for an invalid index, and `unsatisfiable` if there are not enough unique values.
    /// - Complexity: O(*n*) in the number of fields, and O(log *m*) in the number of targets of a bounded reference.
    public func row(of entity: String, at index: Int) throws(FixtureError) -> FixtureRow {
        try row(of: entity, at: index, with: [:])
    }

    /// Returns a row that contains the caller's values, and generated values for all other fields.
    ///
    /// A generated value may be derived from the caller's values.
    ///
    /// - Parameters:
    ///   - entity: The name of the entity.
    ///   - index: The index of the row.
    ///   - given: The caller's values, by the names of the fields. They are validated by the type and the minimum of
    ///     the field; its other rules are not checked.
    /// - Returns: The row, which contains the caller's values unchanged.
    /// - Throws: The errors of ``row(of:at:)``, and ``FixtureError`` with the code `unknown` or `invalidDescription`
    ///   for a value that the field cannot have.
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
    /// Creates a value from a generated cell.
    ///
    /// - Parameters:
    ///   - cell: The generated cell.
    ///   - type: The type of the field, which determines the meaning of the numbers in the cell.
    ///   - row: The row, whose texts the cell refers to.
    ///   - scratch: A buffer for composed texts, of at least `EntityPlan.longestText` bytes.
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
