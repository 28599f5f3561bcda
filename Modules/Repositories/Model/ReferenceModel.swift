import StrataDomain
public import StrataPersistence

/// The model of the reference entities: colors, bosses, employees and items.
public enum ReferenceModel {
    /// Returns the model of the reference entities.
    ///
    /// - Throws: Never in practice, because a test creates the model. `ManagedObjectModel` checks every model on
    ///   creation.
    public static func model() throws -> ManagedObjectModel {
        try ManagedObjectModel(records: [Color.self, Boss.self, Employee.self, Item.self])
    }
}
