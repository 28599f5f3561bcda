/// The location and the format of the rows of one table of a Data Package.
///
/// A descriptor contains this information in addition to the model. A value of this type does not guarantee that the
/// file exists or has the described contents; the reader of the file must check that. It must also check that the file,
/// after all symbolic links, is inside the descriptor's directory.
///
/// ``ModelFile/resources`` contains these values if the model file is read with `readsResources`.
///
/// ## Topics
///
/// ### Identifying a resource
///
/// - ``name``
/// - ``place``
///
/// ### Finding the rows
///
/// - ``content``
/// - ``Content``
/// - ``encoding``
/// - ``byteCount``
/// - ``hash``
/// - ``Hash``
///
/// ### Interpreting the rows
///
/// - ``format``
/// - ``Format``
/// - ``dialect``
/// - ``fields``
/// - ``fieldsMatch``
/// - ``FieldsMatch``
public struct DataResource: Sendable, Hashable {
    /// The format of the rows.
    ///
    /// The reader of a descriptor derives it from the property `format`, from the media type, or from the extension of
    /// the file's name, in this order. An extension for compression, such as `.gz`, is ignored.
    public enum Format: String, Sendable, Hashable, CaseIterable {
        /// Text with a delimiter between the fields of a record.
        case csv
        /// Text with a tab between the fields of a record.
        case tsv
        /// A JSON document with an array of records, each of which is an object.
        case json
        /// Text with one JSON record per line.
        case ndjson
    }

    /// The location of the rows.
    public enum Content: Sendable, Hashable {
        /// The rows are in files, each of which contains a part of the rows.
        ///
        /// The list contains at least one path. The paths are relative to the descriptor, and their texts do not leave
        /// its directory; the reader of a file must check symbolic links. No path names a remote file, a hidden file or
        /// a zip archive.
        case files([String])
        /// The rows are in the descriptor itself; the associated value contains the bytes of a file with the same rows.
        ///
        /// The bytes are UTF-8. If the rows in the descriptor are a JSON array, the bytes are a JSON document with an
        /// array of objects.
        case inline([UInt8])
    }

    /// The required agreement between the names in a file's header and the fields of the schema.
    ///
    /// The default is ``exact`` in version 2 of the Data Package standard. It is ``equal`` in version 1, which only
    /// recommends the order of the fields.
    public enum FieldsMatch: String, Sendable, Hashable, CaseIterable {
        /// The header has the names of all fields, in the same order.
        case exact
        /// The header has the names of all fields, in any order.
        case equal
        /// The header has the names of all fields; additional columns of the file are skipped.
        case subset
        /// The header has the names of some fields, and no other names.
        case superset
        /// The header has the name of at least one field; additional columns of the file are skipped.
        case partial
    }

    /// The digest of a file, as the descriptor contains it.
    ///
    /// The reader of the file can compare it with the digest of the bytes, to detect a file that was changed or
    /// transferred incompletely.
    public struct Hash: Sendable, Hashable {
        /// The algorithm of a digest.
        public enum Algorithm: String, Sendable, Hashable, CaseIterable {
            /// MD5 (RFC 1321), which is the default if the descriptor contains only digits.
            ///
            /// It detects accidental changes, but not intentional ones.
            case md5
            /// SHA-1.
            case sha1
            /// SHA-256.
            case sha256
            /// SHA-512.
            case sha512

            /// The count of hexadecimal digits in a digest.
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
        /// The digest in lowercase hexadecimal digits.
        ///
        /// A digest from a descriptor has exactly ``Algorithm/digitCount`` digits.
        public var digits: String

        /// Creates a digest.
        ///
        /// - Parameters:
        ///   - algorithm: The algorithm of the digest.
        ///   - digits: The digest in lowercase hexadecimal digits; the initializer does not check them.
        public init(_ algorithm: Algorithm, digits: String) {
            self.algorithm = algorithm
            self.digits = digits
        }
    }

    /// The name of the resource in the descriptor.
    public let name: String
    /// The location of the resource in the descriptor: a JSON pointer (RFC 6901).
    public let place: String
    /// The format of the rows.
    public let format: Format
    /// The location of the rows.
    public let content: Content
    /// The name of the files' text encoding in the descriptor, or `nil` if the reader of the files must detect the
    /// encoding.
    ///
    /// The name is the author's text, and it may be the name of an unknown encoding. It is `nil` if the rows are in the
    /// descriptor.
    public let encoding: String?
    /// The size of the file in bytes; `nil` if the descriptor does not contain it, if there are several files, or if
    /// the rows are in the descriptor.
    ///
    /// For a compressed file, this is the size of the compressed file.
    public let byteCount: Int?
    /// The digest of the file; `nil` if the descriptor does not contain a supported one, if there are several files, or
    /// if the rows are in the descriptor.
    ///
    /// For a compressed file, this is the digest of the compressed file.
    public let hash: Hash?
    /// The dialect of the files, which defines how fields and records are separated.
    ///
    /// It has the defaults of the Data Package standard for all properties that the descriptor does not contain.
    public let dialect: ResourceDialect
    /// The names of the schema's fields, in their order.
    ///
    /// In a file without a header, the columns have this order.
    public let fields: [String]
    /// The required agreement between the names in a file's header and ``fields``.
    public let fieldsMatch: FieldsMatch
}
