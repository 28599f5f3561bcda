import Foundation
import Testing

@Suite("Reports")
struct ReportTests {
    private let folder = TemporaryFolder()

    private func strata(_ arguments: String...) throws -> Tool.Result { try Tool.reference.run(arguments, in: folder) }

    /// Creates a store with bosses, employees and colors.
    private func prepare() throws {
        try folder.write("id,firstName,lastName\n1,Ada,Ito\n2,<b>Bo</b>,Ng\n", to: "bosses.csv")
        try folder.write(
            "firstName,lastName,salary,dateHired,boss\n"
                + "Cy,Li,100,2024-01-05,1\nDi,Mo,300,2024-03-01,1\nEd,Po,200,2024-06-30,\n",
            to: "employees.csv")
        try folder.write("hex,name,dateCreated\n#ff0000,red,2024-01-01\n#0000FF,,2024-01-01\n", to: "colors.csv")
        for dataset in ["bosses.csv", "employees.csv", "colors.csv"] {
            let result = try strata("import", dataset, "--store", "app.sqlite")
            result.expect(status: 0)
        }
    }

    @Test("a report is one HTML page with salaries, hiring dates, the tree of employees and the colors")
    func page() throws {
        try prepare()
        let result = try strata("report", "--store", "app.sqlite", "--output", "report.html")
        result.expect(status: 0)
        #expect(result.output.isEmpty)
        #expect(result.errors == "wrote the report of app.sqlite to report.html\n")
        let page = try folder.text("report.html")
        #expect(page.hasPrefix("<!DOCTYPE html>\n<html lang=\"en\">"))
        for text in [
            "<title>app.sqlite</title>",
            "Histogram of 3 values in 21 bins, from 100 to 310. Least 100, median 200, mean 200",
            "3 dates by month, from 2024-01-05 to 2024-06-30", "2 of 3 Employee rows lead to 1 of 2 Boss rows",
            "<bdi>Ada Ito</bdi>", "<bdi>&lt;b&gt;Bo&lt;/b&gt;</bdi>", "<bdi>red</bdi></span><code>#FF0000</code>",
        ] {
            #expect(page.contains(text), "\(text)")
        }
        #expect(!page.contains("<script") && !page.contains("<b>"))
    }

    @Test("a report is written to standard output by default, with the same bytes each time")
    func standardOutput() throws {
        try prepare()
        let first = try strata("report", "--store", "app.sqlite", "--title", "A & B")
        #expect(first.status == 0 && first.errors.isEmpty)
        #expect(first.output.contains("<title>A &amp; B</title>"))
        #expect(
            try strata("report", "--store", "app.sqlite", "--title", "A & B", "--output", "-").output == first.output)
        #expect(try strata("report", "--store", "app.sqlite", "--title", "A & B", "-q", "-o", "r").errors.isEmpty)
        #expect(try folder.text("r") == first.output)
    }

    @Test("a report does not change an existing store and does not create a store")
    func store() throws {
        try prepare()
        let before = try folder.data("app.sqlite")
        try strata("report", "--store", "app.sqlite").expect(status: 0)
        #expect(try folder.data("app.sqlite") == before)
        let missing = try strata("report", "--store", "none.sqlite", "--output", "report.html")
        missing.expect(status: 66)
        #expect(missing.output.isEmpty)
        #expect(try folder.files == ["app.sqlite", "bosses.csv", "colors.csv", "employees.csv"])
    }

    @Test(
        "a report never replaces the store, SQLite's files or another database",
        arguments: ["app.sqlite", "./app.sqlite-wal", "other"])
    func guarded(output: String) throws {
        try prepare()
        try FileManager.default.copyItem(atPath: folder.path("app.sqlite"), toPath: folder.path("other"))
        try strata("report", "--store", "app.sqlite", "--output", output).expect(status: 73)
        try strata("info", "--store", "app.sqlite").expect(status: 0)
        try strata("info", "--store", "other").expect(status: 0)
    }

    @Test("an empty title or output is a usage error", arguments: ["title", "output"])
    func emptyOption(option: String) throws {
        try prepare()
        let result = try strata("report", "--store", "app.sqlite", "--\(option)", "")
        result.expect(status: 64)
        #expect(result.output.isEmpty)
        #expect(result.errors.hasPrefix("strata: option --\(option) is empty"))
    }

    @Test("an earlier report is unchanged if the new report cannot be created")
    func atomic() throws {
        try folder.write("earlier", to: "report.html")
        try folder.write("no database", to: "text")
        try strata("report", "--store", "text", "--output", "report.html").expect(status: 65)
        #expect(try folder.text("report.html") == "earlier")
        try strata("report", "--output", "report.html").expect(status: 64)
        try strata("report", "--store", "text", "surplus").expect(status: 64)
    }

    @Test("an interrupted report command writes nothing and exits 130")
    func interrupted() throws {
        var rows = 5_000
        var result: Tool.Result
        // The report grows until it takes long enough for the signal to interrupt it.
        repeat {
            rows *= 2
            let store = "\(rows).sqlite"
            try strata("generate", "--count", "Employee=\(rows),Boss=2", "--store", store).expect(status: 0)
            try folder.write("earlier", to: "report.html")
            let running = try Tool.reference.start(["report", "--store", store, "-o", "report.html"], in: folder)
            // SQLite creates the file when the store is opened, after the tool has begun to handle signals.
            while try !folder.files.contains("\(store)-shm"), !running.hasEnded { usleep(1000) }
            running.send(SIGINT)
            result = try running.wait()
        } while result.status == 0 && rows < 640_000
        result.expect(status: 130)
        #expect(result.errors == "strata: interrupted; nothing was stored or replaced\n")
        #expect(try folder.text("report.html") == "earlier")
    }
}
