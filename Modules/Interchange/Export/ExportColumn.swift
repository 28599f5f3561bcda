public import StrataCore

/// One column of a written dataset: which value, and under which name.
public struct ExportColumn: Sendable, Hashable {
    /// An attribute, a to-one relationship (the id it holds) or `id`, or one of them behind to-one relationships: `boss.lastName`.
    public var source: String
    /// The column's or key's name.
    public var name: String
    /// The names that the path uses for properties.
    public var names: PropertyNames

    /// A column.
    ///
    /// - Parameters:
    ///   - source: The value's path from the entity.
    ///   - name: The column's name (default: the path).
    ///   - names: The names that the path uses for properties. With those of files, a name with a point or a comma may
    ///     be in backticks, and a reference that several columns give is all of them.
    public init(_ source: String, as name: String? = nil, names: PropertyNames = .model) {
        self.source = source
        self.name = name ?? source
        self.names = names
    }
}
