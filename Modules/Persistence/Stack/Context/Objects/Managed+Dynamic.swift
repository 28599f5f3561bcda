import StrataCore

extension Managed where Record == DynamicRecord {
    /// Reads and writes a property by its handle.
    ///
    /// A write to a deleted or detached object is an error of the context's next save.
    ///
    /// - Precondition: The handle is of the object's entity, or of one of the same name and columns.
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
