/// One column of a written dataset: which value, and under which name.
public struct ExportColumn: Sendable, Hashable {
    /// An attribute, a to-one relationship (the id it holds) or `id`, or one of them behind to-one relationships: `boss.lastName`.
    public var source: String
    /// The column's or key's name.
    public var name: String

    /// A column.
    ///
    /// - Parameters:
    ///   - source: The value's path from the entity.
    ///   - name: The column's name; the path unless given.
    public init(_ source: String, as name: String? = nil) {
        self.source = source
        self.name = name ?? source
    }
}
