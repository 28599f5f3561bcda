import Foundation
import StrataTestSupport
import Testing

/// The line that says how far a command is: on a terminal, and nowhere else.
@Suite("Progress on a terminal", .needs("script"))
struct ProgressTests {
    private let folder = TemporaryFolder()

    /// What a terminal gets, with the returns that write a line over as line ends.
    private func terminal(_ line: String) throws -> String {
        let words = line.split(separator: " ").map(String.init)
        let quoted = (["\"\(Tool.debug.path)\""] + Tool.reference.completed(words)).joined(separator: " ")
        let result = try Tool(path: "/usr/bin/env").run(["script", "-qec", quoted, "/dev/null"], in: folder)
        #expect(result.status == 0, "\(line): \(result.output)")
        return result.output.replacing("\r\n", with: "\n").replacing("\r\u{1B}[K", with: "\n")
    }

    @Test("every command that takes long shows share and time left, and takes the line away before its message")
    func commands() throws {
        // So many that a debug build takes a few tenths of a second for them.
        let count = 60_000
        let lines = [
            ("generate --entity boss --count \(count) -o b.csv", "generated \(count) Boss records to b.csv"),
            ("import b.csv --entity boss --store s", "imported \(count) Boss records from b.csv into s"),
            ("export --entity boss --store s -o x.csv", "exported \(count) Boss records to x.csv"),
            ("update --entity boss --store s --all --set 'lastName = \"z\"'", "updated \(count) Boss records in s"),
            ("report --store s -o r.html", "wrote the report of s to r.html"), ("check --store s", "ok"),
        ]
        // What is done in less time than a person would look at a bar shows none.
        var bars = 0
        for (line, message) in lines {
            let shown = try terminal(line).split(separator: "\n").map(String.init)
            #expect(shown.last == message, "\(line)")
            if shown.contains(where: { $0.hasPrefix("[") && $0.contains(" %") && $0.hasSuffix(" left") }) { bars += 1 }
            #expect(!shown.contains { $0.contains("left") && !$0.hasSuffix("left") }, "\(line): \(shown)")
        }
        #expect(bars > 0)
        let quiet = try terminal("export --entity boss --store s -o x.csv --quiet")
        #expect(quiet == "")
        let piped = try Tool.reference.run(["check", "--store", "s"], in: folder)
        #expect(piped.output == "ok\n" && piped.errors == "")
    }
}
