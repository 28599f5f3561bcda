public import StrataCore
public import StrataFixtures
import StrataInterchange
public import StrataStoreKit

/// A check that compares the files of a directory with the files that its manifest describes.
///
/// ```swift
/// let schema = try FixtureEntity.all(of: model)
/// let check = try FixtureCheck(directory: "fixtures", model: model, schema: schema)
/// for finding in try check.run() { print(finding) }
/// ```
///
/// Use the check to find out in continuous integration whether generated files were edited, or whether a change of the
/// model or of the description affects them. The check generates each file again, compares it while it is generated,
/// and writes nothing.
///
/// The digests in a manifest show only that files are complete. The check also shows that they contain the described
/// rows.
///
/// ## Topics
///
/// ### Creating a check
///
/// - ``init(directory:model:schema:threads:isCancelled:)``
/// - ``manifest``
/// - ``dataset``
///
/// ### Running the check
///
/// - ``run(from:)``
/// - ``Finding``
public struct FixtureCheck {
    /// A difference between a file and its expected content.
    ///
    /// ## Topics
    ///
    /// ### Reading a finding
    ///
    /// - ``path``
    /// - ``line``
    /// - ``message``
    /// - ``description``
    public struct Finding: Sendable, Hashable, CustomStringConvertible {
        /// The path of the different file.
        public var path: String
        /// The first line that differs, from 1, or `nil` if the finding does not concern a line.
        ///
        /// A line ends with a line feed; a field with a line break therefore counts as several lines.
        public var line: Int?
        /// The actual and the expected text at the difference.
        ///
        /// Long lines are shortened to 80 bytes before and after the difference, and control characters are escaped.
        public var message: String

        /// The path, the line and the message as one line of text.
        public var description: String { "\(path):\(line.map { "\($0):" } ?? "") \(message)" }
    }

    /// The manifest of the checked directory.
    public let manifest: FixtureManifest
    private let directory: String
    /// The dataset that the manifest describes.
    ///
    /// If its ``FixtureDataset/needsStore`` is true, insert it into a store, and pass the store to ``run(from:)``.
    public let dataset: FixtureDataset
    private let options: ExportOptions

    /// Creates a check of a directory after reading its manifest.
    ///
    /// The initializer reads the manifest only. Use ``FixtureDataset/description`` and its schema, or the entities of
    /// the model, as the schema.
    ///
    /// - Parameters:
    ///   - directory: The directory of the files and the manifest.
    ///   - model: The model of the datasets in the directory.
    ///   - schema: The entities that the description can name.
    ///   - threads: The number of threads that generate rows.
    ///   - isCancelled: A closure that is called every few thousand rows. If it returns true, the check ends with
    ///     `CancellationError`.
    /// - Throws: `InterchangeError` if the manifest is missing or invalid; `FixtureError` if it contains no
    ///   description, or if the description is invalid.
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

    /// Generates every file again and compares it with the file in the directory.
    ///
    /// Missing files are findings, not errors. The manifest itself is compared too, and files of earlier runs that it
    /// does not list are findings as well. The method blocks the calling thread.
    ///
    /// - Parameter store: A store that contains only ``dataset``. It is required if the dataset needs a store.
    /// - Returns: The first difference of each file, or an empty array if all files are as expected.
    /// - Throws: `InterchangeError` if an existing file cannot be read, and `CancellationError`.
    /// - Complexity: O(*n*) in the number of rows, in constant memory.
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
        return try findings + dataset.leftovers(in: directory, nextTo: expected)
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
                throw InterchangeError(.malformed, source: path, message: "\"\(separator)\" is not a separator")
            }
            options.separator = try CSVSeparator(byte)
        }
        options.nullToken = manifest.null
        options.readers = threads
        options.isCancelled = isCancelled
        return options
    }
}
