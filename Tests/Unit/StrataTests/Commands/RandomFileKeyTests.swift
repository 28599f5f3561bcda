import Foundation
import StrataTestSupport
import Testing

/// Keys and references of every kind, generated from a seed.
@Suite("Random keys of files")
struct RandomFileKeyTests {
    /// Teams, and persons that refer to them.
    private struct Dataset {
        /// A cell of a file and the text that represents it in a condition.
        private struct Value {
            let cell: String
            let condition: String

            init(_ number: Int64) { (cell, condition) = ("\(number)", "\(number)") }
            init(_ text: String) { (cell, condition) = (text, "\"\(text)\"") }
        }

        let store: String
        let isInferred: Bool
        private(set) var model = ""
        private(set) var teams: [String] = []
        private(set) var persons: [String] = []
        /// The conditions that select each person by key.
        private(set) var personKeys: [String] = []
        /// The persons of each team, by the condition for the team.
        private(set) var members: [String: [Int]] = [:]
        private var names: [String] = []

        init(seed: UInt64) {
            var random = SeededGenerator(seed: seed)
            store = ["s.sqlite", "s.stxml", "s.stbin"].randomElement(using: &random) ?? ""
            let width = Int.random(in: 0..<4, using: &random) == 0 ? 2 : 1
            let keyNames = ["id", "code", "Nr. (neu)", "_row", "_position", "team id"].shuffled(using: &random)
            let kinds = (0..<width).map { _ in Int.random(in: 0..<9, using: &random) }
            let count = Int.random(in: 1...12, using: &random)
            var columns = kinds.map { Self.column(kind: $0, count, &random) }
            if width == 2 {
                // The columns are a key only in combination.
                columns = columns.map { values in values.map { _ in values.randomElement(using: &random) ?? values[0] }
                }
            }
            var seen: Set<[String]> = []
            let rows = (0..<count).map { row in columns.map { $0[row] } }.filter {
                seen.insert($0.map(\.cell)).inserted
            }
            let types = kinds.map { $0 < 7 ? "integer" : "string" }
            isInferred = width == 1 && types[0] == "integer" && rows.count > 2 && Bool.random(using: &random)
            let key = isInferred ? ["id"] : Array(keyNames.prefix(width))
            let reference = isInferred ? ["team"] : key.map { "team \($0)" }
            teams = [(key + ["title"]).joined(separator: ",")]
            teams += rows.enumerated().map { ($1.map(\.cell) + ["t\($0)"]).joined(separator: ",") }
            persons = [(["id"] + reference).joined(separator: ",")]
            let personKind = Int.random(in: 0..<9, using: &random)
            for value in Self.column(kind: personKind, Int.random(in: 1...12, using: &random), &random) {
                let team = Int.random(in: 0..<4, using: &random) == 0 ? nil : rows.randomElement(using: &random)
                let cells = team?.map(\.cell) ?? reference.map { _ in "" }
                personKeys.append("id = \(value.condition)")
                if let team {
                    let condition = zip(reference, team).map { "`\($0)` = \($1.condition)" }.joined(separator: " and ")
                    members[condition, default: []].append(persons.count)
                }
                persons.append(([value.cell] + cells).joined(separator: ","))
            }
            names = ["id"] + reference
            func field(_ name: String, _ type: String) -> String { "{\"name\":\"\(name)\",\"type\":\"\(type)\"}" }
            func list(_ names: [String]) -> String { "[" + names.map { "\"\($0)\"" }.joined(separator: ",") + "]" }
            let teamFields = zip(key, types).map(field) + [field("title", "string")]
            let personFields = [field("id", personKind < 7 ? "integer" : "string")] + zip(reference, types).map(field)
            model = """
                {"resources":[{"name":"team","path":"team.csv","schema":{"fields":[\(teamFields.joined(separator: ","))],
                "primaryKey":\(list(key))}},{"name":"person","path":"person.csv","schema":{"fields":[
                \(personFields.joined(separator: ","))],"primaryKey":["id"],"foreignKeys":[{"fields":\(list(reference)),
                "reference":{"resource":"team","fields":\(list(key))}}]}}]}
                """
        }

        /// The column names of persons for `--columns`.
        var columns: String { names.map { "`\($0)`" }.joined(separator: ",") }

        private static func column(kind: Int, _ count: Int, _ random: inout SeededGenerator) -> [Value] {
            let first = Int64(count)
            return switch kind {
            case 0: (1...first).map(Value.init)
            case 1: (1...first).reversed().map { Value($0 * 10) }
            case 2: (1...first).shuffled(using: &random).map(Value.init)
            case 3: (0..<first).map(Value.init)
            case 4: (0..<first).shuffled(using: &random).map { Value($0 - 3) }
            case 5: (0..<first).shuffled(using: &random).map { Value(9_007_199_254_740_991 - $0) }
            case 6: (0..<first).shuffled(using: &random).map { Value(9_007_199_254_740_990 + $0) }
            case 7: (0..<first).shuffled(using: &random).map { Value("k'\($0) é") }
            default: (0..<first).shuffled(using: &random).map { Value("00\($0)") }
            }
        }
    }

    @Test(
        "conditions, references and imports use the same keys as exports, for random keys of every kind",
        arguments: Seeds.first(8, of: UInt64(1)...1000))
    func agree(seed: UInt64) throws {
        let folder = TemporaryFolder()
        let data = Dataset(seed: seed)
        func run(_ words: [String]) throws -> String {
            let result = try Tool.debug.run(words + ["--store", data.store], in: folder)
            result.expect(status: 0)
            return result.output
        }
        func export(_ words: String...) throws -> String { try run(["export", "--entity", "person"] + words) }
        func text(_ lines: [String]) -> String { lines.map { $0 + "\n" }.joined() }
        let persons = text(data.persons)
        try folder.write(text(data.teams), to: "team.csv")
        try folder.write(persons, to: "person.csv")
        try folder.write(data.model, to: "m.json")
        _ = try run(["import", "-q", "team.csv", "person.csv"] + (data.isInferred ? [] : ["--model", "m.json"]))
        #expect(try run(["export", "--entity", "team"]) == text(data.teams))
        #expect(try export() == persons)
        #expect(try export("--columns", data.columns) == persons)
        _ = try run(["import", "-q", "person.csv", "--entity", "person", "--on-conflict", "update"])
        #expect(try export() == persons)
        for (condition, places) in data.members {
            #expect(try export("--where", condition) == text([data.persons[0]] + places.map { data.persons[$0] }))
        }
        let place = Int(seed) % data.personKeys.count
        #expect(try export("--where", data.personKeys[place]) == text([data.persons[0], data.persons[place + 1]]))
        _ = try run(["delete", "-q", "--entity", "person", "--where", data.personKeys[place]])
        var left = data.persons
        left.remove(at: place + 1)
        #expect(try export() == text(left))
    }
}
