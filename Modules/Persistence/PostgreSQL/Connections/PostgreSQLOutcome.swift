#if PostgreSQL
import Foundation
import StrataCore

/// The outcome of a transaction for whose commit the server sent no answer.
///
/// It is read on another connection by the identifier of the transaction
/// (postgresql.org/docs/15/functions-info.html#FUNCTIONS-PG-SNAPSHOT, `pg_xact_status`).
struct PostgreSQLOutcome {
    /// The expression that returns the identifier of the current transaction.
    static let question = "pg_current_xact_id()::text"
    /// The pause between two queries for the outcome, in seconds.
    private static let pause = 0.02

    private let number: String?
    private let numbering: String?
    private let settings: PostgreSQLSettings

    /// - Parameters:
    ///   - number: The identifier of the transaction, which ``question`` returned.
    ///   - connection: The connection on which the transaction ran.
    ///   - settings: The settings of the connection.
    init(of number: String?, on connection: PostgreSQLConnection, _ settings: PostgreSQLSettings) {
        self.number = number
        numbering = connection.numbering
        self.settings = settings
    }

    /// Waits until the server reports that the transaction was committed; the maximum time is the busy timeout.
    ///
    /// - Parameter lost: The error that reported the loss of the connection during the commit.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/inputOutput`` if the transaction was not
    ///   committed; `lost` if the server does not report the outcome in time.
    func find(after lost: PersistenceError) throws {
        let clock = ContinuousClock()
        let deadline = clock.now + settings.busyTimeout
        repeat {
            do {
                switch try status() {
                case "committed": return
                case "aborted":
                    throw PersistenceError(
                        .inputOutput,
                        "the connection was lost before the server committed; nothing was stored; retry",
                        path: settings.location)
                // The server still works on the commit, or has not noticed the loss of the connection yet.
                case "in progress": break
                default: throw lost
                }
            } catch let error as NotReached {
                guard error.isTemporary else { throw lost }
            }
            Thread.sleep(forTimeInterval: Self.pause)
        } while clock.now < deadline
        throw lost
    }

    /// An error of the query for the outcome, after which the query is repeated.
    private struct NotReached: Error {
        let isTemporary: Bool
    }

    /// Returns the status of the transaction that the server reports, or `nil` if the server does not know the
    /// transaction.
    private func status() throws -> String? {
        guard let number, let numbering else { return nil }
        do {
            let connection = try settings.connect(isOpening: false)
            defer { connection.close() }
            connection.findNumbering()
            // A server that reported its history before reports it again, unless the connection fails.
            guard let now = connection.numbering else { throw NotReached(isTemporary: true) }
            // After the promotion of a standby server or a crash, the server may reuse identifiers of transactions that
            // it lost.
            guard now == numbering else { return nil }
            return try connection.text("SELECT pg_xact_status($1::text::xid8)", .string(number))
        } catch let error as PersistenceError {
            throw NotReached(isTemporary: error.code == .inputOutput)
        }
    }
}
#endif
