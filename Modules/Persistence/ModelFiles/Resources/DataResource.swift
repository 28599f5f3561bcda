/// Where the rows of one table of a Data Package are, and how they are written.
///
/// What stands in a descriptor beside the model. Nothing here says that a file is there, or what it holds: who reads it finds out.
public struct DataResource: Sendable, Hashable {
    /// How rows are written.
    public enum Format: String, Sendable, Hashable, CaseIterable {
        /// Fields with a delimiter between them.
        case csv
        /// The same with tabs.
        case tsv
        /// A document with an array of records.
        case json
        /// One record a line.
        case ndjson
    }

    /// Where rows are.
    public enum Content: Sendable, Hashable {
        /// In files, of which each holds a part: paths relative to the descriptor, none of which leads out of its directory by its words (whoever
        /// reads sees to links).
        case files([String])
        /// In the descriptor itself: the bytes of a file that would say the same.
        case inline([UInt8])
    }

    /// How a header has to agree with the fields of the schema.
    public enum FieldsMatch: String, Sendable, Hashable, CaseIterable {
        /// The same names in the same order.
        case exact
        /// The same names in any order.
        case equal
        /// All names, and others too, which are left out.
        case subset
        /// Some of the names and no others.
        case superset
        /// At least one of the names; others are left out.
        case partial
    }

    /// A digest that a descriptor says a file has.
    public struct Hash: Sendable, Hashable {
        /// What makes it.
        public enum Algorithm: String, Sendable, Hashable, CaseIterable {
            /// MD5 (RFC 1321), which is meant where none is named.
            case md5
            /// SHA-1.
            case sha1
            /// SHA-256.
            case sha256
            /// SHA-512.
            case sha512

            /// How many hexadecimal digits it has.
            public var digitCount: Int {
                switch self {
                case .md5: 32
                case .sha1: 40
                case .sha256: 64
                case .sha512: 128
                }
            }
        }

        /// What makes it.
        public var algorithm: Algorithm
        /// Hexadecimal digits, the letters small.
        public var digits: String

        /// A digest.
        public init(_ algorithm: Algorithm, digits: String) {
            self.algorithm = algorithm
            self.digits = digits
        }
    }

    /// What the descriptor calls it.
    public let name: String
    /// Where it stands in the descriptor: a JSON pointer (RFC 6901).
    public let place: String
    /// How the rows are written.
    public let format: Format
    /// Where they are.
    public let content: Content
    /// The encoding's name, as the descriptor has it; `nil` to find it out.
    public let encoding: String?
    /// The size of the file in bytes, of a compressed one as it is; `nil` where nothing is said, or there are several files.
    public let byteCount: Int?
    /// The digest of the same; `nil` where nothing is said.
    public let hash: Hash?
    /// How fields, lines and records are told apart.
    public let dialect: ResourceDialect
    /// The names of the schema's fields, in order.
    public let fields: [String]
    /// How a header has to agree with them.
    public let fieldsMatch: FieldsMatch
}
