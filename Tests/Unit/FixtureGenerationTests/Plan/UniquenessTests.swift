import Foundation
import Testing

@testable import StrataFixtures

@Suite("Unique values")
struct UniquenessTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let field: FixtureField
        /// The count of distinct values.
        let count: Int

        init(_ title: String, _ type: FixtureField.ValueType, _ generator: FixtureGenerator, count: Int) {
            testDescription = title
            field = FixtureField("value", type: type, generator: generator, isOptional: true, isUnique: true)
            self.count = count
        }
    }

    static func instant(_ text: String) -> FixtureInstant { FixtureInstant(text) ?? FixtureInstant.range.lowerBound }

    static let cases: [Case] = [
        Case("integers", .integer, .uniform(-50...49), count: 100),
        Case("a single integer", .integer, .uniform(7...7), count: 1),
        Case("integers with a step of 3", .integer, .uniform(0...299, step: 3), count: 100),
        Case("decimals", .decimal(scale: 2), .uniform(0...1), count: 101),
        Case("codes with a prefix", .text, .code(prefix: "INV-", digits: 2), count: 100),
        Case("texts of a list", .text, .oneOf(["a", "b", "c"]), count: 3),
        Case("texts of equal weights", .text, .oneOf([.init("a", weight: 5), .init("b", weight: 5)]), count: 2),
        Case(
            "days of a leap year", .date,
            .dates(
                from: instant("2024-01-01"), to: instant("2025-01-01"), weekdays: nil, precision: .day), count: 366),
        Case(
            "seconds of a minute", .date,
            .dates(
                from: instant("2024-01-01"), to: instant("2024-01-01T00:01:00Z"), weekdays: nil, precision: .second),
            count: 60),
        Case(
            "color names", .text, .kind(.colorName), count: ColorNames.modifiers.count * ColorNames.hues.count),
    ]

    @Test("each value of a unique field occurs once if there are as many rows as values", arguments: cases)
    func all(_ one: Case) throws {
        let fixtures = try Samples.fixtures(one.field, count: one.count)
        let values = try Samples.values(fixtures)
        #expect(Set(values).count == one.count)
        #expect(!values.contains(.null))
    }

    @Test("more rows than unique values are rejected with the count of values", arguments: cases)
    func tooMany(_ one: Case) {
        let message = Samples.message { _ = try Samples.fixtures(one.field, count: one.count + 1) }
        #expect(
            message
                == "Row.value: \(one.count + 1) different values were requested, but there are only \(one.count); "
                + "request fewer rows, or more values")
    }

    @Test(
        "unique given, family and full names are distinct across all locales",
        arguments: ["givenName", "familyName", "fullName"])
    func names(_ kind: String) throws {
        let generator = FixtureGenerator.kind(try #require(FixtureGenerator.Kind(rawValue: kind)))
        let field = FixtureField("value", type: .text, generator: generator, isUnique: true)
        var description = try FixtureDescription(schema: [Samples.entity(field, count: 1)])
        description.locales = Dictionary(uniqueKeysWithValues: NameLists.all.map { ($0.code, 1) })
        let plan = try Fixtures(description).plan(of: "Row")
        let count = try #require(plan.fields[0].permutation?.count)
        // The texts are compared by bytes, including the million full names in the order of their numbers.
        var seen: Set<[UInt8]> = []
        let draw = plan.fields[0].draw
        plan.numbers.withUnsafeBufferPointer { numbers in
            for rank in 0..<count {
                switch draw.value(rank: rank, numbers) {
                case .text(let text): seen.insert(Array(plan.texts[text].utf8))
                case .pair(let first, let second):
                    seen.insert(Array(plan.texts[first].utf8) + [0x20] + Array(plan.texts[second].utf8))
                default: break
                }
            }
        }
        #expect(seen.count == Int(count))
    }

    @Test("two combinations of given and family names form the same full name only if their family names are equal")
    func joined() {
        let isFamilyFirst: Set<String> = ["ja", "zh", "ko", "vi"]
        var families: [String: String] = [:]
        for list in NameLists.all {
            for given in list.givenNames {
                for family in list.familyNames {
                    let name = isFamilyFirst.contains(list.code) ? "\(family) \(given)" : "\(given) \(family)"
                    let known = families.updateValue(family, forKey: name)
                    if known != nil, known != family { Issue.record("\(name): \(family)") }
                }
            }
        }
    }

    @Test("UUIDs have version 4, and no two UUIDs of two attributes share their first half")
    func uuids() throws {
        let fields = ["a", "b"].map { FixtureField($0, type: .uuid, generator: .kind(.uuid), isUnique: true) }
        let fixtures = try Fixtures(try FixtureDescription(schema: [FixtureEntity("Row", fields, count: 500)]))
        var halves: Set<String> = []
        for field in fields {
            for value in try Samples.values(fixtures, field.name) {
                guard case .uuid(let uuid) = value else { continue }
                let text = uuid.uuidString
                halves.insert(String(text.prefix(18)))
                #expect(Array(text)[14] == "4")
                #expect("89AB".contains(Array(text)[19]))
            }
        }
        #expect(halves.count == 1_000)
    }

    static let refused: [(String, FixtureField)] = [
        (
            "texts of different weights",
            FixtureField("value", type: .text, generator: .oneOf([.init("a", weight: 2), .init("b")]), isUnique: true)
        ),
        (
            "normal distribution",
            FixtureField(
                "value", type: .integer, generator: .normal(mean: 0, deviation: 10, .init(-100...100)), isUnique: true)
        ),
        (
            "log-normal distribution",
            FixtureField(
                "value", type: .integer, generator: .logNormal(median: 10, sigma: 1, .init(0...100)), isUnique: true)
        ),
        (
            "weekdays of different weights",
            FixtureField(
                "value", type: .date,
                generator: .dates(
                    from: instant("2020-01-01"), to: nil, weekdays: [1, 1, 1, 1, 1, 0, 0], precision: .day),
                isUnique: true)
        ),
    ]

    @Test("a field whose values have unequal probabilities cannot be unique", arguments: refused)
    func refuse(_ title: String, _ field: FixtureField) {
        let message = Samples.message { _ = try Samples.fixtures(field, count: 1) }
        #expect(
            message
                == "Row.value: only values with equal probability can be unique: those of \"uniform\", \"code\" and "
                + "\"kind\", "
                + "and of \"dates\" and \"oneOf\" without weights")
    }
}
