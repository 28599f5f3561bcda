import Foundation
import StrataTestSupport
import Testing

@Suite("GitHub files that generate and check fixtures")
struct GenerateWorkflowTests {
    private static let root = Checkout.root
    private static let action = root.appendingPathComponent(".github/actions/fixtures")
    private static let script = action.appendingPathComponent("fixtures.sh").path

    private let folder = TemporaryFolder()

    private func lines(_ name: String) throws -> [String] {
        try String(contentsOf: Self.action.appendingPathComponent(name), encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// Returns the inputs that the action declares.
    private func inputs() throws -> [String] {
        let lines = try lines("action.yml")
        let first = try #require(lines.firstIndex(of: "inputs:"))
        return lines[(first + 1)...].prefix { $0.isEmpty || $0.hasPrefix(" ") }
            .filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") && $0.hasSuffix(":") }
            .map { $0.trimmingCharacters(in: [" ", ":"]) }
    }

    @Test("the action calls exactly the functions of the script and uses only declared inputs")
    func calls() throws {
        let usage = try Tool(path: Self.script).run([], in: folder).errors
        let commands = usage.split(separator: "\n").compactMap { line -> Substring? in
            let words = line.split(separator: " ")
            return words.firstIndex(of: "fixtures.sh").map { words[$0 + 1] }
        }
        let yaml = try lines("action.yml").joined(separator: "\n")
        let called = yaml.components(separatedBy: "fixtures.sh\" ").dropFirst().compactMap {
            $0.split(separator: " ").first
        }
        #expect(Set(called) == Set(commands))
        let declared = try inputs()
        #expect(declared == ["directory", "description", "model", "format", "check"])
        let used = yaml.components(separatedBy: "inputs.").dropFirst().map { part in
            String(part.prefix { $0.isLetter || $0 == "-" })
        }
        #expect(Set(used) == Set(declared))
        #expect(access(Self.script, X_OK) == 0)
    }

    @Test("the first step of the action fails if the input check is neither true nor false")
    func checkWord() throws {
        let lines = try lines("action.yml")
        let first = try #require(lines.firstIndex(of: "  steps:"))
        let step = try #require(lines[first...].first { $0.hasPrefix("    - ") })
        #expect(step == "    - if: inputs.check != 'true' && inputs.check != 'false'")
        let run = try #require(lines[first...].first { $0.hasPrefix("      run: ") })
        let result = try Tool.debug.shell(String(run.dropFirst("      run: ".count)), in: folder)
        result.expect(status: 64)
        #expect(result.output == "::error::the input 'check' must be true or false\n")
    }

    @Test("the printed workflow calls the action by its path and with declared inputs")
    func workflow() throws {
        let line = "strata generate --check \"it's fixtures/\" --description '#d: e.json' --workflow acme/strata@v1.2"
        let result = try Tool.debug.shell(line, in: folder)
        #expect(result.status == 0 && result.errors == "")
        let lines = result.output.split(separator: "\n").map { $0.trimmingCharacters(in: [" ", "-"]) }
        let uses = try #require(lines.first { $0.hasPrefix("uses: acme/strata/") })
        let path = uses.dropFirst("uses: acme/strata/".count).split(separator: "@")
        #expect(path.count == 2 && path[1] == "v1.2")
        #expect(
            FileManager.default.fileExists(atPath: Self.root.appendingPathComponent("\(path[0])/action.yml").path))
        let first = try #require(lines.lastIndex(of: "with:"))
        let given = lines[(first + 1)...].map { $0.split(separator: ":", maxSplits: 1).map(String.init) }
        let declared = try inputs()
        for input in given { #expect(declared.contains(input[0]), "\(input)") }
        #expect(lines.contains("directory: 'it''s fixtures/'"))
        #expect(lines.contains("check: \"true\""))
        #expect(lines.contains("description: '#d: e.json'"))
    }

    /// A Boolean value that indicates whether `python3` can read YAML.
    private static let readsYAML =
        (try? Tool(path: "/usr/bin/env").run(["python3", "-c", "import yaml"], in: TemporaryFolder()))?.status == 0

    @Test(
        "the action and the printed workflow are valid YAML with the expected steps",
        .enabled(if: readsYAML, "python3 has no module yaml"))
    func yaml() throws {
        let workflow = "strata generate --check \"it's: # a\" --workflow acme/strata@main > w.yml"
        try Tool.debug.shell(workflow, in: folder).expect(status: 0)
        try folder.write(
            """
            import sys, yaml
            action = yaml.safe_load(open(sys.argv[1]))
            assert action["runs"]["using"] == "composite"
            assert all(("run" in s) == ("shell" in s) for s in action["runs"]["steps"])
            assert all(("run" in s) != ("uses" in s) for s in action["runs"]["steps"])
            steps = yaml.safe_load(open("w.yml"))["jobs"]["fixtures"]["steps"]
            print(steps[-1]["with"]["directory"], steps[-1]["with"]["check"])

            """, to: "read.py")
        let path = Self.action.appendingPathComponent("action.yml").path
        let result = try Tool.debug.shell("python3 read.py \"\(path)\"", in: folder)
        #expect(result.errors == "")
        #expect(result.output == "it's: # a true\n")
    }

    @Test("the fixtures that this repository's workflow checks match their manifest")
    func ownFixtures() throws {
        let path = Self.root.appendingPathComponent(".github/workflows/fixtures.yml")
        let lines = try String(contentsOf: path, encoding: .utf8).split(separator: "\n").map {
            $0.trimmingCharacters(in: [" ", "-"])
        }
        #expect(lines.contains("uses: ./.github/actions/fixtures"))
        func input(_ name: String) -> String? {
            lines.first { $0.hasPrefix("\(name): ") }?.dropFirst(name.count + 2).trimmingCharacters(in: ["'", "\""])
        }
        let directory = try #require(input("directory"))
        let description = try #require(input("description"))
        #expect(input("check") == "true")
        #expect(input("model") == "reference")
        let line =
            "cd \"\(Self.root.path)\" && strata generate --model reference --check \(directory) "
            + "--description \(description)"
        for line in [line, line.replacing(" --model reference", with: "")] {
            let result = try Tool.debug.shell(line, in: folder)
            result.expect(status: 0)
            #expect(result.errors.hasSuffix(" of \(directory) match the manifest\n"))
        }
    }
}
