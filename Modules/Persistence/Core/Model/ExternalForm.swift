/// The names of an entity and its identifiers in datasets.
///
/// A name in a model contains only letters, digits and `_`, because it is used in SQL, JSON keys and Swift code. A name
/// in a dataset may be any text.
public struct ExternalForm: Sendable, Hashable {
    /// The representation of an object's identifier in a dataset.
    public enum Identifiers: Sendable, Hashable {
        /// A column of the dataset with this name, which contains the identifiers.
        case column(String)
        /// No identifiers in the dataset; the store assigns identifiers for internal use.
        case own
    }

    /// The name of the entity in datasets, which may be any text; `nil` if it is the entity's name in the model.
    public var name: String?
    /// The representation of the entity's identifiers in the dataset.
    public var identifiers: Identifiers
    /// The names of all columns of the dataset, in the order in which they are written; empty for the default order.
    ///
    /// The default order is the identifier, the columns of the entity, then the list columns.
    public var columns: [String]
    /// The texts that represent null in any column of the dataset, quoted or unquoted; the first one is written.
    ///
    /// If it is `nil`, only an empty unquoted field represents null.
    public var missingValues: [String]?
    /// A short description of the entity's rows, for people; `nil` if there is none.
    public var title: String?
    /// A longer description of the entity's rows, for people; `nil` if there is none.
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

    /// The name of the dataset's identifier column; `nil` if the dataset has no identifiers.
    public var idColumn: String? {
        if case .column(let name) = identifiers { name } else { nil }
    }
}

extension ExternalForm {
    /// Returns the file name of a dataset, without an extension.
    ///
    /// It is the name in datasets if that contains only letters, digits, `-` and `_`; otherwise it is the name in the
    /// model.
    ///
    /// - Parameters:
    ///   - external: The name in datasets; `nil` if it is the name in the model.
    ///   - name: The name of the entity or join table in the model.
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
