import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Synchronization
import Testing

@testable import StrataSQLite

/// The faults that a check finds in a store that another program changed, and the repairs.
@Suite("Checks of stores")
struct StoreCheckTests {
    /// A club, which has one to two members and any number of badges.
    struct Club: PersistentRecord {
        let id: LibraryID
        var name: String
        var founded: Date?

        static let members = ToMany<Club, Member>(
            "members", to: "Member", inverse: "club", isOptional: false, minimumCount: 1, maximumCount: 2)
        static let badges = ToMany<Club, Badge>("badges", to: "Badge", inverse: "clubs")
        static let entity = RecordEntity<Club>(
            "Club", id: \.id,
            [
                .attribute("name", \.name, rules: [.minimumLength(1)], isUnique: true),
                .attribute("founded", \.founded, isIndexed: true), .relationship(members), .relationship(badges),
            ]
        ) { Club(id: try $0.id(), name: try $0.next(), founded: try $0.next()) }
    }

    /// A member, whose initializer rejects values that the model allows.
    struct Member: PersistentRecord {
        let id: LibraryID
        var rank: Int16
        var isActive: Bool
        var club: LibraryID?

        static let entity = RecordEntity<Member>(
            "Member", id: \.id,
            [
                .attribute("rank", \.rank), .attribute("isActive", \.isActive),
                .toOne("club", \.club, to: "Club", inverse: "members"),
            ]
        ) { row in
            let member = Member(
                id: try row.id(), rank: try row.next(), isActive: try row.next(), club: try row.next())
            if member.rank == 13 { throw Unlucky() }
            return member
        }
    }

    struct Unlucky: Error, CustomStringConvertible {
        var description: String { "13 is no rank" }
    }

    struct Badge: PersistentRecord {
        let id: LibraryID

        static let clubs = ToMany<Badge, Club>("clubs", to: "Club", inverse: "badges")
        static let entity = RecordEntity<Badge>("Badge", id: \.id, [.relationship(clubs)]) { Badge(id: try $0.id()) }
    }

    private static func model() throws -> ManagedObjectModel {
        try ManagedObjectModel(records: [Club.self, Member.self, Badge.self])
    }

    private let folder: TemporaryFolder
    var file: URL { folder.file("store.sqlite") }

    /// Creates clubs 1 and 2, members 1, 2 and 3, and badges 1 and 2 of club 1.
    init() throws {
        folder = try TemporaryFolder()
        let stack = try PersistentContainer(
            model: try Self.model(), .sqlite(at: folder.file("store.sqlite")), mainQueue: .private)
        try stack.backgroundContext.performAndWait { context in
            let first = try context.insert(Club(id: 1, name: "Chess", founded: nil))
            try context.insert(Club(id: 2, name: "Rowing", founded: Date(timeIntervalSinceReferenceDate: 0)))
            try context.insert(Member(id: 1, rank: 1, isActive: true, club: 1))
            try context.insert(Member(id: 2, rank: 2, isActive: false, club: 1))
            try context.insert(Member(id: 3, rank: 3, isActive: true, club: 2))
            let badges = try [1, 2].map { try context.insert(Badge(id: $0)) }
            try context.set(badges, as: \.badges, of: first)
            try context.save()
        }
        try stack.close()
    }

    func spoil(_ sql: String) throws {
        let connection = try SQLiteConnection(path: file.path, access: .readWrite, busyTimeout: .zero)
        defer { connection.close() }
        try connection.execute("PRAGMA foreign_keys = OFF; PRAGMA legacy_alter_table = ON; \(sql)")
    }

    func check(repairing: Bool = false) throws -> (faults: [String], summary: StoreCheckSummary) {
        var options = StoreCheckOptions()
        options.repairs = repairing
        var faults: [String] = []
        let summary = try PersistentContainer.check(
            model: try Self.model(), .sqlite(at: file), options: options
        ) { faults.append("\($0)") }
        #expect(summary.faultCount == faults.count)
        return (faults, summary)
    }

    /// Returns the faults that a check finds.
    func found(repairing: Bool = false) throws -> [StoreFault] {
        var options = StoreCheckOptions()
        options.repairs = repairing
        var faults: [StoreFault] = []
        try PersistentContainer.check(model: try Self.model(), .sqlite(at: file), options: options) {
            faults.append($0)
        }
        return faults
    }

    @Test("a check of an intact store finds no fault and changes no byte")
    func whole() throws {
        let before = try Data(contentsOf: file)
        let (faults, summary) = try check()
        #expect(faults == [] && summary.rowCount == 9 && summary.repairs == [])
        #expect(try check(repairing: true).faults == [])
        #expect(try Data(contentsOf: file) == before)
        #expect(try folder.url.filesInside() == ["store.sqlite"])
    }

    @Test("a check with a model that differs from the store's model only in external names finds no fault")
    func otherFiles() throws {
        var entities = try Self.model().entities
        let badge = try #require(entities.lastIndex { $0.name == "Badge" })
        entities[badge] = EntityDescription(
            "Badge", entities[badge].relationships.map { .relationship($0) }, external: ExternalForm(name: "medals"))
        var faults: [StoreFault] = []
        try PersistentContainer.check(model: try ManagedObjectModel(entities), .sqlite(at: file)) { faults.append($0) }
        #expect(faults == [])
    }

    @Test(
        "a check reports each fault, and a repair rebuilds data that can be derived", arguments: StoreCheckTests.cases)
    func faults(_ spoiled: Case) throws {
        try spoil(spoiled.sql)
        #expect(try check().faults.sorted() == spoiled.faults.sorted())
        let repaired = try check(repairing: true)
        #expect(repaired.summary.repairs == spoiled.repairs)
        #expect(repaired.faults.sorted() == (spoiled.left ?? spoiled.faults).sorted())
        #expect(
            try check().faults.sorted() == (spoiled.left ?? spoiled.faults).sorted(), "a second check says the same")
        guard spoiled.left == [] else { return }
        let container = try PersistentContainer(model: try Self.model(), .sqlite(at: file), mainQueue: .private)
        #expect(try container.coordinator.store.reserveIdentifiers(1, of: "Club") == 3...3)
        try container.close()
    }

    @Test("a repair rebuilds a wrong index, but not a unique index whose table contains duplicate values")
    func damagedIndex() throws {
        // The text is in the table and in its unique index; they differ if only one of them is changed.
        var data = try Data(contentsOf: file)
        let places = data.ranges(of: Data("Rowing".utf8)).map(\.lowerBound)
        try #require(places.count == 2)
        for (place, text) in [(places[0], "Boxing"), (places[1], "Boxing")] {
            var damaged = data
            damaged.replaceSubrange(place..<place + 6, with: Data(text.utf8))
            try damaged.write(to: file)
            let faults = try check().faults
            #expect(!faults.isEmpty && faults.allSatisfy { $0.hasPrefix("Club: SQLite's check: ") }, "\(faults)")
            #expect(faults.contains { $0.contains("sqlite_autoindex_Club_1") })
            let repaired = try check(repairing: true)
            #expect(
                repaired.faults == [] && repaired.summary.repairs.contains("rebuilt the index sqlite_autoindex_Club_1"))
            #expect(try check().faults == [])
        }
        try spoil(
            "UPDATE Club SET name = 'Bowing' WHERE id = 2; INSERT INTO Club VALUES (3, 1, 'Rowing', NULL); "
                + "DROP INDEX Member_club")
        data = try Data(contentsOf: file)
        // This changes the text in the table only, whichever of the two positions that is.
        let place = try #require(
            data.ranges(of: Data("Bowing".utf8)).map(\.lowerBound).first { place in
                var damaged = data
                damaged.replaceSubrange(place..<place + 6, with: Data("Rowing".utf8))
                try? damaged.write(to: file)
                return (try? check().faults.contains { $0.hasPrefix("Club 3 name: ") }) ?? false
            })
        _ = place
        let faults = try check().faults
        #expect(faults.contains("Club 3 name: Club 2 has this value too, but the attribute is unique"), "\(faults)")
        let repaired = try check(repairing: true)
        #expect(
            repaired.summary.failures.contains {
                $0.hasPrefix("cannot rebuild the index sqlite_autoindex_Club_1: another object already has this value")
            }, "\(repaired.summary.failures)")
        #expect(!repaired.summary.repairs.contains { $0.hasPrefix("cannot") })
        // The indexes that were rebuilt before the failure stay rebuilt.
        #expect(repaired.summary.repairs.contains("rebuilt the index Member_club of Member"))
        #expect(try found(repairing: true).allSatisfy { !$0.isRepairable })
        #expect(repaired.faults.contains("Club 3 name: Club 2 has this value too, but the attribute is unique"))
    }

    @Test("the current format number and older format numbers are valid")
    func formats() {
        #expect((-1...5).filter { SQLiteFormat.isKnown($0, upTo: 3) } == [1, 2, 3])
        #expect(SQLiteFormat.isKnown(Int64(SQLiteFormat.version)))
    }

    @Test("an open store can be checked, but not repaired")
    func openElsewhere() throws {
        try spoil("DROP INDEX Member_club")
        let container = try PersistentContainer(model: try Self.model(), .sqlite(at: file), mainQueue: .private)
        #expect(try check().faults == ["Member: the index Member_club is missing"])
        var options = StoreCheckOptions()
        options.repairs = true
        var description = PersistentStoreDescription.sqlite(at: file)
        description.busyTimeout = .zero
        let error = #expect(throws: PersistenceError.self) {
            try PersistentContainer.check(model: try Self.model(), description, options: options) { _ in }
        }
        #expect(error?.code == .locked)
        #expect(
            error?.message == "another process or connection has the store open, but a repair requires exclusive "
                + "access")
        try container.close()
        #expect(try check(repairing: true).faults == [])
    }

    @Test("a canceled check throws, and a canceled repair is rolled back", arguments: [false, true])
    func cancelled(repairing: Bool) throws {
        try spoil("DROP INDEX Member_club")
        let before = try Data(contentsOf: file)
        var options = StoreCheckOptions()
        options.repairs = repairing
        let looks = Mutex(0)
        if repairing {
            options.willCommit = { throw CancellationError() }
        } else {
            try spoil(
                "WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) INSERT INTO Badge SELECT i, 1 FROM n"
            )
            options.isCancelled = {
                looks.withLock { looks in
                    looks += 1
                    return looks > 1
                }
            }
        }
        // The cancellation is not reported as a fault of the file.
        #expect(throws: CancellationError.self) {
            try PersistentContainer.check(model: try Self.model(), .sqlite(at: file), options: options) {
                #expect($0.kind == .index, "\($0)")
            }
        }
        if repairing { #expect(try Data(contentsOf: file) == before) }
    }

    @Test("a check throws at whichever of its cancellation tests the caller cancels")
    func cancelledAtAnyLook() throws {
        try spoil(
            "WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) INSERT INTO Badge SELECT i, 1 FROM n"
        )
        func looks(cancelledAt place: Int) throws -> Int {
            let looks = Mutex(0)
            var options = StoreCheckOptions()
            options.isCancelled = {
                looks.withLock { looks in
                    looks += 1
                    return looks == place
                }
            }
            try PersistentContainer.check(model: try Self.model(), .sqlite(at: file), options: options) { _ in }
            return looks.withLock { $0 }
        }
        let all = try looks(cancelledAt: 0)
        #expect(all > 10)
        for place in 1...all {
            #expect(throws: CancellationError.self, "look \(place)") { try looks(cancelledAt: place) }
        }
    }

    @Test("the reported progress covers all rows, in both passes of a repair")
    func progress() throws {
        try spoil(
            "DROP INDEX Member_club; WITH RECURSIVE n(i) AS (SELECT 3 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) INSERT INTO Badge SELECT i, 1 FROM n"
        )
        for repairs in [false, true] {
            let steps = Mutex<[StoreCheckProgress]>([])
            var options = StoreCheckOptions()
            options.repairs = repairs
            options.progress = { step in steps.withLock { $0.append(step) } }
            try PersistentContainer.check(model: try Self.model(), .sqlite(at: file), options: options) { _ in }
            let seen = steps.withLock { $0 }
            #expect(seen.map(\.rows) == seen.map(\.rows).sorted() && seen.count > 3)
            #expect(Set(seen.map(\.totalRows)) == [(repairs ? 2 : 1) * 5007])
            #expect(try #require(seen.last).rows > (repairs ? 9000 : 4000))
        }
    }

    @Test("a check rejects a foreign file, another model, a missing store and an in-memory store")
    func refused() throws {
        func code(_ description: PersistentStoreDescription) -> PersistenceError.Code? {
            #expect(throws: PersistenceError.self) {
                try PersistentContainer.check(model: try Self.model(), description) { _ in }
            }?.code
        }
        #expect(code(.sqlite(at: folder.file("no.sqlite"))) == .storeNotFound)
        let later = try ManagedObjectModel(try Self.model().entities + [EntityDescription("Medal", [])])
        let error = #expect(throws: PersistenceError.self) {
            try PersistentContainer.check(model: later, .sqlite(at: file)) { _ in }
        }
        #expect(error?.code == .incompatibleModel && error?.path == file.path)
        try Data(
            "not a store, but longer than the hundred bytes that the header of a SQLite database file has, with some text"
                .utf8
        )
        .write(to: folder.file("text"))
        #expect(code(.sqlite(at: folder.file("text"))) == .notADatabase)
        try spoil("UPDATE strata_metadata SET value = replace(value, 'Badge', 'Medal') WHERE key LIKE 'model%'")
        #expect(code(.sqlite(at: file)) == .corrupt)
        try spoil("DROP TABLE strata_metadata")
        #expect(code(.sqlite(at: file)) == .corrupt)
        #expect(code(.inMemory) == .invalidRequest)
    }

    @Test("an error thrown by the caller's closure ends the check")
    func thrown() throws {
        try spoil("UPDATE Member SET club = 9")
        var count = 0
        #expect(throws: Unlucky.self) {
            try PersistentContainer.check(model: try Self.model(), .sqlite(at: file)) { _ in
                count += 1
                throw Unlucky()
            }
        }
        #expect(count == 1)
    }
}

extension URL {
    fileprivate func filesInside() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    }
}
