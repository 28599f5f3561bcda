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
    /// The names of all columns in the order in which they are written; empty where that is the usual one: the identifier, the columns, lists.
    public var columns: [String]
    /// Texts that mean null in any column, in quotes or not, of which the first is written; `nil` is nothing at all, without quotes.
    public var missingValues: [String]?
    /// A few words for people on what the rows are.
    public var title: String?
    /// More words.
    public var explanation: String?

    /// Says what datasets call an entity and its identifiers.
    public init(
        name: String? = nil, identifiers: Identifiers = .column("id"), columns: [String] = [],
        missingValues: [String]? = nil, title: String? = nil, explanation: String? = nil
    ) {
        self.name = name
        self.identifiers = identifiers
        self.columns = columns
        self.missingValues = missingValues
        self.title = title
        self.explanation = explanation
    }

    /// The name of the column of identifiers; `nil` where there is none.
    public var idColumn: String? {
        if case .column(let name) = identifiers { name } else { nil }
    }
}

extension ExternalForm {
    /// What a file of a dataset is called, without an ending: the dataset's name where that is letters, digits, `-` and `_`, otherwise the model's.
    ///
    /// - Parameters:
    ///   - external: What files call the dataset; `nil` where that is the model's name.
    ///   - name: The model's name.
    /// - Returns: The name.
    package static func fileName(_ external: String?, otherwise name: String) -> String {
        guard let external, !external.isEmpty else { return name }
        let isPlain = external.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || byte == 0x2D || byte == 0x5F
        }
        return isPlain ? external : name
    }
}
