import Foundation
import StrataInterchange
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Synchronization
import Testing

@Suite("Imports of several datasets")
struct ImportRunTests {
    @Test("an import accepts files and rows in any order, with forward, cyclic and self-references and join rows")
    func anyOrder() throws {
        for (container, _) in try containers() {
            let summary = try container.run([
                ("Article_tags", .csv, "source,target\n2,20\n1,10\n"),
                ("Department", .csv, "id,name,head\n1,d,7\n"),
                ("Person", .ndjson, "{\"id\":7,\"name\":\"h\",\"department\":1}\n{\"id\":8,\"name\":\"x\"}\n"),
                ("Node", .json, "[{\"id\":1,\"parent\":2},{\"id\":2,\"parent\":1},{\"id\":3,\"parent\":3}]"),
                ("Tag", .tsv, "id\tword\n20\tb\n10\ta\n"),
                ("Article", .csv, "id,slug\n1,x\n2,y\n"),
            ])
            #expect(summary.files.map(\.counts.inserted) == [2, 1, 2, 3, 2, 2])
            let pairs = try container.coordinator.store.joins(JoinRequest("Article_tags")).map(\.pair)
            #expect(pairs == [JoinPair(source: 1, target: 10), JoinPair(source: 2, target: 20)])
            #expect(try container.ids("Person") == [7, 8])
        }
    }

    @Test("a container is released after an import with rejected records")
    func released() throws {
        weak var coordinator: PersistentStoreCoordinator?
        for (container, _) in try containers() {
            let summary = try container.run([("Tag", .csv, "id,word\n1,a\nx,b\n")]) { $0.onError = .reject }
            #expect(summary.files.map(\.rejected) == [1])
            coordinator = container.coordinator
        }
        #expect(coordinator == nil)
    }

    @Test("an error in a later file rolls back the earlier files and reports the later file")
    func oneTransaction() throws {
        for (container, _) in try containers() {
            let error = try #require(throws: InterchangeError.self) {
                try container.run([("Tag", .csv, "id,word\n1,a\n"), ("Node", .csv, "id,parent\n1,1\n\n2,9\n")])
            }
            #expect(
                error.description
                    == "Node.csv:4: record 2, column parent: there is no Node 9, neither in the store nor in this import"
            )
            #expect(try container.ids("Tag").isEmpty && container.ids("Node").isEmpty)
        }
    }

    @Test("bad records of every kind are rejected in file order, and all other records are stored")
    func rejects() throws {
        for (container, _) in try containers() {
            var problems: [ImportProblem] = []
            let text = "id,code,rank\n1,a,1\n2,b,x\n3,\"c\"d,1\n1,e,1\n4,a,1\n5,f,-1\n6,g\n7,h,2\n"
            let summary = try container.run([("Owner", .csv, text)]) {
                $0.onError = .reject
                $0.keepsOriginals = true
                $0.onProblem = { problems.append($0) }
            }
            #expect(problems.map(\.error.record) == [2, 3, 4, 5, 6, 7])
            #expect(problems.map(\.error.line) == [3, 4, 5, 6, 7, 8])
            #expect(problems.map(\.error.column) == ["rank", "code", "id", "code", "rank", nil])
            #expect(
                problems.map { String(decoding: $0.original, as: UTF8.self) }
                    == ["2,b,x\n", "3,\"c\"d,1\n", "1,e,1\n", "4,a,1\n", "5,f,-1\n", "6,g\n"])
            #expect(problems.allSatisfy { String(decoding: $0.header, as: UTF8.self) == "id,code,rank\n" })
            #expect(summary.rejected == 6 && summary.count == 2 && summary.read == 8)
            #expect(try container.ids("Owner") == [1, 7])
        }
    }

    @Test("one problem reports all errors of a CSV or JSON record, without consequential errors")
    func everythingWrong() throws {
        let long = String(repeating: "c", count: 41)
        let csv = "id,code,rank,since\n0,\(long),-1,yesterday\n2,\(long),-1,2020-01-01T00:00:00Z\n3,c,x,y\n"
        let json = """
            {"id":0,"code":"\(long)","rank":-1,"since":"yesterday"}
            {"id":2,"code":"\(long)","rank":-1,"since":"2020-01-01T00:00:00Z"}
            {"id":3,"code":"c","rank":"x","since":"y"}

            """
        for (container, _) in try containers() {
            for (format, text) in [(DatasetFormat.csv, csv), (.ndjson, json)] {
                var problems: [InterchangeError] = []
                _ = try container.run([("Owner", format, text)]) {
                    $0.onError = .reject
                    $0.onProblem = { problems.append($0.error) }
                }
                #expect(problems.map(\.column) == ["id", "code", "rank"])
                let columns = problems.map { error in
                    error.message.split(separator: "; ").compactMap { part in
                        part.hasPrefix("column ") ? String(part.dropFirst(7).prefix { $0 != ":" }) : nil
                    }
                }
                #expect(columns == [["since", "code", "rank"], ["rank"], ["since"]], "\(problems.map(\.message))")
                let rank = problems[1].message.split(separator: "; ").last
                #expect(rank == "column rank: -1 is less than 0")
            }
        }
    }

    @Test("a dangling reference rejects its record and all referring records if onError is reject")
    func rejectedReferences() throws {
        for (container, _) in try containers() {
            var problems: [ImportProblem] = []
            let summary = try container.run([("Node", .csv, "id,parent\n1,2\n2,9\n3,x\n4,4\n")]) {
                $0.onError = .reject
                $0.onProblem = { problems.append($0) }
            }
            let records = problems.compactMap(\.error.record).sorted()
            #expect(records == [1, 2, 3])
            #expect(summary.rejected == 3 && summary.count == 1)
            #expect(try container.ids("Node") == [4])
        }
    }

    @Test("with onMissingReference reject, an error other than a dangling reference ends the import")
    func onlyRejectedReferences() throws {
        for (container, _) in try containers() {
            func run(_ text: String) throws -> ImportSummary {
                try container.run([("Node", .csv, text)]) { $0.onMissingReference = .reject }
            }
            #expect(try run("id,parent\n1,9\n2,2\n").rejected == 1)
            let error = try #require(throws: InterchangeError.self) { try run("id,parent\n3,3\n2,2\n") }
            #expect(error.record == 2)
            #expect(try container.ids("Node") == [2])
        }
    }

    @Test("the import ends if a rejected update cannot be reverted because another row uses the former value")
    func takenMeanwhile() throws {
        for (container, _) in try containers() {
            let header = "id,number,holder\n"
            _ = try container.run([("Person", .csv, "id,name\n7,a\n"), ("Passport", .csv, header + "1,x,7\n")])
            let error = try #require(throws: InterchangeError.self) {
                try container.run([("Passport", .csv, header + "1,x,9\n2,y,7\n")]) {
                    $0.onConflict = .update
                    $0.onMissingReference = .reject
                }
            }
            let reason = "object 1: another object already has this value, which must be unique"
            #expect(error.description.hasPrefix("Passport.csv:2: record 1, column holder: \(reason)"), "\(error)")
            #expect(try container.ids("Passport") == [1])
        }
    }

    @Test("an import with more rejected records than maximumErrors ends, and nothing is stored")
    func maximumErrors() throws {
        for (container, _) in try containers() {
            let text = "id,rank\n1,1\n2,x\n3,x\n4,4\n"
            let error = try #require(throws: InterchangeError.self) {
                try container.run([("Owner", .csv, text)]) {
                    $0.onError = .reject
                    $0.maximumErrors = 1
                }
            }
            #expect(error.code == .tooManyErrors && error.line == 4)
            #expect(error.message == "more than 1 record rejected; the last for: \"x\" is not a whole number")
            #expect(try container.ids("Owner").isEmpty)
            _ = try container.run([("Owner", .csv, text)]) {
                $0.onError = .reject
                $0.maximumErrors = 2
            }
            #expect(try container.ids("Owner") == [1, 4])
        }
    }

    @Test("an update changes only the columns of the file, and a new row without a mandatory column is an error")
    func updates() throws {
        for (container, _) in try containers() {
            _ = try container.run([("Person", .csv, "id,name,age\n1,a,10\n2,b,20\n")])
            let summary = try container.run([("Person", .json, "[{\"id\":2,\"age\":21},{\"id\":1,\"name\":\"z\"}]")]) {
                $0.onConflict = .update
            }
            #expect(summary.files[0].counts.updated == 2)
            let rows = try container.coordinator.store.rows(StoreRequest("Person"))
            #expect(rows.map { $0.values[0] } == [.string("z"), .string("b")])
            #expect(rows.map { $0.values[1] } == [.integer(10), .integer(21)])
            let error = try #require(throws: InterchangeError.self) {
                try container.run([("Person", .csv, "id,age\n1,5\n3,30\n")]) { $0.onConflict = .update }
            }
            #expect(error.description == "Person.csv:3: record 2, column name: null is not allowed, name is mandatory")
            #expect(try container.coordinator.store.rows(StoreRequest("Person"))[0].values[1] == .integer(10))
        }
    }

    @Test("the progress of each file is reported up to its last record and byte")
    func progress() throws {
        let texts = ["id\n1\n2\n3\n", "id\n7\n"]
        for (container, _) in try containers() {
            let last = Mutex<[Int: ImportProgress]>([:])
            _ = try container.run(texts.map { ("Owner", .csv, $0) }) {
                $0.progress = { progress in last.withLock { $0[progress.source] = progress } }
            }
            #expect(last.withLock { last in [0, 1].map { last[$0]?.records } } == [3, 1])
            #expect(last.withLock { last in [0, 1].map { last[$0]?.bytes } } == texts.map(\.utf8.count))
            #expect(last.withLock { last in [0, 1].map { last[$0]?.totalBytes } } == texts.map(\.utf8.count))
        }
    }

    @Test("a dry run validates all records and references but commits nothing")
    func dryRun() throws {
        for (container, _) in try containers() {
            let summary = try container.run([("Node", .csv, "id,parent\n1,2\n2,1\n")]) { $0.isDryRun = true }
            #expect(summary.count == 2)
            #expect(try container.ids("Node").isEmpty)
            #expect(throws: InterchangeError.self) {
                try container.run([("Node", .csv, "id,parent\n1,3\n")]) { $0.isDryRun = true }
            }
        }
    }

    /// Ten records, of which the seventh is bad.
    private static let broken = "id,rank\n" + (1...10).map { "\($0),\($0 == 7 ? "x" : "\($0)")\n" }.joined()

    @Test(
        "an interrupted import retains its committed records, and a resumed import continues after these records",
        arguments: [1, 2, 3, 6])
    func resumes(interval: Int) throws {
        for (container, _) in try containers() {
            #expect(throws: InterchangeError.self) {
                try container.run([("Owner", .csv, Self.broken)]) { $0.commitInterval = interval }
            }
            let kept = 6 / interval * interval
            #expect(try container.ids("Owner") == (1...Int64(kept)).map { $0 })
            let repaired = Self.broken.replacing("x", with: "7")
            let summary = try container.run([("Owner", .csv, repaired)]) {
                $0.commitInterval = 4
                $0.resumes = true
            }
            #expect(summary.files[0].resumed == kept && summary.read == 10 - kept)
            #expect(try container.ids("Owner") == (1...10).map { $0 })
            // An import that was killed between the last commit and its exit is not repeated; added records are new.
            for (text, read) in [(repaired, 0), (repaired + "11,11\n", 1)] {
                let again = try container.run([("Owner", .csv, text)]) {
                    $0.commitInterval = 4
                    $0.resumes = true
                }
                #expect(again.read == read && again.files[0].resumed == 10)
            }
            // A different file of that name is imported from its beginning.
            _ = try container.run([("Owner", .csv, "id,rank\n20,1\n21,2\n")]) {
                $0.commitInterval = 4
                $0.resumes = true
            }
            #expect(try container.ids("Owner") == (1...11).map { $0 } + [20, 21])
        }
    }

    @Test("records of completed commit intervals remain stored after an error")
    func keepsMany() throws {
        let text = "id,rank\n" + (1...3_100).map { "\($0),\($0 == 3_050 ? "x" : "\($0)")\n" }.joined()
        for (container, _) in try containers() {
            #expect(throws: InterchangeError.self) {
                try container.run([("Owner", .csv, text)]) { $0.commitInterval = 1_500 }
            }
            #expect(try container.ids("Owner") == (1...3_000).map { $0 })
        }
    }

    @Test(
        "after a complete import, a changed file of the same name is imported, but a changed descriptor is rejected"
    )
    func otherFileInItsPlace() throws {
        let (container, folder) = try containers()[0]
        let path = folder.file("owners.csv")
        func run(_ input: ByteInput) throws {
            var options = ImportOptions(format: .csv)
            options.commitInterval = 4
            options.resumes = true
            _ = try DatasetImporter(entity: "Owner", container: container, options: options).run(input)
        }
        for text in ["id\n1\n2\n", "id\n20\n21\n"] {
            try folder.write(text, to: "owners.csv")
            try run(ByteInput(path: path))
        }
        #expect(try container.ids("Owner") == [1, 2, 20, 21])
        try folder.write("id\n30\n31\n", to: "owners.csv")
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        #expect(throws: InterchangeError.self) {
            try run(ByteInput(descriptor: file.fileDescriptor, name: path))
        }
        #expect(try container.ids("Owner") == [1, 2, 20, 21])
    }

    @Test("resuming an import is an error if the committed records of the file were changed")
    func otherFile() throws {
        for (container, _) in try containers() {
            #expect(throws: InterchangeError.self) {
                try container.run([("Owner", .csv, Self.broken)]) { $0.commitInterval = 3 }
            }
            let error = try #require(throws: InterchangeError.self) {
                try container.run([("Owner", .csv, Self.broken.replacing("6,6", with: "6,5"))]) {
                    $0.commitInterval = 3
                    $0.resumes = true
                }
            }
            #expect(error.description.contains("record 6: the file is not the one whose import was interrupted"))
            #expect(try container.ids("Owner").count == 6)
        }
    }

    @Test(
        "a resumed import of several files with one name skips the committed records of each file",
        arguments: DatasetFormat.allCases)
    func resumesSeveralFiles(format: DatasetFormat) throws {
        func text(_ ids: ClosedRange<Int>, _ end: String) -> String {
            let words = ids.map(String.init) + [end]
            return switch format {
            case .csv, .tsv: "id\n" + words.map { $0 + "\n" }.joined()
            case .json: "[" + words.map { "{\"id\":\($0)}" }.joined(separator: ",\n") + "]"
            case .ndjson: words.map { "{\"id\":\($0)}\n" }.joined()
            }
        }
        for (container, _) in try containers() {
            #expect(throws: InterchangeError.self) {
                try container.run([("Owner", format, text(1...6, "7")), ("Owner", format, text(11...16, "1.5"))]) {
                    $0.commitInterval = 2
                }
            }
            let repaired: Datasets = [("Owner", format, text(1...6, "7")), ("Owner", format, text(11...16, "17"))]
            let summary = try container.run(repaired) {
                $0.commitInterval = 2
                $0.resumes = true
            }
            #expect(summary.files.map(\.resumed) == [7, 6])
            #expect(try container.ids("Owner") == Array(1...7) + Array(11...17))
        }
    }
}
