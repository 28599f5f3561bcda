import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

import struct PersistenceTestSupport.Tag

private struct Word: PersistentRecord {
    let id: LibraryID
    var word: String
    var note: String

    static let entity = RecordEntity<Word>(
        "Word", id: \.id, rawID: \LibraryID.rawValue,
        [.attribute("word", \.word).preservedAfterDeletion(), .attribute("note", \.note)]
    ) { Word(id: try $0.id(), word: try $0.next(), note: try $0.next()) }
}

@Suite("The history of a store")
struct HistoryTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func description(_ kind: StoreKind, _ level: HistoryLevel? = .changes) -> PersistentStoreDescription {
        var description = PersistentStoreDescription(kind.provider(in: folder, named: "store"))
        description.history = level
        description.author = "tester"
        return description
    }

    private func league(_ description: PersistentStoreDescription) throws -> PersistentContainer {
        try PersistentContainer(model: try League.model(), description, mainQueue: .private)
    }

    @Test(
        "containers that turn the history of a new store on at the same time all open it",
        arguments: StoreKind.withHistory)
    func concurrentOpening(_ kind: StoreKind) async throws {
        let (description, model) = (description(kind), try League.model())
        let containers = try await withThrowingTaskGroup(of: PersistentContainer.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    try await PersistentContainer.load(model: model, description, mainQueue: .private)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        for container in containers {
            #expect(try container.coordinator.store.requiredHistoryLevel() == .changes)
            try container.close()
        }
    }

    /// Returns the transactions after a token, as soon as there are at least `count` of them.
    ///
    /// On a server, the transactions of other tests delay the history.
    private static func read(
        _ container: PersistentContainer, after token: HistoryToken?, entities: Set<String>? = nil,
        author: String? = nil, count: Int = 0
    ) async throws -> [HistoryTransaction] {
        for _ in 0..<2_000 {
            var found: [HistoryTransaction] = []
            for try await transaction in container.history(after: token, entities: entities, author: author) {
                found.append(transaction)
            }
            if found.count >= count { return found }
            try await Task.sleep(for: .milliseconds(10))
        }
        Issue.record("the history has fewer than \(count) transactions")
        return []
    }

    /// Returns the token after a number of transactions.
    private static func token(_ container: PersistentContainer, after count: Int) async throws -> HistoryToken {
        try #require(try await read(container, after: nil, count: count).last?.token)
    }

    /// Processes transactions as soon as there are some.
    private static func next(
        _ consumer: HistoryConsumer, limit: Int = 100,
        _ body: @escaping @Sendable ([HistoryTransaction], any RecordTransaction) throws -> Void
    ) async throws -> Bool {
        for _ in 0..<2_000 {
            if try await consumer.next(limit: limit, body) { return true }
            try await Task.sleep(for: .milliseconds(10))
        }
        return false
    }

    /// Returns the changes as short texts.
    private static func texts(_ transactions: [HistoryTransaction]) -> [String] {
        transactions.flatMap(\.changes).map { change in
            let ids = change.identifiers.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0)" } ?? "*"
            let target = change.target.map { "-\($0)" } ?? ""
            let columns = change.columns.map { " " + $0.joined(separator: ",") } ?? ""
            return "\(change.kind) \(change.entity) \(ids)\(target)\(columns)"
        }
    }

    private func player(_ name: String, _ id: Int64, team: TeamID? = nil) throws -> Player {
        Player(id: try #require(PlayerID(rawValue: id)), name: name, team: team)
    }

    @Test(
        "each way of writing is one transaction with its rows, columns, author and context",
        arguments: StoreKind.withHistory)
    func writers(_ kind: StoreKind) async throws {
        let container = try league(description(kind))
        let start = try container.historyToken()
        let context = container.newBackgroundContext(name: "desk")
        let team = try await context.performTransaction { context in
            let team = try context.insert(Team.self) { Team(id: $0, name: "Red") }
            return team.id
        }
        var (ann, ben) = (try player("Ann", 70, team: team), try player("Ben", 71, team: team))
        _ = try container.batchInsert(Player.entity, records: [ann, ben, try player("Cyd", 90)])
        _ = try await context.update(Player.self, id: ann.id) {
            $0.name = "Abe"
            $0.number = 4
        }
        _ = try container.batchUpdate(
            "Player", where: .compare(.property("id"), .less, .constant(.integer(80))),
            set: ["isActive": .constant(.boolean(false))])
        // The delete rule of the team removes the references of its players.
        _ = try await context.transaction(mergePolicy: nil) { try $0.delete(FetchRequest<Team>()) }
        _ = try container.batchDelete("Player", where: .compare(.property("id"), .equal, .constant(.integer(90))))
        let transactions = try await Self.read(container, after: start, count: 6)
        #expect(
            transactions.map { Self.texts([$0]).sorted() } == [
                ["insert Team \(team.rawValue)"],
                ["insert Player 70...71", "insert Player 90"],
                ["update Player 70 name,number"],
                ["update Player 70...71 isActive"],
                ["delete Team \(team.rawValue)", "update Player 70...71 team"],
                ["delete Player 90"],
            ])
        #expect(transactions.map(\.author) == Array(repeating: "tester", count: 6))
        #expect(transactions.map { $0.context?.hasPrefix("desk") } == [true, nil, true, nil, true, nil])
        #expect(transactions.allSatisfy { abs($0.date.timeIntervalSinceNow) < 3600 && !$0.process.isEmpty })
        #expect(transactions.map(\.token) == transactions.map(\.token).sorted())
        #expect(try container.historyToken() == transactions.last?.token)
        (ann, ben) = (ben, ann)
        try container.close()
    }

    @Test("reading selects entities and authors, and continues after any token", arguments: StoreKind.withHistory)
    func reading(_ kind: StoreKind) async throws {
        var description = description(kind)
        let container = try league(description)
        description.author = nil
        let other = try league(description)
        for (number, container) in [container, other, container].enumerated() {
            _ = try container.batchInsert(Player.entity, records: [try player("Ann", Int64(number + 1))])
        }
        _ = try await other.backgroundContext.performTransaction { context in
            _ = try context.insert(Team.self) { Team(id: $0, name: "Red") }
        }
        let all = try await Self.read(container, after: nil, count: 4)
        #expect(all.map(\.author) == ["tester", nil, "tester", nil])
        #expect(try await Self.read(container, after: nil, author: "tester").count == 2)
        #expect(try await Self.read(container, after: nil, entities: ["Team"]) == [all[3]])
        #expect(try await Self.read(container, after: nil, entities: []).isEmpty)
        for (index, transaction) in all.enumerated() {
            let text = transaction.token.description
            let token = try #require(HistoryToken(text))
            #expect(try await Self.read(container, after: token) == Array(all[(index + 1)...]))
        }
        for container in [container, other] { try container.close() }
    }

    @Test("rolled back, conflicting and empty work leaves no history", arguments: StoreKind.withHistory)
    func silent(_ kind: StoreKind) async throws {
        let container = try league(description(kind))
        let ann = try player("Ann", 1)
        _ = try container.batchInsert(Player.entity, records: [ann])
        let token = try await Self.token(container, after: 1)
        let context = container.newBackgroundContext()
        try await context.perform { context in
            try context.existingObject(with: ann.id, of: Player.self).name = "Abe"
            context.rollback()
            try context.save()
        }
        _ = try container.batchUpdate("Player", set: ["name": .constant(.string("Dry"))], dryRun: true)
        #expect(throws: PersistenceError.self) { try container.batchInsert(Player.entity, records: [ann]) }
        try await context.perform { try $0.existingObject(with: ann.id, of: Player.self).name = "Mine" }
        _ = try await container.backgroundContext.update(Player.self, id: ann.id) { $0.name = "Theirs" }
        await #expect(throws: PersistenceError.self) { try await context.perform { try $0.save() } }
        #expect(Self.texts(try await Self.read(container, after: token, count: 1)) == ["update Player 1 name"])
        try container.close()
    }

    @Test("join rows of saves are changes, and those of an import are summarized", arguments: StoreKind.withHistory)
    func joins(_ kind: StoreKind) async throws {
        let container = try PersistentContainer(
            model: try Library.model(), description(kind), mainQueue: .private)
        let context = container.backgroundContext
        let (book, tag) = try await context.performTransaction { context in
            let book = try context.insert(Book.self) { Book(id: $0, title: "Iliad") }
            let tag = try context.insert(Tag.self) { Tag(id: $0, word: "epic") }
            try context.add(tag, of: book, through: Book.tags)
            return (book.id, tag.id)
        }
        let token = try await Self.token(container, after: 1)
        try await context.performTransaction { context in
            let book = try context.existingObject(with: book, of: Book.self)
            let tag = try context.existingObject(with: tag, of: Tag.self)
            try context.remove(tag, of: book, through: Book.tags)
        }
        let join = try #require(
            container.model.joins.first { $0.sourceEntity == "Book" || $0.targetEntity == "Book" }?.name)
        let all = Self.texts(try await Self.read(container, after: nil, count: 2))
        #expect(all.contains { $0.hasPrefix("joinAdded \(join)") })
        let removed = Self.texts(try await Self.read(container, after: token))
        #expect(removed.contains { $0.hasPrefix("joinRemoved \(join)") && $0.contains("-") })
        try container.close()
    }

    @Test(
        "with values, updates and deletions keep what rows had before; they can be erased",
        arguments: StoreKind.withHistory)
    func values(_ kind: StoreKind) async throws {
        let container = try league(description(kind, .values))
        _ = try container.batchInsert(Player.entity, records: [try player("Ann", 1), try player("Ben", 2)])
        let context = container.backgroundContext
        let token = try await Self.token(container, after: 1)
        let ann = try #require(PlayerID(rawValue: 1))
        _ = try await context.update(Player.self, id: ann) { $0.name = "Abe" }
        _ = try container.batchUpdate("Player", set: ["name": .constant(.string("X"))])
        _ = try await context.transaction(mergePolicy: nil) { try $0.delete(Player.self, id: ann) }
        _ = try container.batchDelete("Player")
        let changes = try await Self.read(container, after: token, count: 4).flatMap(\.changes)
        #expect(changes.map { $0.before["name"] } == ["Ann", "Abe", "Ben", "X", "X"].map { .string($0) })
        #expect(changes[3].before["salary"] != nil && changes[0].before.count == 1)
        #expect(try container.deleteHistory(of: ann, Player.self) == 3)
        let erased = try await Self.read(container, after: token).flatMap(\.changes)
        #expect(erased.map { $0.before["name"] } == [nil, nil, .string("Ben"), nil, .string("X")])
        #expect(erased.map(\.identifiers) == changes.map(\.identifiers))
        try container.close()
    }

    @Test("an attribute that is marked so is preserved after deletion", arguments: StoreKind.withHistory)
    func preserved(_ kind: StoreKind) async throws {
        let container = try PersistentContainer(
            model: try ManagedObjectModel(records: [Word.self]), description(kind), mainQueue: .private)
        let id = try #require(LibraryID(rawValue: 3))
        _ = try container.batchInsert(Word.entity, records: [Word(id: id, word: "epic", note: "old")])
        _ = try await container.backgroundContext.transaction(mergePolicy: nil) { try $0.delete(Word.self, id: id) }
        let last = try await Self.read(container, after: nil, count: 2).last
        #expect(last?.changes.map(\.before) == [["word": .string("epic")]])
        try container.close()
    }

    @Test(
        "a token of another history, or before a deletion, is an error that says what to do",
        arguments: StoreKind.withHistory)
    func tokens(_ kind: StoreKind) async throws {
        var description = description(kind)
        let container = try league(description)
        for id in 1...4 { _ = try container.batchInsert(Player.entity, records: [try player("P", Int64(id))]) }
        let tokens = try await Self.read(container, after: nil, count: 4).map(\.token)
        func code(_ token: HistoryToken?) async -> PersistenceError.Code? {
            do {
                _ = try await Self.read(container, after: token)
                return nil
            } catch { return (error as? PersistenceError)?.code }
        }
        let other = "\(UUID().uuidString):0:1"
        #expect(await code(HistoryToken(other)) == .otherStore)
        let parts = tokens[3].description.split(separator: ":")
        #expect(await code(HistoryToken("\(parts[0]):\(parts[1]):999999")) == .otherStore)
        #expect(HistoryToken("x") == nil && HistoryToken("\(UUID().uuidString):1") == nil)
        // The transaction of the token is kept.
        #expect(try container.deleteHistory(before: tokens[0]) == nil)
        #expect(try await Self.read(container, after: nil).count == 4)
        #expect(try container.deleteHistory(before: tokens[2]) == nil)
        #expect(try await Self.read(container, after: nil).map(\.token) == Array(tokens[2...]))
        #expect(await code(tokens[0]) == .historyExpired)
        #expect(await code(tokens[1]) == nil)
        try container.close()
        // Without a history, the errors say so.
        description.history = .off
        let without = try league(description)
        let error = #expect(throws: PersistenceError.self) { try without.historyToken() }
        #expect(error?.code == .notTracked)
        try without.close()
        // Numbers are not used again in a new history, and its epoch differs.
        description.history = .changes
        let again = try league(description)
        #expect(try again.historyToken().epoch != tokens[0].epoch)
        try again.close()
    }

    @Test("deletion stops at the slowest consumer unless it is forced", arguments: StoreKind.withHistory)
    func slowest(_ kind: StoreKind) async throws {
        let container = try league(description(kind))
        let slow = try container.historyConsumer("slow")
        for id in 1...4 { _ = try container.batchInsert(Player.entity, records: [try player("P", Int64(id))]) }
        let tokens = try await Self.read(container, after: nil, count: 4).map(\.token)
        _ = try await Self.next(slow, limit: 1) { _, _ in }
        #expect(try container.historyConsumers().map(\.token) == [tokens[0]])
        #expect(try container.deleteHistory(before: tokens[3])?.consumer == "slow")
        #expect(try await Self.read(container, after: nil).map(\.token) == Array(tokens[1...]))
        #expect(try container.deleteHistory(before: tokens[3], isForced: true) == nil)
        let error = await #expect(throws: PersistenceError.self) { try await slow.next { _, _ in } }
        #expect(error?.code == .historyExpired)
        try slow.remove()
        #expect(try container.historyConsumers().isEmpty)
        try container.close()
    }

    @Test("a consumer's changes and its position are one transaction", arguments: StoreKind.withHistory)
    func consumers(_ kind: StoreKind) async throws {
        struct Failure: Error {}
        let container = try league(description(kind))
        let consumer = try container.historyConsumer("counter", entities: ["Player"])
        for id in 1...3 { _ = try container.batchInsert(Player.entity, records: [try player("P", Int64(id))]) }
        @Sendable func count(_ transactions: [HistoryTransaction], _ unit: any RecordTransaction) throws {
            _ = try unit.insert(Team.self) { Team(id: $0, name: "T", points: transactions.count) }
        }
        // A failure leaves neither the change nor the position.
        await #expect(throws: Failure.self) {
            _ = try await Self.next(consumer) {
                try count($0, $1)
                throw Failure()
            }
        }
        #expect(try await Self.next(consumer, limit: 2) { try count($0, $1) })
        #expect(try await Self.next(consumer) { try count($0, $1) })
        #expect(try await !consumer.next { try count($0, $1) })
        let teams = try await container.backgroundContext.fetch(FetchRequest<Team>(sort: [SortKey(\.points)]))
        #expect(teams.map(\.points) == [1, 2])
        try container.close()
    }

    @Test(
        "only the unit of work moves a consumer, and it does not read its own transactions",
        arguments: StoreKind.withHistory)
    func ownWrites(_ kind: StoreKind) async throws {
        struct Failure: Error {}
        let container = try league(description(kind))
        let consumer = try container.historyConsumer("echo")
        _ = try container.batchInsert(Player.entity, records: [try player("Ann", 1)])
        // A batch inside the closure commits by itself; the failure after it leaves the position.
        await #expect(throws: Failure.self) {
            _ = try await Self.next(consumer) { _, _ in
                _ = try container.batchUpdate("Player", set: ["isActive": .constant(.boolean(false))])
                throw Failure()
            }
        }
        let read = Guarded<[Int]>([])
        while try await Self.read(container, after: container.historyConsumers()[0].token).contains(where: {
            $0.context == nil
        }) {
            _ = try await Self.next(consumer) { transactions, unit in
                read.withLock { $0.append(transactions.count) }
                _ = try unit.insert(Team.self) { Team(id: $0, name: "Echo") }
            }
        }
        #expect(read.withLock { $0.reduce(0, +) } == 2)
        #expect(try await !consumer.next { _, _ in })
        try container.close()
    }

    @Test("a consumer passes what it does not read, so that it can be deleted", arguments: StoreKind.withHistory)
    func filtered(_ kind: StoreKind) async throws {
        let container = try league(description(kind))
        let consumer = try container.historyConsumer("teams", entities: ["Team"])
        for id in 1...3 { _ = try container.batchInsert(Player.entity, records: [try player("Ann", Int64(id))]) }
        let last = try await Self.token(container, after: 3)
        #expect(try await !consumer.next { _, _ in })
        #expect(try container.historyConsumers().map(\.token) == [last])
        #expect(try container.deleteHistory(before: last) == nil)
        try container.close()
    }

    @Test("the join rows of deleted rows are in the history", arguments: StoreKind.withHistory)
    func deletedJoins(_ kind: StoreKind) async throws {
        let container = try PersistentContainer(
            model: try Library.model(), description(kind), mainQueue: .private)
        let context = container.backgroundContext
        try await context.performTransaction { context in
            for number in 0..<2 {
                let book = try context.insert(Book.self) { Book(id: $0, title: "Book \(number)") }
                let tag = try context.insert(Tag.self) { Tag(id: $0, word: "tag \(number)") }
                try context.add(tag, of: book, through: Book.tags)
            }
        }
        let token = try await Self.token(container, after: 1)
        try await context.performTransaction { context in
            let tag = try context.fetch(FetchRequest<Tag>()).first
            context.delete(try #require(tag))
        }
        _ = try container.batchDelete("Book")
        let join = try #require(
            container.model.joins.first { $0.sourceEntity == "Tag" || $0.targetEntity == "Tag" }?.name)
        let transactions = try await Self.read(container, after: token, count: 2)
        #expect(transactions.allSatisfy { Self.texts([$0]).contains("everything \(join) *") })
        try container.close()
    }

    @Test("a migration, an import with links and a copy keep the history consistent")
    func migration() async throws {
        let container = try league(description(.sqlite))
        _ = try container.batchInsert(Player.entity, records: [try player("Ann", 1)])
        let token = try container.historyToken()
        let copy = PersistentStoreDescription.sqlite(at: folder.file("copy"))
        try container.copyPersistentStore(to: copy)
        var bare = CopyOptions()
        bare.keepsHistory = false
        try container.copyPersistentStore(to: .sqlite(at: folder.file("bare")), options: bare)
        try container.close()
        let copied = try league(copy)
        #expect(try copied.historyLevel() == .changes)
        #expect(try await Self.read(copied, after: nil).count == 1)
        let error = await #expect(throws: PersistenceError.self) { try await Self.read(copied, after: token) }
        #expect(error?.code == .otherStore)
        try copied.close()
        let without = try league(.sqlite(at: folder.file("bare")))
        #expect(try without.historyLevel() == .off)
        try without.close()
        // The next version of the model has one attribute more.
        let entities = try League.model().entities.map { entity in
            guard entity.name == "Team" else { return entity }
            return EntityDescription(
                "Team", entity.properties + [.attribute(AttributeDescription("city", .string, isOptional: true))])
        }
        let next = try PersistentContainer(
            model: try ManagedObjectModel(entities), description(.sqlite), mainQueue: .private)
        let migrated = try await Self.read(next, after: token)
        #expect(migrated.count == 1 && Self.texts(migrated).contains("everything Team *"))
        try next.close()
        let header = try Data(contentsOf: folder.file("store"))
        #expect(header[63] == 4)
    }

    @Test("other kinds of stores say that they cannot keep a history", arguments: [StoreKind.inMemory, .xml, .binary])
    func refused(_ kind: StoreKind) throws {
        let error = #expect(throws: PersistenceError.self) { try league(description(kind)) }
        #expect(error?.code == .notTracked)
        let container = try league(description(kind, .off))
        #expect(try container.historyLevel() == .off)
        try container.close()
    }

    @Test(
        "a process that has the store open must open it again after the level changed", arguments: StoreKind.withHistory
    )
    func changedMeanwhile(_ kind: StoreKind) async throws {
        let description = description(kind, nil)
        let container = try league(description)
        _ = try container.batchInsert(Player.entity, records: [try player("Ann", 1)])
        try PersistentContainer.setHistory(.changes, of: description, model: try League.model())
        let error = #expect(throws: PersistenceError.self) {
            try container.batchInsert(Player.entity, records: [try player("Ben", 2)])
        }
        #expect(error?.code == .storeMigrated)
        try container.close()
        let again = try league(description)
        _ = try again.batchInsert(Player.entity, records: [try player("Ben", 2)])
        #expect(Self.texts(try await Self.read(again, after: nil, count: 1)) == ["insert Player 2"])
        try again.close()
    }

    @Test("contexts and observers of another container merge exactly the rows of the history")
    func merging() async throws {
        var following = description(.sqlite)
        following.announcesChanges = true
        let (own, other) = (try league(following), try league(description(.sqlite)))
        _ = try other.batchInsert(Player.entity, records: [try player("Ann", 1), try player("Ben", 2)])
        var changes = try own.remoteChanges().makeAsyncIterator()
        _ = try other.batchUpdate(
            "Player", where: .compare(.property("id"), .equal, .constant(.integer(2))),
            set: ["name": .constant(.string("Bob"))])
        #expect(await changes.next()?.entities == ["Player"])
        for container in [own, other] { try container.close() }
    }
}

extension PersistentStore {
    fileprivate func requiredHistoryLevel() throws -> HistoryLevel { try #require(history).level() }
}
