import StrataDomain
public import StrataPersistence

/// The model of the reference entities: colours, bosses, employees and items.
public enum ReferenceModel {
    /// The model.
    ///
    /// - Throws: Nothing in practice: a test makes it. `ManagedObjectModel` checks every model when it is made.
    public static func model() throws -> ManagedObjectModel {
        try ManagedObjectModel(records: [Color.self, Boss.self, Employee.self, Item.self])
    }
}
