public import StrataCore

/// A column of an exported dataset: its name, and the path of its values.
///
/// | path | value |
/// |---|---|
/// | `id` | the identifier of the row |
/// | `lastName` | an attribute |
/// | `boss` | the identifier of the target of a to-one relationship |
/// | `boss.company.name` | an attribute of a related row |
/// | `tags` | the list of the targets of a many-to-many relationship, if the model declares a list column for it |
///
/// If a relationship on the path is null, the value is null.
///
/// ## Topics
///
/// ### Creating a column
///
/// - ``init(_:as:names:)``
///
/// ### The path and the name
///
/// - ``source``
/// - ``name``
/// - ``names``
public struct ExportColumn: Sendable, Hashable {
    /// The path from the entity to the value, such as `boss.lastName`.
    ///
    /// The last part of the path is `id`, an attribute, or a to-one relationship, whose value is the id of its target.
    /// The parts before it are to-one relationships.
    public var source: String
    /// The name of the column, or of the key in a document.
    ///
    /// It must not be empty. The names of the columns of one file must be different.
    public var name: String
    /// The kind of names by which the path refers to properties: those of the model, or those of files.
    ///
    /// Users of a file know only its names, so a command line may use these. With names of the model, the path is
    /// independent of the spelling in files.
    public var names: PropertyNames

    /// Creates a column.
    ///
    /// - Parameters:
    ///   - source: The path from the entity to the value.
    ///   - name: The name of the column (default: the path).
    ///   - names: The kind of names by which the path refers to properties. If they are names of files, a name that
    ///     contains a point or a comma can be in backticks, and a reference of several columns selects all of them.
    public init(_ source: String, as name: String? = nil, names: PropertyNames = .model) {
        self.source = source
        self.name = name ?? source
        self.names = names
    }
}
