import StrataCore

/// The part of the reader that reads many-to-many relationships.
///
/// A link is declared once, at one of its two tables, and results in two relationships that are inverse to each other.
/// If both ends are the same relationship of the same table, the relationship is symmetric, and there is only one.
extension DescriptorReader {
    /// Reads the links that a table declares, and adds a relationship to each of the two tables.
    mutating func readLinks(ofTable index: Int) {
        for link in tables[index].resource.objects("strata:links", known: DescriptorWords.link) {
            readLink(link, ofTable: index)
        }
    }

    private mutating func readLink(_ link: ObjectView, ofTable index: Int) {
        guard let name = link.text("name"), let resource = link.text("resource"), let back = link.text("inverse") else {
            findings.error(link.place, "a link must have a name, a resource and an inverse")
            return
        }
        guard let target = table(named: resource, at: link.place["resource"]) else { return }
        var source = RelationshipDescription(
            name, to: tables[target].entity, .toMany, inverse: back,
            deleteRule: link.deleteRule("deleteRule") ?? .nullify, isOptional: link.truth("optional") ?? true)
        source.isOrdered = link.truth("ordered") ?? false
        source.minimumCount = link.number("minimumCount", in: 0...Int.max) ?? 0
        source.maximumCount = link.number("maximumCount", in: 1...Int.max)
        source.externalLink = externalLink(link, ofTable: index, to: target)
        source.renamedFrom = link.texts("renamedFrom") ?? []
        add(source, at: link.place["name"], to: index)
        if target == index, back == name { return }
        var inverse = RelationshipDescription(
            back, to: tables[index].entity, .toMany, inverse: name,
            deleteRule: link.deleteRule("inverseDeleteRule") ?? .nullify,
            isOptional: link.truth("inverseOptional") ?? true)
        inverse.isOrdered = link.truth("inverseOrdered") ?? false
        inverse.minimumCount = link.number("inverseMinimumCount", in: 0...Int.max) ?? 0
        inverse.maximumCount = link.number("inverseMaximumCount", in: 1...Int.max)
        inverse.renamedFrom = link.texts("inverseRenamedFrom") ?? []
        add(inverse, at: link.place["inverse"], to: target)
    }

    private mutating func add(_ relationship: RelationshipDescription, at place: JSONPointer, to index: Int) {
        tables[index].places[relationship.name] = place
        tables[index].inverses.append(relationship)
    }

    // MARK: Representation in files

    /// Returns the representation of a link in files: a list in a field, or a join table; `nil` if it has neither, or
    /// if it is invalid.
    private mutating func externalLink(_ link: ObjectView, ofTable index: Int, to target: Int) -> ExternalLink? {
        guard !(link.has("through") && link.has("field")) else {
            findings.error(link.place, "join rows must be in a table of their own or in a field, not in both")
            return nil
        }
        if let name = link.text("field") { return list(link, name, ofTable: index, to: target) }
        if link.has("key") {
            findings.error(
                link.place["key"],
                "a key can be used only for elements of a field; a table of join rows has foreign keys")
        }
        if let name = link.text("through") { return linkTable(link, name, ofTable: index, to: target) }
        for name in ["position", "inversePosition"] where link.has(name) {
            findings.error(link.place[name], "positions must be fields of a table of join rows, which “through” names")
        }
        return nil
    }

    /// Returns the representation of a link by a list in a field, and marks the field; if the field is invalid, reports
    /// an error and returns `nil`.
    private mutating func list(
        _ link: ObjectView, _ name: String, ofTable index: Int, to target: Int
    ) -> ExternalLink? {
        guard let place = tables[index].index(ofField: name), !tables[index].fields[place].isList,
            tables[index].fields[place].reference == nil
        else {
            findings.error(
                link.place["field"],
                "there is no field “\(name)” for a list"
                    + NearestName.suggestion(for: name, among: tables[index].fields.map(\.name)))
            return nil
        }
        let view = tables[index].fields[place].view
        guard view.text("type") == "list" else {
            findings.error(view.place["type"], "the field of a link must have the type list")
            return nil
        }
        let separator = view.text("delimiter") ?? ","
        guard !separator.isEmpty else {
            findings.error(view.place["delimiter"], "a list requires a separator between two elements")
            return nil
        }
        warnOfSpelling(view, missingValues: tables[index].schema.missingValues())
        warnOfConstraints(view, but: [], "the constraints of a list are ignored; declare counts at the link")
        tables[index].fields[place].attribute = nil
        tables[index].fields[place].isList = true
        let names = link.texts("key") ?? tables[target].idField.map { [$0] } ?? []
        guard names.count == 1 else {
            findings.error(
                link.place, "“key” must name the field of “\(tables[target].name)” that the list contains")
            return nil
        }
        guard let key = externalKey(names, columns: [name], in: tables[target], link.place["key"]) else { return nil }
        return .list(ExternalList(column: name, separator: separator, property: key.properties.first))
    }
}
