import Foundation
import StrataTestSupport
import Testing

@Suite("Queries by SQL")
struct SQLQueryTests {
    private let folder = TemporaryFolder()

    init() throws {
        try folder.write(
            "date,amount,who\n2026-01-03,10.50,Ann\n2026-01-20,1.25,Bo\n2026-02-01,7,Ann\n2026-02-05,,Cy\n",
            to: "sales.csv")
        let arguments = ["import", "-q", "sales.csv", "--store", "s.db", "--type", "sales.amount=decimal:2"]
        try Tool.debug.run(arguments, in: folder).expect(status: 0)
    }

    private func run(_ sql: String, _ arguments: String...) throws -> Tool.Result {
        try Tool.debug.run(["query", "--store", "s.db", "--format", "csv", "--sql", sql] + arguments, in: folder)
    }

    private func output(_ sql: String, _ arguments: String...) throws -> String {
        let result = try Tool.debug.run(
            ["query", "--store", "s.db", "--format", "csv", "--sql", sql] + arguments, in: folder)
        result.expect(status: 0)
        #expect(result.errors.isEmpty, "\(result.errors)")
        return result.output
    }

    @Test("the names of the files are views with the values of the files")
    func views() throws {
        #expect(
            try output("SELECT date, amount FROM sales WHERE who = :who ORDER BY date", "--param", "who=Ann")
                == "date,amount\n2026-01-03,10.50\n2026-02-01,7.00\n")
        #expect(try output("SELECT count(*) AS n FROM Sales") == "n\n4\n")
        let file = try Tool.debug.run(
            ["query", "sales.csv", "--sql", "SELECT max(amount) AS a FROM sales WHERE _row < :n", "--param", "n=3"],
            in: folder)
        file.expect(status: 0)
        #expect(file.output == "a\n10.50\n")
    }

    @Test("decimal_sum and decimal_avg are exact, and null without values")
    func decimals() throws {
        #expect(
            try output("SELECT who, decimal_sum(amount) AS s, decimal_avg(amount) AS m FROM sales GROUP BY who")
                == "who,s,m\nAnn,17.50,8.75000000\nBo,1.25,1.25000000\nCy,,\n")
        #expect(
            try output("SELECT decimal_sum(x) AS s FROM (SELECT '0.1' AS x UNION ALL SELECT '0.20' UNION ALL SELECT 3)")
                == "s\n3.30\n")
        #expect(try output("SELECT decimal_sum(x) AS s FROM (SELECT 1 AS x WHERE 0)") == "s\n\n")
        try run("SELECT decimal_sum(who) FROM sales").expect(status: 70)
        // The sum is near the least number of 128 bits.
        let edge = (0..<19).map { _ in "SELECT '-9000000000000000000' AS x" } + ["SELECT '-0.687303715884105728'"]
        try run("SELECT decimal_avg(x) FROM (\(edge.joined(separator: " UNION ALL ")))").expect(status: 65)
        let large = "SELECT decimal_sum(x) FROM (SELECT 9223372036854775807 AS x UNION ALL SELECT 1)"
        try run(large).expect(status: 65)
    }

    @Test(
        "a text that does more than to read is a usage error, and changes nothing",
        arguments: [
            "DELETE FROM sales", "DELETE FROM main.Sales", "UPDATE main.Sales SET who = 'x'", "DROP TABLE main.Sales",
            "SELECT 1; DELETE FROM main.Sales", "PRAGMA user_version = 1", "PRAGMA query_only = 0", "VACUUM",
            "ATTACH 'other.db' AS other", "VACUUM INTO 'other.db'", "CREATE TEMP TABLE t(x)", "BEGIN",
            "SELECT load_extension('x')", "", " ", "SELECT", "SELECT unknown FROM sales", "SELECT :a", "SELECT ?",
            "SELECT \"who\" || 'a", "/* nothing */",
        ])
    func rejected(_ sql: String) throws {
        let result = try run(sql)
        result.expect(status: 64)
        #expect(result.errors.contains("option --sql: "), "\(result.errors)")
        #expect(result.output.isEmpty)
        #expect(try output("SELECT count(*) AS n FROM sales") == "n\n4\n")
        #expect(!FileManager.default.fileExists(atPath: folder.path("other.db")))
    }

    @Test("wrong parameters and combinations are usage errors")
    func usage() throws {
        for arguments in [
            ["--param", "a"], ["--param", "=1"], ["--param", "b=1"], ["--timeout", "0"], ["--select", "count()"],
            ["--distinct"], ["--where", "who = 'Ann'"],
        ] {
            try Tool.debug.run(
                ["query", "--store", "s.db", "--sql", "SELECT 1"] + arguments, in: folder
            ).expect(status: 64)
        }
        try Tool.debug.run(["query", "--store", "s.db", "--select", "who", "--param", "a=1"], in: folder)
            .expect(status: 64)
        try Tool.debug.run(["copy", "-q", "--store", "s.db", "--to", "s.stxml"], in: folder).expect(status: 0)
        let other = try Tool.debug.run(["query", "--store", "s.stxml", "--sql", "SELECT 1"], in: folder)
        other.expect(status: 64)
        #expect(other.errors.contains("--sql can query only SQLite stores, PostgreSQL stores and files; use --select"))
    }

    @Test("a query that does not end is stopped by its time limit")
    func timeout() throws {
        let endless = "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT count(*) FROM t"
        let result = try run(endless, "--timeout", "1")
        result.expect(status: 75)
        #expect(result.errors.contains("stopped after 1 seconds"), "\(result.errors)")
    }

    @Test(
        "the answers of random queries equal those of the sqlite3 shell on the views of the store",
        .needs("sqlite3"), arguments: Seeds.first(1, of: UInt64(1)...10))
    func agree(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let words = ["", "a", "A", "é", "a b", "null", "\"q\"", "x,y"]
        var rows = "name,size,price,day\n"
        for _ in 1...60 {
            let name = words.randomElement(using: &random) ?? ""
            let quoted = name.isEmpty ? "" : "\"\(name.replacingOccurrences(of: "\"", with: "\"\""))\""
            let isNull = Int.random(in: 0...5, using: &random) == 0
            let price = "\(Int.random(in: -99...99, using: &random)).\(Int.random(in: 10...99, using: &random))"
            rows += "\(quoted),\(isNull ? "" : "\(Int.random(in: -5...5, using: &random))"),\(price),"
            rows += "20\(Int.random(in: 10...29, using: &random))-0\(Int.random(in: 1...9, using: &random))-15\n"
        }
        try folder.write(rows, to: "thing.csv")
        try Tool.debug.run(["import", "-q", "thing.csv", "--store", "t.db"], in: folder).expect(status: 0)
        let sum = "sum(price)"
        let exact =
            "printf('%s%d.%02d', CASE WHEN sum(price) < 0 THEN '-' ELSE '' END, abs(sum(price)) / 100, abs(sum(price)) % 100)"
        let columns: [(select: String, sql: String)] = [
            ("count()", "count(*)"), ("sum(size)", "sum(size)"), ("total(size)", "CAST(total(size) AS INTEGER)"),
            ("min(name)", "min(name)"), ("max(day)", "max(day)"), ("count(distinct name)", "count(DISTINCT name)"),
            (sum, exact), ("min(size) + 1", "min(size) + 1"), ("max(length(name))", "max(length(name))"),
        ]
        let keys: [(select: String, sql: String)] = [
            ("name", "name"), ("size", "size"), ("month(day)", "substr(day, 1, 7)"),
            ("year(day)", "CAST(substr(day, 1, 4) AS INTEGER)"),
            ("coalesce(size, 0) * 2", "coalesce(size, 0) * 2"),
        ]
        for number in 1...30 {
            let (key, value) = (
                keys.randomElement(using: &random) ?? keys[0], columns.randomElement(using: &random) ?? columns[0]
            )
            let least = Int.random(in: -5...5, using: &random)
            let found = try Tool.debug.run(
                [
                    "query", "--store", "t.db", "--entity", "thing", "--format", "ndjson", "--select",
                    "\(key.select) as k, \(value.select) as v", "--where", "size >= \(least) or size is null",
                    "--having",
                    "count() > 1", "--sort", "count() desc",
                ], in: folder)
            found.expect(status: 0)
            // The table has decimals as whole numbers; the other columns are those of the view.
            let sql =
                "SELECT json_object('k', \(key.sql), 'v', \(value.sql)) FROM Thing WHERE size >= \(least) OR size IS NULL "
                + "GROUP BY \(key.sql) HAVING count(*) > 1 ORDER BY count(*) DESC, \(key.sql)"
            try folder.write(sql, to: "query.sql")
            let wanted = try Tool.debug.shell("sqlite3 t.db < query.sql", in: folder)
            let unquoted = value.select == sum ? try Self.unquoted(wanted.output) : wanted.output
            #expect(found.output == unquoted, "seed \(seed), query \(number): \(sql)")
        }
    }

    /// A program that groups a CSV file by exact decimals and prints the groups as CSV.
    private static let exactGroups = """
        import csv, sys, decimal
        from decimal import Decimal
        decimal.getcontext().prec = 60
        groups = {}
        for row in csv.DictReader(open('exact.csv')):
            values = groups.setdefault(row['color'], [])
            values.append(Decimal(row['amount']) if row['amount'] else None)
        digits = Decimal(1).scaleb(-int(sys.argv[1]) - 6)
        for color, all in sorted(groups.items()):
            v = [x for x in all if x is not None]
            mean = (sum(v) / len(v)).quantize(digits, decimal.ROUND_HALF_UP) if v else ''
            fields = [color, len(all), len(v)] + ([sum(v), min(v), max(v), mean] if v else [''] * 4)
            print(','.join(f'{x:f}' if isinstance(x, Decimal) else str(x) for x in fields))
        """

    @Test(
        "groups of files have the sums and averages of Python's decimal module, by --select and by --sql",
        .needs("python3"), arguments: Seeds.first(5, of: UInt64(1)...100))
    func exact(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let scale = Int.random(in: 1...6, using: &random)
        var rows = "color,amount\n"
        for number in 0..<Int.random(in: 1...60, using: &random) {
            let color = ["red", "green", "blue", "x y"].randomElement(using: &random) ?? ""
            let sign = Bool.random(using: &random) ? "-" : ""
            let fraction = "\(Int.random(in: 0..<1_000_000, using: &random) + 1_000_000)".dropFirst().prefix(scale)
            let amount = "\(sign)\(Int.random(in: 1...999_999, using: &random)).\(fraction)"
            let isNull = number > 0 && Int.random(in: 0..<10, using: &random) == 0
            rows += "\(color),\(isNull ? "" : amount)\n"
        }
        try folder.write(rows, to: "exact.csv")
        try folder.write(Self.exactGroups, to: "exact.py")
        let wanted = try Tool.debug.shell("python3 exact.py \(scale)", in: folder)
        wanted.expect(status: 0)
        let columns = "count(amount), sum(amount), min(amount), max(amount), avg(amount)"
        let aggregates = "count(amount), decimal_sum(amount), min(a), max(a), decimal_avg(amount)"
        // The view has decimals as texts, whose order is another one.
        let least = "SELECT *, CAST(amount AS REAL) AS a FROM exact"
        let selected = ["--select", "color, count(), \(columns)"]
        let queried = ["--sql", "SELECT color, count(*), \(aggregates) FROM (\(least)) GROUP BY color ORDER BY color"]
        for query in [selected, queried] {
            let found = try Tool.debug.run(["query", "exact.csv", "--format", "csv"] + query, in: folder)
            found.expect(status: 0)
            let lines = found.output.split(separator: "\n").dropFirst().map(Self.comparable)
            #expect(lines == wanted.output.split(separator: "\n").map(Self.comparable), "seed \(seed): \(query)")
        }
    }

    /// Returns a line whose least and greatest value have no zeros at the end, which SQLite's numbers lack.
    private static func comparable(_ line: Substring) -> String {
        var fields = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        for place in [4, 5] where fields[place].contains(".") {
            while fields[place].hasSuffix("0") { fields[place].removeLast() }
        }
        return fields.joined(separator: ",")
    }

    /// Returns lines in which the decimals, which SQLite returns as texts, have no quotes.
    private static func unquoted(_ lines: String) throws -> String {
        let decimal = try NSRegularExpression(pattern: "\"v\":\"(-?[0-9.]+)\"")
        return decimal.stringByReplacingMatches(
            in: lines, range: NSRange(lines.startIndex..., in: lines), withTemplate: "\"v\":$1")
    }
}
