import Foundation
import StrataTestSupport
import Testing

/// The progress of a command, which is shown only on a terminal.
@Suite("Progress on a terminal", .needs("script"))
struct ProgressTests {
    private let folder = TemporaryFolder()

    /// Returns the output on a terminal, with carriage returns replaced by line ends.
    private func terminal(_ line: String) throws -> String {
        let words = line.split(separator: " ").map(String.init)
        let quoted = (["\"\(Tool.debug.path)\""] + Tool.reference.completed(words)).joined(separator: " ")
        let result = try Tool(path: "/usr/bin/env").run(["script", "-qec", quoted, "/dev/null"], in: folder)
        #expect(result.status == 0, "\(line): \(result.output)")
        return result.output.replacing("\r\n", with: "\n").replacing("\r\u{1B}[K", with: "\n")
    }

    @Test("every long command shows its progress and remaining time, and erases the line before its message")
    func commands() throws {
        // A debug build takes a few tenths of a second for this count.
        let count = 60_000
        let lines = [
            ("generate --entity boss --count \(count) -o b.csv", "generated \(count) Boss records to b.csv"),
            ("import b.csv --entity boss --store s", "imported \(count) Boss records from b.csv into s"),
            ("export --entity boss --store s -o x.csv", "exported \(count) Boss records to x.csv"),
            ("update --entity boss --store s --all --set 'lastName = \"z\"'", "updated \(count) Boss records in s"),
            ("report --store s -o r.html", "wrote the report of s to r.html"), ("check --store s", "ok"),
        ]
        // A task that is shorter than a glance shows no progress.
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
