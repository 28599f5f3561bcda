import Foundation
import StrataCore
import StrataPersistence
import StrataTestSupport

/// A model that a random walk edits, and its expected rows: dictionaries with constant keys, whatever the names are.
struct MigrationWorld {
    struct Attribute {
        let key: Int
        var names: [String]
        var type: AttributeType
        var isOptional: Bool
        var defaultValue: StoredValue?
        var isUnique = false
        var isIndexed = false
        var rules: [AttributeRule] = []
        /// A Boolean value that indicates whether the values were converted.
        ///
        /// Some edits are made once in a walk, because a repetition would lose data.
        var wasConverted = false
        var wasFilled = false
    }

    struct Entity {
        let key: Int
        var names: [String]
        var attributes: [Attribute]
        /// The keys of attributes and relationships, in the order of the properties.
        var order: [Int] = []
    }

    enum Kind {
        case toOne
        case oneToOne(isKeptAtOwner: Bool)
        case many(isOrdered: Bool)
    }

    /// A relationship and its inverse.
    struct Relation {
        let key: Int
        let inverseKey: Int
        let owner: Int
        let target: Int
        var names: [String]
        var inverseNames: [String]
        var kind: Kind
        var wasReordered = false
    }

    var random: SeededGenerator
    var entities: [Entity] = []
    var relations: [Relation] = []
    var rows: [Int: [Int64: [Int: StoredValue]]] = [:]
    /// The related objects by owner.
    var links: [Int: Set<[Int64]>] = [:]
    private var lastKey = 0

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        for _ in 0..<Int.random(in: 1...4, using: &random) { addEntity(fills: true) }
        for _ in 0..<Int.random(in: 0...4, using: &random) { addRelation(fills: true) }
    }

    mutating func key() -> Int {
        lastKey += 1
        return lastKey
    }

    mutating func one(in count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }

    static let types: [AttributeType] = [
        .string, .integer16, .integer32, .integer64, .double, .decimal(scale: 2), .boolean, .date, .uuid, .binary, .day,
        .timeOfDay,
    ]

    /// Returns one of a few values, so that some are equal.
    mutating func value(_ type: AttributeType) -> StoredValue {
        let number = Int64.random(in: -3...6, using: &random)
        switch type {
        case .string: return .string(["", "a", "Ä\n'\"", "00501", "12", "日本"][Int(number + 3) % 6])
        case .integer16, .integer32, .integer64: return .integer(number)
        case .double: return .double(Double(number) / 4)
        case .decimal(let scale): return .decimal(ScaledDecimal(unscaled: number * 25, scale: scale))
        case .boolean: return .boolean(number > 0)
        case .date: return .date(Date(timeIntervalSinceReferenceDate: Double(number) * 1000))
        case .uuid: return .uuid(UUID(uuid: (UInt8(number + 3), 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 1)))
        case .binary: return .binary(Data([UInt8(number + 3), 0, 255]))
        case .day: return Day(daysSinceReferenceDay: Int(number)).map(StoredValue.day) ?? .null
        case .timeOfDay: return Self.time(number)
        }
    }

    private static func time(_ number: Int64) -> StoredValue {
        StoredValue.string("0\(number + 3):30:00").asTime
    }

    // MARK: The model

    func model() throws -> ManagedObjectModel {
        let names = Dictionary(uniqueKeysWithValues: entities.map { ($0.key, $0.names[0]) })
        return try ManagedObjectModel(
            entities.map { entity in
                var properties: [Int: EntityDescription.Property] = [:]
                for attribute in entity.attributes {
                    properties[attribute.key] = .attribute(
                        AttributeDescription(
                            attribute.names[0], attribute.type, isOptional: attribute.isOptional,
                            defaultValue: attribute.defaultValue.map(DefaultValue.constant), rules: attribute.rules,
                            isUnique: attribute.isUnique, isIndexed: attribute.isIndexed,
                            renamedFrom: Array(attribute.names.dropFirst())))
                }
                for relation in relations {
                    let (there, back) = relation.descriptions(names)
                    if relation.owner == entity.key { properties[relation.key] = .relationship(there) }
                    if relation.target == entity.key { properties[relation.inverseKey] = .relationship(back) }
                }
                return EntityDescription(
                    entity.names[0], entity.order.compactMap { properties[$0] },
                    renamedFrom: Array(entity.names.dropFirst()))
            })
    }
}

extension MigrationWorld.Relation {
    var isOneToOne: Bool { if case .oneToOne = kind { true } else { false } }
    var isMany: Bool { if case .many = kind { true } else { false } }

    fileprivate func descriptions(
        _ entities: [Int: String]
    ) -> (RelationshipDescription, RelationshipDescription) {
        let (owner, target) = (entities[owner] ?? "", entities[target] ?? "")
        var there = RelationshipDescription(
            names[0], to: target, .toOne, inverse: inverseNames[0], renamedFrom: Array(names.dropFirst()))
        var back = RelationshipDescription(
            inverseNames[0], to: owner, .toMany, inverse: names[0], renamedFrom: Array(inverseNames.dropFirst()))
        switch kind {
        case .toOne: break
        case .oneToOne(let isKeptAtOwner):
            back.cardinality = .toOne
            (there.ownsForeignKey, back.ownsForeignKey) = (isKeptAtOwner, !isKeptAtOwner)
        case .many(let isOrdered):
            there.cardinality = .toMany
            there.isOrdered = isOrdered
        }
        return (there, back)
    }
}

extension StoredValue {
    /// The time of day that a text denotes.
    fileprivate var asTime: StoredValue {
        if case .string(let text) = self, let time = TimeOfDay(text) { .timeOfDay(time) } else { .null }
    }
}
