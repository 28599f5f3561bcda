import StrataCore

/// The part of the writer that describes data files in addition to the model.
extension DescriptorWriter {
    /// Adds to a resource the location of its rows, and the properties of their format that differ from the defaults.
    func addFile(of owner: String, otherwise name: String, to resource: inout ObjectBuilder) {
        guard let package, let file = package.files[owner] else { return resource.add("path", name + ".csv") }
        resource.add("path", file.path)
        resource.add("format", package.delimiter == UInt8(ascii: "\t") ? "tsv" : "csv")
        resource.add("bytes", file.byteCount)
        resource.add("hash", "sha256:" + file.sha256)
        var dialect = ObjectBuilder()
        if ![UInt8(ascii: ","), UInt8(ascii: "\t")].contains(package.delimiter) {
            dialect.add("delimiter", String(decoding: [package.delimiter], as: UTF8.self))
        }
        // Readers detect the other line terminators.
        if package.endsLinesWithCR { dialect.add("lineTerminator", "\r") }
        if !dialect.isEmpty { resource.add("dialect", dialect.value) }
    }

    /// Returns the resource for the join rows of a many-to-many relationship whose files the model does not describe.
    func pairs(_ join: JoinDescription) -> JSONValue {
        var resource = ObjectBuilder()
        resource.add("name", join.externalName)
        resource.add("type", "table")
        addFile(of: join.name, otherwise: join.externalName, to: &resource)
        resource.add("strata:pairs", .boolean(true))
        let writer = FieldWriter()
        var fields: [JSONValue] = []
        var keys: [JSONValue] = []
        for (column, name) in [("source", join.sourceEntity), ("target", join.targetEntity)] {
            fields.append(writer.value(named: column, .integer64, isOptional: false, isUnique: false))
            guard let entity = model[name], let id = entity.external.idColumn else { continue }
            var reference = ObjectBuilder()
            reference.add("resource", entity.external.name ?? entity.name)
            reference.add("fields", [id])
            var key = ObjectBuilder()
            key.add("fields", [column])
            key.add("reference", reference.value)
            keys.append(key.value)
        }
        for (column, isOrdered) in [("sourcePosition", join.isSourceOrdered), ("targetPosition", join.isTargetOrdered)]
        where isOrdered {
            fields.append(writer.value(named: column, .integer64, isOptional: true, isUnique: false))
        }
        var schema = ObjectBuilder()
        schema.add("fields", .array(fields))
        schema.add("primaryKey", ["source", "target"])
        if !keys.isEmpty { schema.add("foreignKeys", .array(keys)) }
        resource.add("schema", schema.value)
        return resource.value
    }
}
