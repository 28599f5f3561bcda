import StrataCore

extension Managed where Record == DynamicRecord {
    /// Accesses a property by its handle.
    ///
    /// If the object is deleted or detached, a write makes the context's next save throw an error.
    ///
    /// - Precondition: The handle is for the object's entity, or for an entity with the same name and columns.
    public subscript<Value>(attribute: DynamicAttribute<Value>) -> Value {
        get { current[attribute] }
        set {
            let isNoticed = needsNotice
            if isNoticed { willChange() }
            current[attribute] = newValue
            if isNoticed { didChange() }
        }
    }
}
