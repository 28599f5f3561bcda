public import Foundation
package import StrataCore

/// The list of the files in a directory of datasets, for complete reading: `manifest.json`.
public struct DatasetManifest: Codable, Sendable, Equatable {
    /// The manifest's name in its directory.
    public static let fileName = "manifest.json"

    /// The version of the manifest's format; readers reject other versions.
    public static let currentVersion = 1

    /// A file with an entity's rows.
    public struct Dataset: Codable, Sendable, Equatable {
        /// The entity's name.
        public var entity: String
        /// The file's name in the directory.
        public var file: String
        /// The number of rows.
        public var rows: Int
        /// The number of bytes.
        public var bytes: Int64
        /// The file's SHA-256 in hexadecimal digits.
        public var sha256: String
        /// The entity's hash in the model it was written with; see `ManagedObjectModel.entityHashes()`.
        public var modelHash: String

        /// Creates the entry of a file.
        public init(entity: String, file: String, rows: Int, bytes: Int64, sha256: String, modelHash: String) {
            self.entity = entity
            self.file = file
            self.rows = rows
            self.bytes = bytes
            self.sha256 = sha256
            self.modelHash = modelHash
        }
    }

    /// A file with the join rows of a many-to-many relationship.
    ///
    /// Its columns are `source` and `target`, both ids. If the relationship is ordered it also has `sourcePosition`
    /// (the target's position among the source's targets) and `targetPosition` (the source's position among the
    /// target's sources).
    public struct Joins: Codable, Sendable, Equatable {
        /// The join table's name in the model: entity and relationship of the source's side.
        public var name: String
        /// The entity of the `source` column.
        public var sourceEntity: String
        /// The entity of the `target` column.
        public var targetEntity: String
        /// The file's name in the directory.
        public var file: String
        /// The number of join rows.
        public var rows: Int
        /// The number of bytes.
        public var bytes: Int64
        /// The file's SHA-256 in hexadecimal digits.
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
    /// The format of all files: `csv`, `tsv`, `json` or `ndjson`.
    public var format: String
    /// The separator of a table, if it differs from the format's default.
    public var separator: String?
    /// The text that represents null in a table, if it is not the empty text.
    public var null: String?
    /// The entities, in the model's order.
    public var datasets: [Dataset] = []
    /// The many-to-many relationships, in the model's order.
    public var joins: [Joins] = []

    /// Creates a manifest without files.
    ///
    /// - Parameter options: The options with which the files are written.
    public init(_ options: ExportOptions) {
        format = options.format.rawValue
        separator = options.separator.map { String(decoding: [$0.byte], as: UTF8.self) }
        null = options.nullToken.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Reads a manifest.
    ///
    /// - Parameters:
    ///   - json: The bytes of the file.
    ///   - source: The file's name, for messages.
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

    /// Returns the bytes of the file, which are the same for the same content.
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

    /// Returns the listed files of entities and of join tables.
    ///
    /// - Parameter source: The manifest's name, for messages.
    /// - Returns: The files, those of entities first.
    /// - Throws: ``InterchangeError/Code/malformed`` if a name is not that of a file in the directory.
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
    /// Creates the entry of a file with join rows.
    package init(_ join: JoinDescription, file: String, rows: Int, digest: FileDigest) {
        self.init(
            name: join.name, sourceEntity: join.sourceEntity, targetEntity: join.targetEntity, file: file, rows: rows,
            bytes: digest.bytes, sha256: digest.sha256)
    }
}
