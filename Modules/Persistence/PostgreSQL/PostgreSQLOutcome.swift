#if PostgreSQL
import Foundation
import StrataCore

/// What becomes of a transaction whose commit got no answer: the server is asked by the transaction's number, on another connection.
///
/// postgresql.org/docs/15/functions-info.html#FUNCTIONS-PG-SNAPSHOT, `pg_xact_status`.
struct PostgreSQLOutcome {
    /// Gives the number of the transaction that asks.
    static let question = "pg_current_xact_id()::text"
    /// How long to wait before the server is asked again, in seconds.
    private static let pause = 0.02

    private let number: String?
    private let numbering: String?
    private let settings: PostgreSQLSettings

    /// - Parameters:
    ///   - number: The transaction's number, as ``question`` gave it.
    ///   - connection: The connection on which it was.
    ///   - settings: How the server is reached.
    init(of number: String?, on connection: PostgreSQLConnection, _ settings: PostgreSQLSettings) {
        self.number = number
        numbering = connection.numbering
        self.settings = settings
    }

    /// Waits, no longer than the busy timeout, until the server says that the transaction was committed.
    ///
    /// - Parameter lost: How the connection was lost.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/inputOutput`` where nothing was stored; `lost` where the server does not say.
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
                        "the connection was lost before the server committed; nothing was stored, and it can be done again",
                        path: settings.location)
                // The server works on it, or has not noticed yet that nobody waits for it.
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

    /// Why the server could not be asked.
    private struct NotReached: Error {
        let isTemporary: Bool
    }

    /// What the server says of the transaction; `nil` where it cannot know.
    private func status() throws -> String? {
        guard let number, let numbering else { return nil }
        do {
            let connection = try settings.connect(isOpening: false)
            defer { connection.close() }
            connection.findNumbering()
            // One that told it before tells it again, where the connection holds.
            guard let now = connection.numbering else { throw NotReached(isTemporary: true) }
            // A server that took another's place, or has failed, may give numbers once more that were given to transactions which it lost.
            guard now == numbering else { return nil }
            return try connection.text("SELECT pg_xact_status($1::text::xid8)", .string(number))
        } catch let error as PersistenceError {
            throw NotReached(isTemporary: error.code == .inputOutput)
        }
    }
}
#endif
