/// A unique key by which datasets identify the target of a relationship, instead of by its identifier.
///
/// ```swift
/// RelationshipDescription(
///     "customer", to: "Customer", .toOne, externalKey: ExternalKey("code", column: "customer code"))
/// ```
///
/// A property of the key may itself be a to-one relationship. Datasets then contain the values by which they identify
/// the target of that relationship.
public struct ExternalKey: Sendable, Hashable {
    /// The names of the destination's properties in the key: one unique property, or all properties of a uniqueness
    /// constraint.
    ///
    /// The properties are attributes and to-one relationships.
    public var properties: [String]
    /// The names of the dataset columns with the values of the key, in the order of ``properties``.
    ///
    /// An attribute has one column. A relationship that is identified by a key of several values has as many columns.
    public var columns: [String]

    /// Creates a key of several properties.
    ///
    /// - Parameters:
    ///   - properties: See ``properties``; validated when a model is created.
    ///   - columns: See ``columns``; validated when a model is created.
    public init(_ properties: [String], columns: [String]) {
        self.properties = properties
        self.columns = columns
    }

    /// Creates a key of one property.
    ///
    /// - Parameters:
    ///   - property: A unique attribute of the destination.
    ///   - column: The name of the column in datasets.
    public init(_ property: String, column: String) {
        self.init([property], columns: [column])
    }
}
