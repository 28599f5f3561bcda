import Foundation
import StrataTestSupport
import Testing

/// The output and exit statuses of `strata check`.
@Suite("strata check")
struct CheckTests {
    private let folder = TemporaryFolder()

    private func strata(_ line: String, faults: SystemFaults? = nil) throws -> Tool.Result {
        let words = line.split(separator: " ").map(String.init)
        return withoutWarnings(
            try faults.map { try Tool.reference.run(words, in: folder, faults: $0) }
                ?? Tool.reference.run(words, in: folder))
    }

    /// Returns a result without the warnings about other processes that use SQLite, which ``InfoTests`` tests.
    private func withoutWarnings(_ result: Tool.Result) -> Tool.Result {
        var result = result
        result.errors = result.errors.replacing(#/warning: SQLite [^\n]*\n/#, with: "")
        result.output = result.output.replacing(#/"warnings":\[[^\]]*\]/#, with: "\"warnings\":[]")
        return result
    }

    private func prepare() throws {
        try folder.write("id,firstName,lastName\n1,a,b\n2,c,d\n", to: "b.csv")
        try folder.write("id,firstName,lastName,salary,dateHired,boss\n7,e,f,9,2000-01-01,2\n", to: "e.csv")
        try strata("import b.csv --entity boss --store s --quiet").expect(status: 0)
        try strata("import e.csv --entity employee --store s --quiet").expect(status: 0)
    }

    private func spoil(_ sql: String) throws {
        let result = try Tool(path: "/usr/bin/env").run(["sqlite3", "s", sql], in: folder)
        try #require(result.status == 0, "\(result.errors)")
    }

    @Test("an intact store is reported as ok, in text and in JSON")
    func whole() throws {
        try prepare()
        let text = try strata("check --store s")
        #expect(text.status == 0 && text.output == "ok\n" && text.errors == "")
        let json = try strata("check --store s --format json")
        #expect(json.status == 0 && json.errors == "")
        #expect(
            json.output
                == #"{"store":"s","faults":[],"repairs":[],"failures":[],"warnings":[],"rows":3,"count":0,"ok":true}"#
                + "\n")
        #expect(try strata("check --store s --repair").output == "ok\n")
    }

    @Test(
        "a check prints each fault and the count of faults; a repair prints the repairs and the remaining faults",
        .needs("sqlite3"))
    func faults() throws {
        try prepare()
        try spoil("update Employee set salary = -1; delete from Boss where id = 2; drop index Employee_boss")
        let left = [
            "Employee 7 salary: is less than 0", "Employee 7 boss: refers to Boss 2, which does not exist",
        ]
        let found = try strata("check --store s")
        #expect(found.status == 65 && found.errors == "")
        #expect(
            found.output.split(separator: "\n").map(String.init)
                == ["Employee: the index Employee_boss is missing"] + left + ["3 faults"])
        let json = try strata("check --store s --format json --repair")
        json.expect(status: 65)
        #expect(
            json.output == """
                {"store":"s","faults":[
                {"attribute":"salary","entity":"Employee","id":7,"kind":"rule","message":"is less than 0","repairable":false},
                {"attribute":"boss","entity":"Employee","id":7,"kind":"reference","message":"refers to Boss 2, which does not exist","repairable":false}],"repairs":[
                "rebuilt the index Employee_boss of Employee"],"failures":[],"warnings":[],"rows":2,"count":2,"ok":false}

                """)
        #expect(try JSONSerialization.jsonObject(with: Data(json.output.utf8)) is [String: Any])
        try spoil("drop index Employee_boss; delete from Employee where id = 7")
        let repaired = try strata("check --store s --repair")
        repaired.expect(status: 0)
        #expect(repaired.output == "rebuilt the index Employee_boss of Employee\nok\n")
        try spoil("insert into Boss values (9, 1, 'x', 'y')")
        let one = try strata("check --store s")
        #expect(
            one.output == "Boss: the next identifier, 3, is already in use; the greatest identifier is 9\n1 fault\n")
    }

    @Test("a check of a missing store, a foreign file or a damaged header, or with wrong options, is an error")
    func refused() throws {
        try prepare()
        let none = try strata("check --store none")
        #expect(none.status == 66 && none.errors == "\(folder.path("none")): there is no store\n")
        try strata("check --store b.csv").expect(status: 65)
        var data = try folder.data("s")
        data[18] = 9
        data[19] = 9
        try data.write(to: URL(fileURLWithPath: folder.path("s")))
        let damaged = try strata("check --store s --format json")
        #expect(damaged.status == 65 && damaged.output == "", "\(damaged.errors)")
        #expect(damaged.errors.hasPrefix("\(folder.path("s")): "))
        try strata("check").expect(status: 64)
        try strata("check --store s --format xml").expect(status: 64)
        try strata("check s").expect(status: 64)
    }

    @Test("a repair of a store that another process has locked exits 75, and a check exits 0", .needs("sqlite3"))
    func held() throws {
        try prepare()
        try spoil("drop index Employee_boss")
        let line =
            "mkfifo ready go; (echo 'select count(*) from Boss;'; echo '.shell echo > ready; cat go') | sqlite3 s & cat ready; "
            + "strata check --store s; echo $?; strata check --store s --repair --busy-timeout 0; echo $?; echo > go; wait; "
            + "strata check --store s --repair"
        let result = withoutWarnings(try Tool.reference.shell(line, in: folder))
        #expect(
            result.output.split(separator: "\n").map(String.init) == [
                "2", "Employee: the index Employee_boss is missing", "1 fault", "65", "75",
                "rebuilt the index Employee_boss of Employee", "ok",
            ])
        #expect(
            result.errors
                == "\(folder.path("s")): another process or connection has the store open, but a repair requires "
                + "exclusive access\n"
        )
    }

    @Test(
        "a store can be checked on a full disk, and a repair on a full disk changes nothing", .faultsSystemCalls,
        .needs("sqlite3"))
    func noRoom() throws {
        try prepare()
        for call in [SystemFaults.Call.write, .create, .truncate] {
            let full = SystemFaults(.init(call: call, path: "/s-", isOnward: true, effect: .fails(ENOSPC)))
            let checked = try strata("check --store s", faults: full)
            #expect(checked.status == 0 && checked.output == "ok\n", "\(call): \(checked.errors)")
        }
        try spoil("drop index Employee_boss")
        let before = try folder.data("s")
        let full = try strata(
            "check --store s --repair",
            faults: SystemFaults(.init(call: .write, path: "/s-wal", isOnward: true, effect: .fails(ENOSPC))))
        #expect(full.status == 74, "\(full.output)\(full.errors)")
        #expect(full.errors.contains("the disk is full; nothing was written"))
        #expect(try folder.data("s") == before)
        try strata("check --store s --repair").expect(status: 0)
    }

    @Test("a check that finds faults exits 65 even if the reader of its output stops reading", .needs("sqlite3"))
    func closedPipe() throws {
        try prepare()
        try spoil(
            "with recursive n(i) as (select 10 union all select i + 1 from n where i < 20000) "
                + "insert into Employee select i, 1, 'a', 'b', -1, 0, null from n")
        let result = try Tool.reference.shell("strata check --store s | head -n 1; echo ${PIPESTATUS[0]}", in: folder)
        #expect(result.output == "Employee 10 salary: is less than 0\n65\n")
    }

    @Test(
        "a repair is committed even if its output cannot be written, and the status reports the failed output",
        .needs("sqlite3"))
    func unreadRepair() throws {
        try prepare()
        for (count, redirection, status, errors) in [
            (3_000, "| head -n 1", 65, ""), (0, "| true", 0, ""),
            (3_000, "> /dev/full", 74, "; the repairs before this error are stored\n"),
            (0, "> /dev/full", 74, "; the repairs before this error are stored\n"),
        ] {
            try spoil(
                "drop index if exists Employee_boss; delete from Employee where id >= 10; "
                    + "with recursive n(i) as (select 10 union all select i + 1 from n where i < 9 + \(count)) "
                    + "insert into Employee select i, 1, 'a', 'b', -1, 0, null from n where \(count) > 0")
            let result = withoutWarnings(
                try Tool.reference.shell(
                    "strata check --store s --repair \(redirection); echo ${PIPESTATUS[0]}", in: folder))
            #expect(result.output.hasSuffix("\(status)\n"), "\(count) \(redirection): \(result.output)")
            #expect(errors.isEmpty ? result.errors.isEmpty : result.errors.hasSuffix(errors), "\(result.errors)")
            #expect(try strata("check --store s").output.contains("index") == false, "\(count) \(redirection)")
        }
    }

    @Test("a repair that cannot be committed does not print its repairs", .faultsSystemCalls, .needs("sqlite3"))
    func unstoredRepair() throws {
        try prepare()
        try spoil("drop index Employee_boss; update Employee set salary = -1")
        let full = try strata(
            "check --store s --repair",
            faults: SystemFaults(.init(call: .write, path: "/s-wal", isOnward: true, effect: .fails(ENOSPC))))
        #expect(full.status == 74 && !full.output.contains("rebuilt"), "\(full.output)")
        #expect(try strata("check --store s").output.hasPrefix("Employee: the index Employee_boss is missing\n"))
    }
}
