extension InterchangeError {
    /// The kinds of invalid names of columns or keys in an error, for programs that suggest a solution.
    ///
    /// The message of the error contains the names.
    ///
    /// ## Topics
    ///
    /// ### Kinds
    ///
    /// - ``unknown``
    /// - ``repeated``
    /// - ``missing``
    /// - ``absent``
    ///
    /// ### Creating a set
    ///
    /// - ``init(rawValue:)``
    /// - ``rawValue``
    public struct NameFaults: OptionSet, Sendable, Hashable {
        /// The kinds as bits.
        public let rawValue: UInt8

        /// Creates a set of kinds from bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// A name that matches no attribute.
        ///
        /// The user can map or omit the column, or ignore all unknown columns.
        public static let unknown = NameFaults(rawValue: 1 << 0)

        /// Several names match one attribute.
        ///
        /// A constant for an attribute that has a column is reported in the same way.
        public static let repeated = NameFaults(rawValue: 1 << 1)

        /// A mandatory attribute that no name matches.
        ///
        /// A part of a composite key is missing too if the file has only the other parts.
        public static let missing = NameFaults(rawValue: 1 << 2)

        /// A name that the options rename or omit, and that the file does not contain.
        ///
        /// For a document, it is known only after the last record.
        public static let absent = NameFaults(rawValue: 1 << 3)
    }

    /// Creates an error with the code ``Code/columns`` from problems with names and from other problems of a header.
    init(
        _ names: [NameProblem], others: [String] = [], source: String? = nil, line: Int? = nil, record: Int? = nil
    ) {
        self.init(
            .columns, source: source, line: line, record: record,
            message: PrintableText.listed(names.map(\.text) + others))
        for name in names { nameFaults.formUnion(name.fault) }
    }
}

/// A problem with one or more names of columns or keys.
struct NameProblem {
    var fault: InterchangeError.NameFaults
    var text: String
}

/// The term with which messages about a format call an item that has a name, such as a column.
enum NamedPart: String {
    case column, key
}
