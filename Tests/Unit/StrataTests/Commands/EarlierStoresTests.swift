import Foundation
import StrataTestSupport
import Testing

/// Stores of the build of November 2026, whose identifiers could not be file keys in any order.
@Suite("Stores of an earlier build")
struct EarlierStoresTests {
    private static let stores = ["earlier.sqlite", "earlier.stxml", "earlier.stbin"]
    private static let source = Checkout.root.appendingPathComponent("Tests/Packages/Stores/earlier")
    private static let datasets = ["city", "country", "invoice", "line", "member", "person", "pet", "team"]

    private let folder = TemporaryFolder()

    private func strata(_ words: String...) throws -> Tool.Result { try Tool.debug.run(words, in: folder) }

    private func copied(_ store: String) throws {
        try FileManager.default.copyItem(
            at: Self.source.appendingPathComponent(store), to: folder.url.appendingPathComponent(store))
    }

    private func expectExports(of store: String) throws {
        try strata("export", "-q", "--all", "--store", store, "--output", "all").expect(status: 0)
        for dataset in Self.datasets {
            let expected = try String(
                contentsOf: Self.source.appendingPathComponent("csv/\(dataset).csv"), encoding: .utf8)
            #expect(try folder.text("all/\(dataset).csv") == expected)
        }
        try FileManager.default.removeItem(atPath: folder.path("all"))
    }

    @Test(
        "commands that read an old store use the column names of the files and do not change the store",
        arguments: stores)
    func reading(_ store: String) throws {
        try copied(store)
        let before = try folder.data(store)
        try expectExports(of: store)
        func export(_ entity: String, _ condition: String) throws -> Tool.Result {
            try strata("export", "--entity", entity, "--store", store, "--where", condition)
        }
        #expect(try export("team", "id = 30").output == "id,name,budget,founded\n30,Red,-12.50,2001-02-03\n")
        #expect(try export("team", "_row = 1").output == "id,name,budget,founded\n30,Red,-12.50,2001-02-03\n")
        #expect(
            try export("member", "team_id = 20").output == "id,name,team_id,joined\n1,Ann,20,2024-05-06T07:08:09.120Z\n"
        )
        #expect(try export("city", "country_code = 'at'").output == "name,country_code\nWien,at\nGraz,at\n")
        #expect(try export("line", "year = 2020 and no = 7").output == "id,year,no,text\n1,2020,7,paper\n")
        let number = try export("team", "id2 = 30")
        number.expect(status: 64)
        #expect(number.errors.contains("write \"id\""))
        try strata("check", "--store", store).expect(status: 0)
        #expect(try folder.data(store) == before)
    }

    @Test("an update of a store with an old format preserves its rows and raises its format number", arguments: stores)
    func writing(_ store: String) throws {
        try copied(store)
        let path = folder.path(store)
        func number() throws -> UInt8 {
            let data = try folder.data(store)
            switch store {
            case "earlier.sqlite": return data[63]
            case "earlier.stbin": return data[8]
            default:
                let text = String(decoding: data.prefix(100), as: UTF8.self)
                return text.contains("format=\"2\"") ? 2 : text.contains("format=\"1\"") ? 1 : 0
            }
        }
        let before = try number()
        try strata("update", "-q", "--entity", "team", "--set", "name = 'Rot'", "--where", "id = 30", "--store", store)
            .expect(status: 0)
        try strata("update", "-q", "--entity", "team", "--set", "name = 'Red'", "--where", "id = 30", "--store", store)
            .expect(status: 0)
        #expect(try number() == (store == "earlier.sqlite" ? 3 : 2))
        #expect(try number() > before)
        try expectExports(of: store)
        try strata("check", "--store", store).expect(status: 0)
        try folder.write("id,name\n5,Neu\n", to: "team.csv")
        try strata("import", "-q", "team.csv", "--store", store).expect(status: 0)
        let last = try strata("export", "--entity", "team", "--store", store).output
        #expect(last.hasSuffix("5,Neu,,\n"))
        #expect(FileManager.default.fileExists(atPath: path))
    }

    @Test("a copy of an old store into any kind of store has the same rows", arguments: stores, stores)
    func copies(_ store: String, _ other: String) throws {
        try copied(store)
        try strata("copy", "-q", "--store", store, "--to", "copy-" + other).expect(status: 0)
        try expectExports(of: "copy-" + other)
    }

    @Test("a copy of an old store uses the key columns of the files as row identifiers", arguments: stores, stores)
    func layouts(_ store: String, _ other: String) throws {
        try copied(store)
        let result = try strata("copy", "--store", store, "--to", "copy-" + other)
        result.expect(status: 0)
        #expect(result.errors == "the copy uses the keys of files as the identifiers of its rows: Pet, Team\n")
        let numbered = try strata("export", "--entity", "team", "--store", "copy-" + other, "--where", "_row = 1")
        #expect(numbered.status == 64)
        try expectExports(of: "copy-" + other)
        try strata("check", "--store", "copy-" + other).expect(status: 0)
        // A copy with the store's own model equals the store.
        try strata("copy", "--store", store, "--to", "same-" + other, "--model", store).expect(status: 0)
        let kept = try strata("export", "--entity", "team", "--store", "same-" + other, "--where", "_row = 1")
        #expect(kept.output == "id,name,budget,founded\n30,Red,-12.50,2001-02-03\n")
    }

    @Test("a copy does not use a key column as row identifiers if one of its values is not a valid identifier")
    func unfit() throws {
        try copied("earlier.sqlite")
        try folder.write("id,name\n0,Zero\n", to: "team.csv")
        try strata("import", "-q", "team.csv", "--store", "earlier.sqlite").expect(status: 0)
        let result = try strata("copy", "--store", "earlier.sqlite", "--to", "copy.sqlite")
        #expect(result.errors == "the copy uses the keys of files as the identifiers of its rows: Pet\n")
        let teams = try strata("export", "--entity", "team", "--store", "copy.sqlite", "--where", "_row = 4")
        #expect(teams.output == "id,name,budget,founded\n0,Zero,,\n")
    }
}
