import StrataCore

/// The part of the reader that reads foreign keys as to-one relationships.
///
/// A foreign key becomes one relationship, even if it has several fields. Its inverse is added to the referenced table:
/// a to-one relationship if the fields are unique, and otherwise a to-many relationship. A foreign key to another
/// package, and one that shares a field with a longer foreign key, are reported, and their fields remain attributes.
extension DescriptorReader {
    /// Finds the fields of a table that are foreign keys, and the tables that they reference.
    mutating func findReferences(ofTable index: Int) {
        let keys = keys(of: tables[index])
        let fields = keys.map { Set($0.texts("fields") ?? []) }
        // If several keys share a field, the longest one contains the most information.
        var taken: Set<String> = []
        var kept: Set<Int> = []
        for number in keys.indices.sorted(by: { (-fields[$0].count, $0) < (-fields[$1].count, $1) })
        where parts(of: keys[number]) != nil && taken.isDisjoint(with: fields[number]) {
            taken.formUnion(fields[number])
            kept.insert(number)
        }
        for (number, key) in keys.enumerated() {
            if kept.contains(number) || taken.isDisjoint(with: fields[number]) {
                findReference(key, ofTable: index)
            } else if parts(of: key) != nil {
                let shared = fields[number].intersection(taken).min() ?? ""
                warnOfOverlap(key, "“\(shared)” belongs to another foreign key")
            }
        }
    }

    /// Reports a foreign key that is ignored because one of its fields belongs to another reference.
    private func warnOfOverlap(_ key: ObjectView, _ reason: String) {
        findings.warning(
            key.place, "\(reason); this foreign key is not checked, and its other fields are attributes")
    }

    /// Adds a draft of the relationship for a foreign key; if the foreign key is invalid, reports an error.
    private mutating func findReference(_ key: ObjectView, ofTable index: Int) {
        guard let (names, reference, targets) = parts(of: key),
            let target = self.table(reference, from: index)
        else { return }
        guard names.count == targets.count else {
            findings.error(
                key.place, "the foreign key has \(names.count) fields, but its reference has \(targets.count)")
            return
        }
        var places: [Int] = []
        var seen: Set<Int> = []
        for name in names {
            guard let place = field(name, of: tables[index], at: key.place["fields"]) else { return }
            guard seen.insert(place).inserted else {
                return findings.error(key.place["fields"], "“\(name)” is listed twice")
            }
            places.append(place)
        }
        guard let first = places.first else {
            findings.error(key.place["fields"], "a key must have at least one field")
            return
        }
        var property = tables[index].fields[first].property
        if places.count > 1 {
            let entity = tables[target].entity
            property =
                key.text("strata:name")
                ?? tables[index].names.name(
                    for: entity.prefix(1).lowercased() + entity.dropFirst(), otherwise: "reference\(first + 1)")
        }
        for place in places { tables[index].fields[place].reference = tables[index].references.count }
        tables[index].places[property] = key.place
        tables[index].references.append(
            TableDraft.Reference(
                key: key, fields: places, target: target, targetFields: targets, place: reference.place["fields"],
                property: property))
    }

    /// Returns the parts of a foreign key; if it does not reference a table of this package, reports a finding and
    /// returns `nil`.
    func parts(of key: ObjectView) -> (fields: [String], reference: ObjectView, targets: [String])? {
        guard let names = key.texts("fields"),
            let reference = key.object("reference", known: DescriptorWords.reference),
            let targets = reference.texts("fields")
        else {
            if !findings.hasErrors {
                findings.error(key.place, "a foreign key must have fields, and a reference with fields")
            }
            return nil
        }
        guard !reference.has("package"), !reference.has("datapackage") else {
            findings.warning(key.place, "a reference to another package is not checked; the field is an attribute")
            return nil
        }
        return (names, reference, targets)
    }

    /// Converts the references of a table to relationships, after the keys of all tables are known.
    mutating func readReferences(ofTable index: Int) {
        for number in tables[index].references.indices { readReference(number, ofTable: index) }
    }

    /// Converts a reference to a relationship, and checks the fields against the referenced ones.
    ///
    /// The relationship is optional if any of its fields is optional, because a reference has either all values or
    /// none.
    private mutating func readReference(_ number: Int, ofTable index: Int) {
        let reference = tables[index].references[number]
        let fields = reference.fields.map { tables[index].fields[$0] }
        let attributes = fields.compactMap(\.attribute)
        guard attributes.count == fields.count else { return }
        let columns = fields.map(\.name)
        guard
            let key = externalKey(
                reference.targetFields, columns: columns, in: tables[reference.target], reference.place)
        else { return }
        check(fields, ofTable: index, referencing: reference)
        let missingValues = tables[index].schema.missingValues()
        for field in fields {
            warnOfSpelling(field.view, missingValues: missingValues, keepsEarlierNames: fields.count == 1)
        }
        let isOptional = attributes.contains(where: \.isOptional)
        if isOptional, !attributes.allSatisfy(\.isOptional) {
            findings.warning(
                reference.key.place["fields"],
                "the fields of one reference have either all values or none, so none of them is required")
        }
        let isIdentifier = key.properties.isEmpty
        connect(
            reference, ofTable: index,
            RelationshipDescription(
                reference.property, to: tables[reference.target].entity, .toOne,
                deleteRule: reference.key.deleteRule("strata:deleteRule") ?? .nullify, isOptional: isOptional,
                externalName: isIdentifier ? attributes[0].externalName : nil, externalKey: isIdentifier ? nil : key,
                renamedFrom: reference.key.texts("strata:renamedFrom")
                    ?? (fields.count == 1 ? fields[0].view.texts("strata:renamedFrom") : nil) ?? []),
            isUnique: reference.isUnique || (attributes.count == 1 && attributes[0].isUnique))
    }

    /// Makes the fields that a table's foreign keys reference unique, if the file does not declare them as unique.
    ///
    /// This is necessary because a reference finds its object by the values of these fields.
    mutating func declareKeys(ofTable index: Int) {
        for reference in tables[index].references { declareKey(of: reference) }
    }

    private mutating func declareKey(of reference: TableDraft.Reference) {
        let target = tables[reference.target]
        let places = reference.targetFields.compactMap(target.index)
        guard places.count == reference.targetFields.count, let names = target.properties(ofFields: places),
            !isKey(names, places, of: target)
        else { return }
        let list = reference.targetFields.map { "“\($0)”" }.joined(separator: ", ")
        findings.note(
            reference.place,
            "\(list) of “\(target.name)” is not declared unique, but a foreign key refers to it: treated as unique; "
                + "declare it in uniqueKeys of its schema")
        addKey(places, to: reference.target, at: reference.place)
    }

    /// Returns a Boolean value that indicates whether properties of a table are unique already, alone or in
    /// combination.
    private func isKey(_ names: [String], _ places: [Int], of table: TableDraft) -> Bool {
        guard names.count == 1, let place = places.first else { return table.uniqueSets.contains(Set(names)) }
        let isUnique = table.fields[place].attribute?.isUnique ?? false
        return isUnique || table.fields[place].reference.map { table.references[$0].isUnique } ?? false
    }

    /// Returns the names of the properties that a foreign key references; they are empty if it references the
    /// identifiers.
    ///
    /// If the referenced fields are not a key of their table, the method reports an error and returns `nil`.
    func externalKey(
        _ names: [String], columns: [String], in target: TableDraft, _ place: JSONPointer
    ) -> ExternalKey? {
        if let id = target.idField, names == [id] { return ExternalKey([], columns: columns) }
        var places: [Int] = []
        for (number, name) in names.enumerated() {
            guard let index = target.index(ofField: name) else {
                findings.error(
                    place[number],
                    name == target.idField
                        ? "“\(name)” contains the identifiers of “\(target.name)”; a reference must use only this field"
                        : "“\(target.name)” has no field “\(name)”"
                            + NearestName.suggestion(for: name, among: target.order))
                return nil
            }
            places.append(index)
        }
        guard let properties = target.properties(ofFields: places) else {
            findings.error(place, "a reference must refer to all fields of a reference of “\(target.name)”, or to none")
            return nil
        }
        return ExternalKey(properties, columns: columns)
    }

    /// Reports an error if a field of a foreign key has another type than the referenced field.
    private func check(
        _ fields: [TableDraft.Field], ofTable index: Int, referencing reference: TableDraft.Reference
    ) {
        let target = tables[reference.target]
        for (field, name) in zip(fields, reference.targetFields) {
            guard let attribute = field.attribute else { continue }
            let own = tables[index].types[field.name] ?? attribute.type
            guard let type = target.types[name], !Self.isSame(own, type) else {
                if attribute.defaultValue != nil || !attribute.rules.isEmpty {
                    findings.warning(
                        field.view.place,
                        "the rules of “\(name)” of “\(target.name)” apply to the reference; its own rules and default "
                            + "are ignored"
                    )
                }
                continue
            }
            findings.error(
                field.view.place,
                "“\(field.name)” has the type \(own), but refers to “\(name)”, which has the type \(type)")
        }
    }

    /// Returns a Boolean value that indicates whether a value of one type can reference a value of the other type.
    static func isSame(_ type: AttributeType, _ other: AttributeType) -> Bool {
        type == other || (type.integerRange != nil && other.integerRange != nil)
    }

    /// Makes the fields of a foreign key the columns of a relationship, and adds the inverse relationship to the
    /// referenced table.
    private mutating func connect(
        _ reference: TableDraft.Reference, ofTable index: Int, _ described: RelationshipDescription, isUnique: Bool
    ) {
        let (key, target) = (reference.key, reference.target)
        var relationship = described
        if let inverse = inverse(key, of: relationship, ofTable: index, isUnique: isUnique, in: target) {
            relationship.inverse = inverse.name
            tables[target].inverses.append(inverse)
            if tables[target].places[inverse.name] == nil { tables[target].places[inverse.name] = key.place }
        }
        for place in reference.fields { tables[index].fields[place].attribute = nil }
        // The position of the relationship among the properties is that of its first field.
        if let first = reference.fields.min() { tables[index].fields[first].relationship = relationship }
    }

    /// Returns the inverse of a relationship, or `nil` if the file states that there is none.
    private mutating func inverse(
        _ key: ObjectView, of relationship: RelationshipDescription, ofTable index: Int, isUnique: Bool, in target: Int
    ) -> RelationshipDescription? {
        if case .null = key.value("strata:inverse")?.content {
            if isUnique {
                findings.error(key.place["strata:inverse"], "a unique reference is one-to-one and requires an inverse")
            }
            return nil
        }
        let name: String
        if let given = key.text("strata:inverse") {
            name = given
        } else {
            name = inventedInverse(of: relationship, ofTable: index, isUnique: isUnique, in: target)
        }
        var inverse = RelationshipDescription(
            name, to: tables[index].entity, isUnique ? .toOne : .toMany, inverse: relationship.name,
            deleteRule: key.deleteRule("strata:inverseDeleteRule") ?? .ofInverse(isOptional: relationship.isOptional),
            isOptional: key.truth("strata:inverseOptional") ?? true,
            renamedFrom: key.texts("strata:inverseRenamedFrom") ?? [])
        if isUnique {
            inverse.ownsForeignKey = false
            for name in ["strata:ordered", "strata:minimumCount", "strata:maximumCount"] where key.has(name) {
                findings.error(
                    key.place[name],
                    "counts and an order can be declared only for references that are not unique")
            }
            return inverse
        }
        inverse.orderingAttribute = key.text("strata:ordered")
        inverse.isOrdered = inverse.orderingAttribute != nil
        inverse.minimumCount = key.number("strata:minimumCount", in: 0...Int.max) ?? 0
        inverse.maximumCount = key.number("strata:maximumCount", in: 1...Int.max)
        return inverse
    }

    /// Returns a generated name for an inverse relationship.
    ///
    /// The inverse of an order's reference to its customer is `orders`. If two references of orders have the same
    /// destination, a longer name such as `ordersOfBuyer` is used.
    private mutating func inventedInverse(
        of relationship: RelationshipDescription, ofTable index: Int, isUnique: Bool, in target: Int
    ) -> String {
        let entity = tables[index].entity
        let small = entity.prefix(1).lowercased() + entity.dropFirst()
        let name = isUnique ? small : Self.plural(small)
        if tables[target].names.take(name) { return name }
        let longer = name + "Of" + relationship.name.prefix(1).uppercased() + relationship.name.dropFirst()
        return tables[target].names.name(for: longer, otherwise: name)
    }

    /// Returns the plural of a name, such as `orders` or `categories`; a name that ends in `s` is unchanged.
    private static func plural(_ name: String) -> String {
        if name.hasSuffix("s") { return name }
        guard name.hasSuffix("y"), let before = name.dropLast().last, !"aeiouAEIOU".contains(before) else {
            return name + "s"
        }
        return name.dropLast() + "ies"
    }

    /// Returns the index of a field that a foreign key names; if there is none, reports an error and returns `nil`.
    private func field(_ name: String, of table: TableDraft, at place: JSONPointer) -> Int? {
        if let index = table.index(ofField: name) { return index }
        findings.error(
            place,
            table.idField == name
                ? "“\(name)” contains the identifiers and cannot be a reference"
                : "there is no field “\(name)”" + NearestName.suggestion(for: name, among: table.fields.map(\.name)))
        return nil
    }

    /// Returns the index of the table that a foreign key references; if the foreign key contains no table name, it is
    /// the table's own index.
    func table(_ reference: ObjectView, from index: Int) -> Int? {
        guard let name = reference.text("resource"), !name.isEmpty else {
            // The first version of the standard uses an empty text.
            return reference.has("resource") && reference.text("resource") == nil ? nil : index
        }
        return table(named: name, at: reference.place["resource"])
    }

    /// Returns the index of the table with a name; if there is none, reports an error and returns `nil`.
    func table(named name: String, at place: JSONPointer) -> Int? {
        if let found = tableNumber(name) { return found }
        findings.error(
            place, "there is no resource “\(name)”" + NearestName.suggestion(for: name, among: tables.map(\.name)))
        return nil
    }
}
