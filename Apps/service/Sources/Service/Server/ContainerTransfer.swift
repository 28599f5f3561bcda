import Dispatch
import Foundation
import StrataInterchange
import StrataPersistence
import StrataStoreKit
import Synchronization

/// The import into a container, on a queue of its own because it blocks a thread.
struct ContainerTransfer: RecordTransfer {
    /// The count of errors that a response contains.
    private static let maximumErrors = 100

    private struct Rejection: Error {}

    let container: PersistentContainer
    private let queue = DispatchQueue(label: "import")

    init(_ container: PersistentContainer) { self.container = container }

    func importRecords(
        into entity: String, file: URL, onConflict: ConflictAction
    ) async throws -> ImportCounts {
        let isCancelled = Mutex(false)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                queue.async {
                    continuation.resume(
                        with: Result {
                            try run(entity, file, onConflict: onConflict) { isCancelled.withLock { $0 } }
                        })
                }
            }
        } onCancel: {
            isCancelled.withLock { $0 = true }
        }
    }

    private func run(
        _ entity: String, _ file: URL, onConflict action: ConflictAction, isCancelled: @escaping @Sendable () -> Bool
    ) throws -> ImportCounts {
        var (errors, total) = ([InterchangeError](), 0)
        var options = ImportOptions(format: .ndjson)
        options.onConflict =
            switch action {
            case .abort: .abort
            case .ignore: .ignore
            case .replace: .replace
            case .update: .update
            }
        options.isCancelled = isCancelled
        // All errors are collected, and one error prevents the commit.
        options.onError = .reject
        options.onProblem = { problem in
            total += 1
            if errors.count < Self.maximumErrors { errors.append(problem.error) }
        }
        options.beforeCommit = { summary in
            if summary.rejected > 0 { throw Rejection() }
        }
        do {
            let importer = try DatasetImporter(entity: entity, container: container, options: options)
            let summary = try importer.run(try ByteInput(path: file.path))
            let counts = summary.files.map(\.counts)
            return ImportCounts(
                inserted: counts.reduce(0) { $0 + $1.inserted }, updated: counts.reduce(0) { $0 + $1.updated },
                ignored: counts.reduce(0) { $0 + $1.ignored })
        } catch is Rejection {
            throw ProblemTable.invalidImport(errors, total: total)
        }
    }
}
