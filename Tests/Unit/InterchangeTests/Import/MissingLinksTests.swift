import Foundation
import StrataInterchange
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

/// Dangling list elements and dangling join rows.
///
/// Like a dangling reference, each ends the import, is dropped, or rejects its record.
@Suite("Dangling join rows")
struct MissingLinksTests {
    typealias Form = LinkedFilesTests.Form

    private static let tags: Datasets = [("Tag", .csv, "word\nred\nblue\n")]
    private static let lists = "title,tag list\nA,red; green\nB,red\nC,blue; pink; green\nD,\n"

    private func noTag(_ word: String) -> String {
        "there is no Tag with word \"\(word)\", neither in the store nor in this import"
    }

    @Test("a record whose list contains a dangling element is rejected once, with its original text", arguments: 0..<3)
    func rejectedLists(way: Int) throws {
        for (container, _) in try containers(try LinkedFilesTests.model(.list)) {
            let problems = ProblemRecorder()
            let summary = try container.run(Self.tags + [("Article", .csv, Self.lists)]) { options in
                problems.attach(&options)
                if way != 1 { options.onError = .reject }
                if way != 0 { options.onMissingReference = .reject }
            }
            #expect(
                problems.errors == [
                    "Article.csv:2: record 1, column tag list: \(noTag("green"))",
                    "Article.csv:4: record 3, column tag list: \(noTag("pink"))",
                ])
            #expect(problems.originals == ["A,red; green\n", "C,blue; pink; green\n"])
            #expect(summary.files.map(\.rejected) == [0, 2])
            #expect(summary.files.map(\.counts.inserted) == [2, 2])
            #expect(try container.exported("Article", .csv) == "title,tag list\nB,red\nD,\n")
            #expect(try container.coordinator.store.joins(JoinRequest("Article_tags")).count == 1)
        }
    }

    @Test("with onMissingReference null, dangling list elements are dropped and counted")
    func droppedElements() throws {
        for (container, _) in try containers(try LinkedFilesTests.model(.list)) {
            let summary = try container.run(Self.tags + [("Article", .csv, Self.lists)]) {
                $0.onMissingReference = .null
            }
            #expect(summary.files.map(\.counts.droppedPairs) == [0, 3])
            #expect(summary.files.map(\.counts.inserted) == [2, 4])
            #expect(
                try container.exported("Article", .csv) == "title,tag list\nA,red\nB,red\nC,blue\nD,\n")
        }
    }

    private static let pairs: Datasets =
        tags + [
            ("Article", .csv, "title\nOne\nTwo\n"),
            (
                "Article_tags", .csv,
                "the article,the tag,place\nOne,green,0\nOne,red,1\nNone,red,0\nTwo,blue,0\nNone,green,7\n"
            ),
        ]

    @Test("a dangling join row ends the import, is rejected or is dropped, depending on the options")
    func pairs() throws {
        let kept = "the article,the tag,place\nOne,red,1\nTwo,blue,0\n"
        for (container, folder) in try containers(try LinkedFilesTests.model(.table)) {
            let error = try #require(throws: InterchangeError.self) { try container.run(Self.pairs) }
            #expect(error.line == 2 || error.line == 4, "\(error)")
            #expect(try container.coordinator.store.count(StoreRequest("Article")) == 0)

            let problems = ProblemRecorder()
            let summary = try container.run(Self.pairs) {
                problems.attach(&$0)
                $0.onError = .reject
            }
            let noArticle = "there is no Article with title \"None\", neither in the store nor in this import"
            #expect(
                problems.errors == [
                    "Article_tags.csv:2: record 1, column the tag: \(noTag("green"))",
                    "Article_tags.csv:4: record 3, column the article: \(noArticle)",
                    "Article_tags.csv:6: record 5, column the article: \(noArticle)",
                ])
            #expect(problems.originals == ["One,green,0\n", "None,red,0\n", "None,green,7\n"])
            #expect(summary.files.last?.rejected == 3 && summary.files.last?.counts.inserted == 2)
            #expect(try pairs(of: container, folder) == kept)
        }
        for (container, folder) in try containers(try LinkedFilesTests.model(.table)) {
            let summary = try container.run(Self.pairs) { $0.onMissingReference = .null }
            #expect(summary.files.last?.counts.droppedPairs == 3 && summary.files.last?.counts.inserted == 2)
            #expect(try pairs(of: container, folder) == kept)
        }
    }

    private func pairs(of container: PersistentContainer, _ folder: TemporaryDirectory) throws -> String {
        let out = folder.file(UUID().uuidString)
        _ = try DirectoryExporter(store: container.coordinator.store, options: ExportOptions(format: .csv)).run(to: out)
        return try String(contentsOfFile: out + "/Article_tags.csv", encoding: .utf8)
    }

    @Test("a join row of identifiers is rejected if one of its rows does not exist")
    func identifiers() throws {
        let model = try ManagedObjectModel([
            EntityDescription(
                "Article",
                [.relationship(RelationshipDescription("tags", to: "Tag", .toMany, inverse: "articles"))]),
            EntityDescription(
                "Tag", [.relationship(RelationshipDescription("articles", to: "Article", .toMany, inverse: "tags"))]),
        ])
        let files: Datasets = [
            ("Article_tags", .csv, "source,target\n1,2\n1,9\n8,2\n"), ("Article", .csv, "id\n1\n"),
            ("Tag", .csv, "id\n2\n"),
        ]
        for (container, _) in try containers(model) {
            let problems = ProblemRecorder()
            _ = try container.run(files) {
                problems.attach(&$0)
                $0.onError = .reject
            }
            #expect(problems.originals == ["1,9\n", "8,2\n"])
            #expect(
                problems.errors.first
                    == "Article_tags.csv:3: record 2, column tags: there is no Tag 9, neither in the store nor in this import"
            )
            #expect(try container.coordinator.store.joins(JoinRequest("Article_tags")).map(\.pair.target) == [2])
        }
    }

    @Test("a rejected update leaves the row and its list unchanged")
    func rejectedUpdates() throws {
        for (container, _) in try containers(try LinkedFilesTests.model(.list)) {
            _ = try container.run(Self.tags + [("Article", .csv, "title,tag list\nA,blue; red\nB,red\n")])
            let problems = ProblemRecorder()
            let summary = try container.run([
                ("Article", .csv, "title,tag list\nA,red; green\nB,blue\nA,green\nE,red\nE,green\n")
            ]) {
                problems.attach(&$0)
                $0.onConflict = .update
                $0.onError = .reject
            }
            // The last record of a row determines its list. The previous record created the new row.
            #expect(problems.errors.map { $0.prefix(14) } == ["Article.csv:4:", "Article.csv:6:"])
            #expect(try container.exported("Article", .csv) == "title,tag list\nA,blue; red\nB,blue\nE,red\n")
            #expect(summary.files[0].rejected == 2)
        }
    }

    /// A rejected record of B never creates a join row of A and B, in any order of the records, and regardless of
    /// whether the record of A is rejected.
    @Test(
        "a rejected update restores the list of its row and leaves no join rows of rejected rows",
        arguments: [
            ("B,A;None\nA,None\n", "A,C\nC,A\n", [2, 3]),
            ("B,A;D\nA,None\nD,None\n", "A,C\nC,A\n", [2, 3, 4]),
            ("B,A\nA,None\n", "A,C;B\nC,A\nB,A\n", [3]),
            // A new row with a dangling element is rejected itself, not the row that refers to it.
            ("F,None\nE,F\nE,None\n", "A,C\nC,A\n", [2, 4, 4]),
            ("E,A\nB,E;None\nE,None\n", "A,C;E\nC,A\nE,A\n", [3, 4]),
            // The referenced row and the referring row are both in later records.
            ("E,F\nE,None\nF,\n", "A,C\nC,A\nE,F\nF,E\n", [3]),
            ("E,F\nE,A;None\nA,E\nF,\n", "A,E\nC,\nE,A;F\nF,E\n", [3]),
            // A later record that refers to the row of the rejected record remains stored.
            ("F,\nE,F\nE,A;None\nA,E\n", "A,E\nC,\nF,E\nE,A;F\n", [4]),
        ])
    func rejectedUpdatesOfFriends(records: String, stored: String, lines: [Int]) throws {
        for (container, _) in try containers(try LinkModels.friends(inList: true)) {
            _ = try container.run([("Person", .csv, "name,friends\nA,C\nC,\n")])
            let problems = ProblemRecorder()
            let summary = try container.run([("Person", .csv, "name,friends\n" + records)]) {
                problems.attach(&$0)
                $0.onConflict = .update
                $0.onError = .reject
            }
            #expect(try container.exported("Person", .csv) == "name,friends\n" + stored)
            #expect(problems.errors.map { $0.prefix(13) }.sorted() == lines.map { "Person.csv:\($0):" })
            #expect(summary.files[0].rejected == lines.count)
            // Each join row is in the lists of both of its rows, so no join row is dangling.
            let named = stored.split(separator: "\n").reduce(0) { $0 + $1.split { ",;".contains($0) }.count - 1 }
            let joins = try container.coordinator.store.joins(JoinRequest("Person_friends"))
            #expect(joins.count == named, "\(joins.map(\.pair))")
        }
    }

    @Test("a rejected update restores the list also if the list column belongs to the inverse relationship")
    func rejectedUpdatesOfInverse() throws {
        for (container, _) in try containers(try LinkedFilesTests.model(.listOfInverse, ordered: false)) {
            _ = try container.run([
                ("Article", .csv, "title\nA\nB\n"), ("Tag", .csv, "word,in\nred,B\nblue,B\n"),
            ])
            let summary = try container.run([("Tag", .csv, "word,in\nred,A|None\nblue,A\n")]) {
                $0.onConflict = .update
                $0.onError = .reject
            }
            #expect(summary.files[0].rejected == 1)
            #expect(try container.exported("Tag", .csv) == "word,in\nred,B\nblue,A\n")
        }
    }

    @Test(
        "a dangling list of identifiers is not reported if a later record of the same row replaces the list",
        arguments: [true, false])
    func replaced(rejects: Bool) throws {
        for (container, _) in try containers(try LinkedFilesTests.model(.listOfIdentifiers)) {
            let summary = try container.run([
                ("Tag", .csv, "id,word\n3,red\n"), ("Article", .csv, "id,title,tags\n1,One,\"3,99\"\n1,One,3\n"),
            ]) {
                $0.onConflict = .update
                if rejects { $0.onError = .reject } else { $0.onMissingReference = .null }
            }
            #expect(summary.files[1].rejected == 0 && summary.files[1].counts.droppedPairs == 0)
            #expect(try container.exported("Article", .csv) == "id,title,tags\n1,One,3\n")
        }
    }

    @Test("a list that ends with a separator is an error because its last element is empty")
    func endingWithSeparator() throws {
        for (container, _) in try containers(try LinkedFilesTests.model(.list)) {
            let error = try #require(throws: InterchangeError.self) {
                try container.run(Self.tags + [("Article", .csv, "title,tag list\nA,red; \n")])
            }
            #expect(
                error.description
                    == "Article.csv:2: record 1, column tag list: there is no element between two \"; \"")
        }
    }

    @Test("the error reports the first dangling element of a list")
    func firstOfList() throws {
        for (container, _) in try containers(try LinkedFilesTests.model(.listOfIdentifiers)) {
            let error = try #require(throws: InterchangeError.self) {
                try container.run([
                    ("Tag", .csv, "id,word\n3,red\n"), ("Article", .csv, "id,title,tags\n1,One,\"3,8,9\"\n"),
                ])
            }
            #expect(
                error.description
                    == "Article.csv:2: record 1, column tags: there is no Tag 8, neither in the store nor in this import"
            )
        }
    }

    @Test("a dangling list of keys is not reported if a later record of the same row replaces the list")
    func replacedWhileWaiting() throws {
        for (container, _) in try containers(try LinkModels.nodes()) {
            _ = try container.run([
                ("Node", .csv, "code,parent,next\na,,z;NOPE\nb,,a\na,,b\nz,,\n")
            ]) { $0.onConflict = .update }
            #expect(try container.exported("Node", .csv) == "code,parent,next\na,,b\nb,,a\nz,,\n")
        }
    }

    /// Later rows are known only at the end; then the records are processed in the order of the files.
    @Test(
        "the earlier list of a row is preserved if the record that replaces the list is rejected",
        arguments: [
            ("a,,z\na,,NOPE\nz,,\n", "a,,z\nz,,\n", [3]),
            ("a,,z\na,,b;NOPE\nb,,a\nz,,\n", "a,,z\nb,,a\nz,,\n", [3]),
            ("a,,z\na,,NOPE\na,,b\nb,,z\nz,,\n", "a,,b\nb,,z\nz,,\n", []),
            // A deferred list and a resolved list refer to the row itself.
            ("b,,a;z\na,,z\na,,NOPE\nc,,a;b\nz,,\n", "b,,a;z\na,,z\nc,,a;b\nz,,\n", [4]),
        ])
    func replacedByLeftOut(records: String, stored: String, lines: [Int]) throws {
        for (container, _) in try containers(try LinkModels.nodes()) {
            let problems = ProblemRecorder()
            _ = try container.run([("Node", .csv, "code,parent,next\n" + records)]) {
                problems.attach(&$0)
                $0.onConflict = .update
                $0.onError = .reject
            }
            #expect(try container.exported("Node", .csv) == "code,parent,next\n" + stored)
            #expect(problems.errors.map { $0.prefix(11) } == lines.map { "Node.csv:\($0):" })
        }
    }

    // Both lists of row a are deferred. Row b, which the second list contains, has another key at the end.
    @Test("a list that references later rows uses the keys that the rows had when the list was read")
    func renamedMeanwhile() throws {
        for (container, _) in try containers(try LinkModels.nodes(identifiers: .column("id"))) {
            _ = try container.run([("Node", .csv, "id,code,parent,next\n2,b,,\n")])
            _ = try container.run([
                ("Node", .csv, "id,code,parent,next\n1,a,,z\n1,a,,b\n2,c,,\n4,b,,\n3,z,,\n")
            ]) { $0.onConflict = .update }
            #expect(
                try container.exported("Node", .csv)
                    == "id,code,parent,next\n1,a,,c\n2,c,,\n3,z,,\n4,b,,\n")
        }
    }

    @Test("the error for a reference to a rejected record contains the key that the file uses")
    func leftOutNames() throws {
        for (container, _) in try containers(try LinkModels.nodes()) {
            let problems = ProblemRecorder()
            _ = try container.run([
                ("Node", .csv, "code,parent,next\na,NOPE,\nb,a,\nc,,b\nd,,\n"),
                ("Node_friends", .csv, "who,whom\nd,c\n"),
            ]) {
                problems.attach(&$0)
                $0.onError = .reject
            }
            func leftOut(_ code: String) -> String { "there is no Node with code \"\(code)\": its record was rejected" }
            #expect(
                Set(problems.errors) == [
                    "Node.csv:2: record 1, column parent: there is no Node with code \"NOPE\", neither in the store nor in this import",
                    "Node.csv:3: record 2, column parent: \(leftOut("a"))",
                    "Node.csv:4: record 3, column next: \(leftOut("b"))",
                    "Node_friends.csv:2: record 1, column whom: \(leftOut("c"))",
                ])
            #expect(try container.exported("Node", .csv) == "code,parent,next\nd,,\n")
        }
    }

    @Test("an import with a commit interval rejects records with dangling elements in every interval")
    func committing() throws {
        let text =
            "title,tag list\n" + (0..<3_000).map { "t\($0),\($0 % 7 == 0 ? "red; green" : "red; blue")\n" }.joined()
        for (container, _) in try containers(try LinkedFilesTests.model(.list)) {
            let problems = ProblemRecorder()
            _ = try container.run(Self.tags + [("Article", .csv, text)]) {
                problems.attach(&$0)
                $0.onError = .reject
                $0.commitInterval = 100
            }
            #expect(problems.originals == (0..<3_000).filter { $0 % 7 == 0 }.map { "t\($0),red; green\n" })
            #expect(try container.coordinator.store.count(StoreRequest("Article")) == 3_000 - problems.errors.count)
        }
    }
}
