import Foundation
import StrataInterchange
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

/// Many-to-many relationships in files, as join tables by keys and as lists.
@Suite("Many-to-many relationships in files")
struct LinkedFilesTests {
    /// The representations of article tags in files.
    enum Form: CaseIterable, Sendable { case table, tableOfInverse, list, listOfInverse, listOfIdentifiers }

    static func model(_ form: Form, ordered: Bool = true) throws -> ManagedObjectModel {
        var tags = RelationshipDescription("tags", to: "Tag", .toMany, inverse: "articles", isOrdered: ordered)
        var articles = RelationshipDescription("articles", to: "Article", .toMany, inverse: "tags")
        let (article, tag) = (ExternalKey("title", column: "the article"), ExternalKey("word", column: "the tag"))
        switch form {
        case .table:
            tags.externalLink = .table(
                ExternalLinkTable("article tags", owner: article, destination: tag, position: ordered ? "place" : nil))
        case .tableOfInverse:
            articles.externalLink = .table(
                ExternalLinkTable(
                    "article tags", owner: tag, destination: article, inversePosition: ordered ? "place" : nil))
        case .list:
            tags.externalLink = .list(ExternalList(column: "tag list", separator: "; ", property: "word"))
        case .listOfInverse:
            articles.externalLink = .list(ExternalList(column: "in", separator: "|", property: "title"))
        case .listOfIdentifiers: tags.externalLink = .list(ExternalList(column: "tags", separator: ","))
        }
        func word(_ name: String) -> EntityDescription.Property {
            .attribute(AttributeDescription(name, .string, isUnique: true))
        }
        let ids = ExternalForm(identifiers: form == .listOfIdentifiers ? .column("id") : .own)
        return try ManagedObjectModel([
            EntityDescription("Article", [word("title"), .relationship(tags)], external: ids),
            EntityDescription("Tag", [word("word"), .relationship(articles)], external: ids),
        ])
    }

    private func write(_ files: [String: String], to folder: TemporaryDirectory, _ name: String) throws -> String {
        try FileManager.default.createDirectory(atPath: folder.file(name), withIntermediateDirectories: true)
        for (file, text) in files { try folder.write(text, to: "\(name)/\(file)") }
        return folder.file(name)
    }

    private static func files(_ form: Form) -> [String: String] {
        switch form {
        case .table:
            [
                "Article.csv": "title\nOne\nTwo\nThree\n", "Tag.csv": "word\nred\nblue\n",
                "Article_tags.csv": "the article,the tag,place\nOne,blue,0\nOne,red,1\nTwo,red,0\n",
            ]
        case .tableOfInverse:
            [
                "Article.csv": "title\nOne\nTwo\nThree\n", "Tag.csv": "word\nred\nblue\n",
                "Article_tags.csv": "the tag,the article,place\nred,One,1\nred,Two,0\nblue,One,0\n",
            ]
        case .list:
            [
                "Article.csv": "title,tag list\nOne,blue; red\nTwo,red\nThree,\n", "Tag.csv": "word\nred\nblue\n",
            ]
        case .listOfInverse:
            ["Article.csv": "title\nOne\nTwo\n", "Tag.csv": "word,in\nred,One|Two\nblue,One\n"]
        case .listOfIdentifiers:
            [
                "Article.csv": "id,title,tags\n1,One,\"7,3\"\n2,Two,3\n4,Three,\n",
                "Tag.csv": "id,word\n3,red\n7,blue\n",
            ]
        }
    }

    @Test(
        "a directory with join tables or lists is imported with its join rows and exported unchanged",
        arguments: Form.allCases)
    func roundTrip(form: Form) throws {
        let model = try Self.model(form, ordered: form != .listOfInverse)
        for (container, folder) in try containers(model) {
            let files = Self.files(form)
            let directory = try DatasetDirectory(path: write(files, to: folder, UUID().uuidString), model: model)
            let sources = try directory.files.map {
                ImportSource(
                    entity: $0.entity, input: try ByteInput(path: $0.path), reading: ReadingOptions(format: $0.format))
            }
            _ = try DatasetImporter(container: container, options: ImportOptions(format: .csv)).run(sources)
            let store = container.coordinator.store
            #expect(try store.joins(JoinRequest("Article_tags")).count == 3)
            let out = folder.file(UUID().uuidString)
            _ = try DirectoryExporter(store: store, options: ExportOptions(format: .csv)).run(to: out)
            for (name, text) in files {
                #expect(try String(contentsOfFile: out + "/" + name, encoding: .utf8) == text)
            }
            let written = try FileManager.default.contentsOfDirectory(atPath: out).sorted()
            #expect(written == files.keys.sorted() + ["manifest.json"])
        }
    }

    @Test("a join row or list element without a matching row is an error with its line, and so is an invalid list")
    func missing() throws {
        for (form, entity, text, expected) in [
            (
                Form.table, "Article_tags", "the article,the tag,place\nOne,green,1\n",
                "data:2: record 1, column the tag: there is no Tag with word \"green\", neither in the store nor in this import"
            ),
            (
                .list, "Article", "title,tag list\nFour,red; green\n",
                "data:2: record 1, column tag list: there is no Tag with word \"green\", neither in the store nor in this import"
            ),
            (
                .list, "Article", "title,tag list\nFour,red; ; blue\n",
                "data:2: record 1, column tag list: there is no element between two \"; \""
            ),
            (
                .listOfIdentifiers, "Article", "id,title,tags\n9,Four,\"3,x\"\n",
                "data:2: record 1, column tags: \"x\": not a whole number"
            ),
        ] {
            let model = try Self.model(form)
            for (container, _) in try containers(model) {
                let files = Self.files(form)
                for name in ["Tag", "Article"] {
                    _ = try container.importing(files["\(name).csv"] ?? "", .csv, into: name)
                }
                let before = try container.exported("Article", .csv)
                var options = ImportOptions(format: .csv)
                options.onError = .stop
                let error = try #require(throws: InterchangeError.self) {
                    _ = try DatasetImporter(container: container, options: options).run([
                        ImportSource(entity: entity, input: ByteInput(bytes: Array(text.utf8), name: "data"))
                    ])
                }
                #expect(error.description == expected)
                #expect(try container.exported("Article", .csv) == before)
            }
        }
    }

    @Test(
        "an update replaces the whole list of a row, and an update without the list column preserves the list",
        arguments: [InsertOptions.ConflictAction.update, .replace])
    func updatedLists(action: InsertOptions.ConflictAction) throws {
        let model = try Self.model(.list)
        for (container, _) in try containers(model) {
            _ = try container.importing("word\na\nb\nc\n", .csv, into: "Tag")
            _ = try container.importing("title,tag list\nOne,b; a\nTwo,a\nThree,c\n", .csv, into: "Article")
            _ = try container.importing("title,tag list\nOne,c; b\nTwo,\n", .csv, into: "Article") {
                $0.onConflict = action
            }
            _ = try container.importing("title\nThree\n", .csv, into: "Article") { $0.onConflict = action }
            #expect(try container.exported("Article", .csv) == "title,tag list\nOne,c; b\nTwo,\nThree,c\n")
            let error = try #require(throws: InterchangeError.self) {
                _ = try container.importing("title,tag list\nFour,a; b; a\n", .csv, into: "Article")
            }
            #expect(error.description == "data:2: record 1, column tag list: \"a\": occurs twice")
        }
    }

    @Test("a key in a list is resolved to the row that has the key when the record is read")
    func renamed() throws {
        var next = RelationshipDescription("next", to: "Node", .toMany, inverse: "previous")
        next.externalLink = .list(ExternalList(column: "next", separator: ";", property: "code"))
        let model = try ManagedObjectModel([
            EntityDescription(
                "Node",
                [
                    .attribute(AttributeDescription("code", .string, isUnique: true)), .relationship(next),
                    .relationship(RelationshipDescription("previous", to: "Node", .toMany, inverse: "next")),
                ], external: ExternalForm(identifiers: .column("id")))
        ])
        for (container, _) in try containers(model) {
            _ = try container.importing("id,code,next\n1,A,\n2,B,\n", .csv, into: "Node")
            _ = try container.importing("id,code,next\n2,B,\n3,C,A\n1,Z,\n", .csv, into: "Node") {
                $0.onConflict = .update
            }
            #expect(try container.exported("Node", .csv) == "id,code,next\n1,Z,\n2,B,\n3,C,Z\n")
        }
    }

    @Test("rows that lists refer to are imported first, regardless of the order of the files")
    func orderOfFiles() throws {
        let model = try Self.model(.list)
        for (container, _) in try containers(model) {
            var options = ImportOptions(format: .csv)
            options.commitInterval = 2
            let files = Self.files(.list)
            _ = try DatasetImporter(container: container, options: options).run(
                ["Article", "Tag"].map { name in
                    ImportSource(
                        entity: name, input: ByteInput(bytes: Array((files["\(name).csv"] ?? "").utf8), name: name))
                })
            #expect(try container.exported("Article", .csv) == files["Article.csv"])
        }
    }

    @Test("the list of a rejected record creates no join rows")
    func leftOut() throws {
        let model = try Self.model(.list)
        for (container, _) in try containers(model) {
            _ = try container.importing("word\nred\n", .csv, into: "Tag")
            let rows = try container.importing("title,tag list\nA,red\nA,red\nB,red\n", .csv, into: "Article") {
                $0.onError = .reject
            }
            #expect(rows.count == 2)
            #expect(try container.coordinator.store.joins(JoinRequest("Article_tags")).count == 2)
        }
    }

    @Test("the export rejects a list element that contains the list separator")
    func separators() throws {
        let model = try Self.model(.list)
        for (container, _) in try containers(model) {
            _ = try container.importing("word\na; b\n", .csv, into: "Tag")
            _ = try container.importing("title\nOne\n", .csv, into: "Article")
            try container.coordinator.store.writeRows {
                try $0.insert(
                    JoinRow(JoinPair(source: 1, target: 1), sourcePosition: 0), of: "Article_tags",
                    location: RowLocation(line: 0, record: 0))
            }
            let error = try #require(throws: InterchangeError.self) { _ = try container.exported("Article", .csv) }
            #expect(
                error.message
                    == "tag list of the object 1: \"a; b\" cannot be an element of a list that \"; \" separates")
        }
    }
}
