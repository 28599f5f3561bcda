import Foundation
import StrataTestSupport
import Testing

@testable import strata

@Suite("strata watch")
struct WatchTests {
    private let folder = TemporaryFolder()

    private func run(_ line: String) throws -> Tool.Result { try Tool.debug.shell(line, in: folder) }

    /// Creates a store with rows whose key in files is a text.
    private func prepare() throws {
        try folder.write("code,name,stock\nA-1,Bolt,5\nB-2,Nut,7\n", to: "parts.csv")
        try run("strata import parts.csv --infer --key parts.code --store s").expect(status: 0)
    }

    /// A shell function that waits until the output has a number of lines.
    private static let lines = "lines() { until [ $(wc -l < out) -ge $1 ]; do sleep 0.02; done; }; "

    @Test("each change of a record is one object with its values in files, and SIGINT ends the command")
    func changes() throws {
        try prepare()
        try folder.write("code,name,stock\nC-3,Washer,9\n", to: "more.csv")
        let result = try run(
            "set -m; " + Self.lines
                + "\"\(Tool.debug.path)\" watch --store s --entity parts --initial > out 2> err & watch=$!; lines 2; "
                + "strata update --entity parts --store s --where 'code = \"A-1\"' --set 'stock = 4' -q; lines 3; "
                + "strata import more.csv --entity parts --store s -q; lines 4; "
                + "strata delete --entity parts --store s --where 'code = \"B-2\"' -q; lines 5; "
                + "kill -INT $watch; wait $watch; echo $?")
        #expect(result.output.hasSuffix("130\n"), "\(result)")
        #expect(
            try folder.text("out").split(separator: "\n") == [
                #"{"change":"insert","entity":"parts","record":{"code":"A-1","name":"Bolt","stock":5}}"#,
                #"{"change":"insert","entity":"parts","record":{"code":"B-2","name":"Nut","stock":7}}"#,
                #"{"change":"update","entity":"parts","record":{"code":"A-1","name":"Bolt","stock":4}}"#,
                #"{"change":"insert","entity":"parts","record":{"code":"C-3","name":"Washer","stock":9}}"#,
                #"{"change":"delete","entity":"parts","record":{"code":"B-2","name":"Nut","stock":7}}"#,
            ])
        #expect(try folder.text("err") == "strata: interrupted; the store was only read\n")
    }

    @Test("with a condition and columns, records begin and cease to match, and other values are no changes")
    func filtered() throws {
        try prepare()
        let update = "strata update --entity parts --store s -q --where"
        _ = try run(
            "set -m; " + Self.lines
                + "\"\(Tool.debug.path)\" watch --store s --entity parts --where 'stock > 5' --columns code=part --initial > out "
                + "2> err & watch=$!; lines 1; "
                + "\(update) 'code = \"B-2\"' --set 'stock = 8'; \(update) 'code = \"A-1\"' --set 'stock = 6'; lines 2; "
                + "\(update) 'code = \"B-2\"' --set 'stock = 1'; lines 3; kill -TERM $watch; wait $watch")
        #expect(
            try folder.text("out").split(separator: "\n") == [
                #"{"change":"insert","entity":"parts","record":{"part":"B-2"}}"#,
                #"{"change":"insert","entity":"parts","record":{"part":"A-1"}}"#,
                #"{"change":"delete","entity":"parts","record":{"part":"B-2"}}"#,
            ])
    }

    @Test("a closed pipe ends the command with success, also while nothing changes")
    func closedPipe() throws {
        try prepare()
        let result = try run(
            "{ strata watch --store s --entity parts --initial; echo $? > status; } | head -n 1; cat status")
        #expect(result.output.hasSuffix("\n0\n"), "\(result)")
    }

    @Test("a store that is replaced by another file ends the command")
    func replaced() throws {
        try prepare()
        let result = try run(
            Self.lines
                + "strata copy --store s --to other -q; \"\(Tool.debug.path)\" watch --store s --entity parts --initial "
                + "> out & watch=$!; lines 2; mv other s; wait $watch")
        #expect(result.status == 75 && result.errors.contains("replaced"), "\(result)")
    }

    @Test("a store that cannot be watched and a wrong column are usage errors", arguments: ["p.stxml", "p.stbin"])
    func errors(_ store: String) throws {
        try prepare()
        try run("strata copy --store s --to \(store)").expect(status: 0)
        let result = try run("strata watch --store \(store) --entity parts")
        #expect(result.status == 64 && result.errors.contains("cannot be watched"), "\(result)")
        let column = try run("strata watch --store s --entity parts --columns nothing")
        #expect(column.status == 64 && column.errors.contains("nothing"), "\(column)")
        #expect(try run("strata watch --store missing --entity parts").status == 66)
    }
}
