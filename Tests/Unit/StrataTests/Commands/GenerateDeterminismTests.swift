import Foundation
import StrataTestSupport
import Testing

/// Tests that the output depends only on the description, not on the environment.
@Suite("Determinism of generate")
struct GenerateDeterminismTests {
    private let folder = TemporaryFolder()

    /// More employees than fit in one block of 4,096.
    private static let described = "--seed 7 --count Employee=4200,Boss=30,Color=200,Item=100 --hostile"

    /// Returns the digests of all files of a directory that a shell line generates with `STRATA`, the tool, and
    /// `ARGUMENTS`.
    private func digests(_ line: String, tool: Tool = .reference) throws -> String {
        let folder = TemporaryFolder()
        let script = line.replacingOccurrences(of: "STRATA", with: "\"\(tool.path)\"")
            .replacingOccurrences(of: "ARGUMENTS", with: "--model reference \(Self.described) -q")
        let result = try Tool.reference.shell("mkdir made && \(script) && cd made && sha256sum *", in: folder)
        result.expect(status: 0)
        #expect(result.output.count(where: \.isNewline) == 5)
        return result.output
    }

    private static let plain = "STRATA generate ARGUMENTS -o made"

    @Test("generate has the same output on any number of threads")
    func threads() throws {
        let expected = try digests(Self.plain)
        for threads in [1, 2, 5, 64] {
            #expect(try digests("STRATA generate ARGUMENTS --threads \(threads) -o made") == expected, "\(threads)")
        }
    }

    @Test("generate has the same output in any locale, time zone, home and folder, and on a slow machine")
    func surroundings() throws {
        let expected = try digests(Self.plain)
        let surroundings = [
            "env LC_ALL=C \(Self.plain)", "env LC_ALL=tr_TR.UTF-8 LANG=tr_TR.UTF-8 \(Self.plain)",
            "env LC_ALL=de_DE.UTF-8 LC_NUMERIC=de_DE.UTF-8 \(Self.plain)", "env TZ=Asia/Kathmandu \(Self.plain)",
            "env TZ=UTC \(Self.plain)", "env TZ=America/St_Johns \(Self.plain)", "env HOME=/nowhere \(Self.plain)",
            "env -i \(Self.plain)", "env SWIFT_DETERMINISTIC_HASHING=1 \(Self.plain)", "nice -n 19 \(Self.plain)",
            "(mkdir elsewhere; cd elsewhere; STRATA generate ARGUMENTS -o ../made)",
            "STRATA generate ARGUMENTS -o \"$PWD/made\"", "(umask 077; \(Self.plain))",
            "\(Self.plain) < /dev/null > /dev/null",
        ]
        for line in Seeds.spread(5, of: surroundings) { #expect(try digests(line) == expected, "\(line)") }
    }

    @Test(
        "generate has the same output at any time", .needs("faketime"),
        .enabled(if: !Machine.hasSanitizer, "faketime and a sanitizer replace the same calls")
    )
    func time() throws {
        #expect(try digests("faketime '1999-12-31 23:59:59' \(Self.plain)") == digests(Self.plain))
    }

    @Test("generate has the same output in debug and release builds", .releaseTool)
    func release() throws {
        let tool = try #require(Tool.release)
        let expected = try digests(Self.plain)
        #expect(try digests(Self.plain, tool: tool) == expected)
        #expect(try digests("STRATA generate ARGUMENTS --threads 1 -o made", tool: tool) == expected)
    }

    @Test("generate has the same output for any order of options and of keys in the description")
    func order() throws {
        func made(_ description: String, _ options: String = "") throws -> String {
            try folder.write(description, to: "d.json")
            let line = "strata generate --description d.json \(options) -o made -q && cat made/*; rm -r made"
            let result = try Tool.reference.shell(line, in: folder)
            #expect(result.errors == "")
            return result.output
        }
        let one =
            #"{"seed": 3, "entities": {"Boss": {"count": 4}, "Employee": {"count": 20, "attributes": "#
            + #"{"salary": {"uniform": {"minimum": 1000, "maximum": 2000, "step": 10}}, "firstName": {"oneOf": ["a", "b"]}}}}}"#
        let other =
            #"{"entities": {"Employee": {"attributes": {"firstName": {"oneOf": ["a", "b"]}, "#
            + #""salary": {"uniform": {"step": 10, "maximum": 2000, "minimum": 1000}}}, "count": 20}, "Boss": {"count": 4}}, "seed": 3}"#
        let expected = try made(one)
        #expect(expected.count(where: \.isNewline) > 26)
        #expect(try made(other) == expected)
        #expect(try made(one.replacingOccurrences(of: " ", with: "\n\t")) == expected)
        #expect(try made(one.replacingOccurrences(of: "\"seed\": 3", with: "\"seed\": 4"), "--seed 3") == expected)
        #expect(try made(one, "--count boss=4 --count EMPLOYEE=20") == expected)
        let lists = try ["Boss=3,Employee=9", "employee=9,boss=3", "Employee=9 --count Boss=3"].map {
            try Tool.reference.shell("strata generate --entity employee --count \($0)", in: folder).output
        }
        #expect(Set(lists).count == 1)
    }

    @Test("generating more rows of an entity does not change the first rows")
    func prefixes() throws {
        func rows(_ entity: String, _ count: Int) throws -> String {
            try Tool.reference.shell("strata generate --count \(entity)=\(count) --format ndjson", in: folder).output
        }
        for entity in ["Color", "Boss", "Employee", "Item"] {
            let few = try rows(entity, 100)
            #expect(try rows(entity, 5000).hasPrefix(few), "\(entity)")
        }
    }
}
