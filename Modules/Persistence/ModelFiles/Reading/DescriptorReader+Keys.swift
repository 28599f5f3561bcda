import StrataCore

/// The part of the reader that reads unique keys and indexes.
extension DescriptorReader {
    /// Reads the unique fields and unique combinations of fields of a table, and makes the fields of its primary key
    /// mandatory.
    mutating func readKeys(ofTable index: Int) {
        let schema = tables[index].schema
        if tables[index].idField == nil, let primary = schema.texts("primaryKey") {
            let places = primary.compactMap { tables[index].index(ofField: $0) }
            for place in places { tables[index].fields[place].attribute?.isOptional = false }
            // An unknown name was reported already.
            if places.count == primary.count { addKey(places, to: index, at: schema.place["primaryKey"]) }
        }
        for (number, key) in (schema.list("uniqueKeys") ?? []).enumerated() {
            let place = schema.place["uniqueKeys"][number]
            guard let places = places(key, "a unique key", at: place, in: tables[index]) else { continue }
            addKey(places, to: index, at: place)
        }
    }

    /// Returns the names of the properties to which fields belong; if the fields contain only a part of a reference,
    /// reports an error and returns `nil`.
    private func properties(_ places: [Int], of table: TableDraft, at place: JSONPointer) -> [String]? {
        if let names = table.properties(ofFields: places) { return names }
        findings.error(place, "a key must contain all fields of a reference by several fields, or none of them")
        return nil
    }

    /// Makes fields of a table unique, alone or in combination.
    ///
    /// A key of one field makes the attribute or the reference unique. A key of several fields becomes a uniqueness
    /// constraint, unless there is one with the same properties already.
    ///
    /// - Parameters:
    ///   - places: The indexes of the fields.
    ///   - index: The index of the table.
    ///   - place: The location of the key in the descriptor, for an error.
    mutating func addKey(_ places: [Int], to index: Int, at place: JSONPointer) {
        guard let names = properties(places, of: tables[index], at: place) else { return }
        switch names.count {
        case 0: break
        case 1:
            if let number = tables[index].fields[places[0]].reference {
                tables[index].references[number].isUnique = true
            } else {
                tables[index].fields[places[0]].attribute?.isUnique = true
            }
        // The same combination may be both the primary key and a unique key.
        default:
            if tables[index].uniqueSets.insert(Set(names)).inserted {
                tables[index].uniquenessConstraints.append(names)
            }
        }
    }

    /// Returns the indexes of a table over several fields, each as a list of property names.
    func indexes(of table: TableDraft) -> [[String]] {
        let place = table.resource.place["strata:indexes"]
        return (table.resource.list("strata:indexes") ?? []).enumerated().compactMap { number, index in
            places(index, "an index", at: place[number], in: table).flatMap {
                properties($0, of: table, at: place[number])
            }
        }
    }

    /// Returns the indexes of the fields in a list of names; if the list is invalid, reports an error and returns
    /// `nil`.
    private func places(_ json: JSONValue, _ what: String, at place: JSONPointer, in table: TableDraft) -> [Int]? {
        guard let names = Self.names(json), !names.isEmpty else {
            findings.error(place, "\(what) must be a list of fields")
            return nil
        }
        var places: [Int] = []
        for (part, name) in names.enumerated() {
            if let field = table.index(ofField: name) {
                places.append(field)
            } else if name == table.idField {
                findings.error(place[part], "“\(name)” contains the identifiers, which are always unique")
            } else {
                findings.error(
                    place[part],
                    "there is no field “\(name)”"
                        + NearestName.suggestion(for: name, among: table.fields.map(\.name)))
            }
        }
        return places.count == names.count ? places : nil
    }

    /// Returns the names in a list of texts, or the name in a single text, which version 1 of the standard allows;
    /// `nil` for other values.
    private static func names(_ json: JSONValue) -> [String]? {
        if case .string(let name) = json.content { return [name] }
        guard case .array(let elements) = json.content else { return nil }
        let names = elements.compactMap { if case .string(let name) = $0.content { name } else { nil } }
        return names.count == elements.count ? names : nil
    }
}
