public import StrataCore

/// A column of a written dataset: the source of its values, and its name.
public struct ExportColumn: Sendable, Hashable {
    /// The path of the value from the entity, as in `boss.lastName`.
    ///
    /// The last part is an attribute, a to-one relationship (for the id of its target) or `id`. The parts before it are
    /// to-one relationships.
    public var source: String
    /// The column's or key's name.
    public var name: String
    /// The kind of names that the path uses for properties.
    public var names: PropertyNames

    /// Creates a column.
    ///
    /// - Parameters:
    ///   - source: The value's path from the entity.
    ///   - name: The column's name (default: the path).
    ///   - names: The kind of names that the path uses for properties. With names of files, a name that contains a
    ///     point or a comma may be in backticks. A reference that consists of several columns selects all of them.
    public init(_ source: String, as name: String? = nil, names: PropertyNames = .model) {
        self.source = source
        self.name = name ?? source
        self.names = names
    }
}
