/// A unique key by which datasets identify an object instead of by its identifier.
///
/// ```swift
/// RelationshipDescription(
///     "customer", to: "Customer", .toOne, externalKey: ExternalKey("code", column: "customer code"))
/// ```
///
/// A property of the key may itself be a to-one relationship. Files then contain the values by which they identify that
/// relationship's target.
public struct ExternalKey: Sendable, Hashable {
    /// Properties of the destination: one unique property, or those of one uniqueness constraint.
    ///
    /// They are attributes and to-one relationships.
    public var properties: [String]
    /// The names of the dataset columns that contain the values, one for each value, in the order of ``properties``.
    ///
    /// A property that is a relationship with a key of several values has the same count of columns.
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
