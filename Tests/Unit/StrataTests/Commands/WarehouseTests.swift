import Foundation
import StrataTestSupport
import Testing

/// A handwritten descriptor of five tables: text keys, a key of two fields, a table that refers to itself and a join
/// table.
@Suite("The warehouse dataset")
struct WarehouseTests {
    private let folder = TemporaryFolder()
    private let fixture = Checkout.root.appendingPathComponent("Fixtures/warehouse").path
    private static let tables = ["category", "order_line", "product", "product_category", "return"]

    private func strata(_ arguments: String...) throws -> Tool.Result { try Tool.debug.run(arguments, in: folder) }

    private func makeStore() throws {
        let result = try strata("import", fixture, "--model", fixture, "--store", "s")
        result.expect(status: 0)
    }

    private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    @Test("the stored warehouse data equals the output of the script that generates it")
    func script() throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = [fixture + ".sh", folder.path("")]
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        for table in Self.tables {
            #expect(try text(folder.path("\(table).csv")) == text("\(fixture)/\(table).csv"), "\(table)")
        }
    }

    @Test(
        "the warehouse data that is exported, imported and exported again has the same bytes, via any format",
        arguments: ["csv", "ndjson", "json"])
    func roundTrip(format: String) throws {
        try makeStore()
        try strata("export", "--all", "--store", "s", "--format", format, "--output", "all").expect(status: 0)
        try strata("import", "all", "--model", fixture, "--store", "t").expect(status: 0)
        try strata("export", "--all", "--store", "t", "--output", "again").expect(status: 0)
        for table in Self.tables {
            #expect(try text(folder.path("again/\(table).csv")) == text("\(fixture)/\(table).csv"), "\(table)")
        }
        #expect(try strata("check", "--store", "t").output == "ok\n")
        try strata("model", "diff", fixture, "t").expect(status: 0)
    }

    @Test("the warehouse files can be imported one by one, and again with --on-conflict update")
    func oneByOne() throws {
        for table in ["category", "product", "product_category", "order_line", "return"] {
            let result = try strata("import", "\(fixture)/\(table).csv", "--model", fixture, "--store", "s")
            result.expect(status: 0)
        }
        for table in ["category", "product", "product_category", "order_line"] {
            let again = try strata("import", "\(fixture)/\(table).csv", "--store", "s", "--on-conflict", "update")
            again.expect(status: 0)
        }
        let withoutKey = try strata("import", fixture, "--store", "s", "--on-conflict", "update")
        #expect(withoutKey.status == 64 && withoutKey.errors.contains("Return has no key"), "\(withoutKey.errors)")
        #expect(try strata("export", "--entity", "product", "--store", "s").output == text("\(fixture)/product.csv"))
    }

    @Test("commands on the warehouse data accept the entity names and column names of the imported files")
    func commands() throws {
        try makeStore()
        let update = try strata(
            "update", "--entity", "product", "--store", "s", "--where", "ANY categories.code = 'c-05'", "--set",
            "priceEUR = priceEUR + 1")
        update.expect(status: 0)
        let shown = try strata("show", "--entity", "return", "--store", "s", "--where", "order_line.line = 1")
        #expect(shown.output.hasPrefix("reason"), "\(shown.errors)")
        #expect(try strata("report", "--store", "s").output.contains("Order_line"))
        let denied = try strata("delete", "--entity", "product", "--store", "s", "--where", "sku = 'JK-027'")
        denied.expect(status: 65)
        #expect(try strata("check", "--store", "s").output == "ok\n")
    }

    private static let frictionless = Checkout.root.appendingPathComponent(".build/frictionless/bin/frictionless").path
    private static let hasFrictionless = FileManager.default.isExecutableFile(atPath: frictionless)

    @Test(
        "the frictionless tool reads the descriptor, accepts an export and rejects a corrupt export",
        .enabled(if: hasFrictionless, "frictionless is not installed in .build; .ci/setup-tests.sh does"))
    func otherTool() throws {
        try makeStore()
        try strata("export", "--all", "--store", "s", "--output", "all").expect(status: 0)
        let written = try strata("model", "show", "s", "--format", "json").output
        for descriptor in [try text(fixture + "/datapackage.json"), written] {
            try folder.write(descriptor, to: "all/datapackage.json")
            let valid = try Tool(path: Self.frictionless).run(["validate", "all/datapackage.json"], in: folder)
            #expect(valid.status == 0, "\(valid.output)\(valid.errors)")
        }
        let spoiled = try text(folder.path("all/return.csv")).replacing("2026/0014,1", with: "2026/9999,1")
        try folder.write(spoiled, to: "all/return.csv")
        let invalid = try Tool(path: Self.frictionless).run(["validate", "all/datapackage.json"], in: folder)
        #expect(invalid.status != 0 && invalid.output.contains("foreign-key"), "\(invalid.output)")
    }

    @Test("a dangling reference is reported with file, line, column and key, and no store is created")
    func missing() throws {
        try folder.write("reason,order,line,on\nbroken,2026/0001,9,\n", to: "return.csv")
        let result = try strata("validate", "return.csv", "--model", fixture)
        result.expect(status: 65)
        #expect(
            result.errors.hasPrefix(
                "return.csv:2: record 1, column order, line: there is no Order_line with orderNo \"2026/0001\" and line \"9\""
            ),
            "\(result.errors)")
    }
}
