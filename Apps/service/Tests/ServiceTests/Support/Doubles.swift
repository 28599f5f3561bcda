import Foundation
import StrataPersistence
import Synchronization

@testable import Service

/// A context whose units of work all fail.
struct FailingContext: RecordContext {
    let error: any Error

    func transaction<Result: Sendable>(
        mergePolicy: MergePolicy?, _ body: @Sendable (any RecordTransaction) throws -> Result
    ) async throws -> Result {
        throw error
    }

    func transactionReportingChanges<Result: Sendable>(
        mergePolicy: MergePolicy?, _ body: @Sendable (any RecordTransaction) throws -> Result
    ) async throws -> (result: Result, changes: SavedChanges) {
        throw error
    }
}

/// A context that never answers, until its task is canceled.
struct SilentContext: RecordContext {
    func transaction<Result: Sendable>(
        mergePolicy: MergePolicy?, _ body: @Sendable (any RecordTransaction) throws -> Result
    ) async throws -> Result {
        try await Task.sleep(for: .seconds(1_000_000))
        throw CancellationError()
    }
}

struct ProbeDouble: StoreProbe {
    var error: (any Error)?

    func check() async throws {
        if let error { throw error }
    }
}

struct TransferDouble: RecordTransfer {
    var error: (any Error)?

    func importRecords(into entity: String, file: URL, onConflict: ConflictAction) async throws -> ImportCounts {
        if let error { throw error }
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        return ImportCounts(inserted: lines.count)
    }
}

struct HistoryDouble: ChangeHistory {
    func newestToken() async throws -> HistoryToken {
        guard let token = HistoryToken("00000000-0000-0000-0000-000000000001:0:0") else { throw CancellationError() }
        return token
    }
    func transactions(after token: HistoryToken, limit: Int) async throws -> [HistoryTransaction] { [] }
    func signals() -> AsyncStream<Void> { AsyncStream { $0.finish() } }
}
