import Foundation
import Testing

/// Predicates and sort orders as text in commands.
@Suite("Predicates and sort orders")
struct SelectionTests {
    private let folder = TemporaryFolder()

    init() throws {
        try folder.write("id,firstName,lastName\n1,Ada,Lace\n2,Bo,Box\n", to: "b.csv")
        try folder.write(
            "id,firstName,lastName,salary,dateHired,boss\n7,c,Chan,10,2020-01-02,2\n8,e,Ewan,20,2021-01-02,\n"
                + "9,f,Finn,30,2019-01-02,1\n",
            to: "e.csv")
        for (file, entity) in [("b.csv", "Boss"), ("e.csv", "Employee")] {
            try strata("import", file, "--entity", entity, "--store", "s").expect(status: 0)
        }
    }

    private func strata(_ arguments: String...) throws -> Tool.Result { try Tool.reference.run(arguments, in: folder) }

    private func on(_ entity: String, _ command: String, _ arguments: String...) throws -> Tool.Result {
        try Tool.reference.run([command, "--entity", entity, "--store", "s"] + arguments, in: folder)
    }

    private func ids(_ arguments: String...) throws -> [Int] {
        let arguments =
            ["export", "--entity", "employee", "--store", "s", "--columns", "id", "--no-header"] + arguments
        let result = try Tool.reference.run(arguments, in: folder)
        result.expect(status: 0)
        return result.output.split(separator: "\n").compactMap { Int($0) }
    }

    @Test("an export applies --where and --sort before --limit and --offset")
    func exports() throws {
        #expect(try ids("--where", "salary >= 20") == [8, 9])
        #expect(try ids("--sort", "dateHired desc") == [8, 7, 9])
        #expect(try ids("--sort", "boss.lastName desc, id", "--where", "boss is not null") == [9, 7])
        #expect(try ids("--sort", "salary desc", "--limit", "1", "--offset", "1") == [8])
    }

    @Test("an invalid predicate is a usage error that shows the position of the mistake")
    func mistakes() throws {
        let condition = try on("employee", "export", "--where", "salry > 3")
        condition.expect(status: 64)
        #expect(
            condition.errors == """
                strata: option --where: column 1: there is no attribute "salry" in Employee; did you mean "salary"?
                salry > 3
                ^^^^^
                Run 'strata help export' for usage.

                """)
        let sort = try on("employee", "export", "--sort", "id up")
        sort.expect(status: 64)
        #expect(sort.errors.hasPrefix("strata: option --sort: column 4: "))
        #expect(sort.errors.contains("\nid up\n   ^"))
        let values = try on("employee", "update", "--all", "--set", "salary = 'x'")
        values.expect(status: 64)
        #expect(values.errors.hasPrefix("strata: option --set: column 10: "))
        let empty = try on("employee", "export", "--where", "")
        empty.expect(status: 64)
        #expect(
            empty.errors
                == "strata: option --where: column 1: the predicate is empty; TRUEPREDICATE selects everything\n"
                + "Run 'strata help export' for usage.\n")
        #expect(try ids() == [7, 8, 9])
    }

    @Test("--all cannot be combined with --where")
    func exportsAll() throws {
        let result = try strata("export", "--all", "--store", "s", "--output", "d", "--where", "id = 1")
        result.expect(status: 64)
        #expect(
            result.errors.hasPrefix(
                "strata: --where can be used only for one entity and cannot be combined with "
                    + "--all\n"))
    }

    @Test("a deletion prints the number of deleted rows, and a dry run the number of rows it would delete")
    func deletes() throws {
        let dry = try on("employee", "delete", "--where", "salary > 15", "--dry-run")
        #expect(dry.errors == "would delete 2 Employee records from s\n" && dry.status == 0 && dry.output.isEmpty)
        #expect(try ids() == [7, 8, 9])
        let result = try on("employee", "delete", "--where", "salary > 25")
        #expect(result.errors == "deleted 1 Employee record from s\n" && result.status == 0)
        #expect(try ids() == [7, 8])
        #expect(try on("employee", "delete", "--all", "--quiet").errors.isEmpty)
        #expect(try ids().isEmpty)
    }

    @Test("a deletion reports the effects of delete rules")
    func deletesWithRules() throws {
        let result = try on("boss", "delete", "--where", "id = 2")
        #expect(result.errors == "deleted 1 Boss record from s (and changed 1 Employee record)\n")
        #expect(try ids("--where", "boss is null") == [7, 8])
    }

    @Test("an update reports the number of changed rows and skips rows that already have the values")
    func updates() throws {
        let dry = try on("employee", "update", "--set", "salary = salary * 3", "--where", "salary < 15", "--dry-run")
        #expect(dry.errors == "would update 1 Employee record in s\n" && dry.status == 0)
        let result = try on("employee", "update", "--set", "salary = salary * 2, lastName = 'x'", "--where", "id < 9")
        #expect(result.errors == "updated 2 Employee records in s\n")
        let again = try on("employee", "update", "--set", "lastName = 'x'", "--all")
        #expect(again.errors == "updated 1 Employee record in s (2 had the values already)\n")
        #expect(try ids("--where", "lastName = 'x' and salary in {20, 40, 30}") == [7, 8, 9])
    }

    @Test("updates and deletions without a selection change nothing", arguments: ["update", "delete"])
    func refuses(command: String) throws {
        let values = command == "update" ? ["--set", "salary = 1"] : []
        let base = [command, "--entity", "employee", "--store", "s"] + values
        let result = try Tool.reference.run(base, in: folder)
        result.expect(status: 64)
        #expect(result.errors.hasPrefix("strata: choose the records with --where TEXT, or use --all for all records\n"))
        let both = try Tool.reference.run(base + ["--all", "--where", "id = 1"], in: folder)
        both.expect(status: 64)
        #expect(both.errors.hasPrefix("strata: --where and --all cannot be combined\n"))
        #expect(try ids("--where", "salary > 5") == [7, 8, 9])
    }

    @Test("a change that the model forbids exits 65 and stores nothing")
    func invalid() throws {
        let null = try on("employee", "update", "--set", "lastName = null", "--all")
        null.expect(status: 64)
        #expect(null.errors.hasPrefix("strata: option --set: column 12: "))
        let low = try on("employee", "update", "--set", "salary = salary - 15", "--all")
        low.expect(status: 65)
        #expect(low.errors.contains("Employee 7, salary: is less than 0"))
        let missing = try on("employee", "update", "--set", "boss = 99", "--all")
        missing.expect(status: 65)
        #expect(try ids("--where", "boss = 2") == [7])
    }

    @Test("a store that does not exist is an input error and is not created", arguments: ["update", "delete", "show"])
    func missingStore(command: String) throws {
        let values = ["update": ["--set", "lastName = 'x'", "--all"], "delete": ["--all"]][command] ?? []
        let result = try Tool.reference.run([command, "--entity", "boss", "--store", "none"] + values, in: folder)
        result.expect(status: 66)
        #expect(try !folder.files.contains("none"))
    }
}
