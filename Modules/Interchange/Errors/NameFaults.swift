extension InterchangeError {
    /// What is wrong with the names of columns or keys, for programs that say what helps; the message says which names.
    public struct NameFaults: OptionSet, Sendable, Hashable {
        /// The bits.
        public let rawValue: UInt8

        /// Makes a set of its bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// A name that no attribute has.
        public static let unknown = NameFaults(rawValue: 1 << 0)

        /// Several names of one attribute.
        public static let repeated = NameFaults(rawValue: 1 << 1)

        /// No name of an attribute that is mandatory.
        public static let missing = NameFaults(rawValue: 1 << 2)

        /// A name that was to be renamed or left out and is not there.
        public static let absent = NameFaults(rawValue: 1 << 3)
    }

    /// An error of the code ``Code/columns``: all that is wrong with names, and what else is wrong with a header.
    init(
        _ names: [NameProblem], others: [String] = [], source: String? = nil, line: Int? = nil, record: Int? = nil
    ) {
        self.init(
            .columns, source: source, line: line, record: record,
            message: PrintableText.listed(names.map(\.text) + others))
        for name in names { nameFaults.formUnion(name.fault) }
    }
}

/// One thing that is wrong with the names of columns or keys.
struct NameProblem {
    var fault: InterchangeError.NameFaults
    var text: String
}

/// What a format calls what has a name.
enum NamedPart: String {
    case column, key
}
