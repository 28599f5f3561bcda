import StrataCore

/// The part of the reader that determines the types of references to number fields without a count of decimal places.
extension DescriptorReader {
    /// Returns a Boolean value that indicates whether a foreign key references a table of the same package.
    static func isOfPackage(_ key: ObjectView) -> Bool {
        guard let reference = key.object("reference", known: DescriptorWords.reference) else { return false }
        return !reference.has("package") && !reference.has("datapackage")
    }

    /// Gives those fields of a table that reference a number field of undetermined type the type of the referenced
    /// field.
    mutating func settleReferences(ofTable index: Int) {
        guard !tables[index].openFields.isEmpty else { return }
        for place in tables[index].fields.indices where tables[index].fields[place].reference != nil {
            let name = tables[index].fields[place].name
            guard tables[index].openFields.contains(name), let end = end(of: name, ofTable: index),
                let type = tables[end.table].types[end.field],
                type.isNumber || tables[end.table].openFields.contains(end.field)
            else { continue }
            tables[index].types[name] = type
        }
    }

    /// Returns the last field in the chain of references that begins with a field; `nil` if the references form a
    /// cycle.
    private func end(of name: String, ofTable index: Int) -> (table: Int, field: String)? {
        var (table, field) = (index, name)
        for _ in 0..<100 {
            guard tables[table].openFields.contains(field), let place = tables[table].index(ofField: field),
                let number = tables[table].fields[place].reference
            else { return (table, field) }
            let reference = tables[table].references[number]
            guard let part = reference.fields.firstIndex(of: place) else { return nil }
            (table, field) = (reference.target, reference.targetFields[part])
        }
        return nil
    }
}
