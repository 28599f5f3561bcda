import StrataDomain
public import StrataPersistence

/// The model of the reference entities: colors, bosses, employees and items.
///
/// A program with entities of its own creates a model from its own record types in the same way.
public enum ReferenceModel {
    /// Returns the model of the reference entities.
    ///
    /// - Throws: Never in practice, because a test creates the model. `ManagedObjectModel` checks every model on
    ///   creation.
    public static func model() throws -> ManagedObjectModel {
        try ManagedObjectModel(records: [Color.self, Boss.self, Employee.self, Item.self])
    }
}
