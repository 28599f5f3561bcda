import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataTesting
import Testing

/// Every supported construct of `#Predicate` and its condition.
@Suite("Predicates: conditions")
struct PredicateLoweringTests {
    struct Case: Sendable, CustomStringConvertible {
        let description: String
        let predicate: Predicate<Player>
        let condition: FetchCondition

        init(_ description: String, _ condition: FetchCondition, _ predicate: Predicate<Player>) {
            self.description = description
            self.predicate = predicate
            self.condition = condition
        }
    }

    private static let name = FetchOperand.property("name")
    private static let number = FetchOperand.property("number")
    private static let team = FetchOperand.property("team")

    private static func whole(_ value: Int64) -> FetchOperand { .constant(.integer(value)) }
    private static func text(_ value: String) -> FetchOperand { .constant(.string(value)) }

    static let comparisons: [Case] = [
        Case("equality", .compare(name, .equal, text("Ann")), #Predicate { $0.name == "Ann" }),
        Case("inequality", .compare(name, .notEqual, text("Ann")), #Predicate { $0.name != "Ann" }),
        Case("less", .compare(name, .less, text("B")), #Predicate { $0.name < "B" }),
        Case("at most", .compare(name, .lessOrEqual, text("B")), #Predicate { $0.name <= "B" }),
        Case("greater", .compare(name, .greater, text("B")), #Predicate { $0.name > "B" }),
        Case("at least", .compare(name, .greaterOrEqual, text("B")), #Predicate { $0.name >= "B" }),
        Case("nil", .compare(number, .equal, .constant(.null)), #Predicate { $0.number == nil }),
        Case("not nil", .compare(number, .notEqual, .constant(.null)), #Predicate { $0.number != nil }),
        Case("an optional and a value", .compare(number, .equal, whole(7)), #Predicate { $0.number == 7 }),
        Case(
            "two attributes", .compare(.property("license"), .equal, .property("license")),
            #Predicate { $0.license == $0.license }),
        Case("a truth value", .isTrue(.property("isActive")), #Predicate { $0.isActive }),
        Case(
            "a compared truth value", .compare(.property("isActive"), .equal, .constant(.boolean(false))),
            #Predicate { $0.isActive == false }),
        Case("a constant true", .constant(true), #Predicate { _ in true }),
    ]

    static let combinations: [Case] = [
        Case(
            "and", .all([.compare(name, .equal, text("Ann")), .isTrue(.property("isActive"))]),
            #Predicate { $0.name == "Ann" && $0.isActive }),
        Case(
            "or", .any([.compare(name, .equal, text("Ann")), .isTrue(.property("isActive"))]),
            #Predicate { $0.name == "Ann" || $0.isActive }),
        Case("not", .not(.isTrue(.property("isActive"))), #Predicate { !$0.isActive }),
        Case(
            "three conditions joined by && become one list",
            .all([
                .isTrue(.property("isActive")), .compare(name, .equal, text("A")), .compare(number, .equal, whole(1)),
            ]),
            #Predicate { $0.isActive && $0.name == "A" && $0.number == 1 }),
        Case(
            "a conditional operator",
            .compare(.conditional(.isTrue(.property("isActive")), name, text("x")), .equal, text("x")),
            #Predicate { ($0.isActive ? $0.name : "x") == "x" }),
    ]

    static let optionals: [Case] = [
        Case(
            "??", .compare(.coalesce(number, whole(0)), .greater, whole(3)), #Predicate { ($0.number ?? 0) > 3 }),
        Case(
            "if let",
            .isTrue(
                .coalesce(
                    .conditional(
                        .compare(number, .notEqual, .constant(.null)), .truth(.compare(number, .greater, whole(3))),
                        .constant(.null)),
                    .constant(.boolean(false)))),
            #Predicate { player in
                if let number = player.number { number > 3 } else { false }
            }),
        Case(
            "the raw value of an optional identifier",
            .compare(
                .conditional(.compare(team, .notEqual, .constant(.null)), team, .constant(.null)), .equal, whole(2)),
            #Predicate { $0.team?.rawValue == 2 }),
    ]

    static let texts: [Case] = [
        Case("contains a text", .contains(name, text("nn")), #Predicate { $0.name.contains("nn") }),
        Case("starts with", .startsWith(name, text("An")), #Predicate { $0.name.starts(with: "An") }),
        Case("is empty", .compare(name, .equal, text("")), #Predicate { $0.name.isEmpty }),
        Case(
            "the raw value of an enumeration", .compare(.property("grade"), .equal, text("A")),
            #Predicate { $0.grade.rawValue == "A" }),
    ]

    @Test(
        "a supported predicate construct is translated to the expected condition",
        arguments: comparisons + combinations + optionals + texts)
    func lowers(_ example: Case) throws {
        let found = try RecordFilter.matching(example.predicate).condition()
        #expect(found == example.condition)
    }

    @Test("captured values are translated to constants of their type")
    func captured() throws {
        let (salary, born) = (Decimal(string: "5.70") ?? 0, Date(timeIntervalSinceReferenceDate: 5))
        let (license, grade) = (UUID(), Grade.best)
        let id = try #require(PlayerID(rawValue: 4))
        let team = TeamID(rawValue: 3)
        func expect(_ predicate: Predicate<Player>, _ property: String, _ value: StoredValue) throws {
            let found = try RecordFilter.matching(predicate).condition()
            #expect(found == .compare(.property(property), .equal, .constant(value)))
        }
        try expect(#Predicate { $0.salary == salary }, "salary", .decimal(ScaledDecimal(unscaled: 57, scale: 1)))
        try expect(#Predicate { $0.born == born }, "born", .date(born))
        try expect(#Predicate { $0.license == license }, "license", .uuid(license))
        try expect(#Predicate { $0.grade == grade }, "grade", .string("A"))
        try expect(#Predicate { $0.id == id }, "id", .integer(4))
        try expect(#Predicate { $0.id.rawValue == 4 }, "id", .integer(4))
        try expect(#Predicate { $0.team == team }, "team", .integer(3))
        try expect(#Predicate { $0.form == 2.5 }, "form", .double(2.5))
    }

    @Test("lists and ranges are translated to conditions")
    func lists() throws {
        let (numbers, names): ([Int?], Set<String>) = ([1, nil], ["Ann"])
        let (closed, open) = (1...3, Decimal(1)..<Decimal(2))
        let ids = [TeamID(rawValue: 1), TeamID(rawValue: 2)]
        func condition(_ predicate: Predicate<Player>) throws -> FetchCondition {
            try RecordFilter.matching(predicate).condition()
        }
        #expect(
            try condition(#Predicate { numbers.contains($0.number) })
                == .isIn(.property("number"), [.integer(1), .null]))
        #expect(try condition(#Predicate { names.contains($0.name) }) == .isIn(.property("name"), [.string("Ann")]))
        #expect(
            try condition(#Predicate { ids.contains($0.team) }) == .isIn(.property("team"), [.integer(1), .integer(2)]))
        let number = FetchOperand.coalesce(.property("number"), .constant(.integer(0)))
        let between = FetchCondition.all([
            .compare(number, .greaterOrEqual, .constant(.integer(1))),
            .compare(number, .lessOrEqual, .constant(.integer(3))),
        ])
        #expect(try condition(#Predicate { closed.contains($0.number ?? 0) }) == between)
        #expect(try condition(#Predicate { (1...3).contains($0.number ?? 0) }) == between)
        #expect(
            try condition(#Predicate { open.contains($0.salary) })
                == .all([
                    .compare(.property("salary"), .greaterOrEqual, .constant(.integer(1))),
                    .compare(.property("salary"), .less, .constant(.integer(2))),
                ]))
    }

    @Test("arithmetic is translated to conditions")
    func arithmetic() throws {
        func condition(_ predicate: Predicate<Player>) throws -> FetchCondition {
            try RecordFilter.matching(predicate).condition()
        }
        func sum(_ operation: FetchArithmetic) -> FetchCondition {
            .compare(
                .arithmetic(.coalesce(.property("number"), .constant(.integer(0))), operation, .constant(.integer(2))),
                .equal, .constant(.integer(1)))
        }
        #expect(try condition(#Predicate { ($0.number ?? 0) + 2 == 1 }) == sum(.add))
        #expect(try condition(#Predicate { ($0.number ?? 0) - 2 == 1 }) == sum(.subtract))
        #expect(try condition(#Predicate { ($0.number ?? 0) * 2 == 1 }) == sum(.multiply))
        #expect(try condition(#Predicate { ($0.number ?? 0) / 2 == 1 }) == sum(.divideWhole))
        #expect(try condition(#Predicate { ($0.number ?? 0) % 2 == 1 }) == sum(.remainder))
        #expect(
            try condition(#Predicate { ($0.form ?? 0) / 2 == 1 })
                == .compare(
                    .arithmetic(.coalesce(.property("form"), .constant(.double(0))), .divide, .constant(.double(2))),
                    .equal, .constant(.double(1))))
        #expect(
            try condition(#Predicate { -($0.form ?? 0) == 1 })
                == .compare(
                    .negated(.coalesce(.property("form"), .constant(.double(0)))), .equal, .constant(.double(1))))
    }
}
