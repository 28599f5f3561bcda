import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataStoreKit
import StrataTestSupport
import StrataTesting
import Testing

/// Random predicates in text: all stores must agree with a separate evaluator, which does not see the text.
@Suite("Random predicate text")
struct RandomPredicateTextTests {
    @Test(
        "random predicate texts select the same rows in every store and in the separate evaluator",
        arguments: Seeds.first(2, of: UInt64(1)...20))
    func agree(seed: UInt64) throws {
        let folder = try TemporaryFolder()
        let model = try StoreContract.model()
        let stores = try StoreKind.everyKind.map { try $0.open(model, in: folder) }
        var generator = RandomPredicateTexts(random: SeededGenerator(seed: seed))
        let company = RandomCompany(model, using: &generator.random)
        for store in stores { #expect(try store.save(company.changes).isEmpty) }
        var partial = 0
        for number in 1...50 {
            let entity = RandomPredicateTexts.ways.keys.sorted()[number % RandomPredicateTexts.ways.count]
            let (text, condition) = generator.predicate(entity, depth: 3)
            let description = try model.entity(named: entity)
            let expected = try (company.rows[entity] ?? [])
                .filter { try ReferenceEvaluator($0, description, in: company).holds(condition) }.map(\.id)
            if !expected.isEmpty, expected.count < company.rows[entity]?.count ?? 0 { partial += 1 }
            let comment: Comment = "seed \(seed), predicate \(number): \(entity) where \(text)"
            let parsed = try PredicateText(entity, in: model).condition(text)
            for store in stores {
                #expect(try store.rows(StoreRequest(entity, where: parsed)).map(\.id) == expected, comment)
            }
        }
        #expect(partial > 8, "the predicates are worth asking")
        for store in stores { try store.close() }
    }

    @Test(
        "any text is parsed or is rejected with a position inside the text",
        arguments: Seeds.first(2, of: UInt64(1)...20))
    func garbage(seed: UInt64) throws {
        let text = try PredicateText("Person", in: try StoreContract.model())
        var random = SeededGenerator(seed: seed)
        let words = [
            "name", "age", "department", "friends", "passport", ".", ".", "name", "and", "or", "not", "any", "all", "(",
            ")",
            "{", "}", "[c]", ",", "=", "<", ">=", "in", "between", "is", "null", "contains", "'a'", "\"b", "1", "2.5",
            "-", "+",
            "*", "/", "@count", "count(", "round(", "lower(", "coalesce(", "now()", "length(", "`", "#", "true", "é",
            "\u{301}", "\\", "\u{0}", "asc", "desc", " ", " ",
            "9e9",
        ]
        var read = 0
        for _ in 1...500 {
            let example = (0..<Int.random(in: 1...12, using: &random)).map { _ in
                (words.randomElement(using: &random) ?? "") + (Bool.random(using: &random) ? " " : "")
            }.joined()
            for way in 0..<3 {
                do {
                    switch way {
                    case 0:
                        let request = StoreRequest("Person", where: try text.condition(example))
                        try request.validate(in: try StoreContract.model())
                    case 1:
                        let request = StoreRequest("Person", sort: try text.sort(example))
                        try request.validate(in: try StoreContract.model())
                    default: _ = try text.assignments(example)
                    }
                    read += 1
                } catch let error as PredicateTextError {
                    #expect(error.column >= 1 && error.column <= example.count + 1, "\(example)")
                    #expect(error.length >= 1 && !error.message.isEmpty)
                    #expect(
                        error.rendering.split(separator: "\n", omittingEmptySubsequences: false).count == 2,
                        "\(example)")
                }
            }
        }
        #expect(read > 0)
    }
}

/// Generates each predicate as a text and as a condition, neither derived from the other.
struct RandomPredicateTexts {
    typealias Written = (text: String, condition: FetchCondition)

    var random: SeededGenerator

    /// The relationships of each entity, which may be to-many.
    static let ways: [String: [(name: String, destination: String, isToMany: Bool)]] = [
        "Person": [
            ("department", "Department", false), ("passport", "Passport", false), ("friends", "Person", true),
            ("follows", "Person", true),
        ],
        "Department": [("head", "Person", false), ("members", "Person", true)],
        "Passport": [("holder", "Person", false)], "Node": [("parent", "Node", false), ("children", "Node", true)],
    ]
    private static let texts = ["Person": "name", "Department": "name", "Passport": "number", "Node": "title"]
    private static let signs: [(String, FetchComparison)] = [
        ("=", .equal), ("==", .equal), ("!=", .notEqual), ("<>", .notEqual), ("<", .less), ("<=", .lessOrEqual),
        ("=<", .lessOrEqual), (">", .greater), (">=", .greaterOrEqual), ("=>", .greaterOrEqual),
    ]

    private mutating func one<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &random)]
    }

    mutating func predicate(_ entity: String, depth: Int) -> Written {
        switch depth == 0 ? 0 : Int.random(in: 0..<8, using: &random) {
        case 1, 2:
            let parts = (0..<Int.random(in: 2...3, using: &random)).map { _ in predicate(entity, depth: depth - 1) }
            let isAnd = Bool.random(using: &random)
            let word = one(isAnd ? ["and", "AND", "&&"] : ["or", "Or", "||"])
            let conditions = parts.map(\.condition)
            return (
                parts.map { "(\($0.text))" }.joined(separator: " \(word) "), isAnd ? .all(conditions) : .any(conditions)
            )
        case 3:
            let inner = predicate(entity, depth: depth - 1)
            return (one(["not", "!", "NOT "]) + "(\(inner.text))", .not(inner.condition))
        case 4, 5:
            let many = (Self.ways[entity] ?? []).filter(\.isToMany)
            guard !many.isEmpty else { return comparison(entity, "") }
            let way = one(many)
            let inner = comparison(way.destination, way.name + ".")
            switch Int.random(in: 0..<4, using: &random) {
            case 0: return ("any \(inner.text)", .related(way.name, inner.condition))
            case 1: return ("ALL \(inner.text)", .not(.related(way.name, .not(inner.condition))))
            case 2: return ("none \(inner.text)", .not(.related(way.name, inner.condition)))
            default:
                let (sign, comparison) = one(Self.signs)
                let number = Int64.random(in: 0...3, using: &random)
                return (
                    "\(way.name).@count \(sign) \(number)",
                    .compare(.relatedCount(way.name, .constant(true)), comparison, .constant(.integer(number)))
                )
            }
        default: return comparison(entity, "")
        }
    }

    /// Returns a comparison with constants; names have the prefix in the text.
    private mutating func comparison(_ entity: String, _ prefix: String) -> Written {
        var (path, end, steps): (String, String, [String]) = (prefix, entity, [])
        while steps.count < 2, Int.random(in: 0..<3, using: &random) == 0,
            let way = (Self.ways[end] ?? []).filter({ !$0.isToMany }).randomElement(using: &random)
        {
            path += way.name + "."
            steps.append(way.name)
            end = way.destination
        }
        func operand(_ name: String) -> FetchOperand { steps.reversed().reduce(.property(name)) { .related($1, $0) } }
        if end == "Person", Bool.random(using: &random) {
            return number(path + "age", operand("age"))
        }
        let name = Self.texts[end] ?? "id"
        return text(path + name, operand(name))
    }

    private mutating func number(_ path: String, _ operand: FetchOperand) -> Written {
        let (sign, comparison) = one(Self.signs)
        let numbers = (0..<2).map { _ in Int64.random(in: 0...3, using: &random) }
        let constants = numbers.map { FetchOperand.constant(.integer($0)) }
        switch Int.random(in: 0..<4, using: &random) {
        case 0: return ("\(path) in {\(numbers[0]),\(numbers[1])}", .isIn(operand, numbers.map(StoredValue.integer)))
        case 1:
            return (
                "\(path) between {\(numbers[0]), \(numbers[1])}",
                .compare(operand, .greaterOrEqual, constants[0]) && .compare(operand, .lessOrEqual, constants[1])
            )
        case 2: return ("\(path) is not null", .compare(operand, .notEqual, .constant(.null)))
        default: return ("\(path) \(sign) \(numbers[0])", .compare(operand, comparison, constants[0]))
        }
    }

    private mutating func text(_ path: String, _ operand: FetchOperand) -> Written {
        let (sign, comparison) = one(Self.signs)
        let text = one(RandomCompany.names)
        let constant = FetchOperand.constant(.string(text))
        switch Int.random(in: 0..<7, using: &random) {
        case 5: return ("\(path) endswith '\(text)'", .endsWith(operand, constant))
        case 6:
            let pattern = one(["*", "?", "a*", "*b", "?*", ""])
            return ("\(path) like[c] \"\(pattern)\"", .like(operand, pattern, ignoringCase: true))
        case 0: return ("\(path) contains[c] '\(text)'", .contains(operand, constant, ignoringCase: true))
        case 1: return ("\(path) beginswith \"\(text)\"", .startsWith(operand, constant))
        case 2: return ("\(path) not in ('\(text)', null)", .not(.isIn(operand, [.string(text), .null])))
        case 3: return ("\(path) =[c] '\(text.uppercased())'", .compare(operand, .equal, constant))
        default: return ("\(path) \(sign) '\(text)'", .compare(operand, comparison, constant))
        }
    }
}
