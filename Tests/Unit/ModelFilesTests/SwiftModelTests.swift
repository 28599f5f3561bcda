import Foundation
import StrataCore
import StrataModelFiles
import StrataModelSwift
import StrataTestSupport
import Testing

/// The Swift code of models; the packages in Tests/Packages compile the code.
@Suite("Swift code from a model")
struct SwiftModelTests {
    private func code(
        _ entities: [EntityDescription], _ options: SwiftModelOptions = SwiftModelOptions()
    ) throws -> SwiftModel {
        try SwiftModel(ManagedObjectModel(entities), options, command: "strata model swift shop.json")
    }

    private func record(_ properties: [EntityDescription.Property], _ name: String = "Bill") throws -> String {
        try code([EntityDescription(name, properties)], SwiftModelOptions(parts: [])).text
    }

    private func attribute(
        _ name: String, _ type: AttributeType = .string, _ change: (inout AttributeDescription) -> Void = { _ in }
    ) -> EntityDescription.Property {
        var attribute = AttributeDescription(name, type)
        change(&attribute)
        return .attribute(attribute)
    }

    @Test("a record type has the types, defaults and rules of its attributes")
    func types() throws {
        let text = try record([
            attribute("word"), attribute("count", .integer64) { $0.defaultValue = 7 },
            attribute("small", .integer16) { $0.isOptional = true },
            attribute("price", .decimal(scale: 2)) {
                $0.defaultValue = .constant(.decimal(ScaledDecimal(unscaled: 1_250, scale: 2)))
                $0.rules = [.minimum(.integer(0)), .lessThan(.decimal(ScaledDecimal(unscaled: -5, scale: 1)))]
            },
            attribute("day", .day) { $0.defaultValue = .constant(.day(Day(clampingYear: 2024, month: 2, day: 30))) },
            attribute("at", .date) { $0.defaultValue = .now },
            attribute("code") { $0.rules = [.pattern("[A-Z]\\d+\"#"), .maximumLength(12_345)] },
        ])
        for line in [
            "public struct Bill: PersistentRecord, Hashable, Codable {", "    public var word: String",
            "    public var small: Int16?", "    public var at: Date",
            "        id: RecordID<Bill>, word: String, count: Int = 7, small: Int16? = nil,",
            "        price: Decimal = Decimal(sign: .plus, exponent: -2, significand: 1250),",
            "        day: Day = Day(clampingYear: 2024, month: 2, day: 29), at: Date, code: String",
            "            .attribute(\"at\", \\.at, default: .now),",
            "            .attribute(\"code\", \\.code, rules: [.pattern(##\"[A-Z]\\d+\"#\"##), .maximumLength(12_345)]),",
            "                rules: [.minimum(.integer(0)), .lessThan(.decimal(ScaledDecimal(unscaled: -5, scale: 1)))]),",
        ] {
            #expect(text.split(separator: "\n").contains(Substring(line)), "\(line)\n\(text)")
        }
    }

    @Test(
        "a property has a name that Swift accepts and that no member of records or objects hides",
        arguments: [
            ("default", "public var `default`: String", "\\.default"), ("self", "public var self_: String", "\\.self_"),
            ("Type", "public var type: String", "\\.type"), ("Self", "public var self_: String", "\\.self_"),
            ("Country", "public var country: String", "\\.country"),
            ("URLText", "public var urlText: String", "\\.urlText"),
            ("state", "public var stateValue: String", "\\.stateValue"),
            ("hashValue", "public var hashValue_: String", "\\.hashValue_"),
            ("open", "public var open: String", "\\.open"),
            ("entity", "public var entityValue: String", "\\.entityValue"),
        ])
    func propertyNames(_ name: String, _ declaration: String, _ path: String) throws {
        let text = try record([attribute(name)])
        #expect(text.contains(declaration + "\n"))
        #expect(text.contains(".attribute(\"\(name)\", \(path))\n"))
    }

    @Test("an attribute that files call id has the name key and a method that finds its record")
    func fileIdentifier() throws {
        let properties = [
            attribute("id2") {
                $0.externalName = "id"
                $0.isUnique = true
            }, attribute("key"),
        ]
        let code = try code([
            EntityDescription("Bill", properties, external: ExternalForm(identifiers: .own))
        ])
        #expect(code.text.contains(".attribute(\"id2\", \\.key2, isUnique: true).external(\"id\"),"))
        #expect(code.text.contains("func find(key2: String) async throws -> Bill?"))
        #expect(
            code.notes.map(\.description) == [
                "Bill.id2: files call the attribute “id”, which is the record's identifier in Swift; it is key2 "
                    + "in Swift"
            ])
    }

    @Test("an enumeration has a case for each permitted text, with names that differ")
    func enumeration() throws {
        let values = ["", "in progress", "IN_PROGRESS", "1st", "none", "日本", "self", "EUR", "a \"b\""]
        let text = try record([attribute("status") { $0.rules = [.oneOf(values.map { .string($0) })] }])
        let cases = text.split(separator: "\n").map { $0.drop { $0 == " " } }.filter { $0.hasPrefix("case ") }
        #expect(
            cases == [
                "case empty = \"\"", "case inProgress = \"in progress\"", "case inProgress2 = \"IN_PROGRESS\"",
                "case x1st = \"1st\"", "case none_ = \"none\"", "case value6 = \"日本\"", "case self_ = \"self\"",
                "case eur = \"EUR\"", "case aB = \"a \\\"b\\\"\"",
            ])
        #expect(text.contains("public var status: Status\n"))
    }

    @Test("texts from a model cannot end a literal or a comment")
    func texts() throws {
        let hostile = "a\"\\(x)\n*/ \u{202E}\u{0}é"
        let text = try record([
            attribute("word") {
                $0.title = hostile
                $0.externalName = hostile
            }
        ])
        let literal = "\"a\\\"\\\\(x)\\n*/ \\u{202E}\\u{0}é\""
        #expect(text.contains(".external(\(literal)).titled(\(literal))\n"))
        #expect(text.contains("    /// a\"\\(x)\n    /// */ \\u{202E}\\u{0}é.\n"))
    }

    @Test("a type with the name of a type that the code uses does not hide that type")
    func shadowedTypes() throws {
        let text = try code([EntityDescription("Date", [attribute("day", .day), attribute("at", .date)])]).text
        #expect(text.contains("public var at: Foundation.Date\n") && text.contains("public var day: Day\n"))
    }

    @Test("an entity with the name of a module is an error")
    func moduleNames() throws {
        #expect(throws: SwiftModelError.self) { try code([EntityDescription("Foundation", [])]) }
        #expect(throws: SwiftModelError.self) {
            try code([EntityDescription("Domain", [])], SwiftModelOptions(layers: .two))
        }
        let text = try code([EntityDescription("Foundation", [])], SwiftModelOptions(prefix: "My")).text
        #expect(text.contains("public struct MyFoundation:"))
    }

    @Test(
        "options that cannot work are errors",
        arguments: [
            SwiftModelOptions(prefix: "a-b; import X"), SwiftModelOptions(prefix: "class"),
            SwiftModelOptions(layers: .two, domainModule: "1a"), SwiftModelOptions(access: .internal, layers: .two),
        ])
    func invalidOptions(_ options: SwiftModelOptions) throws {
        #expect(throws: SwiftModelError.self) { try code([EntityDescription("A", [])], options) }
    }

    @Test("the notes of other entities are omitted, and a note names the rule of an unknown Swift type")
    func notes() throws {
        let hex = attribute("hex") { $0.domain = AttributeDomain(name: "HexColor") { $0 } }
        let entities = [EntityDescription("A", []), EntityDescription("B", [hex])]
        #expect(try code(entities).notes.map(\.property) == ["hex"])
        #expect(try code(entities, SwiftModelOptions(entities: ["A"])).notes == [])
    }

    @Test("the name of a model file cannot end the comment in the header")
    func header() throws {
        let model = try ManagedObjectModel([EntityDescription("A", [])])
        let code = try SwiftModel(model, command: "strata model swift a\n\u{202E}b.json")
        #expect(code.text.hasPrefix("// Generated by \"strata model swift a\\n\\u{202E}b.json\" (format 1)"))
    }

    @Test("extreme constants are valid literals")
    func extremes() throws {
        let text = try record([
            attribute("a", .decimal(scale: 2)) {
                $0.defaultValue = .constant(.decimal(ScaledDecimal(unscaled: .min, scale: 2)))
            },
            attribute("b", .double) { $0.defaultValue = .constant(.double(.leastNonzeroMagnitude)) },
        ])
        #expect(
            text.contains(
                "a: Decimal = Decimal(sign: .minus, exponent: -2, significand: 4_611_686_018_427_387_904) * 2"))
        #expect(text.contains("b: Double = Double(bitPattern: 1)"))
    }

    @Test("options select the parts, the access level and the entities")
    func options() throws {
        let entities = [EntityDescription("A", []), EntityDescription("B", [])]
        let all = try code(entities).files.map(\.path)
        #expect(all.contains("ARepositoryDouble.swift") && all.contains("B+Fixtures.swift"))
        let some = try code(entities, SwiftModelOptions(access: .package, parts: [.repositories], entities: ["B"]))
        #expect(some.files.map(\.path) == ["B.swift", "BRepository.swift"])
        #expect(some.text.contains("package struct B:") && !some.text.contains("public "))
        let hidden = try code(entities, SwiftModelOptions(access: .internal, parts: []))
        #expect(hidden.text.contains("\nstruct A:") && hidden.text.contains("\nimport StrataPersistence\n"))
        #expect(throws: SwiftModelError.self) { try code(entities, SwiftModelOptions(entities: ["C"])) }
    }

    @Test("two layers divide records and protocols from conformances and stores")
    func layers() throws {
        let files = try code([EntityDescription("A", [attribute("word")])], SwiftModelOptions(layers: .two)).files
        let domain = files.filter { $0.path.hasPrefix("Domain/") }
        #expect(domain.map(\.path).count == 4 && files.count == 8)
        let stored = try #require(files.first { $0.path == "Persistence/StoredARepository.swift" })
        #expect(stored.text.contains("struct StoredARepository: Domain.ARepository, StoredRepository {"))
        #expect(domain.allSatisfy { !$0.text.contains("StrataPersistence") && !$0.text.contains("StrataRepositories") })
    }

    @Test("equal models and options result in equal code, and long lines only contain texts", arguments: 1...30)
    func determinism(seed: UInt64) throws {
        var (first, second) = (RandomModel(seed: seed), RandomModel(seed: seed))
        let command = "strata model swift shop.json"
        let code = try SwiftModel(first.model(), command: command)
        #expect(try SwiftModel(second.model(), command: command).files == code.files)
        for file in code.files {
            #expect(file.text.hasPrefix(SwiftModel.mark) && file.text.hasSuffix("}\n"))
            let long = file.text.split(separator: "\n").first { $0.count > 120 && !$0.contains("\"") }
            #expect(long == nil, "\(file.path)")
        }
    }
}
