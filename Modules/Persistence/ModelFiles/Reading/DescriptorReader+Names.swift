import StrataCore

/// The part of the reader that determines names of properties; it reserves all names in the file before it generates
/// others.
extension DescriptorReader {
    /// Reserves the property names that the file contains for the fields of a table, at the fields or at their foreign
    /// keys.
    mutating func takeNames(ofFieldsOf index: Int) {
        let references = namesOfReferences(tables[index])
        for number in tables[index].fields.indices {
            let field = tables[index].fields[number]
            let given =
                references[field.name]
                ?? field.view.text("strata:name").map { ($0, field.view.place["strata:name"]) }
            guard let (name, place) = given else { continue }
            tables[index].fields[number].property = name
            take(name, "another property's name", at: place, in: index)
        }
    }

    /// Reserves the property names that the file contains for a table's references of several fields, inverse
    /// relationships, and links.
    mutating func takeNames(ofRelationshipsOf index: Int) {
        for key in keys(of: tables[index]) where Self.isOfPackage(key) {
            if key.texts("fields")?.count ?? 0 > 1, let name = key.text("strata:name") {
                take(name, "another property's name", at: key.place["strata:name"], in: index)
            }
            if case .string(let name) = key.value("strata:inverse")?.content,
                let reference = key.object("reference", known: DescriptorWords.reference)
            {
                let resource = reference.text("resource") ?? ""
                guard let target = resource.isEmpty ? index : tableNumber(resource) else { continue }
                takeInverse(name, at: key.place["strata:inverse"], in: target)
            }
        }
        for link in tables[index].resource.objects("strata:links", known: DescriptorWords.link) {
            guard let name = link.text("name"), let back = link.text("inverse"),
                let target = link.text("resource").flatMap(tableNumber)
            else { continue }
            takeInverse(name, at: link.place["name"], in: index)
            if target != index || back != name { takeInverse(back, at: link.place["inverse"], in: target) }
        }
    }

    /// Generates property names for those fields of a table for which the file contains no name.
    mutating func inventNames(ofFieldsOf index: Int) {
        for number in tables[index].fields.indices where tables[index].fields[number].property.isEmpty {
            let field = tables[index].fields[number]
            tables[index].fields[number].property = tables[index].names.name(
                for: field.name, otherwise: "field\(field.number)")
        }
    }

    private mutating func takeInverse(_ name: String, at place: JSONPointer, in index: Int) {
        take(name, "another property of \(tables[index].entity)", at: place, in: index)
    }

    private mutating func take(_ name: String, _ owner: String, at place: JSONPointer, in index: Int) {
        if let refusal = tables[index].names.refusal(of: name, owner) { findings.error(place, refusal) }
    }

    /// Returns the property names that the file contains at foreign keys of one field, by the name of the field.
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
}
