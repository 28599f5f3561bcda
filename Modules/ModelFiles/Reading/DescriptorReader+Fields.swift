import StrataCore

/// Fields and keys.
extension DescriptorReader {
    /// Reads the fields, and gives them names; which of them are references is found later.
    mutating func readFields(ofTable index: Int) {
        var table = tables[index]
        defer { tables[index] = table }
        let views = table.schema.objects("fields", known: DescriptorWords.field)
        if !table.schema.has("fields") {
            findings.error(table.schema.place, "there are no fields")
        }
        var seen: Set<String> = []
        var fields: [TableDraft.Field] = []
        for view in views {
            guard let name = view.text("name") else {
                if !view.has("name") { findings.error(view.place, "the field has no name") }
                continue
            }
            guard seen.insert(name).inserted else {
                findings.error(view.place["name"], "there is another field “\(name)”")
                continue
            }
            fields.append(TableDraft.Field(name: name, number: fields.count + 1, view: view, property: ""))
        }
        table.fields = fields
        findIdentifier(of: &table)
        nameFields(of: &table)
        for place in table.fields.indices {
            let field = table.fields[place]
            table.places[field.property] = field.view.place
            table.fields[place].attribute = FieldReader(view: field.view, findings: findings, domains: domains)
                .attribute(named: field.property, externally: field.name)
        }
    }

    /// What a reference gives its column is its name: it stands at the key.
    private func namesOfReferences(_ table: TableDraft) -> [String: (name: String, place: JSONPointer)] {
        var names: [String: (name: String, place: JSONPointer)] = [:]
        for key in keys(of: table) {
            guard let name = key.text("strata:name"), let fields = key.texts("fields"), fields.count == 1 else {
                continue
            }
            names[fields[0]] = (name, key.place["strata:name"])
        }
        return names
    }

    func keys(of table: TableDraft) -> [ObjectView] {
        table.schema.objects("foreignKeys", known: DescriptorWords.foreignKey)
    }

    private func nameFields(of table: inout TableDraft) {
        let references = namesOfReferences(table)
        for index in table.fields.indices {
            let field = table.fields[index]
            let given =
                references[field.name]
                ?? field.view.text("strata:name").map { ($0, field.view.place["strata:name"]) }
            guard let (name, place) = given else { continue }
            table.fields[index].property = name
            if let refusal = table.names.refusal(of: name, "another property's name") { findings.error(place, refusal) }
        }
        for index in table.fields.indices where table.fields[index].property.isEmpty {
            table.fields[index].property = table.names.name(
                for: table.fields[index].name, otherwise: "field\(table.fields[index].number)")
        }
    }

    /// Takes the field that holds the identifiers out: the only one of the primary key, where it is a whole number.
    private func findIdentifier(of table: inout TableDraft) {
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
        guard ids != "own", key.count == 1, let index = table.index(ofField: key[0]),
            table.fields[index].view.text("type") == "integer"
        else {
            if ids == "file" {
                findings.error(table.resource.place["strata:ids"], "the primary key is not one field of whole numbers")
            }
            return
        }
        table.idField = key[0]
        table.fields.remove(at: index)
    }

    /// Keys that are no identifiers: what is unique, and mandatory where it is the primary key.
    mutating func readKeys(ofTable index: Int) {
        let table = tables[index]
        let primary = table.idField == nil ? table.schema.texts("primaryKey") ?? [] : []
        for name in primary {
            guard let field = table.index(ofField: name) else { continue }
            tables[index].fields[field].attribute?.isOptional = false
            if primary.count == 1 { tables[index].fields[field].attribute?.isUnique = true }
        }
        if primary.count > 1 { refuseSeveral(table.schema.place["primaryKey"]) }
        for (number, key) in (table.schema.list("uniqueKeys") ?? []).enumerated() {
            let place = table.schema.place["uniqueKeys"][number]
            guard let names = self.names(key), !names.isEmpty else {
                findings.error(place, "a unique key is a list of fields")
                continue
            }
            if names.count > 1 { refuseSeveral(place) }
            for (part, name) in names.enumerated() {
                guard let field = table.index(ofField: name) else {
                    findings.error(
                        place[part],
                        "there is no field “\(name)”"
                            + NearestName.suggestion(for: name, among: table.fields.map(\.name)))
                    continue
                }
                if names.count == 1 { tables[index].fields[field].attribute?.isUnique = true }
            }
        }
    }

    private func names(_ json: JSONValue) -> [String]? {
        if case .string(let name) = json { return [name] }
        guard case .array(let elements) = json else { return nil }
        let names = elements.compactMap { if case .string(let name) = $0 { name } else { nil } }
        return names.count == elements.count ? names : nil
    }

    private func refuseSeveral(_ place: JSONPointer) {
        findings.error(place, "a key of several fields is not supported yet; without it the rule would not be kept")
    }
}
