import Foundation
import StrataTestSupport
import Testing

@Suite("strata copy, metadata, destroy")
struct CopyTests {
    private let folder = TemporaryFolder()

    private func run(_ line: String) throws -> Tool.Result {
        try Tool.reference.run(line.split(separator: " ").map(String.init), in: folder)
    }

    private func prepare() throws {
        let result = try run("generate -q --seed 3 --count Boss=5,Employee=40,Color=7,Item=3 --store s")
        try #require(result.status == 0, "\(result.errors)")
    }

    private func rows(_ store: String) throws -> String {
        try ["Boss", "Employee", "Color", "Item"].map {
            try run("export --store \(store) --entity \($0) --format json").output
        }.joined()
    }

    @Test("copy copies all rows, replaces a store only with --force, and never replaces a foreign file")
    func copying() throws {
        try prepare()
        try folder.write("text", to: "x.txt")
        let first = try run("copy --store s --to t")
        #expect((first.status, first.output, first.errors) == (0, "t: 55 rows\n", ""))
        #expect(try rows("t") == rows("s"))
        try run("update --entity boss --store t --all --set lastName='z' -q").expect(status: 0)
        let changed = try rows("t")
        let second = try run("copy --store s --to t")
        second.expect(status: 73)
        #expect(second.errors.hasSuffix("; use --replace to replace an existing store\n"))
        #expect(try rows("t") == changed)
        #expect(try run("copy --store s --to t --replace").output == "t: 55 rows\n")
        #expect(try rows("t") == rows("s"))
        #expect(try run("check --store t").output == "ok\n")
        for line in ["copy --store s --to x.txt", "copy --store s --to x.txt --replace"] {
            #expect(try run(line).status == (line.hasSuffix("replace") ? 65 : 73))
            #expect(try folder.text("x.txt") == "text")
        }
        try run("copy --store s --to s").expect(status: 64)
        try run("copy --store none --to u").expect(status: 66)
        try run("copy --store s --to none/u").expect(status: 73)
        #expect(try folder.files.filter { !["s", "t", "x.txt"].contains($0) }.isEmpty)
    }

    @Test("a store that another process has locked is copied, but neither replaced nor removed", .needs("sqlite3"))
    func held() throws {
        try prepare()
        try #require(try run("copy --store s --to t -q").status == 0)
        let script = """
            mkfifo ready go; (echo 'select count(*) from Boss;'; echo '.shell echo > ready; cat go') | sqlite3 t & cat ready
            strata copy --store t --to u; echo $?
            strata copy --store s --to t --replace --busy-timeout 0; echo $?
            strata destroy --store t --busy-timeout 0; echo $?
            echo > go; wait
            strata destroy --store t; echo $?
            """
        let result = try Tool.reference.shell(script, in: folder)
        #expect(
            result.output.split(separator: "\n") == ["5", "u: 55 rows", "0", "75", "75", "0"], "\(result.errors)")
        #expect(try folder.files.sorted() == ["go", "ready", "s", "u"])
        #expect(try rows("u") == rows("s"))
    }

    @Test("a copy command killed at a random moment leaves the old target or a complete copy")
    func killed() throws {
        try prepare()
        let tool = Tool.quickest.namingReferenceModel
        let large = Tool.release == nil ? 5_000 : 100_000
        #expect(
            try tool.run(["generate", "-q", "--count", "Boss=9,Employee=\(large)", "--store", "l"], in: folder).status
                == 0)
        let old = try rows("s")
        let clock = ContinuousClock()
        for line in ["copy --store l --to t --replace -q", "copy --store l --to new -q"] {
            let words = line.split(separator: " ").map(String.init)
            let name = words[4]
            func fresh() throws {
                for ending in ["", "-wal", "-shm", "-journal"] where try folder.files.contains(name + ending) {
                    try FileManager.default.removeItem(atPath: folder.path(name + ending))
                }
                if name == "t" { try FileManager.default.copyItem(atPath: folder.path("s"), toPath: folder.path("t")) }
            }
            try fresh()
            let whole = try clock.measure {
                let result = try tool.run(words, in: folder)
                result.expect(status: 0)
            }
            for _ in 0..<Seeds.count(3, all: 60) {
                try fresh()
                let running = try tool.start(words, in: folder)
                let moment = running.send(SIGKILL, within: whole)
                _ = try running.wait()
                let info = try tool.run(["info", "--store", name], in: folder)
                if info.status == 66 {
                    #expect(name == "new", "killed after \(moment): \(info.errors)")
                } else if info.output.contains("\(large)") {
                    #expect(try tool.run(["check", "-q", "--store", name], in: folder).output == "ok\n")
                } else {
                    #expect(try name == "t" && rows("t") == old, "killed after \(moment): \(info.errors)\(info.output)")
                }
                // A later copy continues from this state.
                if name == "new", info.output.contains("\(large)") { continue }
                #expect(try tool.run(words, in: folder).status == 0, "killed after \(moment)")
            }
        }
    }

    @Test("metadata texts are set, listed and removed by key, and copies include them")
    func metadata() throws {
        try prepare()
        try run("metadata --store s --set customer=Ada --set a.b=1=2").expect(status: 0)
        try run("metadata --store s --set customer=Eve --remove a.b --set empty=").expect(status: 0)
        try #require(try run("copy --store s --to t -q").status == 0)
        let shown = try run("metadata --store t").output
        #expect(shown.hasSuffix("entities Color, Boss, Employee, Item\ncustomer=Eve\nempty=\n"), "\(shown)")
        #expect(try run("metadata --store t --get customer").output == "Eve\n")
        let wrong = try run("metadata --store t --get custmer")
        wrong.expect(status: 65)
        #expect(
            wrong.errors == "\(folder.path("t")): the store has no metadata with the key “custmer”; did you mean "
                + "customer?\n")
        let json = try run("metadata --store t --format json").output
        #expect(json.contains("\"texts\" : {\n    \"customer\" : \"Eve\",\n    \"empty\" : \"\"\n  }"), "\(json)")
        for (line, status) in [
            ("--set nothing", 64), ("--set a=1 --remove a", 64), ("--get a --set b=1", 64), ("--set =x", 64),
        ] as [(String, Int32)] {
            #expect(try run("metadata --store t \(line)").status == status, "\(line)")
        }
        try run("metadata --store none").expect(status: 66)
    }
}
