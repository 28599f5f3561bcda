extension InterchangeError {
    /// The kinds of problems with names of columns or keys, for programs that suggest a solution.
    ///
    /// The message contains the names.
    public struct NameFaults: OptionSet, Sendable, Hashable {
        /// The bits.
        public let rawValue: UInt8

        /// Creates a set from its bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// A name that matches no attribute.
        public static let unknown = NameFaults(rawValue: 1 << 0)

        /// Several names match one attribute.
        public static let repeated = NameFaults(rawValue: 1 << 1)

        /// A mandatory attribute has no matching name.
        public static let missing = NameFaults(rawValue: 1 << 2)

        /// A name that the options rename or omit is missing.
        public static let absent = NameFaults(rawValue: 1 << 3)
    }

    /// Creates an error with the code ``Code/columns`` from all problems of names, and other problems of a header.
    init(
        _ names: [NameProblem], others: [String] = [], source: String? = nil, line: Int? = nil, record: Int? = nil
    ) {
        self.init(
            .columns, source: source, line: line, record: record,
            message: PrintableText.listed(names.map(\.text) + others))
        for name in names { nameFaults.formUnion(name.fault) }
    }
}

/// A problem with the names of columns or keys.
struct NameProblem {
    var fault: InterchangeError.NameFaults
    var text: String
}

/// The term that a format uses for a named part.
enum NamedPart: String {
    case column, key
}
