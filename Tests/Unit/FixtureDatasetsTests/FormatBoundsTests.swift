import StrataCore
import StrataFixtures
import StrataTestSupport
import Testing

@Suite("Fixtures of formats with bounds")
struct FormatBoundsTests {
    private static let cases: [(TextFormat, [AttributeRule])] = [
        (.dateTime, [.minimum(.string("2020-06-01T00:00:00+05:00"))]),
        (.offsetDateTime, [.lessThan(.string("1999-01-01T00:00:00Z"))]),
        (.localDateTime, [.minimum(.string("2020-06-01T00:00:00")), .maximum(.string("2026-01-01T00:00:00"))]),
        (.year, [.greaterThan(.string("2100"))]),
        (.year, [.minimum(.string("9223372036854775807"))]),
        (.bigInteger, [.minimum(.string("9223372036854775807"))]),
        (.yearMonth, [.minimum(.string("2020-01")), .maximum(.string("2025-12"))]),
    ]

    @Test(
        "generated texts of a format with bounds differ and are within the bounds",
        arguments: Seeds.spread(3, of: 0..<cases.count))
    func within(number: Int) throws {
        let (format, rules) = Self.cases[number]
        let model = try ManagedObjectModel([
            EntityDescription(
                "A", [.attribute(AttributeDescription("x", .string, rules: rules, domain: format.domain))])
        ])
        let fixtures = try Fixtures(try FixtureDescription(model: model, seed: 16))
        let texts: [String] = try (0..<fixtures.count(of: "A")).map { try fixtures.row(of: "A", at: $0)["x"] }
        #expect(texts.count == 100)
        #expect(Set(texts).count > 3, "\(texts)")
        for rule in rules {
            for text in texts {
                let key = format.orderKey(of: text)
                switch rule {
                case .minimum(.string(let bound)): #expect(key >= format.orderKey(of: bound), "\(text)")
                case .maximum(.string(let bound)): #expect(key <= format.orderKey(of: bound), "\(text)")
                case .greaterThan(.string(let bound)): #expect(key > format.orderKey(of: bound), "\(text)")
                case .lessThan(.string(let bound)): #expect(key < format.orderKey(of: bound), "\(text)")
                default: Issue.record("\(rule)")
                }
            }
        }
    }
}
