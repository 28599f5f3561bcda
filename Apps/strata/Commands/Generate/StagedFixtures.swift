import Foundation
import StrataFixtureDatasets
import StrataPersistence
import StrataStoreKit

/// A temporary store for rows that are written to files whose references use keys instead of row numbers.
enum StagedFixtures {
    /// Passes a closure a temporary store with the rows of a dataset, or `nil` if its files do not need one.
    ///
    /// - Parameters:
    ///   - dataset: The dataset.
    ///   - isCancelled: A closure that is called every few thousand rows and returns whether to cancel.
    ///   - body: A closure that receives the store. The store is deleted when the closure returns.
    /// - Returns: The result of `body`.
    /// - Throws: The errors of generating and storing rows, and the errors of `body`.
    static func with<Result>(
        _ dataset: FixtureDataset, isCancelled: @escaping @Sendable () -> Bool,
        _ body: ((any PersistentStore)?) throws -> Result
    ) throws -> Result {
        guard dataset.needsStore else { return try body(nil) }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("strata-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // If the removal fails, the system removes the rest of the temporary folder.
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = PersistentStoreDescription.sqlite(at: folder.appendingPathComponent("rows.sqlite"))
        return try Stores.withContainer(store, dataset.model) { container in
            try dataset.store(in: container, isCancelled: isCancelled)
            return try body(container.coordinator.store)
        }
    }
}
