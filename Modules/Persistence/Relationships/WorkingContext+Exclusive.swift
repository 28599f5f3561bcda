extension WorkingContext {
    /// Hears that a property of an object was written whose entity has a one-to-one relationship.
    func didChange(_ object: ManagedObject) {}
}
