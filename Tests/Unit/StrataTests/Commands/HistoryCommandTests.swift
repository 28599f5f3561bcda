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
        #expect(enabled.errors.contains("earlier versions of strata cannot open this store"))
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
