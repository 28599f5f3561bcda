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
        /// The relationship of which it is the column, with the place that says so.
        var relationship: RelationshipDescription?
    }

    /// What the file calls it.
    let name: String
    /// What the model calls it.
    var entity: String
    let resource: ObjectView
    let schema: ObjectView
    var fields: [Field] = []
    /// The field that holds the identifiers.
    var idField: String?
    /// Relationships without a column, in the order in which they were found, and where.
    var inverses: [RelationshipDescription] = []
    var names = ModelNames(reserved: ["id"])
    /// Where each property is, for what the model's own check says.
    var places: [String: JSONPointer] = [:]

    func index(ofField name: String) -> Int? { fields.firstIndex { $0.name == name } }
}
