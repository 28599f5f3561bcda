import StrataCore

extension FileForm {
    /// Creates the form of an attribute's values in the files of a model.
    init(_ attribute: AttributeDescription, of entity: EntityDescription, keys: FileKeys) {
        self.init(missingValues: attribute.spelling.missingValues ?? entity.external.missingValues)
        separators = keys.separators[attribute.name] ?? []
        room = attribute.spelling.dateFormat.flatMap { DateFormatPrecision($0, of: attribute.type) }
    }

    /// Creates the form of a reference's values in the files of a model.
    init(referenceOf entity: EntityDescription) { self.init(missingValues: entity.external.missingValues) }

    private init(missingValues: [String]?) {
        missing = missingValues ?? []
        hasNull = missingValues?.isEmpty != true
    }

    /// Returns the values of an attribute type whose texts mean null in files.
    func missing(of type: AttributeType) -> [StoredValue] {
        missing.compactMap { text in
            // A text that is not of the type does not conflict with any value.
            do throws(InvalidText) { return try type.coding.parse(Array(text.utf8).span) } catch { return nil }
        }
    }
}
