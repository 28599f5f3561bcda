/// The names of an entity and its identifiers in datasets.
///
/// Names in a model are restricted to words, because they become SQL, JSON keys and Swift code. Names in files may be
/// any text.
public struct ExternalForm: Sendable, Hashable {
    /// The representation of an object's identifier in a dataset.
    public enum Identifiers: Sendable, Hashable {
        /// The dataset has a column of identifiers with this name.
        case column(String)
        /// The dataset has no identifiers; the store assigns them for internal use.
        case own
    }

    /// The entity's name, which may be any text; `nil` if it is the name in the model.
    public var name: String?
    /// The location of the identifiers.
    public var identifiers: Identifiers
    /// The names of all columns in the order in which they are written; empty for the default order.
    ///
    /// The default order is the identifier, the columns, then lists.
    public var columns: [String]
    /// Texts that represent null in any column, quoted or unquoted; the first one is written.
    ///
    /// If it is `nil`, only an empty unquoted field represents null.
    public var missingValues: [String]?
    /// A short description of the rows, for people.
    public var title: String?
    /// A longer description of the rows, for people.
    public var explanation: String?

    /// Creates the dataset names of an entity and its identifiers.
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

    /// The name of the identifier column; `nil` if there is none.
    public var idColumn: String? {
        if case .column(let name) = identifiers { name } else { nil }
    }
}

extension ExternalForm {
    /// Returns the file name of a dataset, without an extension.
    ///
    /// The name is the dataset's name if that contains only letters, digits, `-` and `_`, otherwise the model's name.
    ///
    /// - Parameters:
    ///   - external: The dataset's name in files; `nil` if it is the model's name.
    ///   - name: The model's name.
    /// - Returns: The file name.
    package static func fileName(_ external: String?, otherwise name: String) -> String {
        guard let external, !external.isEmpty else { return name }
        let isPlain = external.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || byte == 0x2D || byte == 0x5F
        }
        return isPlain ? external : name
    }
}
