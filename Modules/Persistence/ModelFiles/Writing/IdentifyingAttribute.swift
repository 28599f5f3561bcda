/// An attribute with the key of files that becomes the identifier of rows.
package struct IdentifyingAttribute: Sendable {
    /// The name of the attribute.
    let name: String
    /// Whether the rows are in another order than that of the key, and keep it.
    let keepsOrder: Bool

    package init(_ name: String, keepsOrder: Bool) { (self.name, self.keepsOrder) = (name, keepsOrder) }
}
