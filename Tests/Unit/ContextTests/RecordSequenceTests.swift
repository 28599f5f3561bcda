import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataStoreKit
import Testing

/// Loops over sequences of records.
@Suite("Record sequences")
struct RecordSequenceTests {
    struct Broken: Error {}

    @Test(
        "a long record sequence returns its records in order, and each loop starts from the first record",
        arguments: StoreKind.allCases)
    func loops(_ kind: StoreKind) async throws {
        let stack = try kind.league()
        try await stack.background.performTransaction { context in
            for number in 1...3000 { _ = try context.insert(Team.self) { Team(id: $0, name: "T", points: number) } }
        }
        let teams = stack.background.stream(FetchRequest<Team>(sort: [SortKey(\.points)]))
        for _ in 1...2 {
            var points: [Int] = []
            for try await team in teams { points.append(team.points) }
            #expect(points == Array(1...3000))
        }
        var first: Int?
        for try await team in teams {
            first = team.points
            break
        }
        #expect(first == 1)
        try stack.container.close()
    }

    @Test("a record sequence ends after it has thrown an error")
    func error() async throws {
        let team = Team(id: try #require(TeamID(rawValue: 1)), name: "Reds")
        let sequence = RecordSequence<Team>(batches: {
            let count = Guarded(0)
            return {
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                if number == 2 { throw Broken() }
                return [team]
            }
        })
        var records = sequence.makeAsyncIterator()
        #expect(try await records.next() == team)
        await #expect(throws: Broken.self) { _ = try await records.next() }
        #expect(try await records.next() == nil)
    }

    /// A record whose number is at most 299.
    private struct Bounded: PersistentRecord {
        let id: LibraryID
        var number: Int

        static let entity = RecordEntity<Bounded>("Bounded", id: \.id, [.attribute("number", \.number)]) { row in
            let bounded = Bounded(id: try row.id(), number: try row.next())
            if bounded.number > 299 { throw Broken() }
            return bounded
        }
    }

    // Two batches have 192 records; the error in the third batch is found while the second is used.
    @Test(
        "an error in a batch that was read ahead is thrown after the records of the earlier batches",
        arguments: StoreKind.allCases)
    func errorAhead(_ kind: StoreKind) async throws {
        let stack = try kind.stack(try ManagedObjectModel(records: [Bounded.self]))
        var changes = ChangeSet()
        changes["Bounded"].insertions = (1...600).map { .init(id: $0, values: [.integer($0)]) }
        #expect(try stack.container.coordinator.store.save(changes).isEmpty)
        var records = stack.background.stream(FetchRequest<Bounded>(sort: [SortKey(\.number)])).makeAsyncIterator()
        var numbers: [Int] = []
        let error = await #expect(throws: PersistenceError.self) {
            while let record = try await records.next() { numbers.append(record.number) }
        }
        #expect(error?.code == .unreadable && error?.id == 300)
        #expect(numbers == Array(1...192))
        #expect(try await records.next() == nil)
        try stack.container.close()
    }

    // Two batches have 192 records; the next row is read when the loop is left.
    @Test("a record sequence stops reading ahead when its loop is left", arguments: StoreKind.allCases)
    func leftAhead(_ kind: StoreKind) async throws {
        let (stack, store) = try kind.hooked(try League.model())
        try await stack.background.performTransaction { context in
            for number in 1...600 { _ = try context.insert(Team.self) { Team(id: $0, name: "T", points: number) } }
        }
        let isLeft = DispatchSemaphore(value: 0)
        let rows = Guarded(0)
        store.beforeRow.withLock { hook in
            hook = { number in
                if number == 193 { isLeft.wait() }
                rows.withLock { $0 = number }
            }
        }
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        store.afterCursor.withLock { $0 = { end.finish() } }
        func leave() async throws {
            for try await team in stack.background.stream(FetchRequest<Team>(sort: [SortKey(\.points)])) {
                if team.points == 100 { break }
            }
        }
        try await leave()
        isLeft.signal()
        for await _ in ends {}
        #expect(rows.withLock { $0 } == 193)
        try stack.container.close()
    }

    @Test(
        "a record sequence releases its connection when its loop is left while rows are read",
        arguments: StoreKind.allCases)
    func left(_ kind: StoreKind) async throws {
        let stack = try kind.league()
        try await stack.background.performTransaction { context in
            for number in 1...2000 { _ = try context.insert(Team.self) { Team(id: $0, name: "T", points: number) } }
        }
        // These are more loops than there are connections.
        for _ in 1...30 {
            var last = 0
            for try await team in stack.background.stream(FetchRequest<Team>(sort: [SortKey(\.points)])) {
                last = team.points
                if last == 100 { break }
            }
            #expect(last == 100)
        }
        #expect(try await stack.background.count(FetchRequest<Team>()) == 2000)
        try stack.container.close()
    }
}
