import Foundation
import StrataCore
import StrataFixtureDatasets
import StrataFixtures
import StrataInterchange
import StrataPersistence
import StrataTestSupport
import Testing

@Suite("Fixtures in the formats of a model's files")
struct ModelFormatTests {
    private let folder: Folder
    init() throws { folder = try Folder() }

    private func model(_ attributes: [AttributeDescription], _ form: ExternalForm = ExternalForm()) throws
        -> ManagedObjectModel
    {
        try ManagedObjectModel([EntityDescription("Thing", attributes.map { .attribute($0) }, external: form)])
    }

    private func dataset(_ model: ManagedObjectModel, hostile: Bool = false) throws -> FixtureDataset {
        var description = try FixtureDescription(model: model, seed: 5)
        if hostile { description.hostile = FixtureDescription.standardHostility }
        return try FixtureDataset(description, model: model)
    }

    private func texts(_ model: ManagedObjectModel, _ name: String) throws -> [String] {
        let fixtures = try Fixtures(try FixtureDescription(model: model, seed: 5))
        return try (0..<fixtures.count(of: "Thing")).map { try fixtures.row(of: "Thing", at: $0)[name] }
    }

    // MARK: - Texts

    @Test(
        "generated texts of every format are valid, also for unique attributes",
        arguments: Seeds.first(1, of: DatasetFormat.allCases))
    func formats(_ format: DatasetFormat) throws {
        let attributes = Seeds.spread(6, of: TextFormat.allCases).flatMap { format in
            [
                AttributeDescription("\(format)", .string, domain: format.domain),
                AttributeDescription("own_\(format)", .string, isUnique: true, domain: format.domain),
            ]
        }
        let model = try model(attributes)
        #expect(try dataset(model).producers[0].count == 100)
        try expectImported(try dataset(model), in: folder, format, "\(format)")
        try expectImported(try dataset(model, hostile: true), in: try Folder(), format, "hostile \(format)")
    }

    /// Returns the possible lengths of texts of a format, up to 45.
    private static func lengths(_ format: TextFormat) -> [Int] {
        switch format {
        case .localDateTime: [19] + (21...29)
        case .offsetDateTime: [20] + (22...35)
        case .dateTime: Array(19...35)
        case .year: Array(4...45)
        case .yearMonth: Array(7...45)
        case .duration, .uri, .geopoint: Array(3...45)
        case .email: Array(6...45)
        case .uuid: [36]
        case .base64: [4, 8, 12, 16, 20, 24, 32]
        case .bigInteger, .number: Array(1...45)
        case .object: Array(7...45)
        case .array: Array(3...45)
        case .json: Array(3...45)
        }
    }

    @Test(
        "generated texts of a format have the length that the rules require",
        arguments: Seeds.first(1, of: TextFormat.allCases))
    func exactly(_ format: TextFormat) throws {
        // The shortest lengths and some of the longer lengths.
        let lengths = Self.lengths(format).enumerated().filter { $0.offset < 5 || $0.offset % 6 == 0 }.map(\.element)
        let attributes = lengths.flatMap { length in
            [false, true].map { isUnique in
                AttributeDescription(
                    "a\(length)\(isUnique)", .string, rules: [.minimumLength(length), .maximumLength(length)],
                    isUnique: isUnique, domain: format.domain)
            }
        }
        for attribute in attributes {
            let texts = try texts(try model([attribute]), attribute.name)
            #expect(
                !texts.isEmpty
                    && texts.allSatisfy {
                        attribute.rules == [
                            .minimumLength($0.unicodeScalars.count), .maximumLength($0.unicodeScalars.count),
                        ]
                    })
            #expect(!attribute.isUnique || Set(texts).count == texts.count)
            #expect(throws: Never.self) { for text in texts { _ = try format.domain.canonicalize(.string(text)) } }
        }
    }

    @Test(
        "generated texts of a format satisfy bounds, patterns and lists of values",
        arguments: Seeds.first(1, of: TextFormat.allCases))
    func rules(_ format: TextFormat) throws {
        let usual = AttributeDescription("text", .string, domain: format.domain)
        let some = try texts(try model([usual]), "text").sorted {
            Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8))
        }
        let middle = StoredValue.string(some[some.count / 2])
        let three = [some[0], some[9], some[70]]
        let rules: [[AttributeRule]] = [
            [.minimum(middle)], [.lessThan(middle)], [.oneOf(three.map { .string($0) })], [.pattern("[^5]+")],
            [.pattern("[^5]+"), .minimum(.string(some[0]))],
        ]
        for rules in rules {
            var attribute = usual
            attribute.rules = rules
            #expect(try !texts(try model([attribute]), "text").isEmpty, "\(rules)")
            attribute.isUnique = true
            // The written values were validated.
            let output = ByteOutput.memory()
            #expect(
                try dataset(try model([attribute])).write("Thing", to: output, options: ExportOptions(format: .csv)) > 0
            )
        }
    }

    @Test(
        "generated texts between two bounds resemble words if the bounds permit words",
        arguments: [
            ([.minimum(.string("m")), .maximum(.string("p"))], "^[no][a-z]{3,9}$"),
            ([.greaterThan(.string("X-7"))], "^[a-z][a-z]{3,9}$"),
            ([.lessThan(.string("c")), .maximumLength(5)], "^[ab][a-z]{3,4}$"),
            ([.minimum(.string("a\"\\")), .lessThan(.string("a\"}"))], #"^a"\\[a-z]{1,9}$"#),
        ] as [([AttributeRule], String)])
    func bounds(_ rules: [AttributeRule], _ expected: String) throws {
        for isUnique in [false, true] {
            let attribute = AttributeDescription("note", .string, rules: rules, isUnique: isUnique)
            var plain = attribute
            plain.name = "quux"
            let texts = try texts(try model([plain]), "quux")
            let pattern = try Regex(expected)
            #expect(texts.count == 100 && texts.allSatisfy { $0.contains(pattern) }, "\(texts.prefix(5))")
            try expectImported(try dataset(try model([attribute])), in: try Folder(), .json, "\(rules)")
        }
    }

    // MARK: - Dates

    static let dateFormats = [
        "%d/%m/%Y", "%d/%m/%y", "%D", "%j/%Y", "%Y-%m-%d %H:%M", "%F %R", "%d.%m.%Y %I %p",
        "%e %B %y %H",
        "%Y%m%d%H%M%S", "%FT%T", "%d.%m.%Y %H:%M:%S.%f", "%d.%m.%y %T%z", "%%S %F", "%a, %d %b %Y %R",
    ]

    private static let bounds = ["1985-03-04T05:06:07Z", "2031-02-03T04:05:06Z"].map { text -> StoredValue in
        (FixtureInstant(text)?.date).map { .date($0) } ?? .null
    }

    @Test(
        "generated dates and days can be written in the date format of their attribute",
        arguments: Seeds.first(1, of: dateFormats), [false, true])
    func dates(_ format: String, isHostile: Bool) throws {
        var attributes = [
            AttributeDescription("updatedAt", .date), AttributeDescription("createdAt", .date),
            AttributeDescription("birthday", .date, isOptional: true),
            AttributeDescription("other", .date, rules: [.minimum(Self.bounds[0]), .lessThan(Self.bounds[1])]),
            AttributeDescription("late", .date, rules: [.greaterThan(Self.bounds[1])]),
            AttributeDescription("own", .date, isUnique: true),
        ]
        if !format.hasSuffix("%z") {
            attributes += [AttributeDescription("day", .day), AttributeDescription("endDate", .day)]
        }
        for place in attributes.indices { attributes[place].spelling.dateFormat = format }
        let model = try model(attributes)
        // C writes weekdays of the year 0 incorrectly.
        let hasHostile = isHostile && !format.contains("%a")
        try expectImported(try dataset(model, hostile: hasHostile), in: folder, .csv, "\(format)")
        // A value without a format may depend on a value with a format, and vice versa.
        attributes[0].spelling.dateFormat = nil
        try expectImported(try dataset(try self.model(attributes)), in: try Folder(), .tsv, "\(format)")
        (attributes[0].spelling.dateFormat, attributes[1].spelling.dateFormat) = (format, nil)
        try expectImported(try dataset(try self.model(attributes)), in: try Folder(), .csv, "\(format)")
    }

    @Test(
        "generated times of day can be written in the format of their attribute",
        arguments: ["%H:%M", "%H", "%I:%M %p", "%T", "%T.%f"])
    func times(_ format: String) throws {
        let bounds = ["08:29:01", "17:30:00.5"].compactMap(TimeOfDay.init).map(StoredValue.timeOfDay)
        var attributes = [
            AttributeDescription("opens", .timeOfDay), AttributeDescription("own", .timeOfDay, isUnique: true),
            AttributeDescription("shift", .timeOfDay, rules: [.minimum(bounds[0]), .maximum(bounds[1])]),
        ]
        for place in attributes.indices { attributes[place].spelling.dateFormat = format }
        let model = try model(attributes)
        try expectImported(try dataset(model, hostile: true), in: folder, .csv, "\(format)")
        #expect(try dataset(model).producers[0].count == (format == "%H" ? 24 : 100))
    }

    @Test("a required date that its format cannot write is rejected with the format")
    func refused() throws {
        var attribute = AttributeDescription("at", .date, rules: [.oneOf([Self.bounds[0]])])
        attribute.spelling.dateFormat = "%d/%m/%Y"
        let error = #expect(throws: FixtureError.self) { try FixtureEntity.all(of: try model([attribute])) }
        #expect(
            error?.description
                == "Thing.at: no value was found that satisfies the attribute's rules (oneOf([1985-03-04T05:06:07Z]), "
                + "the date format %d/%m/%Y); change the rules, or make the attribute optional")
    }

    // MARK: - Null

    @Test(
        "a generated value is null only if its files can represent null, and no value equals a null word",
        arguments: DatasetFormat.allCases)
    func nulls(_ format: DatasetFormat) throws {
        var attributes = [
            AttributeDescription("countryCode", .string), AttributeDescription("rating", .integer16),
            AttributeDescription("temperature", .double), AttributeDescription("balance", .decimal(scale: 2)),
            AttributeDescription("own", .integer64, isUnique: true),
            AttributeDescription("note", .string, isOptional: true),
        ]
        let missing: [[String]?] = [["DE", "NA"], ["3"], ["15", "0"], ["100.00", "250.00"], ["17", "90"], []]
        for (place, words) in missing.enumerated() { attributes[place].spelling.missingValues = words }
        let model = try ManagedObjectModel([
            EntityDescription(
                "Thing",
                attributes.map { .attribute($0) } + [
                    .relationship(RelationshipDescription("parent", to: "Thing", .toOne, isOptional: true))
                ], external: ExternalForm(missingValues: []))
        ])
        try expectImported(try dataset(model), in: folder, format, "\(format)")
        try expectImported(try dataset(model, hostile: true), in: try Folder(), format, "hostile \(format)")
        let fixtures = try Fixtures(try FixtureDescription(model: model, counts: ["Thing": 2_000]))
        for row in try (0..<2_000).map({ try fixtures.row(of: "Thing", at: $0) }) {
            let (code, rating, own): (String, Int64, Int64) = (
                try row["countryCode"], try row["rating"], try row["own"]
            )
            let (temperature, balance): (Double, Decimal) = (try row["temperature"], try row["balance"])
            #expect(code != "DE" && code != "NA" && rating != 3 && own != 17 && own != 90)
            #expect(temperature != 15 && temperature != 0 && balance != 100 && balance != 250)
            #expect(row.values["note"] != .null && row.values["parent"] != .null)
        }
    }
}
