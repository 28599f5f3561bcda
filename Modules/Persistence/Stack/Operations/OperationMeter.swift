import Foundation
import StrataCore
import StrataStoreKit

/// The reports of one store's operations to an observer.
struct OperationMeter: Sendable {
    private let observer: any OperationObserver
    private let system: String
    private let file: String?

    /// Creates the reports of a store of a kind, which may be in a file.
    init(_ observer: any OperationObserver, kind: String, url: URL?) {
        self.observer = observer
        (system, file) = (kind.lowercased(), url?.lastPathComponent)
    }

    /// Runs and reports an operation.
    ///
    /// - Parameters:
    ///   - kind: The kind of the operation.
    ///   - entity: The name of the entity or join table.
    ///   - explain: A closure that explains the operation's statement.
    ///   - work: The operation, which adds the count of its rows to its argument.
    /// - Returns: The result of the operation.
    /// - Throws: The error of the operation.
    func report<Result>(
        _ kind: StoreOperation.Kind, _ entity: String?,
        explain: (@Sendable () throws -> StatementExplanation?)?, _ work: (inout Int) throws -> Result
    ) throws -> Result {
        let operation = StoreOperation(kind: kind, system: system, file: file, entity: entity)
        let token = observer.operationDidBegin(operation)
        let start = ContinuousClock.now
        var rows = 0
        let (result, wait) = ConnectionWait.measuring { Swift.Result { try work(&rows) } }
        var failure: (any Error)?
        if case .failure(let error) = result { failure = error }
        observer.operationDidEnd(
            token,
            OperationOutcome(
                operation: operation, duration: .now - start, wait: wait, rows: rows, error: failure,
                explain: explain))
        return try result.get()
    }
}
