import StrataCore

/// A table of a descriptor on its way to an entity.
struct TableDraft {
    /// A field and what it becomes.
    struct Field {
        /// What the file calls it.
        let name: String
        /// Which field it is, from 1.
        let number: Int
        let view: ObjectView
        /// What the model calls it.
        var property: String
        var attribute: AttributeDescription?
        /// The relationship of which it is the column, or the first of several.
        var relationship: RelationshipDescription?
        /// Whether it holds what a many-to-many relationship leads to.
        var isList = false
        /// Which of the table's references it belongs to.
        var reference: Int?
    }

    /// A foreign key on its way to a relationship.
    struct Reference {
        let key: ObjectView
        /// The places of its fields.
        let fields: [Int]
        /// The table it leads to.
        let target: Int
        /// The names of that table's fields.
        let targetFields: [String]
        /// Where these names stand.
        let place: JSONPointer
        /// What the model calls it.
        var property: String
        var isUnique = false
    }

    /// What the file calls it.
    let name: String
    /// What the model calls it.
    var entity: String
    let resource: ObjectView
    let schema: ObjectView
    var fields: [Field] = []
    /// All fields' names in their order, that of the identifiers too.
    var order: [String] = []
    var references: [Reference] = []
    /// The types of the fields, by their names.
    var types: [String: AttributeType] = [:]
    /// The names of the numbers of which the file does not say how many digits they have.
    var openFields: Set<String> = []
    /// Properties that are unique together, by name.
    var uniquenessConstraints: [[String]] = []
    /// The same, in no order.
    var uniqueSets: Set<Set<String>> = []
    /// The field that holds the identifiers.
    var idField: String?
    /// Relationships without a column, in the order in which they were found, and where.
    var inverses: [RelationshipDescription] = []
    var names = ModelNames(reserved: ["id"])
    /// Where each property is, for what the model's own check says.
    var places: [String: JSONPointer] = [:]

    init(name: String, entity: String, resource: ObjectView, schema: ObjectView) {
        (self.name, self.entity, self.resource, self.schema) = (name, entity, resource, schema)
    }

    /// The columns of the properties that fields belong to; a reference of several fields counts once, and only with all of them.
    ///
    /// - Parameter places: Places of fields.
    /// - Returns: The properties' names; `nil` where a reference has a field that is not among them.
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

    /// The fields' places by their names' bytes.
    private var placesOfFields: [[UInt8]: Int] = [:]

    /// Finds the fields anew, as they are now.
    mutating func indexFields() {
        placesOfFields = Dictionary(
            fields.enumerated().map { (Array($1.name.utf8), $0) }, uniquingKeysWith: { first, _ in first })
    }

    func index(ofField name: String) -> Int? { placesOfFields[Array(name.utf8)] }
}
