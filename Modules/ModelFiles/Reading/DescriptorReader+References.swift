import StrataCore

/// References and links.
extension DescriptorReader {
    mutating func readReferences(ofTable index: Int) {
        for key in keys(of: tables[index]) { readReference(key, ofTable: index) }
    }

    private mutating func readReference(_ key: ObjectView, ofTable index: Int) {
        let table = tables[index]
        guard let names = key.texts("fields"),
            let reference = key.object("reference", known: DescriptorWords.reference),
            let targets = reference.texts("fields")
        else {
            if !findings.hasErrors {
                findings.error(key.place, "a foreign key has fields, and a reference with fields")
            }
            return
        }
        guard !reference.has("package"), !reference.has("datapackage") else {
            findings.warning(key.place, "a reference to another package is not checked; the field is an attribute")
            return
        }
        guard names.count == targets.count else {
            findings.error(key.place, "\(names.count) fields refer to \(targets.count)")
            return
        }
        guard let place = field(names.first, of: table, at: key.place["fields"]),
            let target = self.table(reference, from: index)
        else { return }
        guard names.count == 1 else {
            findings.error(key.place, "a reference of several fields is not supported yet")
            return
        }
        guard let id = tables[target].idField, targets == [id] else {
            findings.error(
                reference.place["fields"],
                "\(tables[target].name).\(targets[0]) is not the field of its identifiers; references by other fields are not supported yet"
            )
            return
        }
        guard let attribute = table.fields[place].attribute else { return }
        guard table.fields[place].relationship == nil else {
            findings.error(key.place, "“\(names[0])” refers to something else already")
            return
        }
        guard attribute.type.integerRange != nil, attribute.defaultValue == nil, attribute.rules.isEmpty else {
            findings.error(
                table.fields[place].view.place, "what holds identifiers is a whole number, without a default and rules")
            return
        }
        connect(key, field: place, ofTable: index, attribute, to: target)
    }

    /// Makes a field the column of a relationship, and its inverse.
    private mutating func connect(
        _ key: ObjectView, field place: Int, ofTable index: Int, _ attribute: AttributeDescription, to target: Int
    ) {
        let property = tables[index].fields[place].property
        var relationship = RelationshipDescription(
            property, to: tables[target].entity, .toOne, deleteRule: key.deleteRule("strata:deleteRule") ?? .nullify,
            isOptional: attribute.isOptional, externalName: attribute.externalName)
        if let inverse = inverse(key, of: relationship, ofTable: index, isUnique: attribute.isUnique, in: target) {
            relationship.inverse = inverse.name
            tables[target].inverses.append(inverse)
            if tables[target].places[inverse.name] == nil { tables[target].places[inverse.name] = key.place }
        }
        tables[index].fields[place].attribute = nil
        tables[index].fields[place].relationship = relationship
    }

    /// What leads back; `nil` where the file says that nothing does.
    private mutating func inverse(
        _ key: ObjectView, of relationship: RelationshipDescription, ofTable index: Int, isUnique: Bool, in target: Int
    ) -> RelationshipDescription? {
        if case .null = key.value("strata:inverse")?.content {
            if isUnique {
                findings.error(key.place["strata:inverse"], "a unique reference is one to one, which needs an inverse")
            }
            return nil
        }
        let name: String
        if let given = key.text("strata:inverse") {
            name = given
            if let refusal = tables[target].names.refusal(of: given, "another property of \(tables[target].entity)") {
                findings.error(key.place["strata:inverse"], refusal)
            }
        } else {
            name = inventedInverse(of: relationship, ofTable: index, isUnique: isUnique, in: target)
        }
        var inverse = RelationshipDescription(
            name, to: tables[index].entity, isUnique ? .toOne : .toMany, inverse: relationship.name,
            deleteRule: key.deleteRule("strata:inverseDeleteRule") ?? .ofInverse(isOptional: relationship.isOptional),
            isOptional: key.truth("strata:inverseOptional") ?? true)
        if isUnique {
            inverse.ownsForeignKey = false
            for name in ["strata:ordered", "strata:minimumCount", "strata:maximumCount"] where key.has(name) {
                findings.error(key.place[name], "counts and an order are for references that are not unique")
            }
            return inverse
        }
        inverse.orderingAttribute = key.text("strata:ordered")
        inverse.isOrdered = inverse.orderingAttribute != nil
        inverse.minimumCount = key.number("strata:minimumCount", in: 0...Int.max) ?? 0
        inverse.maximumCount = key.number("strata:maximumCount", in: 1...Int.max)
        return inverse
    }

    /// A name for what leads back: the orders of a customer are `orders`, and where two references lead there `ordersOfBuyer`.
    private mutating func inventedInverse(
        of relationship: RelationshipDescription, ofTable index: Int, isUnique: Bool, in target: Int
    ) -> String {
        let entity = tables[index].entity
        let small = entity.prefix(1).lowercased() + entity.dropFirst()
        let name = isUnique || small.hasSuffix("s") ? small : small + "s"
        if tables[target].names.take(name) { return name }
        let longer = name + "Of" + relationship.name.prefix(1).uppercased() + relationship.name.dropFirst()
        return tables[target].names.name(for: longer, otherwise: name)
    }

    private func field(_ name: String?, of table: TableDraft, at place: JSONPointer) -> Int? {
        guard let name else {
            findings.error(place, "a key has one field at least")
            return nil
        }
        if let index = table.index(ofField: name) { return index }
        let names = table.fields.map(\.name)
        findings.error(
            place,
            table.idField == name
                ? "“\(name)” holds the identifiers, and cannot refer to something else"
                : "there is no field “\(name)”" + NearestName.suggestion(for: name, among: names))
        return nil
    }

    /// The table that a reference names; its own where it names none.
    private func table(_ reference: ObjectView, from index: Int) -> Int? {
        guard let name = reference.text("resource"), !name.isEmpty else {
            // The standard's first version writes an empty text.
            return reference.has("resource") && reference.text("resource") == nil ? nil : index
        }
        return table(named: name, at: reference.place["resource"])
    }

    private func table(named name: String, at place: JSONPointer) -> Int? {
        if let found = tables.firstIndex(where: { $0.name == name }) { return found }
        findings.error(
            place, "there is no resource “\(name)”" + NearestName.suggestion(for: name, among: tables.map(\.name)))
        return nil
    }

    // MARK: Links

    mutating func readLinks(ofTable index: Int) {
        for link in tables[index].resource.objects("strata:links", known: DescriptorWords.link) {
            readLink(link, ofTable: index)
        }
    }

    private mutating func readLink(_ link: ObjectView, ofTable index: Int) {
        guard let name = link.text("name"), let resource = link.text("resource"), let back = link.text("inverse") else {
            findings.error(link.place, "a link has a name, a resource and an inverse")
            return
        }
        guard let target = table(named: resource, at: link.place["resource"]) else { return }
        var source = RelationshipDescription(
            name, to: tables[target].entity, .toMany, inverse: back,
            deleteRule: link.deleteRule("deleteRule") ?? .nullify, isOptional: link.truth("optional") ?? true)
        source.isOrdered = link.truth("ordered") ?? false
        source.minimumCount = link.number("minimumCount", in: 0...Int.max) ?? 0
        source.maximumCount = link.number("maximumCount", in: 1...Int.max)
        add(source, at: link.place["name"], to: index)
        if target == index, back == name { return }
        var inverse = RelationshipDescription(
            back, to: tables[index].entity, .toMany, inverse: name,
            deleteRule: link.deleteRule("inverseDeleteRule") ?? .nullify,
            isOptional: link.truth("inverseOptional") ?? true)
        inverse.isOrdered = link.truth("inverseOrdered") ?? false
        inverse.minimumCount = link.number("inverseMinimumCount", in: 0...Int.max) ?? 0
        inverse.maximumCount = link.number("inverseMaximumCount", in: 1...Int.max)
        add(inverse, at: link.place["inverse"], to: target)
    }

    private mutating func add(_ relationship: RelationshipDescription, at place: JSONPointer, to index: Int) {
        let owner = "another property of \(tables[index].entity)"
        if let refusal = tables[index].names.refusal(of: relationship.name, owner) { findings.error(place, refusal) }
        tables[index].places[relationship.name] = place
        tables[index].inverses.append(relationship)
    }
}
