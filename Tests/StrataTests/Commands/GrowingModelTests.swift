import Foundation
import Testing

@Suite("Imports that add to a store's model")
struct GrowingModelTests {
    private let folder = TemporaryFolder()

    private func run(_ line: String) throws -> Tool.Result {
        try Tool.debug.run(line.split(separator: " ").map(String.init), in: folder)
    }

    private func prepare() throws {
        try FileManager.default.createDirectory(atPath: folder.path("more"), withIntermediateDirectories: true)
        try folder.write("code,name\nx1,Ada\nx2,Grace\n", to: "people.csv")
        let result = try run("import people.csv --store s -q")
        try #require(result.status == 0, "\(result.errors)")
    }

    @Test("a dataset that the model does not have becomes an entity")
    func entity() throws {
        try prepare()
        try folder.write("city,inhabitants\nParis,2100000\nRome,2800000\n", to: "cities.csv")
        let refused = try run("import cities.csv --store s")
        refused.expect(status: 64)
        let result = try run("import cities.csv --store s --infer")
        result.expect(status: 0)
        #expect(
            result.errors == """
                added to the store's model:
                  Cities, with city, inhabitants
                imported 2 Cities records from cities.csv into s

                """)
        #expect(try run("export --store s --entity cities").output == folder.text("cities.csv"))
        #expect(try run("export --store s --entity people").output == folder.text("people.csv"))
        #expect(try run("check --store s").output == "ok\n")
    }

    @Test("new columns of a dataset become attributes, of which the old records have no value")
    func columns() throws {
        try prepare()
        try folder.write("code,name,phone\nx3,Alan,123\n", to: "more/people.csv")
        let result = try run("import more/people.csv --store s --infer")
        result.expect(status: 0)
        #expect(result.errors.hasPrefix("added to the store's model:\n  People.phone: integer64\n"))
        #expect(
            try run("export --store s --entity people").output == "code,name,phone\nx1,Ada,\nx2,Grace,\nx3,Alan,123\n")
        #expect(try run("check --store s").output == "ok\n")
        let again = try run("import more/people.csv --store s --infer --on-conflict ignore")
        #expect(again.status == 0 && again.errors.hasPrefix("the store's model has all of it already\n"))
    }

    @Test("what fails leaves the model as it was")
    func failing() throws {
        try prepare()
        let before = try folder.data("s")
        // The code is unique, and there already.
        try folder.write("code,name,phone\nx3,Alan,123\nx1,Ada,5\n", to: "more/people.csv")
        let result = try run("import more/people.csv --store s --infer")
        result.expect(status: 65)
        #expect(try run("model names s --entity people").output == "code\nname\n_row\n")
        #expect(try run("export --store s --entity people").output == folder.text("people.csv"))
        #expect(try folder.data("s") == before)
        try run("import more/people.csv --store s --infer --model s").expect(status: 64)
        try run("import more/people.csv --store s --infer --dry-run").expect(status: 64)
    }

    @Test(
        "a new dataset refers to rows of the store by their key, whichever is their identifier",
        arguments: [
            ("id,name\n0,Zero\n30,Red\n10,Blue\n", "id,name\n30,Red\n10,Blue\n"),
            ("id,name\n30,Red\n10,Blue\n", "id,name\n0,Zero\n30,Red\n10,Blue\n"),
        ])
    func references(_ stored: String, _ data: String) throws {
        try folder.write(stored, to: "team.csv")
        try run("import -q team.csv --store s").expect(status: 0)
        try folder.write(data, to: "team.csv")
        try folder.write("id,team_id\n1,10\n2,30\n3,\n", to: "score.csv")
        let line = "import -q team.csv score.csv --store s --infer --on-conflict update --on-error reject --rejects r"
        // 0 is no identifier: a store in which the key is the identifier rejects the row.
        try run(line).expect(status: stored.contains("Zero") ? 0 : 65)
        #expect(try run("model names s --entity score").output.split(separator: "\n").contains("team_id"))
        #expect(try run("export --store s --entity score").output == folder.text("score.csv"))
        let red = try Tool.debug.run(
            ["export", "--store", "s", "--entity", "score", "--where", "team.name = 'Red'"], in: folder)
        #expect(red.output == "id,team_id\n2,30\n")
        #expect(try run("check --store s").output == "ok\n")
    }
}
