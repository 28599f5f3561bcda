import Foundation
import StrataCore
import StrataTestSupport

/// A generator of models with satisfiable rules, realistic attribute names, keys over several columns and all kinds of
/// relationships.
struct RandomShop {
    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    private mutating func one(in count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }
    private mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &random)]
    }

    private static let entities = ["Customers", "Product", "order_line", "Country", "x"]
    private static let names = [
        "email", "firstName", "last_name", "name", "city", "country", "countryCode", "street", "zip", "phone", "url",
        "price", "amount",
        "quantity", "createdAt", "updatedAt", "birthday", "status", "title", "description", "color", "code", "note",
        "isActive", "rating",
        "weight", "latitude", "unitCost", "startDate", "endDate", "a", "b", "sortOrder", "hash",
    ]

    mutating func model() throws -> ManagedObjectModel {
        let count = Int.random(in: 1...Self.entities.count, using: &random)
        var properties: [[EntityDescription.Property]] = []
        for _ in 0..<count {
            var own: [EntityDescription.Property] = []
            for name in Self.names.shuffled(using: &random).prefix(Int.random(in: 1...9, using: &random)) {
                own.append(.attribute(attribute(name)))
            }
            properties.append(own)
        }
        for number in 0..<Int.random(in: 0...5, using: &random) { relate(number, &properties) }
        var entities: [EntityDescription] = []
        for (index, name) in Self.entities.prefix(count).enumerated() {
            let columns = EntityDescription(name, properties[index]).columns.filter { $0.type != .boolean }.map(\.name)
            let keys = columns.count > 2 && one(in: 2) ? [Array(columns.shuffled(using: &random).prefix(2))] : []
            let isReferred = properties.joined().contains {
                if case .relationship(let relationship) = $0 { relationship.destination == name } else { false }
            }
            entities.append(
                EntityDescription(
                    name, properties[index], uniquenessConstraints: keys,
                    external: ExternalForm(
                        name: one(in: 3) ? "the \(name)" : nil,
                        identifiers: !isReferred && one(in: 3) ? .own : .column("id"))))
        }
        return try ManagedObjectModel(entities)
    }

    // MARK: - Attributes

    private static let types: [AttributeType] = [
        .string, .string, .string, .integer16, .integer32, .integer64, .double, .decimal(scale: 2), .decimal(scale: 0),
        .boolean, .date,
        .day, .timeOfDay, .uuid, .binary,
    ]

    private mutating func attribute(_ name: String) -> AttributeDescription {
        let type = pick(Self.types)
        var attribute = AttributeDescription(name, type, isOptional: one(in: 3))
        attribute.externalName = one(in: 3) ? "the \(name)" : nil
        attribute.rules = one(in: 2) ? rules(of: type) : []
        attribute.isUnique = type != .boolean && one(in: 5)
        if one(in: 4), attribute.rules.isEmpty { attribute.defaultValue = usual(of: type) }
        return attribute
    }

    private func usual(of type: AttributeType) -> DefaultValue? {
        switch type {
        case .boolean: .constant(.boolean(true))
        case .string: .constant(.string("usual"))
        case .date: .now
        case .uuid: .newUUID
        default: nil
        }
    }

    private mutating func rules(of type: AttributeType) -> [AttributeRule] {
        func decimal(_ units: Int64, _ scale: UInt8) -> StoredValue {
            .decimal(ScaledDecimal(unscaled: units, scale: scale))
        }
        switch type {
        case .string:
            return pick([
                [.maximumLength(6)], [.minimumLength(3), .maximumLength(3)], [.minimumLength(40)],
                [.pattern("[A-Z]{3}-\\d{4}")],
                [.pattern("^[^@ ]+@[^@ ]+$"), .maximumLength(30)], [.oneOf((1...120).map { .string("choice \($0)") })],
                [.minimum(.string("m")), .maximum(.string("p"))], [.pattern("[a-z]+(-[a-z0-9]+)*"), .minimumLength(8)],
            ])
        case .integer16, .integer32, .integer64:
            return pick([
                [.minimum(.integer(1))], [.maximum(.integer(-5))],
                [.greaterThan(.integer(10)), .lessThan(.integer(1_000))],
                [.oneOf((0..<200).map { .integer($0 * 3) })], [.minimum(.integer(30_000))],
            ])
        case .double:
            return pick([
                [.minimum(.double(0.1)), .maximum(.double(99.5))], [.greaterThan(.double(0)), .lessThan(.double(1))],
                [.oneOf((0..<150).map { .double(Double($0) / 8) })],
            ])
        case .decimal(let scale):
            return pick([
                [.minimum(decimal(0, scale))], [.greaterThan(decimal(100, scale)), .maximum(decimal(99_999, scale))],
                [.lessThan(decimal(-1_000_000, scale))],
            ])
        case .date:
            return pick([
                [.minimum(.date(Date(timeIntervalSinceReferenceDate: 0.5)))],
                [.lessThan(.date(Date(timeIntervalSinceReferenceDate: -1e9)))],
                [
                    .minimum(.date(Date(timeIntervalSinceReferenceDate: 1e9))),
                    .maximum(.date(Date(timeIntervalSinceReferenceDate: 1e9 + 10_000))),
                ],
            ])
        case .day:
            let days = ["2000-01-01", "2030-06-30"].compactMap(Day.init).map(StoredValue.day)
            return pick([
                [.minimum(days[0])], [.greaterThan(days[1])], [.lessThan(days[0])],
                [.minimum(days[0]), .lessThan(days[1])],
            ])
        case .timeOfDay:
            let times = ["08:30:00", "17:00:00"].compactMap(TimeOfDay.init).map(StoredValue.timeOfDay)
            return pick([[.minimum(times[0]), .lessThan(times[1])], [.greaterThan(times[1])], [.maximum(times[0])]])
        case .binary: return pick([[.minimumLength(9)], [.maximumLength(40), .minimumLength(10)]])
        case .boolean, .uuid: return []
        }
    }

    // MARK: - Relationships

    private mutating func relate(_ number: Int, _ properties: inout [[EntityDescription.Property]]) {
        let (from, to) = (
            Int.random(in: 0..<properties.count, using: &random), Int.random(in: 0..<properties.count, using: &random)
        )
        let (source, target) = (Self.entities[from], Self.entities[to])
        let (name, back) = ("r\(number)", "back\(number)")
        let isOptional = one(in: 2)
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            properties[from].append(
                .relationship(RelationshipDescription(name, to: target, .toOne, isOptional: isOptional)))
        case 1:
            let isOrdered = one(in: 2)
            if isOrdered { properties[from].append(.attribute(AttributeDescription("place\(number)", .integer64))) }
            properties[from].append(
                .relationship(RelationshipDescription(name, to: target, .toOne, inverse: back, isOptional: isOptional)))
            properties[to].append(
                .relationship(
                    RelationshipDescription(
                        back, to: source, .toMany, inverse: name, deleteRule: isOptional ? .nullify : .cascade,
                        isOptional: true, maximumCount: one(in: 2) ? 7 : nil,
                        orderingAttribute: isOrdered ? "place\(number)" : nil)))
        case 2:
            properties[from].append(
                .relationship(
                    RelationshipDescription(
                        name, to: target, .toMany, inverse: back, isOptional: one(in: 2),
                        minimumCount: one(in: 2) ? 1 : 0,
                        isOrdered: one(in: 2))))
            properties[to].append(
                .relationship(
                    RelationshipDescription(
                        back, to: source, .toMany, inverse: name, maximumCount: one(in: 2) ? 12 : nil,
                        isOrdered: one(in: 2))))
        default:
            properties[from].append(
                .relationship(
                    RelationshipDescription(
                        name, to: source, .toMany, inverse: name, maximumCount: one(in: 2) ? 3 : nil)))
        }
    }
}
