import StrataCore

/// A table of a descriptor while it is converted to an entity.
///
/// Each step of ``DescriptorReader`` adds to the draft. Tables, fields and references refer to each other by their
/// indexes, which do not change after the step that creates them. Names are compared by their bytes, as in files,
/// because Swift treats composed and decomposed letters as equal.
struct TableDraft {
    /// A field and the property that it becomes.
    struct Field {
        /// The name of the field in the file.
        let name: String
        /// The number of the field, beginning with 1.
        let number: Int
        let view: ObjectView
        /// The name of the property in the model.
        var property: String
        /// The attribute that the field becomes; `nil` for a field of a reference or a list, and for an invalid field.
        var attribute: AttributeDescription?
        /// The relationship of which the field is the only or the first column.
        var relationship: RelationshipDescription?
        /// A Boolean value that indicates whether the field contains the list of a many-to-many relationship.
        var isList = false
        /// The index of the table's reference to which the field belongs.
        var reference: Int?
    }

    /// A foreign key while it is converted to a relationship.
    struct Reference {
        /// The foreign key in the descriptor.
        let key: ObjectView
        /// The indexes of the foreign key's fields in the table.
        let fields: [Int]
        /// The index of the referenced table.
        let target: Int
        /// The names of the fields to which the foreign key refers in the referenced table.
        let targetFields: [String]
        /// The location of ``targetFields`` in the descriptor.
        let place: JSONPointer
        /// The name of the relationship in the model.
        var property: String
        var isUnique = false
    }

    /// The name of the table in the file.
    let name: String
    /// The name of the entity in the model.
    var entity: String
    let resource: ObjectView
    let schema: ObjectView
    var fields: [Field] = []
    /// The names of all fields in their order, including the field that contains the identifiers.
    var order: [String] = []
    /// The references of the table, in the order of their foreign keys.
    var references: [Reference] = []
    /// The types of the fields, by their names.
    var types: [String: AttributeType] = [:]
    /// The names of the number fields whose count of decimal places is not in the file.
    var openFields: Set<String> = []
    /// The unique combinations of properties, each as a list of names.
    var uniquenessConstraints: [[String]] = []
    /// The unique combinations of properties, each as a set of names.
    var uniqueSets: Set<Set<String>> = []
    /// The name of the field whose values are used as the identifiers of rows.
    var idField: String?
    /// The inverse relationships, which have no column, in the order in which they were found.
    var inverses: [RelationshipDescription] = []
    /// The names of the entity's properties; `id` is reserved for the identifier.
    var names = ModelNames(reserved: ["id"])
    /// The locations of the properties in the descriptor, by name, for errors that the model's validation reports.
    var places: [String: JSONPointer] = [:]

    init(name: String, entity: String, resource: ObjectView, schema: ObjectView) {
        (self.name, self.entity, self.resource, self.schema) = (name, entity, resource, schema)
    }

    /// Returns the names of the properties to which fields belong; a reference of several fields is one property.
    ///
    /// - Parameter places: The indexes of the fields.
    /// - Returns: The names of the properties, or `nil` if the fields contain only a part of a reference.
    func properties(ofFields places: [Int]) -> [String]? {
        var names: [String] = []
        var seen: Set<Int> = []
        let all = Set(places)
        for place in places {
            guard let number = fields[place].reference else {
                names.append(fields[place].property)
                continue
            }
            guard references[number].fields.allSatisfy(all.contains) else { return nil }
            if seen.insert(number).inserted { names.append(references[number].property) }
        }
        return names
    }

    /// The indexes of the fields by the bytes of their names.
    private var placesOfFields: [[UInt8]: Int] = [:]

    /// Rebuilds the index that finds fields by their names.
    mutating func indexFields() {
        placesOfFields = Dictionary(
            fields.enumerated().map { (Array($1.name.utf8), $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns the index of the field with a name; `nil` if there is none, or if the field contains the identifiers.
    func index(ofField name: String) -> Int? { placesOfFields[Array(name.utf8)] }
}
