import Foundation
public import StrataCore

/// A generator of models with rules and defaults of every type and relationships of all kinds.
public struct RandomModel {
    private var random: SeededGenerator

    /// Creates a generator of the models of a seed.
    public init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    private mutating func one(in count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }
    private mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &random)]
    }

    /// Returns a random model.
    ///
    /// - Throws: `PersistenceError` if the model is invalid, which no seed is known to cause.
    public mutating func model() throws -> ManagedObjectModel {
        let count = Int.random(in: 1...5, using: &random)
        var properties: [[EntityDescription.Property]] = (0..<count).map { _ in [] }
        for entity in 0..<count {
            for number in 0..<Int.random(in: 0...6, using: &random) {
                properties[entity].append(.attribute(attribute("a\(number)")))
            }
        }
        for number in 0..<Int.random(in: 0...6, using: &random) {
            addRelationship(number, to: &properties)
        }
        let names = ["Customer", "order_line", "Straße", "2nd choice", "日本"].shuffled(using: &random)
        let entities = (0..<count).map { entity in
            let isReferred = properties.joined().contains {
                if case .relationship(let relationship) = $0 { relationship.destination == "E\(entity)" } else { false }
            }
            let form = ExternalForm(
                name: one(in: 2) ? names[entity] : nil,
                identifiers: !isReferred && one(in: 4) ? .own : .column(one(in: 3) ? "number, \(entity)" : "id"),
                missingValues: one(in: 4) ? pick([[], ["", "NA"]]) : nil, title: one(in: 3) ? "Things\n\"so\"" : nil,
                explanation: one(in: 3) ? "é\u{1}" : nil)
            // In half of the cases, the order of the properties is shuffled.
            let order = one(in: 2) ? properties[entity] : properties[entity].shuffled(using: &random)
            let columns = EntityDescription("E", order).columns.map(\.name)
            func lists() -> [[String]] {
                guard columns.count > 2, one(in: 2) else { return [] }
                return [
                    Array(columns.shuffled(using: &random).prefix(2)),
                    Array(columns.shuffled(using: &random).prefix(3)),
                ]
            }
            return EntityDescription(
                "E\(entity)", order, uniquenessConstraints: lists(), indexes: lists(), external: form)
        }
        return try keyed(ManagedObjectModel(entities))
    }

    // MARK: Keys

    /// Returns the model with some references by keys and some join rows in tables and lists; invalid combinations are
    /// unchanged.
    private mutating func keyed(_ model: ManagedObjectModel) -> ManagedObjectModel {
        var model = model
        for (place, entity) in model.entities.enumerated() {
            for (index, property) in entity.properties.enumerated() {
                guard case .relationship(var relationship) = property, one(in: 2) else { continue }
                guard let destination = model[relationship.destination] else { continue }
                if relationship.cardinality == .toOne, relationship.ownsForeignKey {
                    guard let key = key(of: destination, in: model, "\(relationship.name) of ") else { continue }
                    relationship.externalName = nil
                    relationship.externalKey = key
                } else if let join = model.join(of: relationship.name, in: entity.name) {
                    guard join.join.link == nil else { continue }
                    relationship.externalLink = link(join.join, isSource: join.isSource, in: model)
                }
                var entities = model.entities
                var properties = entities[place].properties
                properties[index] = .relationship(relationship)
                entities[place] = EntityDescription(
                    entity.name, properties, uniquenessConstraints: entity.uniquenessConstraints,
                    indexes: entity.indexes, external: entity.external)
                if let changed = try? ManagedObjectModel(entities) { model = changed }
            }
        }
        return model
    }

    private mutating func key(
        of entity: EntityDescription, in model: ManagedObjectModel, _ prefix: String
    ) -> ExternalKey? {
        guard !entity.uniqueKeys.isEmpty else { return nil }
        let columns = pick(entity.uniqueKeys).columns.shuffled(using: &random)
        let count = columns.map { model.referenceKey(ofColumn: $0, in: entity)?.values.count ?? 1 }.reduce(0, +)
        return ExternalKey(columns.map { entity.columns[$0].name }, columns: (0..<count).map { "\(prefix)\($0)" })
    }

    private mutating func link(_ join: JoinDescription, isSource: Bool, in model: ManagedObjectModel) -> ExternalLink? {
        let names = isSource ? (join.sourceEntity, join.targetEntity) : (join.targetEntity, join.sourceEntity)
        guard let owner = model[names.0], let destination = model[names.1] else { return nil }
        if one(in: 2) {
            let unique = destination.columns.first { $0.isUnique && $0.attribute != nil }?.name
            return .list(
                ExternalList(column: "all \(join.name)", separator: pick([",", "; ", "|"]), property: unique))
        }
        let (isOrdered, isInverseOrdered) =
            isSource
            ? (join.isSourceOrdered, join.isTargetOrdered) : (join.isTargetOrdered, join.isSourceOrdered)
        return .table(
            ExternalLinkTable(
                "pairs of \(join.name)",
                owner: key(of: owner, in: model, "owner ") ?? ExternalKey([], columns: ["owner"]),
                destination: key(of: destination, in: model, "other ") ?? ExternalKey([], columns: ["other"]),
                position: isOrdered ? "place" : nil, inversePosition: isInverseOrdered ? "back place" : nil))
    }

    // MARK: Attributes

    private mutating func attribute(_ name: String) -> AttributeDescription {
        let type = pick(Self.types)
        var attribute = AttributeDescription(name, type, isOptional: one(in: 2))
        attribute.externalName =
            one(in: 3)
            ? pick(["full name, \(name)", "name \"\(name)\"", "a/b~\(name)", "\n\u{1}\(name)", "אב\(name)"]) : nil
        attribute.isUnique = one(in: 4)
        attribute.isIndexed = one(in: 4)
        attribute.isImmutable = one(in: 4)
        if one(in: 3) { attribute.defaultValue = .constant(value(of: type)) }
        if type == .date, one(in: 2) { attribute.defaultValue = .now }
        if type == .uuid, one(in: 2) { attribute.defaultValue = .newUUID }
        attribute.spelling = spelling(of: type)
        if one(in: 3) { (attribute.title, attribute.explanation) = ("A title", "") }
        for _ in 0..<Int.random(in: 0...3, using: &random) { attribute.rules.append(rule(of: type)) }
        // No value would satisfy an incompatible format and length.
        if type == .string, attribute.rules.isEmpty, one(in: 2) { attribute.domain = pick(TextFormat.allCases).domain }
        if one(in: 4) { attribute.renamedFrom = pick([["old \(name)"], ["x", "y"]]) }
        // A default that breaks a rule is not valid in a file.
        if attribute.failureOfDefault(in: "E") != nil { attribute.defaultValue = nil }
        return attribute
    }

    private mutating func spelling(of type: AttributeType) -> ExternalSpelling {
        var spelling = ExternalSpelling(missingValues: one(in: 4) ? pick([[], ["", "NA"], ["-"]]) : nil)
        switch type {
        case .integer16, .integer32, .integer64, .double, .decimal:
            if one(in: 2) { spelling.decimal = pick([",", "٫"]) }
            if one(in: 2) { spelling.group = pick(["'", " "]) }
            if case .decimal = type { spelling.writesFewestDigits = one(in: 2) }
        case .boolean: if one(in: 2) { (spelling.trueWords, spelling.falseWords) = (["ja", "j"], ["nein"]) }
        case .date: if one(in: 2) { spelling.dateFormat = "%d.%m.%Y %H:%M:%S.%f" }
        case .day: if one(in: 2) { spelling.dateFormat = "%d.%m.%Y" }
        case .timeOfDay: if one(in: 2) { spelling.dateFormat = "%H:%M:%S.%f" }
        default: break
        }
        return spelling
    }

    private static let types: [AttributeType] = [
        .string, .integer16, .integer32, .integer64, .double, .decimal(scale: 0), .decimal(scale: 2),
        .decimal(scale: 18), .boolean, .date, .day, .timeOfDay, .uuid, .binary,
    ]

    private mutating func rule(of type: AttributeType) -> AttributeRule {
        if type == .string || type == .binary, one(in: 2) {
            return one(in: 2)
                ? .minimumLength(Int.random(in: 0...9, using: &random))
                : .maximumLength(Int.random(in: 0...9, using: &random))
        }
        if type == .string, one(in: 2) {
            return .pattern(pick(["[a-z]+", "^a", "a$", "^^a$", "a\\$", "a\\\\$", "^", "$", "\"\\u{0}\"", "(a|b)*"]))
        }
        switch Int.random(in: 0..<5, using: &random) {
        case 0: return .minimum(value(of: type))
        case 1: return .maximum(value(of: type))
        case 2: return .greaterThan(value(of: type))
        case 3: return .lessThan(value(of: type))
        default: return .oneOf([value(of: type), value(of: type)])
        }
    }

    private mutating func value(of type: AttributeType) -> StoredValue {
        switch type {
        case .string: .string(pick(["", "now", "\u{1}\"\\/", "naïve 日本", String(repeating: "x", count: 300)]))
        case .integer16: .integer(Int64(Int16.random(in: .min ... .max, using: &random)))
        case .integer32: .integer(Int64(Int32.random(in: .min ... .max, using: &random)))
        case .integer64: .integer(pick([.min, .max, 9_007_199_254_740_993, 0]))
        case .double:
            one(in: 3)
                ? .integer(pick([0, 7, -3])) : .double(pick([0.1, 1e300, .leastNonzeroMagnitude, -2.5, 7, 1e16]))
        case .decimal(let scale):
            .decimal(ScaledDecimal(unscaled: pick([.max, .min + 1, 1, 0, -250]), scale: scale))
        case .boolean: .boolean(one(in: 2))
        case .date: .date(Date(timeIntervalSinceReferenceDate: pick([0, 0.000_000_001, 1e9 + 0.5, -1e9])))
        case .day: .day(pick(["2024-02-29", "0001-01-01"].compactMap(Day.init)))
        case .timeOfDay:
            .timeOfDay(pick(["23:59:59.000000001", "00:00:00"].compactMap(TimeOfDay.init)))
        case .uuid: .uuid(UUID(uuidString: "0F0E0D0C-0B0A-0908-0706-050403020100") ?? UUID())
        case .binary: .binary(Data([0, 255, 128].prefix(Int.random(in: 0...3, using: &random))))
        }
    }

    // MARK: Relationships

    private mutating func addRelationship(_ number: Int, to properties: inout [[EntityDescription.Property]]) {
        let (from, to) = (
            Int.random(in: 0..<properties.count, using: &random), Int.random(in: 0..<properties.count, using: &random)
        )
        let (name, back) = ("r\(number)", "back\(number)")
        let rules: [DeleteRule] = [.nullify, .cascade, .deny, .noAction]
        switch Int.random(in: 0..<5, using: &random) {
        case 0:
            properties[from].append(
                .relationship(
                    RelationshipDescription(
                        name, to: "E\(to)", .toOne, deleteRule: pick(rules), isOptional: one(in: 2),
                        externalName: one(in: 2) ? "the \(name)" : nil)))
        case 1:
            let isOptional = one(in: 2)
            properties[from].append(
                .relationship(
                    RelationshipDescription(
                        name, to: "E\(to)", .toOne, inverse: back, deleteRule: pick(rules), isOptional: isOptional)))
            properties[to].append(
                .relationship(
                    RelationshipDescription(
                        back, to: "E\(from)", .toOne, inverse: name, deleteRule: isOptional ? pick(rules) : .cascade,
                        isOptional: one(in: 2), ownsForeignKey: false)))
        case 2:
            properties[from].append(
                .relationship(
                    RelationshipDescription(
                        name, to: "E\(from)", .toMany, inverse: name, maximumCount: one(in: 2) ? 3 : nil)))
        case 3:
            properties[from].append(
                .relationship(
                    RelationshipDescription(
                        name, to: "E\(to)", .toMany, inverse: back, deleteRule: pick(rules), isOptional: one(in: 2),
                        minimumCount: one(in: 2) ? 1 : 0, isOrdered: one(in: 2))))
            properties[to].append(
                .relationship(
                    RelationshipDescription(
                        back, to: "E\(from)", .toMany, inverse: name, deleteRule: pick(rules), isOptional: one(in: 2),
                        maximumCount: one(in: 2) ? 5 : nil, isOrdered: one(in: 2))))
        default:
            let isOptional = one(in: 2)
            let isOrdered = one(in: 2)
            properties[from].append(
                .relationship(
                    RelationshipDescription(
                        name, to: "E\(to)", .toOne, inverse: back, deleteRule: pick(rules), isOptional: isOptional)))
            if isOrdered {
                properties[from].append(
                    .attribute(AttributeDescription("place\(number)", .integer64, isOptional: true)))
            }
            properties[to].append(
                .relationship(
                    RelationshipDescription(
                        back, to: "E\(from)", .toMany, inverse: name, deleteRule: isOptional ? pick(rules) : .deny,
                        minimumCount: one(in: 3) ? 2 : 0, maximumCount: one(in: 3) ? 9 : nil,
                        orderingAttribute: isOrdered ? "place\(number)" : nil)))
        }
    }
}
