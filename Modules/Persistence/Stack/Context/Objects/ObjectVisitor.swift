import StrataCore

/// What is done with an object whose record type is not known where it is asked for.
///
/// Layers above the objects add what they do with a typed object by a visitor of their own; ``ManagedObject`` knows none of them.
protocol ObjectVisitor {
    /// Works with the object.
    mutating func visit<Record: ManagedRecord>(_ object: Managed<Record>) throws
}
