import StrataCore

/// A reader that converts a descriptor of the Data Package standard to a model.
///
/// It works in steps, each of which needs the results of the previous step for all tables: tables and their names,
/// fields, references and links, and entities. `model(_:)` defines the order of the steps. The extensions in this
/// folder contain one concern each, and change the drafts in ``tables``.
///
/// The reader does not stop at the first error. A step adds errors to ``findings``, omits the invalid part, and
/// continues, so that an author sees all errors of a file together. Therefore a step must not assume that an earlier
/// step was successful: a table of a reference may be missing, and a field may have no attribute. After the steps, a
/// model is created only if there are no errors.
///
/// The reader is used once, on one thread.
struct DescriptorReader {
    /// The findings so far; all parts of the reader share this object.
    let findings = Findings()
    /// The rules of Swift types, by the types' names.
    let domains: [String: AttributeDomain]
    /// The tables that become entities, in the descriptor's order; references refer to tables by their index.
    var tables: [TableDraft] = []
    /// The indexes of the tables by the bytes of their names.
    private var tableNumbers: [[UInt8]: Int] = [:]
    /// The resources of join tables, which do not become entities, by their names.
    var linkTables: [String: (resource: ObjectView, schema: ObjectView)] = [:]

    /// The types of number attributes that the caller has determined.
    private let numbers: [UnspecifiedNumber: ResolvedNumber]
    /// The number attributes whose types are not determined.
    private(set) var openNumbers: [UnspecifiedNumber] = []

    /// The layouts that the caller has determined, by the names of entities.
    private let layouts: [String: SettledLayout]
    /// The names of the entities whose layouts are not determined.
    var openLayouts: [String] = []

    /// A Boolean value that indicates whether the descriptor is the model in a store's metadata.
    let isKept: Bool
    /// A Boolean value that indicates whether the locations of the tables' rows are read, too.
    let readsResources: Bool
    /// The locations of the tables' rows; empty if ``readsResources`` is false.
    private(set) var resources: [DataResource] = []
    /// A closure that returns the bytes of a separate file, or `nil` if separate files are not allowed.
    let readSchema: ((String) throws -> [UInt8])?

    /// Creates a reader; the parameters are those of the initializer of ``ModelFile``.
    init(
        domains: [String: AttributeDomain], numbers: [UnspecifiedNumber: ResolvedNumber],
        layouts: [String: SettledLayout],
        isKept: Bool, readsResources: Bool, readSchema: ((String) throws -> [UInt8])?
    ) {
        self.domains = domains
        self.numbers = numbers
        self.layouts = layouts
        self.isKept = isKept
        self.readsResources = readsResources
        self.readSchema = readSchema
    }

    /// Returns the model in a descriptor, or `nil` if the findings contain errors.
    ///
    /// The references are found before the keys are read, because a key can contain a reference. Number fields without
    /// a scale get their types before references are compared with the referenced fields.
    ///
    /// - Parameter json: The parsed descriptor.
    /// - Returns: The validated model.
    mutating func model(_ json: JSONValue) -> ManagedObjectModel? {
        let root = JSONPointer()
        guard let package = ObjectView(json, at: root, known: DescriptorWords.package, findings) else { return nil }
        if let version = package.number("strata:version", in: 1...Int.max), version > DescriptorWords.version {
            findings.error(
                root["strata:version"],
                "the file has version \(version), but this program reads version \(DescriptorWords.version); use a "
                    + "newer program"
            )
            return nil
        }
        guard let resources = package.list("resources"), isKept || !resources.isEmpty else {
            if !package.has("resources") {
                findings.error(
                    root,
                    "there are no resources: a model is a Data Package descriptor with one resource for each table")
            } else if !findings.hasErrors {
                findings.error(root["resources"], "there is no resource; a model must have at least one table")
            }
            return nil
        }
        checkVersion(package)
        checkLicences(package)
        readTables(package)
        // A store may have been created with an empty model.
        guard isKept || !tables.isEmpty else {
            if !findings.hasErrors {
                findings.error(root["resources"], "no resource is a table; a model must have at least one table")
            }
            return nil
        }
        for index in tables.indices { findFields(ofTable: index) }
        for index in tables.indices { takeNames(ofFieldsOf: index) }
        for index in tables.indices { takeNames(ofRelationshipsOf: index) }
        for index in tables.indices { inventNames(ofFieldsOf: index) }
        for index in tables.indices { readFields(ofTable: index) }
        for index in tables.indices { findReferences(ofTable: index) }
        for index in tables.indices { settleReferences(ofTable: index) }
        for index in tables.indices { readKeys(ofTable: index) }
        for index in tables.indices { declareKeys(ofTable: index) }
        for index in tables.indices { readReferences(ofTable: index) }
        for index in tables.indices { readLinks(ofTable: index) }
        guard !findings.hasErrors else { return nil }
        let entities = tables.map(entity)
        guard !findings.hasErrors else { return nil }
        return checked(entities).flatMap(ordered)
    }

    /// Returns the model with the order that the columns have in files, if it differs from the default order.
    ///
    /// The default order depends on the finished model, so the entities are created twice in this case.
    private func ordered(_ model: ManagedObjectModel) -> ManagedObjectModel? {
        let entities = zip(model.entities, tables).map { entity, table in
            model.externalColumns(of: entity).map(\.name) == table.order
                ? entity
                : entity.with(columns: table.order)
        }
        return zip(entities, model.entities).allSatisfy { $0.isSame(as: $1) } ? model : checked(entities)
    }

    /// Reads the resources, and creates a draft for each table that becomes an entity.
    ///
    /// A table of join rows does not become an entity. It is stored in ``linkTables`` if a link refers to it, and
    /// skipped if it is declared as `strata:pairs`.
    private mutating func readTables(_ package: ObjectView) {
        var names = ModelNames()
        var files: Set<String> = []
        var found: [(resource: ObjectView, schema: ObjectView, name: String)] = []
        for resource in package.objects("resources", known: DescriptorWords.resource) {
            guard let name = resource.text("name") else {
                if !resource.has("name") { findings.error(resource.place, "the resource has no name") }
                continue
            }
            guard files.insert(name).inserted else {
                findings.error(resource.place["name"], "two resources have the name “\(name)”")
                continue
            }
            if resource.has("dialect"), !readsResources {
                findings.warning(
                    resource.place["dialect"],
                    "the format of a file is ignored in a model and used only if the package itself is imported; give "
                        + "the format in the import"
                )
            }
            guard let schema = schema(of: resource, name) else { continue }
            found.append((resource, schema, name))
        }
        if readsResources { resources = found.compactMap { rows($0.resource, $0.name, $0.schema, of: package) } }
        // Resources of plain join rows are not part of the model.
        found.removeAll { $0.resource.truth("strata:pairs") ?? false }
        let links = namesOfLinkTables(found.map(\.resource))
        for (resource, schema, name) in found where links.contains(name) { linkTables[name] = (resource, schema) }
        found.removeAll { links.contains($0.name) }
        // Names in the file are reserved before other names are generated.
        for (resource, _, _) in found {
            guard let given = resource.text("strata:name"),
                let refusal = names.refusal(of: given, "another entity's name")
            else { continue }
            findings.error(resource.place["strata:name"], refusal)
        }
        for (resource, schema, name) in found {
            let entity =
                resource.text("strata:name")
                ?? names.name(for: name, isEntity: true, otherwise: "Table\(tables.count + 1)")
            tableNumbers[Array(name.utf8)] = tables.count
            tables.append(TableDraft(name: name, entity: entity, resource: resource, schema: schema))
        }
    }

    /// Returns the index of the table with a name.
    func tableNumber(_ name: String) -> Int? { tableNumbers[Array(name.utf8)] }

    /// Returns the determined type of a number attribute; if there is none, records this in ``openNumbers`` and returns
    /// `nil`.
    mutating func settled(_ number: UnspecifiedNumber) -> ResolvedNumber? {
        if let settled = numbers[number] { return settled }
        openNumbers.append(number)
        return nil
    }

    /// Returns the names of the join tables to which links refer.
    private func namesOfLinkTables(_ resources: [ObjectView]) -> Set<String> {
        Set(
            resources.flatMap { $0.objects("strata:links", known: DescriptorWords.link) }.compactMap {
                $0.text("through")
            })
    }

    /// Returns the schema of a resource, which may be in a separate file; reports a finding and returns `nil` if there
    /// is none.
    private func schema(of resource: ObjectView, _ name: String) -> ObjectView? {
        switch resource.value("schema")?.content {
        case nil:
            findings.warning(resource.place, "“\(name)” has no schema and is skipped")
            return nil
        case .string(let path):
            return object(at: path, resource.place["schema"], "schema", known: DescriptorWords.schemaProperties)
        default: return resource.object("schema", known: DescriptorWords.schemaProperties)
        }
    }

    // MARK: Entities

    /// Returns the description of a table's entity, with the properties in the order of fields, inverse relationships
    /// and links, or in the order that the file declares.
    private func entity(_ table: TableDraft) -> EntityDescription {
        var properties: [EntityDescription.Property] = table.fields.compactMap { field in
            field.attribute.map { .attribute($0) } ?? field.relationship.map { .relationship($0) }
        }
        properties += table.inverses.map { .relationship($0) }
        if let order = table.resource.texts("strata:properties") {
            let byName = Dictionary(properties.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
            let place = table.resource.place["strata:properties"]
            for (index, name) in order.enumerated() where byName[name] == nil {
                findings.error(
                    place[index],
                    "there is no property “\(name)”"
                        + NearestName.suggestion(for: name, among: properties.map(\.name)))
            }
            guard Set(order).count == properties.count, order.count == properties.count else {
                findings.error(place, "all \(properties.count) properties are expected here, each once, or none")
                return EntityDescription(table.entity, properties)
            }
            properties = order.compactMap { byName[$0] }
        }
        return EntityDescription(
            table.entity, properties, uniquenessConstraints: table.uniquenessConstraints, indexes: indexes(of: table),
            external: ExternalForm(
                name: table.name == table.entity ? nil : table.name,
                identifiers: table.idField.map { .column($0) } ?? .own,
                missingValues: table.schema.missingValues(), title: table.resource.text("title"),
                explanation: table.resource.text("description")),
            renamedFrom: table.resource.texts("strata:renamedFrom") ?? [], keepsOrder: keepsOrder(table),
            // Only in a store do the rows contain the values that a record type computes.
            computationVersion: isKept ? table.resource.number("strata:computationVersion", in: 1...Int.max) : nil)
    }

    /// Returns a Boolean value that indicates whether the store preserves the order that a table's rows have in their
    /// file.
    ///
    /// The value `file` of `strata:order` means that it does; the value `key` means that rows have the order of their
    /// identifiers.
    private func keepsOrder(_ table: TableDraft) -> Bool {
        let order = table.resource.text("strata:order")
        if let order, order != "file", order != "key" {
            findings.error(table.resource.place["strata:order"], "“\(order)” is neither file nor key")
        }
        return order.map { $0 == "file" } ?? layout(of: table)?.keepsOrder ?? false
    }

    /// Returns the layout that the caller has determined for a table's rows, by the table's current or earlier name;
    /// `nil` if there is none.
    func layout(of table: TableDraft) -> SettledLayout? {
        let names = [table.entity] + (table.resource.texts("strata:renamedFrom") ?? [])
        return names.lazy.compactMap { layouts[$0] }.first
    }

    /// Returns the validated model with entities; if it is invalid, reports errors with their locations in the file and
    /// returns `nil`.
    private func checked(_ entities: [EntityDescription]) -> ManagedObjectModel? {
        do {
            return try ManagedObjectModel(entities)
        } catch {
            let table = tables.first { $0.entity == (error as? PersistenceError)?.entity }
            let property = (error as? PersistenceError)?.attribute
            let place = table.map { table in
                property.flatMap { table.places[$0] } ?? table.resource.place
            }
            findings.error(place ?? JSONPointer(), (error as? PersistenceError)?.message ?? "\(error)")
            return nil
        }
    }
}

extension EntityDescription {
    /// Returns a copy of the entity whose columns in files have another order.
    fileprivate func with(columns: [String]) -> EntityDescription {
        var form = external
        form.columns = columns
        return EntityDescription(
            name, properties, uniquenessConstraints: uniquenessConstraints, indexes: indexes, external: form,
            renamedFrom: renamedFrom, keepsOrder: keepsOrder, computationVersion: computationVersion)
    }
}
