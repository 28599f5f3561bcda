import Foundation
import StrataTestSupport
import Testing

@Suite("Real datasets")
struct RealDatasetTests {
    private let folder = TemporaryFolder()

    private func strata(_ arguments: String...) throws -> Tool.Result {
        try Tool.reference.run(arguments, in: folder)
    }

    private func importEverything(into store: String) throws {
        let colors = ["--entity", "color", "--store", store, "--root", "colors", "--map", "color=name"]
        for file in [Fixtures.xkcd, Fixtures.crayola] {
            try Tool.reference.run(["import", file] + colors, in: folder).expect(status: 0)
        }
        let people = ["--store", store, "--map", "employee_id=id", "--ignore-unknown-columns"]
        #expect(
            try Tool.reference.run(["import", Fixtures.employees, "--entity", "boss"] + people, in: folder).status == 0)
        let references = ["--map", "manager_id=boss", "--map", "hire_date=dateHired"]
        let arguments = ["import", Fixtures.employees, "--entity", "employee"] + people + references
        try Tool.reference.run(arguments, in: folder).expect(status: 0)
    }

    @Test("real datasets are imported completely and without changes")
    func importsAll() throws {
        try importEverything(into: "app.sqlite")
        let info = try strata("info", "--store", "app.sqlite")
        let counts = """
            entity    rows
            Color     1074
            Boss       107
            Employee   107
            Item         0

            """
        #expect(info.output.hasSuffix(counts))
        #expect(info.output.hasPrefix("store  app.sqlite\nkind   SQLite, format 3\nuuid   "))
        let employees = try strata("export", "--entity", "employee", "--store", "app.sqlite").output.split(
            separator: "\n")
        #expect(employees[1] == "100,Steven,King,24000,2013-06-17T00:00:00Z,")
        #expect(employees[2] == "101,Neena,Yang,17000,2015-09-21T00:00:00Z,100")
        #expect(try folder.files == ["app.sqlite"])
    }

    @Test(
        "real datasets that are exported, imported and exported again have the same bytes", arguments: ["csv", "json"])
    func roundTrip(format: String) throws {
        try importEverything(into: "first.sqlite")
        for entity in ["Color", "Boss", "Employee"] {
            let (first, second) = ("\(entity)-1.\(format)", "\(entity)-2.\(format)")
            try strata("export", "--entity", entity, "--store", "first.sqlite", "--output", first).expect(status: 0)
            try strata("import", first, "--entity", entity, "--store", "second.sqlite").expect(status: 0)
            #expect(
                try strata("export", "--entity", entity, "--store", "second.sqlite", "--output", second).status == 0)
            let bytes = try folder.data(first)
            #expect(bytes.count > 1000)
            #expect(bytes == (try folder.data(second)))
        }
    }

    @Test("an import of a real dataset reports the ignored columns")
    func namesDroppedColumns() throws {
        let result = try strata(
            "import", Fixtures.employees, "--entity", "Boss", "--store", "app.sqlite", "--map", "employee_id=id",
            "--ignore-unknown-columns")
        #expect(
            result.errors == """
                ignored columns: email, phone_number, hire_date, job_id, salary, commission_pct, manager_id, department_id
                imported 107 Boss records from \(Fixtures.employees) into app.sqlite

                """)
        #expect(result.output == "")
    }

    @Test(
        "generated datasets are imported and exported byte for byte",
        arguments: Seeds.spread(3, of: ["Color", "Boss", "Employee", "Item"].flatMap { [($0, "csv"), ($0, "json")] }))
    func generated(entity: String, format: String) throws {
        let file = "made.\(format)"
        #expect(
            try strata("generate", "--entity", entity, "--count", "2000", "--seed", "7", "--output", file).status == 0)
        try strata("import", file, "--entity", entity, "--store", "app.sqlite").expect(status: 0)
        let exported = try strata("export", "--entity", entity, "--store", "app.sqlite", "--format", format)
        #expect(exported.output == (try folder.text(file)))
    }
}
