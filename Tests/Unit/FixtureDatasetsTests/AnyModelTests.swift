import Foundation
import StrataCore
import StrataFixtureDatasets
import StrataFixtures
import StrataInterchange
import StrataPersistence
import StrataTestSupport
import StrataTesting
import Testing

@Suite("Fixtures of any model")
struct AnyModelTests {
    private let folder: Folder
    init() throws { folder = try Folder() }

    // MARK: - Random models

    @Test(
        "fixtures of random models with all types, rules and relationships are generated, imported and checked",
        arguments: Seeds.first(3, of: 1...500))
    func drawn(seed: Int) throws {
        var random = RandomShop(seed: UInt64(seed))
        let model = try random.model()
        let description = try FixtureDescription(model: model, seed: UInt64(seed))
        let format = DatasetFormat.allCases[seed % DatasetFormat.allCases.count]
        try expectImported(try FixtureDataset(description, model: model), in: folder, format, "seed \(seed)")
        // The description is read back unchanged and generates the same rows.
        let again = try FixtureDescription(
            json: Array(description.json.utf8), source: "it", schema: try FixtureEntity.all(of: model))
        #expect(again == description, "seed \(seed)")
        #expect(try FixtureCheck(directory: "\(folder.path)/made", model: model, schema: again.schema).run() == [])
        // Hostile values satisfy the rules and can be written to files.
        var hostile = description
        hostile.hostile = FixtureDescription.standardHostility
        let other = DatasetFormat.allCases[(seed + 1) % DatasetFormat.allCases.count]
        try expectImported(try FixtureDataset(hostile, model: model), in: try Folder(), other, "hostile seed \(seed)")
    }

    @Test(
        "fixtures satisfy random rules, or the model is rejected with the entity and the attribute",
        arguments: Seeds.first(20, of: 1...1_000))
    func anything(seed: Int) throws {
        var random = RandomModel(seed: UInt64(seed))
        let model = try random.model()
        let dataset: FixtureDataset
        do throws(FixtureError) {
            dataset = try FixtureDataset(try FixtureDescription(model: model, seed: UInt64(seed)), model: model)
        } catch {
            #expect(
                error.code == .unsatisfiable && error.entity != nil && error.attribute != nil, "seed \(seed): \(error)")
            // The rules are rejected only if no simple candidate satisfies them.
            if error.message.hasPrefix("no value was found"), let entity = error.entity.flatMap({ model[$0] }),
                let attribute = entity.columns.first(where: { $0.name == error.attribute })?.attribute
            {
                #expect(CandidateValues(of: attribute, in: entity, of: model).allowed == [], "seed \(seed): \(error)")
            }
            return
        }
        // A table without columns has no lines.
        let hasEmptyTable = model.entities.contains { $0.columns.isEmpty && $0.external.identifiers == .own }
        let formats: [DatasetFormat] = hasEmptyTable ? [.json, .ndjson] : DatasetFormat.allCases
        try expectImported(dataset, in: folder, formats[seed % formats.count], "seed \(seed)")
    }

    @Test("fixtures are generated for more than 13 of 100 models with random rules")
    func share() throws {
        var made = 0
        var reasons: [String] = []
        for seed in 1...100 as ClosedRange<UInt64> {
            var random = RandomModel(seed: seed)
            let model = try random.model()
            do throws(FixtureError) {
                _ = try FixtureDescription(model: model, seed: seed)
                made += 1
            } catch {
                reasons.append("\(error)")
            }
        }
        // The rules of the other models exclude each other.
        #expect(made > 13, "\(made); \(reasons.joined(separator: "\n"))")
    }

    // MARK: - Properties of every row

    private static func entity(
        _ attributes: [AttributeDescription], unique: [[String]] = []
    ) throws -> ManagedObjectModel {
        try ManagedObjectModel([
            EntityDescription("Thing", attributes.map { .attribute($0) }, uniquenessConstraints: unique)
        ])
    }

    private static func rows(
        _ model: ManagedObjectModel, _ counts: [String: Int] = [:], of entity: String = "Thing"
    ) throws -> [FixtureRow] {
        let fixtures = try Fixtures(try FixtureDescription(model: model, counts: counts, seed: 3))
        return try (0..<fixtures.count(of: entity)).map { try fixtures.row(of: entity, at: $0) }
    }

    @Test("generated updates do not precede creations, end dates do not precede start dates, and prices exceed costs")
    func followers() throws {
        let model = try Self.entity([
            AttributeDescription("updated_at", .date), AttributeDescription("createdAt", .date),
            AttributeDescription("unitPrice", .decimal(scale: 2)), AttributeDescription("unitCost", .decimal(scale: 2)),
            AttributeDescription("endDate", .day), AttributeDescription("startDate", .day),
        ])
        for row in try Self.rows(model, ["Thing": 2_000]) {
            let (created, updated): (Date, Date) = (try row["createdAt"], try row["updated_at"])
            #expect(created <= updated)
            let (cost, price): (Decimal, Decimal) = (try row["unitCost"], try row["unitPrice"])
            #expect(0 < cost && cost < price)
            let (start, end): (Day, Day) = (try row["startDate"], try row["endDate"])
            #expect(start <= end)
        }
    }

    @Test("a currency at the end of an attribute name does not change the generator")
    func units() throws {
        var priced = AttributeDescription("p", .decimal(scale: 2))
        priced.externalName = "price (EUR)"
        let attributes = [
            AttributeDescription("price", .decimal(scale: 2)), AttributeDescription("priceEUR", .decimal(scale: 2)),
            AttributeDescription("list_price_usd", .decimal(scale: 2)), priced,
        ]
        let fields = try FixtureEntity.all(of: try Self.entity(attributes))[0].fields
        #expect(fields.count == 4 && Set(fields.map(\.generator)).count == 1)
        guard case .logNormal = fields[0].generator else {
            Issue.record("\(fields[0])")
            return
        }
    }

    @Test("all unique combinations are generated, and the error for surplus rows contains the count of combinations")
    func together() throws {
        let attributes = [
            AttributeDescription("year", .integer64, rules: [.minimum(.integer(2_001)), .maximum(.integer(2_020))]),
            AttributeDescription("number", .integer64, rules: [.minimum(.integer(1)), .maximum(.integer(50))]),
        ]
        let model = try Self.entity(attributes, unique: [["year", "number"]])
        let pairs = try Self.rows(model, ["Thing": 1_000]).map { row in
            let (year, number): (Int64, Int64) = (try row["year"], try row["number"])
            return [year, number]
        }
        #expect(Set(pairs).count == 1_000)
        let error = #expect(throws: FixtureError.self) { try Self.rows(model, ["Thing": 1_001]) }
        #expect(
            error?.description
                == "Thing.year: year, number are unique together: 1001 rows with different values were requested, but "
                + "there are only 1000 different values; request fewer rows, or more values")
        // Without a count, all possible rows are generated.
        let few = try Self.entity(
            [AttributeDescription("a", .boolean), AttributeDescription("b", .boolean)], unique: [["a", "b"]])
        #expect(try Self.rows(few).count == 4)
    }

    @Test("more rows than unique texts of a pattern are rejected with the count of texts")
    func fewTexts() throws {
        let model = try Self.entity([
            AttributeDescription("grade", .string, rules: [.pattern("[A-F][+-]?")], isUnique: true)
        ])
        #expect(try Self.rows(model).count == 18)
        let error = #expect(throws: FixtureError.self) { try Self.rows(model, ["Thing": 19]) }
        #expect(
            error?.description
                == "Thing.grade: 19 different values were requested, but there are only 18; request fewer rows, or "
                + "more values"
        )
    }

    static let refused: [(AttributeDescription, String)] = [
        (
            AttributeDescription("size", .integer16, rules: [.minimum(.integer(9)), .maximum(.integer(3))]),
            "Thing.size: no value was found that satisfies the attribute's rules (minimum(9), maximum(3)); change the "
                + "rules, or make the attribute optional"
        ),
        (
            AttributeDescription("code", .string, rules: [.pattern("(?=x)x")]),
            "Thing.code: texts cannot be generated from the pattern (?=x)x: (?= states what must follow, which is not "
                + "supported for generating texts; list the texts with \"oneOf\" in a description, or change the "
                + "attribute's rule"
        ),
        (
            AttributeDescription("code", .string, rules: [.pattern("a+"), .minimumLength(5), .maximumLength(3)]),
            "Thing.code: no value was found that satisfies the attribute's rules (pattern(\"a+\"), minimumLength(5), "
                + "maximumLength(3)); change the rules, or make the attribute optional"
        ),
    ]

    @Test("an attribute that cannot be generated is rejected with its entity", arguments: refused)
    func refusal(_ attribute: AttributeDescription, _ message: String) throws {
        let model = try Self.entity([attribute])
        let error = #expect(throws: FixtureError.self) { try FixtureEntity.all(of: model) }
        #expect(error?.description == message)
    }

    @Test("rows of an entity do not depend on other counts, and a larger count only appends rows")
    func addressed() throws {
        let model = try ManagedObjectModel([
            EntityDescription(
                "Thing",
                [
                    .attribute(AttributeDescription("email", .string, isUnique: true)),
                    .attribute(AttributeDescription("code", .string, rules: [.pattern("[A-Z]{3}\\d{4}")])),
                    .attribute(AttributeDescription("year", .integer64)),
                    .attribute(AttributeDescription("number", .integer64)),
                ], uniquenessConstraints: [["year", "number"]]),
            EntityDescription(
                "Other",
                [
                    .attribute(AttributeDescription("price", .double)),
                    .relationship(RelationshipDescription("thing", to: "Thing", .toOne, isOptional: false)),
                ]),
        ])
        let few = try Self.rows(model, ["Thing": 100, "Other": 100])
        #expect(try Self.rows(model, ["Thing": 100, "Other": 9]) == few)
        #expect(try Array(Self.rows(model, ["Thing": 5_000]).prefix(100)) == few)
        func prices(_ things: Int) throws -> [Double] {
            try Self.rows(model, ["Thing": things, "Other": 50], of: "Other").map { try $0["price"] }
        }
        #expect(try prices(3) == prices(800))
    }
}
