import Dispatch
import Foundation
import StrataDomain
import StrataPersistence
import StrataRepositories
import Synchronization

/// A program that looks up or changes employees by identifier, on one thread per connection, and prints the operations
/// per second.
///
/// Usage: server-clients lookup|update|transaction CONNECTION SCHEMA ROWS THREADS SECONDS
@main
struct ServerClients {
    private let work: Work
    private let container: PersistentContainer
    private let rows: Int64
    private let threads: Int
    private let duration: Duration

    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 7, let work = Work(rawValue: arguments[1]), let rows = Int64(arguments[4]),
            let threads = Int(arguments[5]), let seconds = Int64(arguments[6]), threads > 0, rows >= threads
        else {
            FileHandle.standardError.write(
                Data("usage: server-clients lookup|update|transaction CONNECTION SCHEMA ROWS THREADS SECONDS\n".utf8))
            exit(64)
        }
        let container = try PersistentContainer(
            model: try ReferenceModel.model(),
            .postgreSQL(arguments[2], schema: arguments[3], poolSize: threads), mainQueue: .private)
        let clients = ServerClients(
            work: work, container: container, rows: rows, threads: threads, duration: .seconds(seconds))
        print(Int(try clients.run()))
        try container.close()
    }

    /// Runs all threads for the same duration and returns their total count of operations per second.
    private func run() throws -> Double {
        let results = Mutex<[Result<Double, any Error>]>([])
        let (ready, done) = (DispatchGroup(), DispatchGroup())
        for _ in 0..<threads { ready.enter() }
        for number in 0..<threads {
            done.enter()
            Thread.detachNewThread {
                let client = Client(
                    context: container.newBackgroundContext(), duration: duration,
                    ids: IdentifierWalk(first: Int64(number), step: Int64(threads), rows: rows))
                let result = Result {
                    // Connects, prepares the statements, and waits for the other clients.
                    try client.work(work) {
                        ready.leave()
                        ready.wait()
                    }
                }
                results.withLock { $0.append(result) }
                done.leave()
            }
        }
        done.wait()
        return try results.withLock { try $0.map { try $0.get() } }.reduce(0, +)
    }
}
