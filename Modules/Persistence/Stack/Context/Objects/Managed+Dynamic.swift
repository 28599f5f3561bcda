import StrataCore

extension Managed where Record == DynamicRecord {
    /// Accesses a property by its handle.
    ///
    /// After a write to a deleted or detached object, the context's next save throws an error.
    ///
    /// - Precondition: The handle belongs to the object's entity, or to one with the same name and columns.
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
