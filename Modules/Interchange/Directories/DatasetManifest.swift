public import Foundation
package import StrataCore

/// What a directory of datasets holds, so that it is read back whole: `manifest.json`.
public struct DatasetManifest: Codable, Sendable, Equatable {
    /// The manifest's name in its directory.
    public static let fileName = "manifest.json"

    /// The version of the manifest's form; others are refused by readers.
    public static let currentVersion = 1

    /// One file of an entity's rows.
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

        /// What a manifest says of a file.
        public init(entity: String, file: String, rows: Int, bytes: Int64, sha256: String, modelHash: String) {
            self.entity = entity
            self.file = file
            self.rows = rows
            self.bytes = bytes
            self.sha256 = sha256
            self.modelHash = modelHash
        }
    }

    /// One file of the pairs of a many-to-many relationship.
    ///
    /// Its columns are `source` and `target`, both ids, and where the relationship is ordered `sourcePosition` (the target's place among the
    /// source's) and `targetPosition` (the source's among the target's).
    public struct Joins: Codable, Sendable, Equatable {
        /// The join table's name in the model: entity and relationship of the source's side.
        public var name: String
        /// The entity of the `source` column.
        public var sourceEntity: String
        /// The entity of the `target` column.
        public var targetEntity: String
        /// The file's name in the directory.
        public var file: String
        /// The number of pairs.
        public var rows: Int
        /// The number of bytes.
        public var bytes: Int64
        /// The file's SHA-256 in hexadecimal digits.
        public var sha256: String

        // The keys of the file are those of the manifest's first version.
        private enum CodingKeys: String, CodingKey {
            case name = "link"
            case sourceEntity, targetEntity, file, rows, bytes, sha256
        }
    }

    // The keys of the file are those of the manifest's first version.
    private enum CodingKeys: String, CodingKey {
        case version, format, separator, null, datasets
        case joins = "links"
    }

    /// The version of the manifest's form.
    public var version = currentVersion
    /// The format of all files: `csv`, `tsv`, `json` or `ndjson`.
    public var format: String
    /// The separator of a table, where it is not the format's own.
    public var separator: String?
    /// What stands for null in a table, where that is not nothing.
    public var null: String?
    /// The entities, in the model's order.
    public var datasets: [Dataset] = []
    /// The many-to-many relationships, in the model's order.
    public var joins: [Joins] = []

    /// A manifest of no files yet.
    ///
    /// - Parameter options: How the files are written.
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
    /// - Throws: ``InterchangeError/Code/malformed`` when it is none, ``InterchangeError/Code/unsupported`` when its version is another one.
    public init(json: Data, source: String) throws(InterchangeError) {
        struct Version: Decodable { var version: Int }
        let decoder = JSONDecoder()
        do {
            let version = try decoder.decode(Version.self, from: json).version
            guard version == Self.currentVersion else {
                throw InterchangeError(
                    .unsupported, source: source,
                    message: "is a manifest of version \(version); this program reads version \(Self.currentVersion)")
            }
            self = try decoder.decode(Self.self, from: json)
        } catch let error as InterchangeError {
            throw error
        } catch {
            throw InterchangeError(.malformed, source: source, message: "is no manifest of datasets")
        }
    }

    /// The bytes of the file: the same for the same content.
    ///
    /// - Throws: `EncodingError`; no manifest is known to.
    public func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self) + Data("\n".utf8)
    }
}

extension DatasetManifest {
    /// A file that a manifest lists: the name of its entity or join table, and what it should contain.
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
            throw InterchangeError(.malformed, source: source, message: "\"\(file)\" is no file of the directory")
        }
        return listed
    }
}

extension DatasetManifest.Joins {
    /// What a file of pairs has in it.
    package init(_ join: JoinDescription, file: String, rows: Int, digest: FileDigest) {
        self.init(
            name: join.name, sourceEntity: join.sourceEntity, targetEntity: join.targetEntity, file: file, rows: rows,
            bytes: digest.bytes, sha256: digest.sha256)
    }
}
