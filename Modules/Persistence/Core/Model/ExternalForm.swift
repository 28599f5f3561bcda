/// What datasets call an entity and its identifiers.
///
/// A model's names are words, because they become SQL, keys and Swift. What a file calls the same things may be any text.
public struct ExternalForm: Sendable, Hashable {
    /// What stands for an object's identifier in a dataset.
    public enum Identifiers: Sendable, Hashable {
        /// A column of that name.
        case column(String)
        /// Nothing: the store gives them, and nobody else sees them.
        case own
    }

    /// The entity's name, any text; `nil` where that is the name in the model.
    public var name: String?
    /// Where the identifiers are.
    public var identifiers: Identifiers

    /// Says what datasets call an entity and its identifiers.
    public init(name: String? = nil, identifiers: Identifiers = .column("id")) {
        self.name = name
        self.identifiers = identifiers
    }

    /// The name of the column of identifiers; `nil` where there is none.
    public var idColumn: String? {
        if case .column(let name) = identifiers { name } else { nil }
    }
}
