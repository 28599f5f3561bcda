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
}
