import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataStoreKit
import StrataTestSupport
import StrataTesting
import Testing

/// Writers and a consumer of one history in processes of their own, each of which is killed at a random moment.
@Suite("A history across kills")
struct HistoryKillTests {
    /// The count of changes that a writer makes if it is not killed before.
    private static let changes = 1000

    private static func container(_ path: String, author: String?) throws -> PersistentContainer {
        var description = PersistentStoreDescription.sqlite(at: URL(fileURLWithPath: path))
        description.busyTimeout = .seconds(60)
        description.author = author
        return try PersistentContainer(model: try League.model(), description, mainQueue: .private)
    }

    /// Ends the process by a signal after a number of milliseconds.
    private static func killSelf(after milliseconds: Int) {
        Thread.detachNewThread {
            Thread.sleep(forTimeInterval: Double(milliseconds) / 1000)
            kill(getpid(), SIGKILL)
        }
    }

    /// Inserts players by saves, and fans by batches, until all are inserted or the process is killed.
    private static func write(_ path: String, killedAfter milliseconds: Int?) async throws {
        let container = try container(path, author: "writer")
        if let milliseconds { killSelf(after: milliseconds) }
        for number in 0..<changes {
            if number.isMultiple(of: 3) {
                try container.batchInsert(into: "Fan") { inserter in
                    _ = try inserter.insert(values: [.string("Fan"), .null], location: RowLocation(line: 1, record: 1))
                }
            } else {
                _ = try await container.backgroundContext.performTransaction { context in
                    _ = try context.insert(Player.self) { Player(id: $0, name: "Ann") }
                }
            }
        }
        kill(getpid(), SIGKILL)
    }

    /// Inserts a team for each transaction of the history; returns at the end of the history.
    private static func consume(_ container: PersistentContainer) async throws {
        let consumer = try container.historyConsumer("counter", author: "writer")
        while try await consumer.next(
            limit: 7,
            { transactions, unit in
                for transaction in transactions {
                    _ = try unit.insert(Team.self) {
                        Team(id: $0, name: "T\(transaction.token.number)", points: transaction.changes.count)
                    }
                }
            })
        {}
    }

    @Test("each change is in the history and is consumed exactly once, although writers and consumers are killed")
    func kills() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("shared.sqlite").path
        try PersistentContainer.setHistory(
            .changes, of: .sqlite(at: folder.file("shared.sqlite")), model: League.model())
        let own = try Self.container(path, author: "consumer")
        _ = try own.historyConsumer("counter", author: "writer")
        let rounds = Seeds.count(3, all: 334)
        for round in 0..<rounds {
            let (first, second) = (Int.random(in: 1...120), Int.random(in: 1...120))
            async let killedWriter: ExitTest.Result? = #expect(processExitsWith: .signal(SIGKILL)) {
                [path = path as String, first = first as Int] in
                try await HistoryKillTests.write(path, killedAfter: first)
            }
            async let otherWriter: ExitTest.Result? = #expect(processExitsWith: .signal(SIGKILL)) {
                [path = path as String, second = (round.isMultiple(of: 10) ? 60_000 : second) as Int] in
                try await HistoryKillTests.write(path, killedAfter: second)
            }
            async let killedConsumer: ExitTest.Result? = #expect(processExitsWith: .signal(SIGKILL)) {
                [path = path as String, second = second as Int] in
                HistoryKillTests.killSelf(after: second)
                let container = try HistoryKillTests.container(path, author: "consumer")
                while true {
                    do { try await HistoryKillTests.consume(container) } catch let error as PersistenceError
                        where [.conflict, .locked].contains(error.code)
                    {}
                    try await Task.sleep(for: .milliseconds(1))
                }
            }
            _ = await (killedWriter, otherWriter, killedConsumer)
        }
        try await Self.consume(own)
        let players = try await own.backgroundContext.fetch(FetchRequest<Player>()).map { "Player \($0.id.rawValue)" }
        let fans = try await own.backgroundContext.fetch(FetchRequest<Fan>()).map { "Fan \($0.id.rawValue)" }
        let teams = try await own.backgroundContext.fetch(FetchRequest<Team>()).map(\.name)
        var (inserted, transactions): ([String], [String]) = ([], [])
        for try await transaction in own.history(after: nil, author: "writer") {
            transactions.append("T\(transaction.token.number)")
            for change in transaction.changes where change.kind == .insert {
                inserted += (change.identifiers.map(Array.init) ?? []).map { "\(change.entity) \($0)" }
            }
        }
        #expect(inserted.sorted() == (players + fans).sorted())
        #expect(teams.sorted() == transactions.sorted())
        #expect(!players.isEmpty && !fans.isEmpty)
        try own.close()
    }
}
