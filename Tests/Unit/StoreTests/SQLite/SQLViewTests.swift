import Foundation
import StrataModelFiles
import StrataTestSupport
import StrataTesting
import Testing

@testable import StrataCore
@testable import StrataSQL
@testable import StrataSQLite
@testable import StrataStoreKit

/// The views for people who query the database directly.
@Suite("Views")
struct SQLViewTests {
    /// Teams with numbers in any order, matches with two key values, players that refer to both, and a table without a
    /// key.
    private static let model = """
        {"resources":[
        {"name":"team","path":"team.csv","strata:order":"file","schema":{"fields":[{"name":"id","type":"integer"},
         {"name":"Name (kurz)","type":"string"},{"name":"fee","type":"number","strata:scale":2},
         {"name":"share","type":"number","strata:scale":18},{"name":"count","type":"number","strata:scale":0}],
         "primaryKey":["id"]},"strata:links":[{"name":"rivals","resource":"team","inverse":"rivalOf"}]},
        {"name":"match","path":"match.csv","strata:ids":"own","schema":{"fields":[{"name":"home","type":"integer"},
         {"name":"no","type":"integer"},{"name":"at","type":"datetime","strata:type":"date"},{"name":"day","type":"date"}],
         "primaryKey":["home","no"],"foreignKeys":[{"fields":["home"],"reference":{"resource":"team","fields":["id"]}}]}},
        {"name":"player","path":"player.csv","schema":{"fields":[{"name":"id","type":"integer"},
         {"name":"match_home","type":"integer"},{"name":"match_no","type":"integer"}],"primaryKey":["id"],
         "foreignKeys":[{"fields":["match_home","match_no"],"reference":{"resource":"match","fields":["home","no"]}}]}},
        {"name":"note","path":"note.csv","strata:ids":"own","schema":{"fields":[{"name":"text","type":"string"},
         {"name":"TEXT","type":"string"}]}},
        {"name":"Team_view","path":"view.csv","schema":{"fields":[{"name":"id","type":"integer"}],"primaryKey":["id"]}}
        ]}
        """

    private let folder: TemporaryFolder
    private let store: SQLiteStore

    init() throws {
        folder = try TemporaryFolder()
        store = try SQLiteStore.open(
            at: folder.file("s.sqlite"), model: try ModelFile(json: Array(Self.model.utf8)).model)
        let least = ScaledDecimal(unscaled: .min, scale: 0)
        func decimal(_ units: Int64, _ scale: UInt8) -> StoredValue {
            .decimal(ScaledDecimal(unscaled: units, scale: scale))
        }
        func date(_ text: String) throws -> StoredValue { try AttributeType.date.coding.parse(text) }
        var changes = ChangeSet()
        changes["Team"].insertions = [
            .init(
                id: 30,
                values: [.string("a"), decimal(-5, 2), decimal(.min, 18), .decimal(least), .integer(1)]),
            .init(id: 10, values: [.string("b'\""), decimal(.min, 2), decimal(1, 18), decimal(7, 0), .integer(2)]),
            .init(id: 20, values: [.null, .null, .null, .null, .integer(3)]),
        ]
        changes["Match"].insertions = [
            .init(id: 1, values: [.integer(30), .integer(5), try date("2001-02-03T04:05:06.12Z"), .null]),
            .init(id: 2, values: [.integer(10), .integer(5), try date("1955-12-31T23:59:59.999Z"), .null]),
            .init(id: 3, values: [.integer(10), .integer(6), try date("1969-12-31T23:59:59Z"), .null]),
        ]
        changes["Player"].insertions = [
            .init(id: 1, values: [.integer(3)]), .init(id: 2, values: [.null]), .init(id: 3, values: [.integer(1)]),
        ]
        changes["Note"].insertions = [.init(id: 1, values: [.string("x"), .string("y")])]
        #expect(try store.save(changes).isEmpty)
        try store.writeRows {
            try $0.insert(
                JoinRow(JoinPair(source: 10, target: 30)), of: "Team_rivals", location: RowLocation(line: 1, record: 1))
        }
    }

    private func connection() throws -> SQLiteConnection {
        try SQLiteConnection(path: store.url.path, access: .readWrite, busyTimeout: .seconds(5))
    }

    private func rows(_ view: String, _ connection: SQLiteConnection) throws -> [String] {
        let names = try connection.texts("SELECT name FROM pragma_table_info(?)", .string(view))
        let list = names.map { "coalesce(CAST(\(SQLLayout.quoted($0)) AS TEXT), '')" }.joined(separator: " || ',' || ")
        return [names.joined(separator: ",")]
            + (try connection.texts("SELECT \(list) FROM \(SQLLayout.quoted(view)) ORDER BY 1"))
    }

    @Test("a view has external names, keys and formatted texts")
    func contents() throws {
        let connection = try connection()
        defer { connection.close() }
        #expect(
            try rows("Team_view_2", connection) == [
                "id,Name (kurz),fee,share,count",
                "10,b'\",-92233720368547758.08,0.000000000000000001,7", "20,,,,",
                "30,a,-0.05,-9.223372036854775808,-9223372036854775808",
            ])
        #expect(
            try rows("Match_view", connection) == [
                "home,no,at,day", "10,5,1955-12-31T23:59:59.999Z,", "10,6,1969-12-31T23:59:59Z,",
                "30,5,2001-02-03T04:05:06.12Z,",
            ])
        #expect(try rows("Player_view", connection) == ["id,match_home,match_no", "1,10,6", "2,,", "3,30,5"])
        #expect(try rows("Note_view", connection) == ["_row,text,TEXT_2", "1,x,y"])
        #expect(try rows("Team_rivals_view", connection) == ["team_id,team_id_2", "10,30"])
        #expect(
            try connection.texts(
                "SELECT name || ':' || entity || ':' || coalesce(relationship, '') FROM strata_views ORDER BY 1")
                == [
                    "Match_view:Match:", "Note_view:Note:", "Player_view:Player:", "Team_rivals_view:Team:rivals",
                    "Team_view_2:Team:", "Team_view_view:Team_view:",
                ])
    }

    @Test("a check reports views that were dropped or changed, and a repair rebuilds them")
    func checked() throws {
        let url = store.url
        try store.close()
        let connection = try connection()
        try connection.execute(
            "DROP VIEW \"Note_view\"; DROP VIEW \"Match_view\"; CREATE VIEW \"Match_view\" AS SELECT 1 AS a")
        connection.close()
        func check(repairs: Bool) throws -> [String] {
            var messages: [String] = []
            var options = StoreCheckOptions()
            options.repairs = repairs
            _ = try SQLiteStore.check(at: url, model: store.model, options: options) { messages.append($0.message) }
            return messages
        }
        #expect(
            try check(repairs: false).sorted() == [
                "the view Match_view differs from the model", "the view Note_view differs from the model",
            ])
        _ = try check(repairs: true)
        #expect(try check(repairs: false).isEmpty)
    }

    @Test("opening a store for writing rebuilds the store's views and keeps foreign views")
    func opened() throws {
        let url = store.url
        try store.close()
        var other = try connection()
        try other.execute("DROP VIEW \"Note_view\"; CREATE VIEW mine AS SELECT * FROM \"Player_view\"")
        other.close()
        let reopened = try SQLiteStore.open(at: url, model: store.model)
        try reopened.close()
        other = try connection()
        defer { other.close() }
        #expect(try rows("Note_view", other).count == 2)
        #expect(try rows("mine", other).count == 4)
    }

    @Test("a migration changes tables with views, and creates the views of the new model")
    func migrated() throws {
        let url = store.url
        try store.close()
        let later = try ModelFile(
            json: Array(
                Self.model.replacing("\"name\":\"no\"", with: "\"name\":\"number\",\"strata:renamedFrom\":[\"no\"]")
                    .replacing("[\"home\",\"no\"]", with: "[\"home\",\"number\"]").utf8)
        ).model
        try SQLiteStore.open(at: url, model: later).close()
        let connection = try connection()
        defer { connection.close() }
        #expect(try rows("Match_view", connection)[0] == "home,number,at,day")
        #expect(try rows("Player_view", connection) == ["id,match_home,match_no", "1,10,6", "2,,", "3,30,5"])
    }

    @Test("opening a store of an earlier format creates views, and stores opened earlier throw storeMigrated")
    func upgraded() throws {
        let connection = try connection()
        for name in try connection.texts("SELECT name FROM strata_views") {
            try connection.execute("DROP VIEW \(SQLLayout.quoted(name))")
        }
        try connection.execute("DROP TABLE strata_views; PRAGMA user_version = 2")
        #expect(try store.count(StoreRequest("Note")) == 1)
        let roots = try connection.texts(
            "SELECT name || rootpage FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'strata%'")
        let reader = try SQLiteStore.open(at: store.url, model: store.model, isReadOnly: true)
        #expect(try reader.count(StoreRequest("Note")) == 1)
        try reader.close()
        #expect(try connection.number("PRAGMA user_version") == 2)
        let newer = try SQLiteStore.open(at: store.url, model: store.model)
        #expect(try connection.number("PRAGMA user_version") == 3)
        #expect(
            try connection.texts(
                "SELECT name || rootpage FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'strata%'") == roots)
        #expect(try newer.count(StoreRequest("Note")) == 1)
        let error = #expect(throws: PersistenceError.self) { try store.count(StoreRequest("Note")) }
        #expect(error?.code == .storeMigrated)
        try newer.close()
        connection.close()
    }
}
