/// An attribute with the key of files that becomes the identifier of rows.
package struct IdentifyingAttribute: Sendable {
    /// The name of the attribute.
    let name: String
    /// A Boolean value that indicates whether the rows preserve an order that differs from that of the key.
    let keepsOrder: Bool

    package init(_ name: String, keepsOrder: Bool) { (self.name, self.keepsOrder) = (name, keepsOrder) }
}
