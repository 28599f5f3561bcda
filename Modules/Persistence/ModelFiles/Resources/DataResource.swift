/// The location and the format of the rows of one table of a Data Package.
///
/// A descriptor contains this information in addition to the model. The value does not guarantee that a file exists or
/// has the described contents; the reader of the file checks that.
public struct DataResource: Sendable, Hashable {
    /// The format of the rows.
    public enum Format: String, Sendable, Hashable, CaseIterable {
        /// Fields that are separated by a delimiter.
        case csv
        /// Fields that are separated by tabs.
        case tsv
        /// A document with an array of records.
        case json
        /// One record per line.
        case ndjson
    }

    /// The location of the rows.
    public enum Content: Sendable, Hashable {
        /// The rows are in files, each of which contains a part.
        ///
        /// The paths are relative to the descriptor, and their text does not leave its directory; the reader must check
        /// symbolic links.
        case files([String])
        /// The rows are in the descriptor itself; the value contains the bytes of an equivalent file.
        case inline([UInt8])
    }

    /// The required agreement between a header and the fields of the schema.
    public enum FieldsMatch: String, Sendable, Hashable, CaseIterable {
        /// The header has the same names in the same order.
        case exact
        /// The header has the same names in any order.
        case equal
        /// The header has all names; additional columns are skipped.
        case subset
        /// The header has some of the names and no others.
        case superset
        /// The header has at least one of the names; additional columns are skipped.
        case partial
    }

    /// The digest of a file in a descriptor.
    public struct Hash: Sendable, Hashable {
        /// The algorithm of a digest.
        public enum Algorithm: String, Sendable, Hashable, CaseIterable {
            /// MD5 (RFC 1321), which is the default.
            case md5
            /// SHA-1.
            case sha1
            /// SHA-256.
            case sha256
            /// SHA-512.
            case sha512

            /// The count of hexadecimal digits.
            public var digitCount: Int {
                switch self {
                case .md5: 32
                case .sha1: 40
                case .sha256: 64
                case .sha512: 128
                }
            }
        }

        /// The algorithm of the digest.
        public var algorithm: Algorithm
        /// The lowercase hexadecimal digits.
        public var digits: String

        /// Creates a digest.
        public init(_ algorithm: Algorithm, digits: String) {
            self.algorithm = algorithm
            self.digits = digits
        }
    }

    /// The name in the descriptor.
    public let name: String
    /// The location in the descriptor: a JSON pointer (RFC 6901).
    public let place: String
    /// The format of the rows.
    public let format: Format
    /// The location of the rows.
    public let content: Content
    /// The name of the encoding in the descriptor, or `nil` if the reader must detect it.
    public let encoding: String?
    /// The size of the file in bytes, or `nil` if it is not specified or there are several files.
    ///
    /// For a compressed file, it is the compressed size.
    public let byteCount: Int?
    /// The digest of the same bytes, or `nil` if it is not specified.
    public let hash: Hash?
    /// The separation of fields, lines and records.
    public let dialect: ResourceDialect
    /// The names of the schema's fields, in order.
    public let fields: [String]
    /// The required agreement between a header and these fields.
    public let fieldsMatch: FieldsMatch
}
