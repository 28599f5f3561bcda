import Foundation
import Testing

@Suite("Imports that extend a store's model")
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

    @Test("an import with --infer adds a new dataset as an entity to the model")
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

    @Test("an import with --infer adds new columns as attributes that are null in old records")
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
        #expect(again.status == 0 && again.errors.hasPrefix("the store's model already has all datasets and columns\n"))
    }

    @Test("a failed import with --infer leaves the model unchanged")
    func failing() throws {
        try prepare()
        let before = try folder.data("s")
        // The code is unique and exists already.
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
        "a new dataset references stored rows by key, whether or not the key is the identifier",
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
        // 0 is not a valid identifier: a store that uses the key as identifier rejects the row.
        try run(line).expect(status: stored.contains("Zero") ? 0 : 65)
        #expect(try run("model names s --entity score").output.split(separator: "\n").contains("team_id"))
        #expect(try run("export --store s --entity score").output == folder.text("score.csv"))
        let red = try Tool.debug.run(
            ["export", "--store", "s", "--entity", "score", "--where", "team.name = 'Red'"], in: folder)
        #expect(red.output == "id,team_id\n2,30\n")
        #expect(try run("check --store s").output == "ok\n")
    }

    @Test("--infer makes a column a reference to stored rows, or reports how many values match no row")
    func references() throws {
        try prepare()
        try folder.write("id,people_code\n1,x1\n2,x2\n3,\n", to: "visits.csv")
        let result = try run("import visits.csv --store s --infer")
        result.expect(status: 0)
        #expect(try run("model show s").output.contains("toOne, to People"))
        #expect(try run("export --store s --entity visits --columns id,people_code.name").output.contains("1,Ada"))
        try folder.write("id,people_code\n1,x1\n2,x9\n", to: "calls.csv")
        let dangling = try run("import calls.csv --store s --infer")
        dangling.expect(status: 0)
        #expect(
            dangling.errors.contains(
                "calls.csv: people_code is named like a reference to people, whose key code does not contain 1 of its "
                    + "values, "
                    + "from line 3 on: no reference"), "\(dangling.errors)")
        // A new row of the same import counts like a row of the store.
        try folder.write("code,name\nx9,Kurt\n", to: "people.csv")
        try folder.write("id,people_code\n1,x1\n2,x9\n", to: "notes.csv")
        let both = try run("import people.csv notes.csv --store s --infer")
        both.expect(status: 0)
        #expect(both.errors.contains("Notes, with people\n"), "\(both.errors)")
        #expect(try run("check --store s").output == "ok\n")
    }

    @Test(
        "an import with --infer makes an attribute optional if the data requires null, or fails completely",
        arguments: ["s", "s.xml"])
    func mandatory(store: String) throws {
        try folder.write("code,name\nx1,Ada\n", to: "people.csv")
        try run("import people.csv --store \(store) -q").expect(status: 0)
        try folder.write("code,name\nx2,\n", to: "people.csv")
        let refused = try run("import people.csv --store \(store)")
        refused.expect(status: 65)
        #expect(
            refused.errors.contains("strata migrate --store \(store) --allow-null people.name"), "\(refused.errors)")
        try folder.write("code,name\nx2,\nx1,twice\n", to: "people.csv")
        try run("import people.csv --store \(store) --infer").expect(status: 65)
        #expect(try !run("model show \(store)").output.contains("optional"))
        try folder.write("code,name\nx2,\n", to: "people.csv")
        let result = try run("import people.csv --store \(store) --infer")
        result.expect(status: 0)
        #expect(result.errors.contains("People.name: null is now allowed"), "\(result.errors)")
        #expect(try run("export --entity people --store \(store)").output == "code,name\nx1,Ada\nx2,\n")
    }

    @Test("standard input with --entity can add a new entity to the model")
    func namedInput() throws {
        try prepare()
        try folder.write("nr,people_code\n1,x1\n2,x2\n", to: "in.txt")
        let result = try Tool.debug.shell(
            "cat in.txt | strata import - --format csv --entity Visits --store s --infer", in: folder)
        result.expect(status: 0)
        #expect(result.errors.hasPrefix("added to the store's model:\n  Visits, with people\n"), "\(result.errors)")
    }

    @Test("an import with --flatten adds new arrays of a document to the model")
    func flattened() throws {
        try folder.write(#"[{"id":1,"n":"x"}]"#, to: "o.json")
        try run("import o.json --flatten --store s -q").expect(status: 0)
        try folder.write(#"[{"id":2,"n":"y","tags":["p","q"]}]"#, to: "o.json")
        try run("import o.json --flatten --infer --store s").expect(status: 0)
        #expect(try run("export --entity o_tags --store s").output == "o_id,value,position\n2,p,1\n2,q,2\n")
    }
}
