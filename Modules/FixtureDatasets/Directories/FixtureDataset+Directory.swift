public import StrataCore
import StrataFixtures
public import StrataInterchange

extension FixtureDataset {
    /// Writes a directory: a file for each entity, and a manifest that says what made them.
    ///
    /// Files are put in their places when all are whole, the manifest first; what else is in the directory stays. The manifest is one of
    /// `DatasetManifest` with the description under ``FixtureManifest/key``, so that ``FixtureCheck`` can make the files again.
    ///
    /// - Parameters:
    ///   - path: The directory, which is made where there is none.
    ///   - options: How the files are written: format, separator and what stands for null, which the manifest keeps.
    ///   - store: A store that has nothing but the dataset; where ``needsStore`` says so, files are written from it.
    ///   - willCommit: Called once when all files are written and before the first is put in its place; what it throws ends the writing,
    ///     and everything is as it was.
    /// - Returns: What was written.
    /// - Throws: `InterchangeError` when writing fails or for options that a directory does not have, `CancellationError`.
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

    /// Refuses what the manifest does not keep: ``FixtureCheck`` would make other files of it.
    private static func refuse(_ options: ExportOptions) throws(InterchangeError) {
        let isUsual =
            options.lineEnding == .lf && !options.quotesAll && !options.hasByteOrderMark && !options.escapesFormulas
            && !options.isPretty
        guard !isUsual else { return }
        throw InterchangeError(
            .unsupported,
            message: "a directory of fixtures has its format's usual line endings, quotes and layout: its manifest "
                + "keeps no others")
    }
}
