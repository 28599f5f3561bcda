import StrataPersistence
import StrataTestSupport

/// Generates conditions across the relationships of a ``RandomCompany`` from a seed.
struct RandomRelatedConditions {
    var random: SeededGenerator

    static let relationships: [String: [(name: String, destination: String)]] = [
        "Person": [
            ("department", "Department"), ("passport", "Passport"), ("friends", "Person"), ("follows", "Person"),
            ("followers", "Person"),
        ],
        "Department": [("head", "Person"), ("members", "Person")],
        "Passport": [("holder", "Person")],
        "Node": [("parent", "Node"), ("children", "Node")],
        "Article": [("tags", "Tag")],
        "Tag": [("articles", "Article")],
    ]

    private static let texts = [
        "Person": "name", "Department": "name", "Passport": "number", "Node": "title", "Article": "slug", "Tag": "word",
    ]
    private static let references = [
        "Person": "department", "Department": "head", "Passport": "holder", "Node": "parent",
    ]

    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    mutating func condition(_ entity: String, depth: Int) -> FetchCondition {
        if depth == 0 || chance(15) { return leaf(entity, depth: depth) }
        switch Int.random(in: 0..<12, using: &random) {
        case 0: return .all(conditions(entity, depth: depth))
        case 1: return .any(conditions(entity, depth: depth))
        case 2, 3: return .not(condition(entity, depth: depth - 1))
        case 4, 5: return .compare(number(entity, depth: depth), comparison(), number(entity, depth: depth))
        case 6: return .isTrue(.truth(related(entity, depth: depth)))
        case 7:
            let test = condition(entity, depth: depth - 1)
            return .compare(
                .conditional(test, number(entity, depth: depth), .constant(.integer(1))), comparison(),
                .constant(.integer(Int64.random(in: 0...2, using: &random))))
        case 8: return .isIn(number(entity, depth: depth), [.integer(0), .integer(2)])
        default: return related(entity, depth: depth)
        }
    }

    private mutating func conditions(_ entity: String, depth: Int) -> [FetchCondition] {
        (0..<Int.random(in: 0...3, using: &random)).map { _ in condition(entity, depth: depth - 1) }
    }

    private mutating func related(_ entity: String, depth: Int) -> FetchCondition {
        guard let way = Self.relationships[entity]?.randomElement(using: &random) else { return .constant(true) }
        return .related(way.name, condition(way.destination, depth: depth - 1))
    }

    /// The to-one relationships of each entity.
    static let toOne: [String: [(name: String, destination: String)]] = [
        "Person": [("department", "Department"), ("passport", "Passport")], "Department": [("head", "Person")],
        "Passport": [("holder", "Person")], "Node": [("parent", "Node")],
    ]

    private mutating func number(_ entity: String, depth: Int) -> FetchOperand {
        if depth > 0, chance(25), let way = Self.toOne[entity]?.randomElement(using: &random) {
            return .related(way.name, number(way.destination, depth: depth - 1))
        }
        if entity == "Person", chance(25) { return .property("age") }
        guard depth > 0, chance(75), let way = Self.relationships[entity]?.randomElement(using: &random) else {
            return .constant(.integer(.random(in: 0...3, using: &random)))
        }
        return .relatedCount(
            way.name, chance(30) ? .constant(true) : condition(way.destination, depth: depth - 1))
    }

    private mutating func leaf(_ entity: String, depth: Int) -> FetchCondition {
        switch Int.random(in: 0..<7, using: &random) {
        case 0: return .constant(chance(70))
        case 1: return .compare(.property("id"), comparison(), .constant(.integer(.random(in: 1...6, using: &random))))
        case 2 where entity == "Person":
            return .compare(.property("age"), comparison(), .constant(.integer(.random(in: 0...3, using: &random))))
        case 3:
            guard let reference = Self.references[entity] else { return .constant(true) }
            let value: StoredValue = chance(40) ? .null : .integer(.random(in: 1...4, using: &random))
            return .compare(.property(reference), comparison(), .constant(value))
        case 4 where depth > 0:
            guard let way = Self.toOne[entity]?.randomElement(using: &random) else { return .constant(false) }
            let text = RandomCompany.names.randomElement(using: &random) ?? ""
            let value: StoredValue = chance(20) ? .null : .string(text)
            let path = FetchOperand.related(way.name, .property(Self.texts[way.destination] ?? "id"))
            return .compare(path, comparison(), .constant(value))
        default:
            let text = RandomCompany.names.randomElement(using: &random) ?? ""
            return .compare(.property(Self.texts[entity] ?? "id"), comparison(), .constant(.string(text)))
        }
    }

    private mutating func comparison() -> FetchComparison {
        let all: [FetchComparison] = [.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual]
        return all.randomElement(using: &random) ?? .equal
    }
}
