import Foundation
import StrataTestSupport
import Testing

/// A sweep that lets each modifying system call fail, or kills the tool before it.
///
/// The output must be the complete old or new one, and the messages must be true.
@Suite("A sweep of failing system calls and kills", .faultsSystemCalls)
struct SystemCallSweepTests {
    /// A command and its output.
    struct Scenario: Sendable, CustomTestStringConvertible {
        enum Result: Sendable {
            /// The output is a store.
            case store(String)
            /// The output is a file.
            case file(String)
            /// The output is a directory that can be imported.
            case directory(String)
            /// The only output is standard output.
            case output
        }

        let line: String
        let result: Result
        /// A Boolean value that indicates whether intermediate commits remain.
        var isStepwise = false
        var testDescription: String { line }
    }

    static let scenarios = [
        Scenario(line: "import n.csv --entity boss --store s", result: .store("s")),
        Scenario(line: "import n.csv --entity boss --store fresh", result: .store("fresh")),
        Scenario(line: "import n.csv --entity boss --store s --commit-every 20", result: .store("s"), isStepwise: true),
        Scenario(line: "import all --store fresh", result: .store("fresh")),
        Scenario(line: "update --entity boss --store s --all --set lastName='q'", result: .store("s")),
        Scenario(line: "delete --entity boss --store s --all", result: .store("s")),
        Scenario(line: "generate --description d.json --store fresh", result: .store("fresh")),
        Scenario(line: "check --store spoiled --repair", result: .store("spoiled")),
        Scenario(line: "migrate --store s --model next.json", result: .store("s")),
        Scenario(line: "migrate --store s --model next.json --backup copy", result: .store("s")),
        Scenario(line: "migrate --store s --model next.json --backup copy", result: .store("copy")),
        Scenario(line: "copy --store s --to fresh", result: .store("fresh")),
        Scenario(line: "copy --store s --to other --replace", result: .store("other")),
        Scenario(line: "export --entity boss --store s -o out.csv", result: .file("out.csv")),
        Scenario(line: "export --entity boss --store s -o new.csv", result: .file("new.csv")),
        Scenario(line: "generate --seed 2 --entity boss --count 9 -o out.csv", result: .file("out.csv")),
        Scenario(line: "report --store s -o page.html", result: .file("page.html")),
        Scenario(line: "export --all --store s -o all", result: .directory("all")),
        Scenario(line: "export --all --store s -o new", result: .directory("new")),
        Scenario(line: "generate --description d.json --output all", result: .directory("all")),
        Scenario(line: "check --store s", result: .output),
    ]

    /// The files that exist before each run.
    private static let base = Result { try prepare() }

    private static func prepare() throws -> TemporaryFolder {
        let folder = TemporaryFolder()
        try folder.write(
            "id,firstName,lastName\n" + (1...5).map { "\($0),a\($0),b\n" }.joined(), to: "b.csv")
        try folder.write(
            "id,firstName,lastName,salary,dateHired,boss\n" + (1...7).map { "\($0),e,f,\($0),2000-01-01,1\n" }.joined(),
            to: "e.csv")
        try folder.write("firstName,lastName\n" + (1...60).map { "n\($0),m\n" }.joined(), to: "n.csv")
        try folder.write(#"{"seed":7,"entities":{"Boss":{"count":8},"Employee":{"count":20}}}"#, to: "d.json")
        try folder.write("old page", to: "page.html")
        let lines = [
            "import b.csv --entity boss --store s", "import e.csv --entity employee --store s",
            "import n.csv --entity boss --store other",
            "export --all --store s -o all", "export --entity boss --store s -o out.csv",
            "update --entity boss --store s --all --set lastName='z'",
        ]
        for line in lines { try #require(try run(line, in: folder).status == 0, "\(line)") }
        try folder.write(NextModel.text(of: try run("model show s --format json", in: folder).output), to: "next.json")
        // An index is missing because the schema contains another name for it.
        var data = try folder.data("s")
        while let place = data.range(of: Data("Employee_boss".utf8)) {
            data.replaceSubrange(place, with: Data("Employee_boas".utf8))
        }
        try data.write(to: URL(fileURLWithPath: folder.path("spoiled")))
        return folder
    }

    private static func run(_ line: String, in folder: TemporaryFolder, _ faults: SystemFaults? = nil) throws
        -> Tool.Result
    {
        let words = line.split(separator: " ").map(String.init)
        return try faults.map { try Tool.reference.run(words, in: folder, faults: $0) }
            ?? Tool.reference.run(words, in: folder)
    }

    /// Returns the content of an output for comparison, or `nil` if it does not exist.
    private static func content(_ result: Scenario.Result, in folder: TemporaryFolder) throws -> String? {
        switch result {
        case .store(let name): return try rows(of: name, in: folder)
        case .file(let name): return try folder.files.contains(name) ? folder.text(name) : nil
        case .directory(let name):
            let read = try run("import \(name) --store probe --quiet", in: folder)
            // An incomplete directory is rejected.
            guard read.status == 0 else { return [65, 66].contains(read.status) ? nil : "import: \(read.errors)" }
            return try rows(of: "probe", in: folder)
        case .output: return nil
        }
    }

    private static func rows(of store: String, in folder: TemporaryFolder) throws -> String? {
        let export = try run("export --all --store \(store) --output exported --quiet", in: folder)
        guard export.status == 0 else { return export.status == 66 ? nil : "export: \(export.errors)" }
        return try ["Boss", "Employee", "Color", "Item"].map { try folder.text("exported/\($0).csv") }.joined()
    }

    private static func hiddenFiles(in folder: TemporaryFolder) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.url.path).filter { $0.contains(".strata-") }
    }

    @Test(
        "outputs are completely old or completely new after every failed system call or kill",
        arguments: Seeds.spread(11, of: scenarios))
    func sweep(_ scenario: Scenario) throws {
        let base = try Self.base.get()
        func copy() throws -> TemporaryFolder {
            let folder = TemporaryFolder()
            for name in try base.files {
                try FileManager.default.copyItem(atPath: base.path(name), toPath: folder.path(name))
            }
            return folder
        }
        let (before, after) = (try copy(), try copy())
        let old = try Self.content(scenario.result, in: before)
        let whole = try Self.run(scenario.line, in: after, SystemFaults(log: "log"))
        try #require(whole.status == 0, "\(whole.errors)")
        let calls = try after.text("log").split(separator: "\n").map(String.init)
        let new = try Self.content(scenario.result, in: after)
        var generator = SeededGenerator(seed: UInt64(calls.count))
        let numbers =
            Seeds.areAll ? Array(1...calls.count) : Array((1...calls.count).shuffled(using: &generator).prefix(2))
        for number in numbers {
            let effects: [SystemFaults.Effect] = [.kills, .fails(number % 2 == 0 ? EIO : ENOSPC)]
            for effect in Seeds.areAll ? effects : [effects[numbers.firstIndex(of: number) ?? 0]] {
                let folder = try copy()
                let result = try Self.run(
                    scenario.line, in: folder, SystemFaults(.init(call: .any, number: number, effect: effect)))
                let call = "\(calls[number - 1].replacing(after.url.path, with: "")), \(effect): \(result.errors)"
                try validate(result, effect, call, scenario, (old, new), in: folder)
            }
        }
    }

    private func validate(
        _ result: Tool.Result, _ effect: SystemFaults.Effect, _ call: String, _ scenario: Scenario,
        _ expected: (old: String?, new: String?), in folder: TemporaryFolder
    ) throws {
        var isKill = false
        if case .kills = effect { isKill = true }
        // The numbers of calls may vary, for example with a second thread or a lock that is free or not.
        let statuses: [Int32] = isKill ? [128 + SIGKILL, 0] : [0, 73, 74, 75, 77]
        #expect(statuses.contains(result.status), "\(call)")
        let hidden = try Self.hiddenFiles(in: folder)
        #expect(hidden.isEmpty || isKill && hidden.count == 1, "\(call): \(hidden)")
        if case .output = scenario.result {
            #expect(result.status != 0 || result.output == "ok\n", "\(call)")
            return
        }
        let found = try Self.content(scenario.result, in: folder)
        #expect(result.status != 0 || found == expected.new, "\(call): 0, and not what was to be made")
        if case .store(let name) = scenario.result {
            // A run that was killed or failed while it created a store may leave a store without rows.
            let isEmpty = expected.old == nil && found?.split(separator: "\n").count == 4
            #expect(
                scenario.isStepwise || isEmpty && isKill || found == expected.old || found == expected.new,
                "\(call): \(found ?? "nothing")")
            if found != nil {
                let check = try Self.run("check --store \(name)", in: folder)
                #expect(check.status == 0 || found == expected.old && name == "spoiled", "\(call): \(check.output)")
            }
        } else if case .directory = scenario.result {
            // Between the first and the last rename the directory cannot be imported.
            #expect(found == nil || found == expected.old || found == expected.new, "\(call)")
        } else {
            #expect(found == expected.old || found == expected.new, "\(call)")
        }
        guard result.status != 0, !isKill, expected.old != expected.new, !scenario.isStepwise else { return }
        // An output that is complete despite the error is reported.
        let says = ["stored", "imported", "the file was written", "already replaced"]
        let isSaid = says.contains { result.errors.contains($0) && !result.errors.contains("nothing was stored") }
        #expect(found != expected.new || isSaid, "\(call): there, and unsaid")
    }
}
