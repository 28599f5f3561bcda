import Foundation
import StrataInterchange
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

@Suite("Rejects files of imports")
struct ImportedRejectsTests {
    @Test(
        "an import writes rejected records before each commit, and a resumed import appends further rejected records"
    )
    func rejectsOnTheWay() throws {
        for (container, folder) in try containers() {
            let path = folder.file("rejects")
            let text = "id,rank\n" + (1...9).map { "\($0),\($0 % 3 == 0 ? "x" : "1")\n" }.joined()
            for writing in [RejectsFile.Writing.gradually, .behind] {
                let rejects = RejectsFile(path: path, source: "data", writing: writing)
                var commits = 0
                do {
                    _ = try container.run([("Owner", .csv, text)]) {
                        $0.onError = .reject
                        $0.keepsOriginals = true
                        $0.commitInterval = 2
                        $0.resumes = writing == .behind
                        $0.onProblem = { try rejects.append($0) }
                        $0.beforeCommit = { _ in
                            try rejects.synchronize()
                            commits += 1
                            // The file is not renamed, as if the process were killed.
                            if writing == .gradually, commits == 4 { throw CancellationError() }
                        }
                    }
                } catch is CancellationError {}
            }
            let lines = try folder.text(of: "rejects").split(separator: "\n").filter {
                !$0.hasPrefix("#strata-reject:")
            }
            #expect(lines.filter { $0 == "id,rank" }.count == 1)
            #expect(lines.contains("3,x") && lines.contains("6,x") && lines.contains("9,x"))
            #expect(try container.ids("Owner") == [1, 2, 4, 5, 7, 8])
        }
    }

    @Test("an import replaces an existing rejects file, and a resumed import appends to the existing rejects file")
    func replaced() throws {
        for (container, folder) in try containers() {
            let path = folder.file("rejects")
            for (writing, keeps) in [(RejectsFile.Writing.gradually, false), (.behind, true)] {
                try "earlier\n".write(toFile: path, atomically: true, encoding: .utf8)
                let rejects = RejectsFile(path: path, source: "data", writing: writing)
                _ = try container.run([("Owner", .csv, "id,rank\n1,x\n")]) {
                    $0.onError = .reject
                    $0.keepsOriginals = true
                    $0.onProblem = { try rejects.append($0) }
                }
                try rejects.commit()
                let text = try folder.text(of: "rejects")
                #expect(text.hasPrefix("earlier\n") == keeps && text.hasSuffix("1,x\n"))
            }
        }
    }

    @Test(
        "the original text of a rejected line includes its line ending for any block size",
        arguments: ["\n", "\r\n", "\r"])
    func lineBreaks(_ lineBreak: String) throws {
        let lines = [#"{"id":1,"word":"a"}"#, #"{"id":"x"}"#, #"{"id":3,"word":"b"}"#].map { $0 + lineBreak }
        let bytes = Array(lines.joined().utf8)
        let container = try PersistentContainer(model: try StoreContract.model(), .inMemory, mainQueue: .private)
        for blockSize in 1...bytes.count {
            let problems = ProblemRecorder()
            var options = ImportOptions(format: .ndjson)
            problems.attach(&options)
            options.onError = .reject
            options.onConflict = .update
            _ = try DatasetImporter(entity: "Tag", container: container, options: options)
                .run(ByteInput(bytes: bytes, name: "data", blockSize: blockSize))
            #expect(problems.originals == [lines[1]], "\(blockSize)")
        }
    }

    @Test("a rejects file can be corrected and imported again", arguments: DatasetFormat.allCases)
    func rejectsFile(format: DatasetFormat) throws {
        let texts: [DatasetFormat: String] = [
            .csv: "id,word\n1,a\nx,\"b\nc\"\n3,d\n", .tsv: "id\tword\n1\ta\nx\t\"b\nc\"\n3\td\n",
            .json: "[{\"id\":1,\"word\":\"a\"},\n{\"id\":\"x\",\n\"word\":\"b\\nc\"},{\"id\":3,\"word\":\"d\"}]",
            .ndjson: "{\"id\":1,\"word\":\"a\"}\n{\"id\":\"x\",\"word\":\"b\\nc\"}\n{\"id\":3,\"word\":\"d\"}\n",
        ]
        for (container, folder) in try containers() {
            let path = folder.file("rejects")
            let rejects = RejectsFile(path: path, source: "data")
            _ = try container.run([("Tag", format, try #require(texts[format]))]) {
                $0.onError = .reject
                $0.keepsOriginals = true
                $0.onProblem = { try rejects.append($0) }
            }
            try rejects.commit()
            #expect(try container.ids("Tag") == [1, 3])
            let text = try String(contentsOfFile: path, encoding: .utf8)
            #expect(text.contains("record 2, column id: \"x\" is not a whole number"))
            let repaired = text.replacing(
                "x\(format == .csv ? "," : format == .tsv ? "\t" : "\"")",
                with: "2\(format == .csv ? "," : format == .tsv ? "\t" : "\"")")
            _ = try container.run([("Tag", format, repaired)])
            #expect(try container.ids("Tag") == [1, 2, 3])
            #expect(try container.coordinator.store.rows(StoreRequest("Tag"))[1].values == [.string("b\nc")])
        }
    }
}
