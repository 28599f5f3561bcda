import StrataCore

/// A table of a descriptor while it is converted to an entity.
struct TableDraft {
    /// A field and the property that it becomes.
    struct Field {
        /// The name in the file.
        let name: String
        /// The number of the field, beginning with 1.
        let number: Int
        let view: ObjectView
        /// The name in the model.
        var property: String
        var attribute: AttributeDescription?
        /// The relationship whose only or first column the field is.
        var relationship: RelationshipDescription?
        /// A Boolean value that indicates whether the field contains the list of a many-to-many relationship.
        var isList = false
        /// The index of the table's reference to which the field belongs.
        var reference: Int?
    }

    /// A foreign key while it is converted to a relationship.
    struct Reference {
        let key: ObjectView
        /// The indexes of its fields.
        let fields: [Int]
        /// The index of the referenced table.
        let target: Int
        /// The names of the referenced fields.
        let targetFields: [String]
        /// The location of these names.
        let place: JSONPointer
        /// The name in the model.
        var property: String
        var isUnique = false
    }

    /// The name in the file.
    let name: String
    /// The name in the model.
    var entity: String
    let resource: ObjectView
    let schema: ObjectView
    var fields: [Field] = []
    /// The names of all fields in their order, including that of the identifiers.
    var order: [String] = []
    var references: [Reference] = []
    /// The types of the fields, by their names.
    var types: [String: AttributeType] = [:]
    /// The names of the numbers whose count of decimal places is not in the file.
    var openFields: Set<String> = []
    /// The combinations of unique properties, by name.
    var uniquenessConstraints: [[String]] = []
    /// The same combinations as sets.
    var uniqueSets: Set<Set<String>> = []
    /// The field that contains the identifiers.
    var idField: String?
    /// The relationships without a column, in the order in which they were found.
    var inverses: [RelationshipDescription] = []
    var names = ModelNames(reserved: ["id"])
    /// The locations of the properties, for the errors of the model's validation.
    var places: [String: JSONPointer] = [:]

    init(name: String, entity: String, resource: ObjectView, schema: ObjectView) {
        (self.name, self.entity, self.resource, self.schema) = (name, entity, resource, schema)
    }

    /// Returns the properties of fields; a reference of several fields is one property.
    ///
    /// - Parameter places: The indexes of fields.
    /// - Returns: The names of the properties, or `nil` if the fields contain a reference only partly.
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

    /// Rebuilds the index of the fields.
    mutating func indexFields() {
        placesOfFields = Dictionary(
            fields.enumerated().map { (Array($1.name.utf8), $0) }, uniquingKeysWith: { first, _ in first })
    }

    func index(ofField name: String) -> Int? { placesOfFields[Array(name.utf8)] }
}
