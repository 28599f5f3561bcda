import StrataCore

/// The Swift names of all types that are generated from a model.
struct ModelTypes {
    /// The name of the enumeration with the model.
    let model: String
    /// The name of the error of doubles.
    let unexpectedCall: String
    /// The entities of the model with their names, in the order of the model.
    let entities: [(entity: EntityDescription, names: EntityNames)]
    /// The names of the record types, by the names of their entities.
    private let recordTypes: [String: String]
    /// The names of record types that are also names of types that generated code uses.
    private let shadowed: Set<String>
    private let isTwoLayers: Bool
    /// The notes about all entities, in the order of the model.
    let notes: [SwiftModelNote]

    /// The modules of the types that generated code uses.
    private static let modules: [String: String] = {
        let types = [
            "Swift": [
                "Bool", "CaseIterable", "Codable", "CustomStringConvertible", "Double", "Error", "Hashable",
                "Identifiable", "Int", "Int16", "Int32", "Optional", "Result", "Sendable", "String", "UInt64", "Void",
            ],
            "Foundation": ["Data", "Date", "Decimal", "UUID"],
            "StrataPersistence": [
                "AttributeDomain", "AttributeValue", "Day", "ExternalForm", "ExternalKey", "ExternalLinkTable",
                "ExternalList", "ExternalSpelling", "FetchRequest", "ManagedObjectModel", "PersistenceError",
                "PersistentRecord", "RecordContext", "RecordEntity", "RecordID", "ScaledDecimal", "TimeOfDay", "ToMany",
                "ToOne",
            ],
            "StrataFixtures": [
                "FixtureConvertible", "FixtureDescription", "FixtureEntity", "FixtureRecord", "FixtureRow", "Fixtures",
            ],
            "StrataDomain": ["Identifier", "Query", "Repository"],
            "StrataRepositories": ["StoredRepository"],
        ]
        return Dictionary(uniqueKeysWithValues: types.flatMap { module, names in names.map { ($0, module) } })
    }()
    /// The names that no type may have: modules that code names to distinguish types, and a type that `#Predicate`
    /// uses.
    private static let reserved: Set<String> = [
        "Foundation", "PredicateExpressions", "StrataCore", "StrataDomain", "StrataFixtures", "StrataPersistence",
        "StrataRepositories", "Swift",
    ]

    /// Creates the names of all types.
    ///
    /// - Throws: ``SwiftModelError`` if an entity has the name of a module.
    init(_ model: ManagedObjectModel, _ options: SwiftModelOptions) throws(SwiftModelError) {
        var types = UniqueNames()
        var records: [(entity: EntityDescription, type: String)] = []
        let prefix = options.prefix.prefix(1).uppercased() + options.prefix.dropFirst()
        for entity in model.entities {
            var name = prefix + entity.name
            name = name.prefix(1).uppercased() + name.dropFirst()
            // A repository of two layers has an associated type `Record`.
            let isMember = name == "ID" || (name == "Record" && options.layers == .two)
            if isMember || !SwiftKeywords.isTypeName(name) { name += "Entity" }
            guard !Self.reserved.contains(name), options.layers == .one || name != options.domainModule else {
                throw SwiftModelError(
                    entity: entity.name,
                    message: "a type cannot have the name \(name), which is that of a module or of a type that macros "
                        + "use; use --prefix, or set another name in the model file with strata:name")
            }
            records.append((entity, types.add(name)))
        }
        let used = Set(records.map(\.type)).union(Self.modules.keys).union(Self.reserved)
        types = UniqueNames(used: used)
        self.model = types.add("\(prefix.isEmpty ? "App" : prefix)Model")
        unexpectedCall = types.add("\(prefix)UnexpectedCall")
        isTwoLayers = options.layers == .two
        entities = records.map { ($0.entity, EntityNames($0.entity, type: $0.type, &types, usedTypes: used)) }
        recordTypes = Dictionary(uniqueKeysWithValues: records.map { ($0.entity.name, $0.type) })
        notes = entities.flatMap(\.names.notes)
        shadowed = Set(records.map(\.type)).intersection(Self.modules.keys)
    }

    /// Returns the name of the record type of an entity.
    func record(_ entity: String) -> String { recordTypes[entity] ?? entity }

    /// Returns the name of a type that generated code uses, with its module if a record type has the same name.
    ///
    /// - Parameters:
    ///   - name: The name of the type.
    ///   - isInDomain: A Boolean value that indicates whether the code is in the layer that does not import
    ///     StrataPersistence.
    /// - Returns: The name of the type, or the names of its module and the type.
    func type(_ name: String, isInDomain: Bool = false) -> String {
        guard shadowed.contains(name), let module = Self.modules[name] else { return name }
        let isOfCore = isInDomain && isTwoLayers && module == "StrataPersistence"
        return "\(isOfCore ? "StrataCore" : module).\(name)"
    }
}
