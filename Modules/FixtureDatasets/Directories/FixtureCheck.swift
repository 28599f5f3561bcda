public import StrataCore
public import StrataFixtures
import StrataInterchange

/// Looks whether the files of a directory are what its manifest would make.
///
/// ```swift
/// let schema = try FixtureEntity.all(of: model)
/// let check = try FixtureCheck(directory: "fixtures", model: model, schema: schema)
/// for finding in try check.run() { print(finding) }
/// ```
public struct FixtureCheck {
    /// One file that is not what would be made.
    public struct Finding: Sendable, Hashable, CustomStringConvertible {
        /// The file's path.
        public var path: String
        /// The first line that differs, from 1; `nil` where it is not about a line.
        public var line: Int?
        /// What is there, and what should be.
        public var message: String

        /// The place and the message, on one line.
        public var description: String { "\(path):\(line.map { "\($0):" } ?? "") \(message)" }
    }

    /// What the directory says of itself.
    public let manifest: FixtureManifest
    private let directory: String
    /// What the manifest makes.
    public let dataset: FixtureDataset
    private let options: ExportOptions

    /// Reads a directory's manifest.
    ///
    /// - Parameters:
    ///   - directory: The directory.
    ///   - model: The model.
    ///   - schema: The entities that the description may name.
    ///   - threads: How many threads make rows.
    ///   - isCancelled: Asked every few thousand rows; true ends the check with `CancellationError`.
    /// - Throws: `InterchangeError` when there is no manifest, or it is none; `FixtureError` when it does not say what made the files, or
    ///   that cannot be made.
    public init(
        directory: String, model: ManagedObjectModel, schema: [FixtureEntity], threads: Int = 2,
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws {
        let directory = directory.withoutTrailingSlashes
        let path = "\(directory)/\(DatasetManifest.fileName)"
        manifest = try FixtureManifest(json: try ByteInput.contents(of: path), source: path, schema: schema)
        do throws(FixtureError) {
            dataset = try FixtureDataset(manifest.description, model: model)
        } catch {
            var located = error
            located.source = path
            throw located
        }
        self.directory = directory
        options = try Self.options(manifest.datasets, path: path, threads: threads, isCancelled: isCancelled)
    }

    /// Makes every file again and compares it.
    ///
    /// - Parameter store: A store that has nothing but ``dataset``; needed where that says so.
    /// - Returns: The first difference of each file; none where all is as it should be.
    /// - Throws: `InterchangeError` when a file is there and cannot be read, `CancellationError`.
    /// - Complexity: O(*n*) in the rows, in constant memory.
    public func run(from store: (any PersistentStore)? = nil) throws -> [Finding] {
        var findings: [Finding] = []
        var expected = DatasetManifest(options)
        let hashes = try dataset.model.entityHashes()
        for producer in dataset.producers {
            let entity = producer.entity.name
            let name = "\(FixtureDataset.fileName(of: producer.entity)).\(options.format.rawValue)"
            let comparison = try FileComparison(path: "\(directory)/\(name)")
            let output = ByteOutput(name: name) { comparison.take($0) }
            try dataset.write(entity, to: output, options: options, from: store)
            if let finding = try comparison.finish() { findings.append(finding) }
            let digest = comparison.digest.finish()
            expected.datasets.append(
                .init(
                    entity: entity, file: name, rows: producer.count, bytes: digest.bytes, sha256: digest.sha256,
                    modelHash: hashes[entity] ?? ""))
        }
        for pairs in dataset.filedPairs {
            let name = "\(FixtureDataset.fileName(of: pairs.join)).\(options.format.rawValue)"
            let comparison = try FileComparison(path: "\(directory)/\(name)")
            let output = ByteOutput(name: name) { comparison.take($0) }
            if let store, dataset.needsStore {
                try StoredPairs(pairs.join, store: store, options: options).write(to: output)
            } else {
                try ProducedPairs(pairs, options: options).write(to: output)
            }
            if let finding = try comparison.finish() { findings.append(finding) }
            let digest = comparison.digest.finish()
            expected.joins.append(.init(pairs.join, file: name, rows: pairs.count, digest: digest))
        }
        let comparison = try FileComparison(path: "\(directory)/\(DatasetManifest.fileName)")
        let json = try FixtureManifest(datasets: expected, description: manifest.description).json()
        json.withUnsafeBytes { comparison.take($0) }
        if let finding = try comparison.finish() { findings.append(finding) }
        return try findings + dataset.leftovers(in: directory, beside: expected)
    }

    private static func options(
        _ manifest: DatasetManifest, path: String, threads: Int, isCancelled: @escaping @Sendable () -> Bool
    ) throws -> ExportOptions {
        guard let format = DatasetFormat(rawValue: manifest.format) else {
            throw InterchangeError(.malformed, source: path, message: "there is no format \"\(manifest.format)\"")
        }
        var options = ExportOptions(format: format)
        if let separator = manifest.separator {
            guard let byte = separator.utf8.first, separator.utf8.count == 1 else {
                throw InterchangeError(.malformed, source: path, message: "\"\(separator)\" is no separator")
            }
            options.separator = try CSVSeparator(byte)
        }
        options.nullToken = manifest.null
        options.readers = threads
        options.isCancelled = isCancelled
        return options
    }
}
