import StrataCore

/// The part of the reader that reads the resources of join tables.
///
/// A join table has two foreign keys, optional fields for positions, and no other fields. Otherwise its rows are
/// objects, and an author must declare the table as an entity with two references.
extension DescriptorReader {
    /// One of the two foreign keys of a join table.
    private struct End {
        let table: Int
        /// The names of the fields to which the foreign key refers in the referenced table.
        let targets: [String]
        let key: ExternalKey
    }

    /// Returns the representation of a link by a join table; if the join table is invalid, reports an error and returns
    /// `nil`.
    ///
    /// - Parameters:
    ///   - link: The object of the link.
    ///   - name: The name of the join table's resource.
    ///   - index: The index of the table that declares the link.
    ///   - target: The index of the table at the other end.
    /// - Returns: The representation, with the keys at both ends.
    func linkTable(_ link: ObjectView, _ name: String, ofTable index: Int, to target: Int) -> ExternalLink? {
        let place = link.place["through"]
        guard let (resource, schema) = linkTables[name] else {
            findings.error(
                place,
                "there is no resource “\(name)” of join rows"
                    + NearestName.suggestion(for: name, among: linkTables.keys.sorted()))
            return nil
        }
        var ends: [End] = []
        for key in schema.objects("foreignKeys", known: DescriptorWords.foreignKey) {
            guard let (names, reference, targets) = parts(of: key),
                let table = table(named: reference.text("resource") ?? "", at: reference.place["resource"]),
                let external = externalKey(targets, columns: names, in: tables[table], reference.place["fields"])
            else { return nil }
            guard names.count == targets.count else {
                findings.error(
                    key.place, "the foreign key has \(names.count) fields, but its reference has \(targets.count)")
                return nil
            }
            ends.append(End(table: table, targets: targets, key: external))
        }
        guard ends.count == 2, let owner = ends.firstIndex(where: { $0.table == index }),
            ends[1 - owner].table == target
        else {
            findings.error(
                resource.place,
                "a table of join rows must have two foreign keys, one to “\(tables[index].name)” and one to "
                    + "“\(tables[target].name)”"
            )
            return nil
        }
        let (position, inverse) = (link.text("position"), link.text("inversePosition"))
        let table = ExternalLinkTable(
            name, owner: ends[owner].key, destination: ends[1 - owner].key, position: position,
            inversePosition: inverse)
        guard let fields = fields(of: table, schema) else { return nil }
        for end in ends { check(end, fields) }
        for name in [position, inverse].compactMap({ $0 }) {
            guard let field = fields[name], let type = attribute(of: field, name)?.type, type.integerRange == nil else {
                continue
            }
            findings.error(field.place, "“\(name)” has the type \(type), but a position must be a whole number")
        }
        checkKey(of: table, schema)
        return .table(table)
    }

    /// Returns the fields of a join table by their names; if they do not match the model's link, reports an error and
    /// returns `nil`.
    private func fields(of table: ExternalLinkTable, _ schema: ObjectView) -> [String: ObjectView]? {
        let fields = schema.objects("fields", known: DescriptorWords.field)
        let names = fields.compactMap { $0.text("name") }
        for name in table.columns where !names.contains(name) {
            findings.error(
                schema.place["fields"],
                "there is no field “\(name)”" + NearestName.suggestion(for: name, among: names))
            return nil
        }
        for field in fields where !table.columns.contains(field.text("name") ?? "") {
            findings.error(
                field.place,
                "a join row cannot have other values: remove the link to make “\(table.name)” an entity with two "
                    + "references"
            )
            return nil
        }
        guard names == table.columns else {
            findings.error(
                schema.place["fields"],
                "the fields of join rows must have this order: \(table.columns.joined(separator: ", "))")
            return nil
        }
        if schema.missingValues() != nil {
            findings.warning(
                schema.place["missingValues"],
                "the format of join rows cannot be changed; this property is ignored")
        }
        for field in fields {
            warnOfSpelling(field, missingValues: schema.missingValues())
            warnOfConstraints(
                field, but: ["required"],
                "the rules of the referenced field apply to a join row; its own rules are ignored")
        }
        return Dictionary(zip(names, fields), uniquingKeysWith: { first, _ in first })
    }

    private func attribute(of field: ObjectView, _ name: String) -> AttributeDescription? {
        FieldReader(view: field, findings: findings, domains: domains, missingValues: nil)
            .attribute(named: name, externally: name)
    }

    /// Reports an error if a field of a foreign key has another type than the referenced field.
    private func check(_ end: End, _ fields: [String: ObjectView]) {
        for (name, other) in zip(end.key.columns, end.targets) {
            guard let field = fields[name], let attribute = attribute(of: field, name),
                let type = tables[end.table].types[other]
            else { continue }
            let reader = FieldReader(view: field, findings: findings, domains: domains, missingValues: nil)
            let isOpen = reader.isUnspecifiedNumber && (type.isNumber || tables[end.table].openFields.contains(other))
            guard !isOpen, !Self.isSame(attribute.type, type) else { continue }
            findings.error(
                field.place,
                "“\(name)” has the type \(attribute.type), but refers to “\(other)”, which has the type \(type)")
        }
    }

    /// Reports an error if the primary key of a join table does not consist of the fields of both foreign keys.
    private func checkKey(of table: ExternalLinkTable, _ schema: ObjectView) {
        guard let key = schema.texts("primaryKey") else { return }
        let columns = table.owner.columns + table.destination.columns
        guard Set(key) != Set(columns) else { return }
        findings.error(
            schema.place["primaryKey"],
            "the primary key of join rows must consist of both foreign keys: \(columns.joined(separator: ", "))")
    }
}
