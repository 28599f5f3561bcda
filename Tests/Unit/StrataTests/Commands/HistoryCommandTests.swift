import Foundation
import StrataTestSupport
import Testing

@testable import strata

@Suite("strata history")
struct HistoryCommandTests {
    private let folder = TemporaryFolder()

    private func run(_ line: String) throws -> Tool.Result { try Tool.debug.shell("strata " + line, in: folder) }

    private func output(_ line: String) throws -> String {
        let result = try run(line)
        result.expect(status: 0)
        return result.output
    }

    private func prepare(_ level: String = "changes") throws {
        try folder.write("code,name,stock\nA-1,Bolt,5\nB-2,Nut,7\n", to: "parts.csv")
        try run("import parts.csv --infer --key parts.code --store s -q").expect(status: 0)
        let enabled = try run("history --store s --enable \(level)")
        enabled.expect(status: 0)
        #expect(enabled.errors.contains("earlier versions of strata cannot open a store with a history"))
    }

    /// An object of the output as NDJSON.
    private struct Transaction: Decodable {
        struct Change: Decodable {
            let kind: String
            let entity: String
            let first: Int64?
            let last: Int64?
            let key: [String: String]?
            let columns: [String]?
            let before: [String: String]?
        }

        let token: String
        let author: String?
        let changes: [Change]
    }

    private func transactions(_ options: String = "") throws -> [Transaction] {
        try output("history --store s --format ndjson \(options)").split(separator: "\n").map {
            try JSONDecoder().decode(Transaction.self, from: Data($0.utf8))
        }
    }

    @Test("each command that writes is a transaction with the names and keys of files")
    func commands() throws {
        try prepare("values")
        try folder.write("code,name,stock\nC-3,Washer,9\nD-4,Pin,1\n", to: "more.csv")
        _ = try output("import more.csv --entity parts --store s -q")
        _ = try output("update --entity parts --store s --where 'code = \"A-1\"' --set 'stock = 4' -q")
        _ = try output("delete --entity parts --store s --where 'code = \"B-2\"' -q")
        let all = try transactions()
        #expect(all.map { $0.changes.map(\.kind) } == [["insert"], ["update"], ["delete"]])
        #expect(all.map(\.author) == ["strata", "strata", "strata"])
        #expect(all.flatMap(\.changes).allSatisfy { $0.entity == "parts" })
        #expect(all[0].changes[0].last == (all[0].changes[0].first ?? 0) + 1)
        #expect(all[1].changes[0].key == ["code": "A-1"] && all[1].changes[0].columns == ["stock"])
        #expect(all[1].changes[0].before == ["stock": "5"])
        #expect(all[2].changes[0].before == ["code": "B-2", "name": "Nut", "stock": "7"])
        let text = try output("history --store s -q")
        #expect(text.contains("  update parts code “A-1”: stock (before: stock = 5)\n"))
        #expect(try transactions("--after \(all[0].token) --limit 1").map(\.token) == [all[1].token])
        #expect(try transactions("--author other").isEmpty)
        #expect(try transactions("--entity parts").count == 3)
        #expect(try output("history --store s --token") == all[2].token + "\n")
        #expect(try output("info --store s").contains("history  values\n"))
        #expect(try run("check --store s").status == 0)
        #expect(try !output("export --entity parts --store s").contains("history"))
    }

    @Test("an expired token and one of another store exit with 65, and say what to do")
    func tokens() throws {
        try prepare()
        let first = try output("history --store s --token").trimmingCharacters(in: .newlines)
        for stock in 1...3 { _ = try output("update --entity parts --store s --all --set 'stock = \(stock * 10)' -q") }
        let last = try output("history --store s --token").trimmingCharacters(in: .newlines)
        _ = try output("history --store s --delete-before \(last)")
        let expired = try run("history --store s --after \(first)")
        #expect(expired.status == 65 && expired.errors.contains("continue after a new token"), "\(expired)")
        _ = try output("copy --store s --to c -q")
        let other = try run("history --store c --after \(last)")
        #expect(other.status == 65 && other.errors.contains("another store"), "\(other)")
        _ = try output("copy --store s --to d -q --without-history")
        let without = try run("history --store d")
        #expect(without.status == 65 && without.errors.contains("--enable"), "\(without)")
        _ = try output("history --store s --disable")
        #expect(try run("history --store s").status == 65)
        _ = try output("copy --store s --to x.stxml -q")
        let xml = try run("history --store x.stxml --enable changes")
        #expect(xml.status == 65 && xml.errors.contains("cannot keep a history"), "\(xml)")
    }

    @Test("a copy keeps the history also over an existing store, with an epoch of its own; a backup has one too")
    func copies() throws {
        try prepare()
        let token = try output("history --store s --token").trimmingCharacters(in: .newlines)
        _ = try output("update --entity parts --store s --all --set 'stock = 9' -q")
        _ = try output("copy --store s --to c -q")
        _ = try output("copy --store s --to c -q --replace")
        let copied = try output("history --store c --format ndjson")
        #expect(copied.contains("\"update\"") && copied.split(separator: "\n").count == 1)
        #expect(try run("history --store c --after \(token)").status == 65)
        _ = try output("update --entity parts --store c --all --set 'stock = 8' -q")
        #expect(try output("history --store c --format ndjson").split(separator: "\n").count == 2)
        _ = try output("migrate --store s --add 'parts.note: text?' --backup b")
        #expect(try run("history --store b --after \(token)").status == 65)
        #expect(try transactions("--after \(token)").map { $0.changes[0].kind } == ["update", "everything"])
        #expect(try transactions("--author strata").count == 2)
    }

    @Test("rows that an import rejects at its end are not in the history")
    func rejected() throws {
        try folder.write("code\nX\n", to: "teams.csv")
        try folder.write("code,name,teams_code\n1x,Ann,X\n2x,Ben,X\n", to: "staff.csv")
        try run("import teams.csv staff.csv --infer --key teams.code --key staff.code --store s -q").expect(status: 0)
        _ = try output("history --store s --enable changes -q")
        try folder.write("code,name,teams_code\n3x,Cid,Z\n1x,Ann2,Q\n2x,Bob,X\n", to: "more.csv")
        let options = "--on-conflict update --on-missing-reference reject --on-error reject"
        _ = try run("import more.csv --entity staff --store s \(options) -q")
        let changes = try transactions().flatMap(\.changes)
        #expect(changes.map { "\($0.kind) \($0.key ?? [:])" } == ["update [\"code\": \"2x\"]"], "\(changes)")
    }

    @Test("a history with a missing table or epoch is a fault, which turning it on repairs")
    func damaged() throws {
        try prepare()
        for damage in ["DROP TABLE strata_history_change", "DELETE FROM strata_metadata WHERE key = 'history.epoch'"] {
            let python = "import sqlite3; c = sqlite3.connect('s'); c.execute(\"\(damage)\"); c.commit()"
            try folder.write(python, to: "damage.py")
            try Tool.debug.shell("python3 damage.py", in: folder).expect(status: 0)
            #expect(try run("check --store s").errors.contains("history") || run("check --store s").status == 65)
            let enabled = try run("history --store s --enable changes -q")
            #expect(enabled.status == 0, "\(enabled)")
            let checked = try run("check --store s")
            #expect(checked.status == 0, "\(checked)")
            _ = try output("update --entity parts --store s --all --set 'stock = \(damage.count)' -q")
            #expect(try transactions().count == 1)
        }
        // An earlier version would write the store without recording it.
        try folder.write(
            "import sqlite3; c = sqlite3.connect('s'); c.execute('PRAGMA user_version = 3')", to: "format.py")
        try Tool.debug.shell("python3 format.py", in: folder).expect(status: 0)
        #expect(try run("check --store s").output.contains("format"))
        _ = try output("check --store s --repair")
        #expect(try output("info --store s").contains("format 4"))
    }

    @Test(
        "a wrong option is a usage error",
        arguments: [
            "--after x", "--delete-before 1:2", "--enable all", "--enable changes --disable", "--force",
            "--token --limit 3", "--entity nothing",
        ])
    func usage(_ options: String) throws {
        try prepare()
        #expect(try run("history --store s \(options)").status == 64)
    }
}
