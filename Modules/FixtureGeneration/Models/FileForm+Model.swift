import StrataCore

extension FileForm {
    /// What files of a model have room for in an attribute.
    init(_ attribute: AttributeDescription, of entity: EntityDescription, keys: FileKeys) {
        self.init(missingValues: attribute.spelling.missingValues ?? entity.external.missingValues)
        separators = keys.separators[attribute.name] ?? []
        room = attribute.spelling.dateFormat.flatMap { DateRoom($0, of: attribute.type) }
    }

    /// What files of a model have room for in a reference.
    init(referenceOf entity: EntityDescription) { self.init(missingValues: entity.external.missingValues) }

    private init(missingValues: [String]?) {
        missing = missingValues ?? []
        hasNull = missingValues?.isEmpty != true
    }

    /// The values of a type that mean null where they are written plainly.
    func missing(of type: AttributeType) -> [StoredValue] {
        missing.compactMap { text in
            // What is none of the type is in nobody's way.
            do throws(InvalidText) { return try type.coding.parse(Array(text.utf8).span) } catch { return nil }
        }
    }
}
