import Foundation
import StrataFixtureDatasets
import StrataPersistence

/// A store that rows are put into on their way to files, where files refer by what rows have and not by their numbers.
enum StagedFixtures {
    /// Hands on a store with the rows of a dataset; none where its files need none.
    ///
    /// - Parameters:
    ///   - dataset: The dataset.
    ///   - isCancelled: Asked every few thousand rows.
    ///   - body: Takes the store, which is gone when it returns.
    /// - Returns: What `body` returns.
    /// - Throws: What making and storing rows throws, and what `body` does.
    static func with<Result>(
        _ dataset: FixtureDataset, isCancelled: @escaping @Sendable () -> Bool,
        _ body: ((any PersistentStore)?) throws -> Result
    ) throws -> Result {
        guard dataset.needsStore else { return try body(nil) }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("strata-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // What is left behind in the temporary folder is the system's to remove.
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = PersistentStoreDescription.sqlite(at: folder.appendingPathComponent("rows.sqlite"))
        return try Stores.withContainer(store, dataset.model) { container in
            try dataset.store(in: container, isCancelled: isCancelled)
            return try body(container.coordinator.store)
        }
    }
}
