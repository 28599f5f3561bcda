import Foundation
import StrataTestSupport
import Testing

@Suite("strata migrate")
struct MigrateTests {
    private let folder = TemporaryFolder()

    private static let first = model(
        #"{"name":"mail","type":"string"},{"name":"age","type":"integer"},{"name":"fax","type":"string"}"#)
    private static let second = model(
        #"{"name":"email","type":"string","strata:renamedFrom":"mail"},{"name":"age","type":"string"},{"name":"phone","type":"string"}"#
    )

    private static func model(_ fields: String) -> String {
        #"{"resources":[{"name":"Customer","path":"customer.csv","schema":{"fields":[{"name":"id","type":"integer"},"#
            + fields + #"],"primaryKey":["id"]}}]}"#
    }

    private func run(_ line: String) throws -> Tool.Result {
        try Tool.debug.run(line.split(separator: " ").map(String.init), in: folder)
    }

    private func prepare() throws {
        try folder.write(Self.first, to: "1.json")
        try folder.write(Self.second, to: "2.json")
        try folder.write("id,mail,age,fax\n1,a@b.c,30,123\n2,d@e.f,,\n", to: "c.csv")
        let result = try run("import c.csv --entity Customer --model 1.json --store s -q")
        try #require(result.status == 0, "\(result.errors)")
    }

    private static let steps = """
        rename Customer.mail email
        change-type Customer.age string
        add Customer.phone
        remove Customer.fax

        """

    @Test("migrate prints the steps, reports data that would be lost, and requires consent")
    func dropping() throws {
        try prepare()
        let before = try folder.data("s")
        for line in ["migrate --store s --model 2.json --dry-run", "migrate --store s --model 2.json"] {
            let result = try run(line)
            result.expect(status: 1)
            #expect(result.output == Self.steps)
            #expect(
                result.errors == """
                    s: Customer.fax: the migration would drop data; nothing was changed. Allow it by name: Customer.fax (1 value)
                      Customer.fax is missing and phone is new: if it is the same property, state that phone is renamed from fax

                    """)
        }
        let misspelt = try run("migrate --store s --model 2.json --drop Customer.fux")
        misspelt.expect(status: 64)
        #expect(
            misspelt.errors.hasPrefix(
                "strata: option --drop: the store has no \"Customer.fux\"; did you mean Customer.fax?\n"))
        #expect(try folder.data("s") == before)
        let dry = try run("migrate --store s --model 2.json --drop Customer.fax --dry-run")
        #expect(dry.status == 0 && dry.output == Self.steps)
        #expect(try folder.data("s") == before)
        let done = try run("migrate --store s --model 2.json --drop Customer.fax --backup old")
        #expect(done.status == 0 && done.output == Self.steps && done.errors.isEmpty)
        #expect(try run("export --store s --entity Customer").output == "id,email,age,phone\n1,a@b.c,30,\n2,d@e.f,,\n")
        #expect(
            try run("export --store old --entity Customer").output == "id,mail,age,fax\n1,a@b.c,30,123\n2,d@e.f,,\n")
        #expect(try run("check --store s").output == "ok\n")
        let again = try run("migrate --store s --model 2.json")
        #expect(again.status == 0 && again.output == "nothing to do\n")
    }

    @Test("migrate --format json prints one object")
    func json() throws {
        try prepare()
        let result = try run("migrate --store s --model 2.json --drop-all --format json")
        result.expect(status: 0)
        let report = try #require(
            try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
        let steps = try #require(report["steps"] as? [[String: Any]])
        #expect(steps.map { $0["kind"] as? String } == ["rename", "changeType", "add", "remove"])
        #expect(steps.map { $0["entity"] as? String } == ["Customer", "Customer", "Customer", "Customer"])
        #expect(steps.map { $0["attribute"] as? String } == ["mail", "age", "phone", "fax"])
        #expect(steps.map { $0["to"] as? String } == ["email", "string", nil, nil])
        #expect(steps.map { $0["physical"] as? Bool } == [true, true, true, true])
        #expect(report["rows"] as? Int == 2)
        let drops = try #require(report["drops"] as? [[String: Any]])
        #expect(drops.map { $0["attribute"] as? String } == ["fax"] && drops.map { $0["count"] as? Int } == [1])
    }

    @Test("migrate reports rows that break new rules, and keeps the rows on request")
    func broken() throws {
        try prepare()
        try folder.write(
            Self.first.replacing(
                #"{"name":"fax","type":"string"}"#,
                with: #"{"name":"fax","type":"string","constraints":{"maxLength":2}}"#),
            to: "2.json")
        let result = try run("migrate --store s --model 2.json")
        result.expect(status: 65)
        #expect(
            result.errors == """
                s: Customer.fax: rows of the store break rules of the model; nothing was changed:
                  Customer.fax is longer than 2: 1 row, Customer 1

                """)
        try run("migrate --store s --model 2.json --keep-broken").expect(status: 0)
        let check = try run("check --store s")
        check.expect(status: 65)
        #expect(check.output.hasSuffix("1 fault\n"))
    }

    @Test("a migration of a store that another process has locked exits 75", .needs("sqlite3"))
    func held() throws {
        try prepare()
        let line =
            "mkfifo statements; sqlite3 s < statements & holder=$!; exec 3> statements; "
            + "printf 'begin immediate;\\n.shell touch locked\\n' >&3; until [ -e locked ]; do sleep 0.01; done; "
            + "\"\(Tool.debug.path)\" migrate --store s --model 2.json --drop-all --busy-timeout 0; status=$?; exec 3>&-; wait $holder; exit $status"
        let result = try Tool.debug.shell(line, in: folder)
        result.expect(status: 75)
        #expect(result.errors.contains("held the store locked"))
    }

    @Test("model check --against reports what a migration of any store, or of one store, would lose")
    func against() throws {
        try prepare()
        let risky = try run("model check 2.json --against 1.json")
        risky.expect(status: 1)
        #expect(
            risky.output == """
                2.json: Customer.fax is removed: its stored data is dropped
                2.json: Customer.fax is missing and phone is new: if it is the same property, state that phone is renamed from fax

                """)
        let store = try run("model check 2.json --against s")
        store.expect(status: 1)
        #expect(store.output.hasPrefix("2.json: Customer.fax (1 value) would be dropped\n"))
        try folder.write(
            Self.first.replacing(#"{"name":"fax""#, with: #"{"name":"phone","type":"string"},{"name":"fax""#),
            to: "3.json")
        let fine = try run("model check 3.json --against 1.json")
        #expect(fine.status == 0 && fine.output == "3.json: ok\n")
        try run("model check 3.json --against s").expect(status: 0)
        try run("model check 3.json --against missing").expect(status: 66)
        let json = try run("model check 2.json --against 1.json --format json")
        #expect(json.status == 1 && json.output.contains("\"ok\" : false"))
    }

    @Test("the action for pull requests compares a model file with the file of an earlier commit", .needs("git"))
    func action() throws {
        let script = Checkout.root.appendingPathComponent(
            ".github/actions/models/models.sh")
        try folder.write(Self.first, to: "app.json")
        try folder.write(Self.second, to: "next.json")
        let tool = URL(fileURLWithPath: Tool.debug.path).deletingLastPathComponent().path
        let line =
            "export PATH=\"\(tool):$PATH\"; git init -q . && git config user.email a@b.c && git config user.name a && git add app.json && git commit -qm 1 && "
            + "\"\(script.path)\" app.json HEAD && \"\(script.path)\" next.json HEAD && cp next.json app.json && \"\(script.path)\" app.json HEAD"
        let result = try Tool.debug.shell(line, in: folder)
        result.expect(status: 1)
        #expect(
            result.output == """
                app.json: ok
                next.json is new: no store has to migrate
                app.json: Customer.fax is removed: its stored data is dropped
                app.json: Customer.fax is missing and phone is new: if it is the same property, state that phone is renamed from fax

                """)
    }

    @Test("a migration killed at a random moment leaves the old or the new store, and the next migration succeeds")
    func killed() throws {
        let tool = Tool.quickest
        let rows = Tool.release == nil ? Seeds.count(8_000, all: 20_000) : 200_000
        #expect(
            try tool.namingReferenceModel.run(
                ["generate", "--count", "Boss=20,Employee=\(rows)", "--store", "base", "-q"], in: folder
            )
            .status == 0)
        try folder.write(NextModel.text(of: try run("model show base --format json").output), to: "next.json")
        let arguments = ["migrate", "--store", "s", "--model", "next.json", "-q"]
        func fresh() throws {
            for ending in ["", "-wal", "-shm"] where try folder.files.contains("s\(ending)") {
                try FileManager.default.removeItem(atPath: folder.path("s\(ending)"))
            }
            try FileManager.default.copyItem(atPath: folder.path("base"), toPath: folder.path("s"))
        }
        try fresh()
        let clock = ContinuousClock()
        let whole = try clock.measure {
            let result = try tool.run(arguments, in: folder)
            result.expect(status: 0)
        }
        var (rounds, killed) = (0, 0)
        while rounds < Seeds.count(2, all: 200) || (killed == 0 && rounds < 400) {
            rounds += 1
            try fresh()
            let running = try tool.start(arguments, in: folder)
            let moment = running.send(SIGKILL, within: whole)
            if try running.wait().status == 128 + SIGKILL { killed += 1 }
            let names = try tool.run(["model", "names", "s", "--entity", "Employee"], in: folder)
            #expect(names.status == 0, "killed after \(moment): \(names.errors)")
            let isNew = names.output.contains("pay\nphone\n")
            #expect(isNew || names.output.contains("salary\n"), "killed after \(moment)")
            let count = try tool.run(
                ["show", "--store", "s", "--entity", "Employee", "--limit", "1", "--sort", "id desc"], in: folder)
            #expect(count.output.contains("\n\(rows)"), "killed after \(moment): \(count.errors)")
            guard rounds.isMultiple(of: 10) || rounds < 3 else { continue }
            #expect(
                try tool.run(["check", "--store", "s", "-q"], in: folder).output == "ok\n", "killed after \(moment)")
            try tool.run(arguments, in: folder).expect(status: 0)
            #expect(
                try tool.run(["check", "--store", "s", "-q"], in: folder).output == "ok\n", "killed after \(moment)")
        }
        #expect(killed > 0)
    }
}
