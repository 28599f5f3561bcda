import StrataCore

/// The part of the reader that reads the fields of tables.
extension DescriptorReader {
    /// Finds the fields of a table, and the field whose values are used as the identifiers of rows.
    ///
    /// Fields without a name and fields with a repeated name are reported and omitted. The identifier's field is
    /// removed from the draft, because it does not become a property.
    mutating func findFields(ofTable index: Int) {
        var table = tables[index]
        defer { tables[index] = table }
        let views = table.schema.objects("fields", known: DescriptorWords.field)
        if !table.schema.has("fields") {
            findings.error(table.schema.place, "the schema has no fields")
        }
        var seen: Set<String> = []
        var fields: [TableDraft.Field] = []
        for view in views {
            guard let name = view.text("name") else {
                if !view.has("name") { findings.error(view.place, "the field has no name") }
                continue
            }
            guard seen.insert(name).inserted else {
                findings.error(view.place["name"], "two fields have the name “\(name)”")
                continue
            }
            fields.append(TableDraft.Field(name: name, number: fields.count + 1, view: view, property: ""))
        }
        table.fields = fields
        table.order = fields.map(\.name)
        table.indexFields()
        findIdentifier(of: &table)
    }

    /// Reads the fields of a table as attributes; a later step finds out which of them are references.
    ///
    /// A field with the list of a many-to-many relationship becomes a provisional text attribute, which the link
    /// replaces.
    mutating func readFields(ofTable index: Int) {
        var table = tables[index]
        defer { tables[index] = table }
        let links = table.resource.objects("strata:links", known: DescriptorWords.link)
        let lists = Set(links.compactMap { $0.text("field") })
        let missingValues = table.schema.missingValues()
        let referring = Set(keys(of: table).filter(Self.isOfPackage).flatMap { $0.texts("fields") ?? [] })
        for place in table.fields.indices {
            let field = table.fields[place]
            table.places[field.property] = field.view.place
            if lists.contains(field.name) {
                // The link describes the contents of the field.
                table.fields[place].attribute = AttributeDescription(field.property, .string, isOptional: true)
                continue
            }
            var reader = FieldReader(
                view: field.view, findings: findings, domains: domains, missingValues: missingValues)
            reader.isKept = isKept
            if reader.isUnspecifiedNumber { table.openFields.insert(field.name) }
            // The type of a reference is that of the referenced field, which is determined separately.
            if reader.isUnspecifiedNumber, !referring.contains(field.name) {
                reader.settled = settled(UnspecifiedNumber(entity: table.entity, attribute: field.property))
            }
            table.fields[place].attribute = reader.attribute(named: field.property, externally: field.name)
            table.types[field.name] = table.fields[place].attribute?.type
        }
        if let id = table.idField { table.types[id] = .integer64 }
    }

    /// Returns the foreign keys of a table's schema.
    func keys(of table: TableDraft) -> [ObjectView] {
        table.schema.objects("foreignKeys", known: DescriptorWords.foreignKey)
    }

    /// Removes the field whose values are used as the identifiers of rows: the only field of the primary key, if it is
    /// an integer.
    private mutating func findIdentifier(of table: inout TableDraft) {
        let ids = table.resource.text("strata:ids")
        if let ids, ids != "file", ids != "own" {
            findings.error(table.resource.place["strata:ids"], "“\(ids)” is neither file nor own")
        }
        let key = table.schema.texts("primaryKey") ?? []
        for (place, name) in key.enumerated() where table.index(ofField: name) == nil {
            findings.error(
                table.schema.place["primaryKey"][place],
                "there is no field “\(name)”" + NearestName.suggestion(for: name, among: table.fields.map(\.name)))
        }
        let layout = layout(of: table)
        guard ids != "own", ids != nil || layout?.isIdentifier ?? true, key.count == 1,
            let index = table.index(ofField: key[0]),
            table.fields[index].view.text("type") == "integer",
            // If the key itself references another table, the rows have separate identifiers.
            ids == "file" || !keys(of: table).contains(where: { $0.texts("fields") == key })
        else {
            if ids == "file" {
                findings.error(table.resource.place["strata:ids"], "the primary key must be one field of whole numbers")
            }
            return
        }
        table.idField = key[0]
        if layout == nil, table.resource.text("strata:order") == nil { openLayouts.append(table.entity) }
        warnOfSpelling(table.fields[index].view, missingValues: table.schema.missingValues())
        table.fields.remove(at: index)
        table.indexFields()
    }
}
