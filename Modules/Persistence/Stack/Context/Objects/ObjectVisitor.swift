import StrataCore

/// An operation on an object whose record type the caller does not know.
///
/// Higher layers define their operations on typed objects as visitors, so that ``ManagedObject`` does not depend on
/// these layers.
protocol ObjectVisitor {
    /// Performs the operation on the object.
    mutating func visit<Record: ManagedRecord>(_ object: Managed<Record>) throws
}
