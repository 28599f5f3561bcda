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
    /// The notes about all entities, in the order of the model.
    let notes: [SwiftModelNote]

    /// The modules of the types that generated code uses.
    private static let modules = [
        "Bool": "Swift", "CaseIterable": "Swift", "Codable": "Swift", "Double": "Swift", "Error": "Swift",
        "Hashable": "Swift", "Int": "Swift", "Int16": "Swift", "Int32": "Swift", "Int64": "Swift", "Sendable": "Swift",
        "String": "Swift", "CustomStringConvertible": "Swift", "Optional": "Swift", "Result": "Swift",
        "UInt64": "Swift",
        "Void": "Swift",
        "Data": "Foundation", "Date": "Foundation", "Decimal": "Foundation", "UUID": "Foundation",
        "AttributeDomain": "StrataPersistence", "AttributeValue": "StrataPersistence", "Day": "StrataPersistence",
        "ExternalForm": "StrataPersistence", "ExternalKey": "StrataPersistence", "ExternalLink": "StrataPersistence",
        "ExternalLinkTable": "StrataPersistence", "ExternalList": "StrataPersistence",
        "ExternalSpelling": "StrataPersistence", "FetchRequest": "StrataPersistence",
        "ManagedObjectModel": "StrataPersistence", "PersistentRecord": "StrataPersistence",
        "RecordContext": "StrataPersistence", "RecordEntity": "StrataPersistence", "RecordID": "StrataPersistence",
        "ScaledDecimal": "StrataPersistence", "TimeOfDay": "StrataPersistence", "ToMany": "StrataPersistence",
        "ToOne": "StrataPersistence",
        "FixtureConvertible": "StrataFixtures", "FixtureDescription": "StrataFixtures",
        "FixtureEntity": "StrataFixtures", "FixtureRecord": "StrataFixtures", "FixtureRow": "StrataFixtures",
        "Fixtures": "StrataFixtures",
        "Identifier": "StrataDomain", "Query": "StrataDomain", "Repository": "StrataDomain",
        "StoredRepository": "StrataRepositories",
    ]
    /// The names of modules, which no type may have, because code names them to distinguish equal names of types.
    private static let moduleNames: Set<String> = [
        "Foundation", "Swift", "StrataDomain", "StrataFixtures", "StrataPersistence", "StrataRepositories",
    ]

    /// Creates the names of all types.
    ///
    /// - Throws: ``SwiftModelError`` if an entity has the name of a module.
    init(_ model: ManagedObjectModel, _ options: SwiftModelOptions) throws(SwiftModelError) {
        var types = UniqueNames()
        var records: [(entity: EntityDescription, type: String)] = []
        for entity in model.entities {
            var name = options.prefix + entity.name
            name = name.prefix(1).uppercased() + name.dropFirst()
            if SwiftKeywords.unusable.contains(name) || SwiftKeywords.isReserved(name) { name += "_" }
            guard !Self.moduleNames.contains(name), options.layers == .one || name != options.domainModule else {
                throw SwiftModelError(
                    entity: entity.name,
                    message: "a type cannot have the name of the module \(name); use --prefix, or set another name in "
                        + "the model file with strata:name")
            }
            records.append((entity, types.add(name)))
        }
        let used = Set(records.map(\.type)).union(Self.modules.keys).union(Self.moduleNames)
        self.model = types.add("\(options.prefix.isEmpty ? "App" : options.prefix)Model")
        unexpectedCall = types.add("\(options.prefix)UnexpectedCall")
        entities = records.map { ($0.entity, EntityNames($0.entity, type: $0.type, &types, usedTypes: used)) }
        recordTypes = Dictionary(uniqueKeysWithValues: records.map { ($0.entity.name, $0.type) })
        notes = entities.flatMap(\.names.notes)
        shadowed = Set(records.map(\.type)).intersection(Self.modules.keys)
    }

    /// Returns the name of the record type of an entity.
    func record(_ entity: String) -> String { recordTypes[entity] ?? entity }

    /// Returns the name of a type that generated code uses, with its module if a record type has the same name.
    func type(_ name: String) -> String {
        guard shadowed.contains(name), let module = Self.modules[name] else { return name }
        return "\(module).\(name)"
    }
}
