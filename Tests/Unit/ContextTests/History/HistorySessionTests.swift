import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataStoreKit
import StrataTestSupport
import StrataTesting
import Testing

@testable import StrataSQLite

/// SQLite's session extension, which records the changes of a connection; `nil` if the library lacks it.
///
/// SQLite's header declares it only for programs that define `SQLITE_ENABLE_SESSION`.
private struct SessionExtension {
    typealias Create =
        @convention(c) (OpaquePointer, UnsafePointer<CChar>, UnsafeMutablePointer<OpaquePointer?>) -> Int32
    typealias Attach = @convention(c) (OpaquePointer, UnsafePointer<CChar>?) -> Int32
    typealias Changeset =
        @convention(c) (
            OpaquePointer, UnsafeMutablePointer<Int32>, UnsafeMutablePointer<UnsafeMutableRawPointer?>
        ) -> Int32
    typealias Delete = @convention(c) (OpaquePointer) -> Void
    typealias Start = @convention(c) (UnsafeMutablePointer<OpaquePointer?>, Int32, UnsafeMutableRawPointer) -> Int32
    typealias Next = @convention(c) (OpaquePointer) -> Int32
    typealias Operation =
        @convention(c) (
            OpaquePointer, UnsafeMutablePointer<UnsafePointer<CChar>?>, UnsafeMutablePointer<Int32>,
            UnsafeMutablePointer<Int32>, UnsafeMutablePointer<Int32>
        ) -> Int32
    typealias Value = @convention(c) (OpaquePointer, Int32, UnsafeMutablePointer<OpaquePointer?>) -> Int32
    typealias Integer = @convention(c) (OpaquePointer?) -> Int64

    let create: Create
    let attach: Attach
    let changeset: Changeset
    let delete: Delete
    let start: Start
    let next: Next
    let operation: Operation
    let old: Value
    let new: Value
    let finish: Next
    let integer: Integer

    init?() {
        func symbol<Function>(_ name: String) -> Function? {
            dlsym(nil, name).map { unsafeBitCast($0, to: Function.self) }
        }
        guard let create: Create = symbol("sqlite3session_create"),
            let attach: Attach = symbol("sqlite3session_attach"),
            let changeset: Changeset = symbol("sqlite3session_changeset"),
            let delete: Delete = symbol("sqlite3session_delete"),
            let start: Start = symbol("sqlite3changeset_start"), let next: Next = symbol("sqlite3changeset_next"),
            let operation: Operation = symbol("sqlite3changeset_op"), let old: Value = symbol("sqlite3changeset_old"),
            let new: Value = symbol("sqlite3changeset_new"), let finish: Next = symbol("sqlite3changeset_finalize"),
            let integer: Integer = symbol("sqlite3_value_int64")
        else { return nil }
        (self.create, self.attach, self.changeset, self.delete) = (create, attach, changeset, delete)
        (self.start, self.next, self.operation, self.old) = (start, next, operation, old)
        (self.new, self.finish, self.integer) = (new, finish, integer)
    }

    /// Returns the changed rows of a session as texts: entity, identifier and kind of the change.
    func changes(of session: OpaquePointer, entities: Set<String>) -> Set<String> {
        var (size, bytes): (Int32, UnsafeMutableRawPointer?) = (0, nil)
        guard changeset(session, &size, &bytes) == 0, let bytes else { return [] }
        var iterator: OpaquePointer?
        guard start(&iterator, size, bytes) == 0, let iterator else { return [] }
        var found: Set<String> = []
        let row: Int32 = 100
        while next(iterator) == row {
            var (table, columns, kind, indirect): (UnsafePointer<CChar>?, Int32, Int32, Int32) = (nil, 0, 0, 0)
            guard operation(iterator, &table, &columns, &kind, &indirect) == 0, let table else { continue }
            var value: OpaquePointer?
            // The codes of SQLITE_INSERT, SQLITE_DELETE and SQLITE_UPDATE.
            let name = [18: "insert", 9: "delete", 23: "update"][kind] ?? "?"
            _ = kind == 18 ? new(iterator, 0, &value) : old(iterator, 0, &value)
            let entity = String(cString: table)
            if entities.contains(entity) { found.insert("\(name) \(entity) \(integer(value))") }
        }
        _ = finish(iterator)
        return found
    }
}

@Suite("The history, compared with SQLite's session extension")
struct HistorySessionTests {
    private static let session = SessionExtension()

    @Test(
        "the changes of random saves, batches and imports are those of a changeset",
        .enabled(if: session != nil, "the library has no session extension"), arguments: 0..<Seeds.count(3, all: 100))
    func random(seed: Int) async throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let folder = try TemporaryFolder()
        var description = PersistentStoreDescription.sqlite(at: folder.file("league.sqlite"))
        description.history = .changes
        let container = try PersistentContainer(model: try League.model(), description, mainQueue: .private)
        let sessions = try #require(Self.session)
        let store = try #require(container.coordinator.store as? SQLiteStore)
        _ = try container.batchInsert(Team.entity, records: try (1...4).map { try Self.team($0) })
        let token = try container.historyToken()
        var handle: OpaquePointer?
        try store.withWriter { connection in
            #expect(sessions.create(connection.handle, "main", &handle) == 0)
        }
        let session = try #require(handle)
        #expect(sessions.attach(session, nil) == 0)
        for step in 0..<40 {
            let id = Int64.random(in: 1...12, using: &random)
            let condition = FetchCondition.compare(.property("id"), .less, .constant(.integer(id)))
            switch Int.random(in: 0..<5, using: &random) {
            case 0: _ = try? container.batchInsert(Team.entity, records: [try Self.team(id)])
            case 1:
                _ = try? await container.backgroundContext.update(Team.self, id: try Self.team(id).id) {
                    $0.points += step + 1
                }
            case 2:
                _ = try container.batchUpdate(
                    "Team", where: condition, set: ["points": .constant(.integer(Int64(step)))])
            case 3:
                _ = try? await container.backgroundContext.transaction(mergePolicy: nil) {
                    try $0.delete(Team.self, id: try Self.team(id).id)
                }
            default:
                _ = try container.batchDelete("Team", where: .compare(.property("id"), .equal, .constant(.integer(id))))
            }
        }
        let expected = sessions.changes(of: session, entities: Set(container.model.entities.map(\.name)))
        sessions.delete(session)
        var net: [String: String] = [:]
        for try await transaction in container.history(after: token) {
            for change in transaction.changes {
                for id in try #require(change.identifiers) {
                    let row = "\(change.entity) \(id)"
                    net[row] =
                        switch (net[row], change.kind) {
                        case (nil, _): change.kind.rawValue
                        case ("insert", .delete): nil
                        case ("delete", .insert): "update"
                        case ("insert", _): "insert"
                        default: change.kind.rawValue
                        }
                }
            }
        }
        #expect(Set(net.map { "\($0.value) \($0.key)" }) == expected, "seed \(seed)")
        try container.close()
    }

    @Test("the commit of a program that records nothing is noticed, also after own saves")
    func foreignCommits() async throws {
        let folder = try TemporaryFolder()
        let url = folder.file("league.sqlite")
        var description = PersistentStoreDescription.sqlite(at: url)
        (description.history, description.announcesChanges) = (.changes, true)
        let own = try PersistentContainer(model: try League.model(), description, mainQueue: .private)
        var changes = try own.remoteChanges().makeAsyncIterator()
        _ = try own.batchInsert(Team.entity, records: [try Self.team(1)])
        let connection = try SQLiteConnection(path: url.path, access: .readWrite, busyTimeout: .seconds(5))
        try connection.run("UPDATE Team SET points = points + 1")
        connection.close()
        #expect(await changes.next()?.entities == Set(own.model.entities.map(\.name)))
        try own.close()
    }

    private static func team(_ id: Int64) throws -> Team {
        Team(id: try #require(TeamID(rawValue: id)), name: "T\(id)")
    }
}
