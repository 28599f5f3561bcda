import Foundation

/// The image of a model that a store records: names and texts only.
///
/// It contains no types of this library, so that every later version can read and compare it.
///
/// Its JSON is stored in every store and is the input of the model's hashes. A change of a key, or of the text of a
/// rule, would make every existing store appear to have another model: add optional keys only, and omit them if they
/// have their default.
struct ModelImage: Codable, Equatable {
    struct Entity: Codable, Equatable {
        var name: String
        var properties: [Property]
        // A later release added these keys. They are omitted if they are empty, as in older stores.
        var uniquenessConstraints: [[String]]?
        var indexes: [[String]]?
        var keepsOrder: Bool?
    }

    /// A property in the image of a model.
    ///
    /// The names of the members are the JSON keys in existing stores and do not change if the model's names change.
    struct Property: Codable, Equatable {
        var name: String
        /// The type of the attribute, or `toOne` or `toMany` for a relationship.
        var type: String
        var isOptional: Bool
        var isUnique: Bool?
        var isIndexed: Bool?
        var isConstant: Bool?
        var defaultValue: String?
        var rules: [String]?
        var format: String?
        var destination: String?
        var inverse: String?
        var deleteRule: String?
        // A later release added the following keys. A key with its default is omitted, so that the images of older
        // stores remain unchanged.
        var minimumCount: Int?
        var maximumCount: Int?
        var isOrdered: Bool?
        var positionAttribute: String?
        var isStored: Bool?
    }

    var entities: [Entity]

    init(_ model: ManagedObjectModel) {
        entities = model.entities.map { entity in
            Entity(
                name: entity.name, properties: entity.properties.map { Property($0, of: entity) },
                uniquenessConstraints: entity.uniquenessConstraints.isEmpty ? nil : entity.uniquenessConstraints,
                indexes: entity.indexes.isEmpty ? nil : entity.indexes,
                keepsOrder: entity.keepsOrder ? true : nil)
        }
    }

    /// Returns the differences between the image that a store recorded and this image, one sentence each.
    func differences(from stored: ModelImage, _ names: (old: String, new: String)) -> [String] {
        var found: [String] = []
        let theirs = Dictionary(stored.entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        let ours = Dictionary(entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        for entity in stored.entities where ours[entity.name] == nil {
            found.append("the entity \(entity.name) is in \(names.old), not in \(names.new)")
        }
        for entity in entities {
            guard let their = theirs[entity.name] else {
                found.append("the entity \(entity.name) is in \(names.new), not in \(names.old)")
                continue
            }
            found += entity.differences(from: their, names)
        }
        return found
    }
}

extension ModelImage.Entity {
    func differences(from stored: ModelImage.Entity, _ names: (old: String, new: String)) -> [String] {
        var found: [String] = []
        let theirs = Dictionary(stored.properties.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        let ours = Set(properties.map(\.name))
        for property in stored.properties where !ours.contains(property.name) {
            found.append("\(name).\(property.name) is in \(names.old), not in \(names.new)")
        }
        for property in properties {
            guard let their = theirs[property.name] else {
                found.append("\(name).\(property.name) is in \(names.new), not in \(names.old)")
                continue
            }
            if their != property {
                found.append(
                    "\(name).\(property.name) is \(their.summary) in \(names.old), \(property.summary) in \(names.new)")
            }
        }
        if found.isEmpty, properties != stored.properties {
            found.append("the properties of \(name) are in another order")
        }
        for (what, theirs, ours) in [
            ("uniqueness constraints", stored.uniquenessConstraints, uniquenessConstraints),
            ("indexes", stored.indexes, indexes),
        ] where theirs != ours {
            found.append(
                "the \(what) of \(name) are \(Self.summary(theirs)) in \(names.old), \(Self.summary(ours)) in \(names.new)"
            )
        }
        if keepsOrder != stored.keepsOrder {
            let (keeper, other) = keepsOrder == true ? (names.new, names.old) : (names.old, names.new)
            found.append("the rows of \(name) keep the order of their file in \(keeper), not in \(other)")
        }
        return found
    }

    private static func summary(_ lists: [[String]]?) -> String {
        lists?.map { "(\($0.joined(separator: ", ")))" }.joined(separator: ", ") ?? "none"
    }
}

extension ModelImage.Property {
    init(_ property: EntityDescription.Property, of entity: EntityDescription) {
        switch property {
        case .attribute(let attribute):
            self.init(
                name: attribute.name, type: attribute.type.description, isOptional: attribute.isOptional,
                isUnique: attribute.isUnique, isIndexed: attribute.isIndexed, isConstant: attribute.isImmutable,
                defaultValue: attribute.defaultValue?.summary,
                rules: attribute.rules.map(\.summary), format: attribute.domain?.name)
        case .relationship(let relationship):
            let isUnique = entity.columnIndex(relationship.name).map { entity.columns[$0].isUnique } ?? false
            self.init(
                name: relationship.name, type: relationship.cardinality.rawValue, isOptional: relationship.isOptional,
                isUnique: isUnique ? true : nil, destination: relationship.destination, inverse: relationship.inverse,
                deleteRule: relationship.deleteRule.rawValue,
                minimumCount: relationship.minimumCount == 0 ? nil : relationship.minimumCount,
                maximumCount: relationship.maximumCount, isOrdered: relationship.isOrdered ? true : nil,
                positionAttribute: relationship.orderingAttribute, isStored: relationship.ownsForeignKey ? nil : false)
        }
    }

    var summary: String {
        var parts = [isOptional ? "optional \(type)" : type]
        if isUnique == true { parts.append("unique") }
        if isIndexed == true { parts.append("indexed") }
        if isConstant == true { parts.append("immutable") }
        if let defaultValue { parts.append("default \(defaultValue)") }
        parts += rules ?? []
        if let format { parts.append("domain \(format)") }
        if let destination { parts.append("to \(destination)") }
        if let inverse { parts.append("inverse \(inverse)") }
        if let deleteRule { parts.append("delete rule \(deleteRule)") }
        if let minimumCount { parts.append("minimum count \(minimumCount)") }
        if let maximumCount { parts.append("maximum count \(maximumCount)") }
        if let positionAttribute {
            parts.append("ordered by \(positionAttribute)")
        } else if isOrdered == true {
            parts.append("ordered")
        }
        if isStored == false { parts.append("without a column") }
        return parts.joined(separator: ", ")
    }
}

extension DefaultValue {
    fileprivate var summary: String {
        switch self {
        case .constant(let value): value.description
        case .now: "now"
        case .newUUID: "new UUID"
        }
    }
}

extension AttributeRule {
    fileprivate var summary: String {
        switch self {
        case .minimum(let value): "minimum \(value)"
        case .maximum(let value): "maximum \(value)"
        case .greaterThan(let value): "greater than \(value)"
        case .lessThan(let value): "less than \(value)"
        case .oneOf(let values): "one of " + values.map(\.quoted).joined(separator: ", ")
        case .minimumLength(let length): "minimum length \(length)"
        case .maximumLength(let length): "maximum length \(length)"
        case .pattern(let pattern): "pattern \(pattern)"
        }
    }
}

extension StoredValue {
    /// The value as text in an unambiguous form: two different lists of such texts remain different when joined.
    fileprivate var quoted: String { if case .string(let text) = self { text.debugDescription } else { description } }
}
