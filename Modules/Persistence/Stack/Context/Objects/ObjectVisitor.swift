import StrataCore

/// An operation on an object whose record type the caller does not know.
///
/// Layers above the objects add operations on typed objects with visitors of their own; ``ManagedObject`` knows none of
/// them.
protocol ObjectVisitor {
    /// Performs the operation on the object.
    mutating func visit<Record: ManagedRecord>(_ object: Managed<Record>) throws
}
