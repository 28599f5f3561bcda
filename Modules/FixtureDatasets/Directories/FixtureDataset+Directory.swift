import StrataCore
import StrataFixtures
public import StrataInterchange
public import StrataStoreKit

extension FixtureDataset {
    /// Writes a directory with a file for each entity, and a manifest that contains the description.
    ///
    /// The files are moved to their paths after all of them are complete, beginning with the manifest. Other files in
    /// the directory are not changed. The manifest is a `DatasetManifest` with the description of the rows under
    /// ``FixtureManifest/key``, so that ``FixtureCheck`` can generate the files again.
    ///
    /// The options for line endings, quotes, a byte order mark, formulas and indentation must have their default
    /// values, because the manifest does not store them. Files of an earlier run that the new manifest does not list
    /// remain; ``leftovers(in:nextTo:)`` returns them.
    ///
    /// - Parameters:
    ///   - path: The directory, which is created if it does not exist.
    ///   - options: The format, the separator and the text for null, which are also stored in the manifest.
    ///   - store: A store that contains only the dataset. If ``needsStore`` is true, the rows are read from this store.
    ///   - willCommit: A closure that is called once after all files are written and before the first file is moved to
    ///     its path. If it throws an error, the directory is unchanged.
    /// - Returns: The manifest of the written files.
    /// - Throws: `InterchangeError` if writing fails or an option does not apply to directories, `CancellationError`,
    ///   and the error of `willCommit`.
    /// - Complexity: O(*n*) in the number of rows, in constant memory, on `ExportOptions.readers` threads.
    @discardableResult
    public func write(
        to path: String, options: ExportOptions, from store: (any PersistentStore)? = nil,
        willCommit: () throws -> Void = {}
    ) throws -> DatasetManifest {
        try Self.refuse(options)
        try checkStore(store)
        let exporter: DirectoryExporter
        if let store, needsStore {
            let names = producers.map(\.entity.name) + pairs.map(\.join.name)
            exporter = try DirectoryExporter(store: store, datasets: Set(names), options: options)
        } else {
            exporter = try DirectoryExporter(producers: producers, pairs: pairs, model: model, options: options)
        }
        return try exporter.run(
            to: path, willCommit: willCommit,
            manifestBytes: { try FixtureManifest(datasets: $0, description: description).json() })
    }

    /// Throws an error for options that the manifest does not store, because ``FixtureCheck`` would ignore them.
    private static func refuse(_ options: ExportOptions) throws(InterchangeError) {
        let isUsual =
            options.lineEnding == .lf && !options.quotesAll && !options.hasByteOrderMark && !options.escapesFormulas
            && !options.isPretty
        guard !isUsual else { return }
        throw InterchangeError(
            .unsupported,
            message: "a directory of fixtures must have the default line endings, quotes and layout of its format, "
                + "because the manifest cannot store others")
    }
}
