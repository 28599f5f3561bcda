import Foundation
import StrataTestSupport
import Testing

@Suite("The GitHub action that generates and checks fixtures")
struct GenerateActionTests {
    private static let root = Checkout.root
    private static let action = root.appendingPathComponent(".github/actions/fixtures")
    private static let script = action.appendingPathComponent("fixtures.sh").path

    private let folder = TemporaryFolder()

    /// Runs the script, or a copy of it, with the built tool on the path.
    ///
    /// Uses bash explicitly, because a child process of another test may still hold a copy open for writing.
    private func fixtures(
        _ line: String, model: String = "reference", script: String = script
    ) throws -> Tool.Result {
        let bin = URL(fileURLWithPath: Tool.debug.path).deletingLastPathComponent().path
        let environment = "PATH=\"\(bin):$PATH\" MODEL='\(model)'"
        return try Tool.debug.shell("\(environment) bash \"\(script)\" \(line)", in: folder)
    }

    private func key(_ line: String, script: String = script) throws -> String {
        let result = try fixtures(line, script: script)
        #expect(result.status == 0 && result.errors == "", "\(result.errors)")
        #expect(result.output.hasPrefix("key=") && result.output.utf8.count == 4 + 32 + 1)
        return result.output
    }

    @Test("the cache key of the tool depends only on the names and bytes of the source files")
    func toolKey() throws {
        let sources = ["Package.swift", "Modules/A/a.swift", "Apps/b c.swift", ".github/actions/fixtures/fixtures.sh"]
        for source in sources {
            let directory = URL(fileURLWithPath: folder.path("copy/\(source)")).deletingLastPathComponent()
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            try folder.write("// \(source)\n", to: "copy/\(source)")
        }
        let copy = folder.path("copy/.github/actions/fixtures/fixtures.sh")
        try FileManager.default.removeItem(atPath: copy)
        try FileManager.default.copyItem(atPath: Self.script, toPath: copy)
        func key() throws -> String { try self.key("tool-key", script: copy) }
        let first = try key()
        #expect(try key() == first)
        try folder.write("notes", to: "copy/README.md")
        #expect(try key() == first)
        var keys: Set<String> = [first]
        for source in sources.dropLast() {
            try folder.write("// changed\n", to: "copy/\(source)")
            #expect(keys.insert(try key()).inserted, "\(source)")
        }
        try FileManager.default.moveItem(
            atPath: folder.path("copy/Modules/A/a.swift"), toPath: folder.path("copy/Modules/A/z.swift"))
        #expect(keys.insert(try key()).inserted)
        #expect(try self.key("tool-key") != first)
    }

    @Test("the cache key of the datasets depends only on the described content and the format")
    func datasetsKey() throws {
        try folder.write("{\"seed\": 7, \"entities\": {\"Boss\": {\"count\": 3}}}", to: "a.json")
        try folder.write("{ \"entities\":\n\t{\"Boss\": {\"count\": 3}},\n \"seed\": 7 }\n", to: "b.json")
        let usual = try key("datasets-key '' csv")
        let first = try key("datasets-key a.json csv")
        #expect(try key("datasets-key b.json csv") == first)
        #expect(try key("datasets-key '' csv") == usual)
        var keys: Set<String> = [usual, first]
        #expect(keys.insert(try key("datasets-key a.json json")).inserted)
        for other in [
            "{\"seed\": 8, \"entities\": {\"Boss\": {\"count\": 3}}}", "{\"entities\": {\"Boss\": {\"count\": 3}}}",
            "{\"seed\": 7, \"entities\": {\"Boss\": {\"count\": 4}}}", "{\"seed\": 7}",
        ] {
            try folder.write(other, to: "c.json")
            #expect(keys.insert(try key("datasets-key c.json csv")).inserted, "\(other)")
        }
    }

    @Test("the action generates datasets, checks them, and fails if the datasets differ")
    func generateAndCheck() throws {
        try folder.write("{\"entities\": {\"Boss\": {\"count\": 2}}}", to: "d e.json")
        try fixtures("generate 'a b' 'd e.json' csv").expect(status: 0)
        #expect(try folder.text("a b/Boss.csv") == "id,firstName,lastName\n1,Halil,Karakuş\n2,Błażej,Wójcik\n")
        try fixtures("check 'a b' 'd e.json'").expect(status: 0)
        try fixtures("check 'a b' ''").expect(status: 0)
        try folder.write("{\"entities\": {\"Boss\": {\"count\": 3}}}", to: "d e.json")
        let other = try fixtures("check 'a b' 'd e.json'")
        other.expect(status: 65)
        #expect(
            other.errors
                == "a b/manifest.json: was generated from another description: the count of Boss is 2 in the manifest, "
                + "but 3 is given\n"
                + "strata: generate the files again with: strata generate --model reference "
                + "--description 'd e.json' --output 'a b'\n")
        try folder.write("id,firstName,lastName\n1,Ada,Ito\n", to: "a b/Boss.csv")
        let changed = try fixtures("check 'a b' ''")
        changed.expect(status: 65)
        #expect(
            changed.errors
                == "a b/Boss.csv:2: the file differs: \"1,Ada,Ito\" was found, but \"1,Halil,Karakuş\" was expected\n"
                + "strata: generate the files again with: strata generate --model reference "
                + "--description 'a b/manifest.json' --output 'a b'\n")
        try fixtures("generate all '' ndjson").expect(status: 0)
        #expect(try fixtures("check all ''").errors == "4 files of all match the manifest\n")
    }

    @Test("the action without a model checks datasets of the reference model and generates none")
    func withoutModel() throws {
        try fixtures("generate made '' csv").expect(status: 0)
        try fixtures("check made ''", model: "").expect(status: 0)
        for line in ["generate new '' csv", "datasets-key '' csv"] {
            let result = try fixtures(line, model: "")
            result.expect(status: 64)
            #expect(result.errors.hasPrefix("strata: generate requires a model; "), "\(result.errors)")
        }
        #expect(try folder.files == ["made"])
    }

    @Test(
        "the action without its inputs prints its usage",
        arguments: [
            "", "nothing", "generate", "generate d ''", "check", "check d", "tool-key surplus", "datasets-key ''",
            "install",
        ])
    func usage(line: String) throws {
        let result = try fixtures(line)
        result.expect(status: 64)
        #expect(result.output == "")
        #expect(result.errors.hasPrefix("usage: fixtures.sh tool-key "))
        #expect(result.errors.split(separator: "\n").count == 5)
    }

    @Test(
        "each step of the action fails for an invalid description",
        arguments: ["datasets-key d.json csv", "generate d d.json csv"])
    func wrongDescription(line: String) throws {
        try folder.write("{\"sed\": 1}", to: "d.json")
        let result = try fixtures(line)
        result.expect(status: 65)
        #expect(result.errors.hasPrefix("d.json:1:9: the key \"sed\" is unknown"))
        #expect(try folder.files == ["d.json"])
        #expect(!result.output.contains("key="))
    }
}
