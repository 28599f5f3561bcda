import Foundation
import StrataInterchange
import StrataPersistence
import StrataStoreKit
import Synchronization

/// The run of `strata query --sql`.
struct SQLRun {
    /// The allowed time limits, in seconds; one day is longer than any practical value.
    private static let timeouts = 1...86_400

    private let arguments: ParsedArguments
    private let output: ResultOutput
    private let interruption: Interruption
    private let timeout: Int?
    private let query: SQLQuery
    /// A Boolean value that indicates whether the query was stopped because of the time limit.
    private let isLate: Atomic<Bool>.Reference

    init(_ arguments: ParsedArguments, _ output: ResultOutput, _ interruption: Interruption) throws {
        (self.arguments, self.output, self.interruption) = (arguments, output, interruption)
        for option in ["select", "where", "group-by", "having", "sort", "limit", "offset", "entity"]
        where arguments.value(option) != nil {
            throw arguments.usageError("--\(option) and --sql cannot be combined")
        }
        if arguments.has("distinct") { throw arguments.usageError("--distinct and --sql cannot be combined") }
        let timeout = try arguments.integer("timeout", in: Self.timeouts)
        self.timeout = timeout
        let isLate = Atomic<Bool>.Reference()
        self.isLate = isLate
        let isCancelled = interruption.isCancelled
        let end = timeout.map { ContinuousClock.now + .seconds($0) }
        query = SQLQuery(try arguments.required("sql"), parameters: try Self.parameters(arguments)) {
            if let end, ContinuousClock.now > end {
                isLate.value.store(true, ordering: .relaxed)
                return true
            }
            return isCancelled()
        }
    }

    private static func parameters(_ arguments: ParsedArguments) throws -> [String: StoredValue] {
        var parameters: [String: StoredValue] = [:]
        for text in arguments.allValues("param") {
            guard let sign = text.firstIndex(of: "="), sign != text.startIndex else {
                throw arguments.usageError("option --param: \"\(text)\" is not NAME=VALUE")
            }
            let value = String(text[text.index(after: sign)...])
            // Another spelling of a number, such as 007, is a text.
            let number = Int64(value).flatMap { String($0) == value ? $0 : nil }
            parameters[String(text[..<sign])] = number.map(StoredValue.integer) ?? .string(value)
        }
        return parameters
    }

    func run() throws {
        try ReadableStore.withContainer(arguments, keepsTexts: false) { container in
            guard let store = container.coordinator.store as? any SQLQueryable else {
                throw arguments.usageError(
                    "--sql can query only SQLite stores, PostgreSQL stores and files; use --select")
            }
            do {
                try output.write(interruption) { results in
                    try store.run(
                        query,
                        begin: { try results.begin($0.map { TextTable.Column(title: $0, isNumber: false) }) },
                        { values in
                            try results.write(values)
                            return .next
                        })
                }
            } catch let error as PersistenceError where error.code == .invalidRequest {
                throw arguments.usageError("option --sql: \(error.message)")
            } catch is CancellationError where isLate.value.load(ordering: .relaxed) {
                throw PersistenceError(
                    .locked, "the query was stopped after \(timeout ?? 0) seconds; use a longer --timeout")
            }
        }
    }
}

extension Atomic where Value == Bool {
    /// An atomic value that closures share.
    final class Reference: Sendable {
        let value = Atomic<Bool>(false)
    }
}
