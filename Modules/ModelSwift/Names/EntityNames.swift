import StrataCore

/// The Swift names of one entity.
struct EntityNames {
    /// An enumeration of the values that a rule permits.
    struct Enumeration {
        /// The name of the nested type.
        let type: String
        /// The names of the cases with their values, in the order of the rule.
        let cases: [(name: String, value: String)]
    }

    /// The name of the record type.
    let type: String
    /// The names of the repository protocol, its implementation and its double.
    let repository: String
    let storedRepository: String
    let double: String
    /// The names of properties, and of static properties for relationships without a column, by their names in the
    /// model.
    private(set) var properties: [String: String] = [:]
    /// The enumerations by the names of their attributes.
    private(set) var enumerations: [String: Enumeration] = [:]
    private(set) var notes: [SwiftModelNote] = []

    private let entity: EntityDescription

    /// Members that every record type has.
    private static let members: Set<String> = ["hashValue", "recordEntity"]
    /// Static members that every record type has.
    private static let staticMembers: Set<String> = ["declaredEntity", "entity", "fixtureEntity"]
    /// Static members that every generated enumeration has.
    private static let caseMembers: Set<String> = ["none", "allCases", "attributeType", "domain", "hashValue"]
    /// Nested types that every record type has, or that the compiler adds.
    private static let nestedTypes: Set<String> = ["CodingKeys", "ID"]

    /// Creates the names of an entity.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - type: The name of the record type.
    ///   - types: The names of all generated types and of the types that generated code uses; new ones are added.
    ///   - usedTypes: The names that a nested type must not have.
    init(_ entity: EntityDescription, type: String, _ types: inout UniqueNames, usedTypes: Set<String>) {
        self.entity = entity
        self.type = type
        repository = types.add("\(type)Repository")
        storedRepository = types.add("Stored\(type)Repository")
        double = types.add("\(type)RepositoryDouble")
        nameProperties()
        nameEnumerations(usedTypes)
    }

    /// Returns the name of a property in the form in which code uses it.
    func property(_ name: String) -> String { SwiftKeywords.quoted(properties[name] ?? name) }

    /// Returns the name of a property as the name of a parameter.
    func parameter(_ name: String) -> String { SwiftKeywords.parameter(properties[name] ?? name) }

    /// Returns the name of a property as the label of an argument.
    func label(_ name: String) -> String { SwiftKeywords.label(properties[name] ?? name) }

    /// Returns the name of a property after a period, where keywords are plain.
    func member(_ name: String) -> String { properties[name] ?? name }

    private mutating func nameProperties() {
        var used = UniqueNames(used: Set(entity.properties.map { Words.beginningInLowercase($0.name) } + ["id"]))
        var usedStatics = used
        for property in entity.properties {
            // A property that begins with a capital letter could have the name of a type.
            let name = Words.beginningInLowercase(property.name)
            if entity.columnIndex(property.name) == nil {
                let isUsable = !SwiftKeywords.unusable.contains(name) && !Self.staticMembers.contains(name)
                properties[property.name] = isUsable ? name : usedStatics.add("\(name)_")
                if !isUsable { note(property, "Swift code cannot use the name of the relationship") }
            } else if isFileIdentifier(property) {
                properties[property.name] = used.add("key")
                note(property, "files call the attribute “id”, which is the record's identifier in Swift")
            } else if SwiftKeywords.unusable.contains(name) || Self.members.contains(name) {
                properties[property.name] = used.add("\(name)_")
                note(property, "Swift code cannot use the name")
            } else if Self.staticMembers.contains(name) {
                // The compiler confuses the property with the static property.
                properties[property.name] = used.add("\(name)Value")
                note(property, "a record type has a static member of this name")
            } else if ObjectMembers.names.contains(name) {
                properties[property.name] = used.add("\(name)Value")
                note(property, "a managed object has a member of this name, which would hide the property")
            } else {
                properties[property.name] = name
            }
        }
    }

    /// Returns a Boolean value that indicates whether an attribute has the name `id` in files and a numbered name in
    /// the model, because `id` is the name of the identifier there.
    private func isFileIdentifier(_ property: EntityDescription.Property) -> Bool {
        guard case .attribute(let attribute) = property, attribute.externalName?.lowercased() == "id" else {
            return false
        }
        return attribute.name.lowercased().hasPrefix("id") && attribute.name.dropFirst(2).allSatisfy(\.isNumber)
    }

    private mutating func nameEnumerations(_ usedTypes: Set<String>) {
        var nested = UniqueNames(used: usedTypes.union(Self.nestedTypes))
        for attribute in entity.attributes {
            guard let values = attribute.enumerated else { continue }
            guard Set(values).count == values.count else {
                note(attribute.name, "two of the permitted values are equal texts in Swift; the property is a String")
                continue
            }
            var cases = UniqueNames()
            let named = values.enumerated().map { index, value in
                var name = Words.caseName(value, number: index + 1)
                if SwiftKeywords.unusable.contains(name) || Self.caseMembers.contains(name) { name += "_" }
                let unique = cases.add(name)
                if unique != name {
                    note(attribute.name, "two of the permitted values have the name \(name); “\(value)” is \(unique)")
                }
                return (name: unique, value: value)
            }
            let name = attribute.name.prefix(1).uppercased() + attribute.name.dropFirst()
            let isUsable =
                SwiftKeywords.isTypeName(name) && !usedTypes.contains(name) && !Self.nestedTypes.contains(name)
            let type = isUsable ? name : "\(name)Value"
            enumerations[attribute.name] = Enumeration(type: nested.add(type), cases: named)
        }
    }

    private mutating func note(_ property: EntityDescription.Property, _ reason: String) {
        note(property.name, "\(reason); it is \(member(property.name)) in Swift")
    }

    private mutating func note(_ property: String, _ message: String) {
        notes.append(SwiftModelNote(entity: entity.name, property: property, message: message))
    }
}

extension AttributeDescription {
    /// The permitted texts, if a rule lists them and no other rule or format applies to the values.
    fileprivate var enumerated: [String]? {
        guard type == .string, domain == nil else { return nil }
        let lists = rules.compactMap { if case .oneOf(let values) = $0 { values } else { nil } }
        guard lists.count == 1 else { return nil }
        let texts = lists[0].compactMap { if case .string(let text) = $0 { text } else { nil } }
        return texts.count == lists[0].count ? texts : nil
    }
}
