import StrataInterchange
import StrataPersistence
import StrataStoreKit
import Testing

/// Existing join rows, which an import treats like unique values: it fails, ignores them or updates their positions.
@Suite("Repeated join rows")
struct RepeatedPairsTests {
    private static let header = "the article,the tag,place\n"

    private func articles() throws -> [(PersistentContainer, TemporaryDirectory)] {
        let containers = try containers(try LinkedFilesTests.model(.table))
        for (container, _) in containers {
            _ = try container.run([("Article", .csv, "title\nOne\nTwo\n"), ("Tag", .csv, "word\nred\nblue\n")])
        }
        return containers
    }

    private func pairs(_ container: PersistentContainer) throws -> [[Int64]] {
        try container.coordinator.store.joins(JoinRequest("Article_tags")).map {
            [$0.pair.source, $0.pair.target, $0.sourcePosition ?? -1]
        }
    }

    @Test("a repeated join row stops the import with an error that names line and columns, or is skipped and recorded")
    func refused() throws {
        for (container, _) in try articles() {
            let text = Self.header + "One,red,0\nTwo,red,0\nOne,red,1\n"
            let error = try #require(throws: InterchangeError.self) {
                try container.run([("Article_tags", .csv, text)])
            }
            #expect(
                error.description
                    == "Article_tags.csv:4: record 3, column the article, the tag: the join row already exists")
            #expect(error.code == .conflict)
            #expect(try pairs(container) == [])

            let problems = ProblemRecorder()
            let summary = try container.run([("Article_tags", .csv, text)]) {
                problems.attach(&$0)
                $0.onError = .reject
            }
            #expect(problems.errors == [error.description] && problems.originals == ["One,red,1\n"])
            #expect(summary.files[0].counts.inserted == 2 && summary.files[0].rejected == 1)
            #expect(try pairs(container) == [[1, 1, 0], [2, 1, 0]])
            // A join row in the store is also a conflict.
            #expect(throws: InterchangeError.self) {
                try container.run([("Article_tags", .csv, Self.header + "Two,red,0\n")])
            }
        }
    }

    @Test("a repeated join row is ignored, or updated with its new position, and is counted")
    func taken() throws {
        for action in [InsertOptions.ConflictAction.ignore, .update, .replace] {
            for (container, _) in try articles() {
                _ = try container.run([("Article_tags", .csv, Self.header + "One,blue,5\n")])
                let summary = try container.run([
                    ("Article_tags", .csv, Self.header + "One,red,0\nOne,red,1\nOne,blue,2\n")
                ]) { $0.onConflict = action }
                let counts = summary.files[0].counts
                let isIgnored = action == .ignore
                #expect(counts.inserted == 1 && summary.files[0].read == 3)
                #expect(counts.ignored == (isIgnored ? 2 : 0) && counts.updated == (isIgnored ? 0 : 2))
                #expect(try pairs(container) == (isIgnored ? [[1, 1, 0], [1, 2, 5]] : [[1, 1, 1], [1, 2, 2]]))
            }
        }
    }

    @Test("a symmetric join row may be in the lists of both rows, but not twice in a join table")
    func symmetric() throws {
        for (container, _) in try containers(try LinkModels.friends(inList: false)) {
            let files: Datasets = [
                ("Person", .csv, "name\na\nb\n"), ("Person_friends", .csv, "who,whom\nb,a\na,b\n"),
            ]
            let error = try #require(throws: InterchangeError.self) { try container.run(files) }
            #expect(
                error.description == "Person_friends.csv:3: record 2, column who, whom: the join row already exists")
        }
        let text = "name,friends\na,b;c\nb,a\nc,a;c\n"
        for (container, _) in try containers(try LinkModels.friends(inList: true)) {
            _ = try container.run([("Person", .csv, text)])
            #expect(try container.exported("Person", .csv) == text)
            _ = try container.run([("Person", .csv, "name,friends\nb,\n")]) { $0.onConflict = .update }
            #expect(try container.exported("Person", .csv) == "name,friends\na,c\nb,\nc,a;c\n")
        }
    }
}
