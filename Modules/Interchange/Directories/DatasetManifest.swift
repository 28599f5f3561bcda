public import Foundation
package import StrataCore

/// The contents of `manifest.json`, which lists the files of a directory of datasets so that missing or changed files
/// are detected.
///
/// A ``DirectoryExporter`` writes it, and a ``DatasetDirectory`` reads it. Programs that write datasets in another way
/// can create one with the same content. The names of files are names in the directory of the manifest, without `/`.
///
/// ## Topics
///
/// ### Creating a manifest
///
/// - ``init(_:)``
/// - ``init(json:source:)``
/// - ``json()``
/// - ``fileName``
///
/// ### The format of the files
///
/// - ``version``
/// - ``currentVersion``
/// - ``format``
/// - ``separator``
/// - ``null``
///
/// ### The files
///
/// - ``datasets``
/// - ``Dataset``
/// - ``joins``
/// - ``Joins``
public struct DatasetManifest: Codable, Sendable, Equatable {
    /// The file name of a manifest in its directory.
    public static let fileName = "manifest.json"

    /// The version of the manifest's format that this version of Strata writes; readers reject manifests of other
    /// versions.
    public static let currentVersion = 1

    /// The entry for a file that contains the rows of an entity.
    public struct Dataset: Codable, Sendable, Equatable {
        /// The name of the entity.
        public var entity: String
        /// The name of the file in the directory.
        public var file: String
        /// The number of rows in the file.
        public var rows: Int
        /// The number of bytes of the file.
        public var bytes: Int64
        /// The SHA-256 of the file in hexadecimal digits.
        public var sha256: String
        /// The hash of the entity in the model with which the file was written; see
        /// `ManagedObjectModel.entityHashes()`.
        ///
        /// Compare it with the hash in the current model to find out whether the entity changed since the export. An
        /// importer does not compare it.
        public var modelHash: String

        /// Creates the entry for a file with the rows of an entity.
        ///
        /// - Parameters:
        ///   - entity: The name of the entity.
        ///   - file: The name of the file in the directory.
        ///   - rows: The number of rows in the file.
        ///   - bytes: The number of bytes of the file.
        ///   - sha256: The SHA-256 of the file in lowercase hexadecimal digits.
        ///   - modelHash: The hash of the entity in the model.
        public init(entity: String, file: String, rows: Int, bytes: Int64, sha256: String, modelHash: String) {
            self.entity = entity
            self.file = file
            self.rows = rows
            self.bytes = bytes
            self.sha256 = sha256
            self.modelHash = modelHash
        }
    }

    /// The entry for a file that contains the join rows of a many-to-many relationship.
    ///
    /// The columns of the file are `source` and `target`, which contain ids. If the relationship is ordered, the file
    /// also has the columns `sourcePosition` (the target's position among the source's targets) and `targetPosition`
    /// (the source's position among the target's sources).
    public struct Joins: Codable, Sendable, Equatable {
        /// The name of the join table in the model, which consists of the entity and relationship of the source's side.
        public var name: String
        /// The name of the entity to which the ids in the `source` column belong.
        public var sourceEntity: String
        /// The name of the entity to which the ids in the `target` column belong.
        public var targetEntity: String
        /// The name of the file in the directory.
        public var file: String
        /// The number of join rows in the file.
        public var rows: Int
        /// The number of bytes of the file.
        public var bytes: Int64
        /// The SHA-256 of the file in hexadecimal digits.
        public var sha256: String

        // The keys in the file are those of the manifest's first version.
        private enum CodingKeys: String, CodingKey {
            case name = "link"
            case sourceEntity, targetEntity, file, rows, bytes, sha256
        }
    }

    // The keys in the file are those of the manifest's first version.
    private enum CodingKeys: String, CodingKey {
        case version, format, separator, null, datasets
        case joins = "links"
    }

    /// The version of the manifest's format.
    public var version = currentVersion
    /// The format of all files in the directory: `csv`, `tsv`, `json` or `ndjson`.
    public var format: String
    /// The separator between fields of CSV or TSV files; `nil` for the default of the format.
    ///
    /// It is one character. Set it in ``CSVDialect/separator`` to read the files.
    public var separator: String?
    /// The text for null in CSV or TSV files; `nil` for the empty text.
    ///
    /// Set it in ``CSVDialect/nullTokens`` to read the files.
    public var null: String?
    /// The files with the rows of entities, in the order of the model.
    public var datasets: [Dataset] = []
    /// The files with the join rows of many-to-many relationships, in the order of the model.
    public var joins: [Joins] = []

    /// Creates a manifest that lists no files.
    ///
    /// Add the files to ``datasets`` and ``joins`` afterwards.
    ///
    /// - Parameter options: The options with which the files are written.
    public init(_ options: ExportOptions) {
        format = options.format.rawValue
        separator = options.separator.map { String(decoding: [$0.byte], as: UTF8.self) }
        null = options.nullToken.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Creates a manifest from the JSON of a manifest file.
    ///
    /// Unknown keys are ignored. Whether the listed files exist is not checked.
    ///
    /// - Parameters:
    ///   - json: The bytes of the manifest file.
    ///   - source: The name of the manifest file, for messages.
    /// - Throws: ``InterchangeError/Code/malformed`` if the file is not a manifest,
    ///   ``InterchangeError/Code/unsupported`` if its version is not supported.
    public init(json: Data, source: String) throws(InterchangeError) {
        struct Version: Decodable { var version: Int }
        let decoder = JSONDecoder()
        do {
            let version = try decoder.decode(Version.self, from: json).version
            guard version == Self.currentVersion else {
                throw InterchangeError(
                    .unsupported, source: source,
                    message: "the manifest has version \(version), but this program reads version "
                        + "\(Self.currentVersion)")
            }
            self = try decoder.decode(Self.self, from: json)
        } catch let error as InterchangeError {
            throw error
        } catch {
            throw InterchangeError(.malformed, source: source, message: "the file is not a manifest of datasets")
        }
    }

    /// Returns the bytes of the manifest file; equal manifests have identical bytes.
    ///
    /// The keys are sorted, and the text is indented and ends with a line feed.
    ///
    /// - Throws: `EncodingError`; no manifest is known to cause it.
    public func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self) + Data("\n".utf8)
    }
}

extension DatasetManifest {
    /// A file that a manifest lists: the name of its entity or join table, and its expected content.
    package typealias ListedFile = (name: String, file: String, rows: Int, digest: FileDigest)

    /// Returns the listed files of entities, followed by those of join tables.
    ///
    /// A name with a `/` could refer to a file outside of the directory, so it is rejected.
    ///
    /// - Parameter source: The name of the manifest file, for messages.
    /// - Returns: The listed files in the order of the manifest.
    /// - Throws: ``InterchangeError/Code/malformed`` if a listed name is not that of a file directly in the directory.
    package func listedFiles(source: String) throws(InterchangeError) -> [ListedFile] {
        let listed: [ListedFile] =
            datasets.map { ($0.entity, $0.file, $0.rows, FileDigest(bytes: $0.bytes, sha256: $0.sha256)) }
            + joins.map { ($0.name, $0.file, $0.rows, FileDigest(bytes: $0.bytes, sha256: $0.sha256)) }
        for (_, file, _, _) in listed where file.utf8.contains(UInt8(ascii: "/")) || file == ".." || file.isEmpty {
            throw InterchangeError(.malformed, source: source, message: "\"\(file)\" is not a file in the directory")
        }
        return listed
    }
}

extension DatasetManifest.Joins {
    /// Creates the entry for a file with the join rows of a many-to-many relationship.
    package init(_ join: JoinDescription, file: String, rows: Int, digest: FileDigest) {
        self.init(
            name: join.name, sourceEntity: join.sourceEntity, targetEntity: join.targetEntity, file: file, rows: rows,
            bytes: digest.bytes, sha256: digest.sha256)
    }
}
