import Foundation
import Testing

/// Tests that messages identify rows by the keys of their files.
@Suite("Names of rows in messages")
struct RowNameTests {
    private let folder = TemporaryFolder()

    private func strata(_ words: String...) throws -> Tool.Result { try Tool.debug.run(words, in: folder) }

    private static let model = """
        {"resources":[{"name":"land","path":"land.csv","schema":{"fields":[{"name":"code","type":"string"},
        {"name":"size","type":"integer","constraints":{"minimum":0}}],"primaryKey":["code"]}},
        {"name":"city","path":"city.csv","schema":{"fields":[{"name":"land","type":"string","constraints":{"required":true}},
        {"name":"no","type":"integer"}],"primaryKey":["land","no"],"foreignKeys":[{"fields":["land"],
        "reference":{"resource":"land","fields":["code"]},"strata:inverse":"cities","strata:inverseDeleteRule":"deny"}]}}]}
        """

    private func prepare() throws {
        try folder.write(Self.model, to: "m.json")
        try folder.write("code,size\nde,1\nat,2\n", to: "land.csv")
        try folder.write("land,no\nat,7\nde,7\nde,8\n", to: "city.csv")
        try strata("import", "-q", "land.csv", "city.csv", "--model", "m.json", "--store", "s").expect(status: 0)
    }

    @Test("the errors of update and delete identify rows by their keys", arguments: ["s.sqlite"])
    func changes(_ store: String) throws {
        try prepare()
        let denied = try strata("delete", "--entity", "land", "--store", "s", "--where", "code = 'at'")
        denied.expect(status: 65)
        #expect(denied.errors.contains("Land code “at”, cities: "))
        let taken = try strata(
            "update", "--entity", "land", "--store", "s", "--where", "code = 'at'", "--set", "code = 'de'")
        taken.expect(status: 65)
        #expect(taken.errors.contains("Land.code: code “at”: another object already has this value"))
        let pair = try strata("update", "--entity", "city", "--store", "s", "--where", "no = 8", "--set", "no = 7")
        pair.expect(status: 65)
        #expect(pair.errors.contains("land “de”, no 8: another object"))
    }

    @Test("an import error identifies a record by line and column, not by an internal row number")
    func imports() throws {
        try prepare()
        let result = try strata("import", "land.csv", "--store", "s")
        result.expect(status: 65)
        #expect(result.errors.contains("land.csv:2: record 1, column code: another object already has this value"))
    }

    @Test("the faults of a check identify rows by key, in text and JSON")
    func check() throws {
        try prepare()
        try strata("copy", "-q", "--store", "s", "--to", "s.stxml").expect(status: 0)
        let text = try folder.text("s.stxml")
        try folder.write(text.replacing("<size>2</size>", with: "<size>-2</size>"), to: "s.stxml")
        let result = try strata("check", "--store", "s.stxml")
        result.expect(status: 65)
        #expect(result.output.hasPrefix("Land code “at” size: is less than 0\n"))
        let json = try strata("check", "--store", "s.stxml", "--format", "json").output
        #expect(json.contains("{\"_row\":2,\"attribute\":\"size\",\"entity\":\"Land\",\"key\":{\"code\":\"at\"},"))
        #expect(!json.contains("\"id\""))
    }
}
