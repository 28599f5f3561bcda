public import StrataCore

/// How one dataset is read: its format and the ways in which files of that format differ.
public struct ReadingOptions: Sendable {
    /// The format.
    public var format: DatasetFormat
    /// Names of columns in the file, and the attributes they are.
    ///
    /// Of a JSON document the name may be a path into objects, as in `address.city`. A column that is mapped beats one that is only called
    /// like the attribute, which then matches nothing.
    public var mapping: [String: String] = [:]
    /// Names of columns in the file that are left out, also where they are called like attributes.
    public var omittedColumns: Set<String> = []
    /// Whether columns that match nothing are dropped; otherwise they are errors.
    public var ignoresUnknownColumns = false
    /// How a table's fields and lines are told apart.
    public var dialect = CSVDialect()
    /// The keys, from the outside in and divided by points, under which a JSON document has its array; `nil` when the document is the array.
    public var root: String?
    /// The attribute that the keys of a JSON document's object are, where each of its members is a record: `hex` in `{"#ff0000": "red"}`.
    public var keyAttribute: String?
    /// The attribute that the members' values are where they are no objects: `name` in `{"#ff0000": "red"}`.
    public var valueAttribute: String?

    /// Options for a format.
    public init(format: DatasetFormat) {
        self.format = format
    }

    /// Makes sure that every attribute that is mapped to is there.
    ///
    /// - Parameter entity: The entity that is to be imported.
    /// - Throws: ``InterchangeError/Code/columns`` naming those that are not, and the nearest ones.
    public func check(for entity: EntityDescription) throws(InterchangeError) {
        let plan = try ColumnPlan(entity, reading: self)
        for name in [keyAttribute, valueAttribute] {
            guard let name, plan.target(of: name) == nil else { continue }
            let problem = "\(entity.name) has no attribute \(PrintableText.quoted(name))\(plan.suggestion(for: name))"
            throw InterchangeError(.columns, message: problem)
        }
    }
}
