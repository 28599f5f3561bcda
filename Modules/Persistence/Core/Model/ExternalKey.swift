/// By what datasets refer to an object, where that is not its identifier: properties of it that are unique, together where they are several.
///
/// ```swift
/// RelationshipDescription("customer", to: "Customer", .toOne, externalKey: ExternalKey("code", column: "customer code"))
/// ```
///
/// A property may be a to-one relationship itself; what stands for it is then what files have for that relationship.
public struct ExternalKey: Sendable, Hashable {
    /// Attributes and to-one relationships of the destination: one that is unique, or those of one of its uniqueness constraints.
    public var properties: [String]
    /// What datasets call the columns that hold the values: one for each, in the order of ``properties``.
    ///
    /// A property that is a relationship to what is referred to by several values has as many columns.
    public var columns: [String]

    /// A key of several properties.
    ///
    /// - Parameters:
    ///   - properties: See ``properties``; checked when a model is made.
    ///   - columns: See ``columns``; checked when a model is made.
    public init(_ properties: [String], columns: [String]) {
        self.properties = properties
        self.columns = columns
    }

    /// A key of one property.
    ///
    /// - Parameters:
    ///   - property: A unique attribute of the destination.
    ///   - column: What datasets call the column.
    public init(_ property: String, column: String) {
        self.init([property], columns: [column])
    }
}
