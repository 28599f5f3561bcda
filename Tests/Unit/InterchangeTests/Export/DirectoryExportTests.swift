import Foundation
import StrataInterchange
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

@Suite("Export of a whole store")
struct DirectoryExportTests {
    private let folder: TemporaryFolder
    private let store: SQLiteStore

    init() throws {
        folder = try TemporaryFolder()
        store = try SQLiteStore.open(at: folder.file("s.sqlite"), model: try StoreContract.model())
        var changes = ChangeSet()
        changes["Owner"].insertions = [.init(id: 3, values: [.string("x"), .integer(1), .null])]
        changes["Song"].insertions = try rows("Song", 1...3)
        changes["Playlist"].insertions = try rows("Playlist", 1...2)
        changes["Person"].insertions = try rows("Person", 1...3)
        let person = store.model.join(of: "friends", in: "Person")?.join.name ?? ""
        let songs = try #require(store.model.joins(touching: "Playlist").first).name
        changes.joins[person, default: .init()].added = [
            .init(.init(source: 2, target: 1)), .init(.init(source: 3, target: 3)),
        ]
        changes.joins[songs, default: .init()].added = [
            .init(.init(source: 1, target: 3), sourcePosition: 0),
            .init(.init(source: 1, target: 2), sourcePosition: 1),
            .init(.init(source: 2, target: 2)),
        ]
        #expect(try store.save(changes).isEmpty)
    }

    private func rows(_ entity: String, _ ids: ClosedRange<Int64>) throws -> [ChangeSet.Insertion] {
        let columns = try store.model.entity(named: entity).columns
        return ids.map { id in
            .init(
                id: id,
                values: columns.map { column in
                    if column.isOptional { return .null }
                    return column.type == .string ? .string("\(entity) \(id)") : .integer(id)
                })
        }
    }

    private var path: String { folder.file("out").path }
    private func text(_ name: String) throws -> String {
        try String(contentsOfFile: path + "/" + name, encoding: .utf8)
    }
    private func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }

    @Test(
        "an export writes a file for each entity and join table, and a manifest that describes the files",
        arguments: DatasetFormat.allCases)
    func whole(format: DatasetFormat) throws {
        let manifest = try DirectoryExporter(store: store, options: ExportOptions(format: format)).run(to: path)
        #expect(manifest.datasets.map(\.entity) == store.model.entities.map(\.name))
        #expect(manifest.joins.map(\.name) == store.model.joins.map(\.name))
        #expect(
            try names()
                == (manifest.datasets.map(\.file) + manifest.joins.map(\.file) + ["manifest.json"]).sorted())
        for dataset in manifest.datasets {
            #expect(dataset.file == "\(dataset.entity).\(format.rawValue)")
            #expect(dataset.rows == (try store.count(StoreRequest(dataset.entity))))
            #expect(
                try text(dataset.file) == store.exported(StoreRequest(dataset.entity), ExportOptions(format: format)))
            #expect(try text(dataset.file).utf8.count == Int(dataset.bytes))
            #expect(dataset.sha256.count == 64)
            #expect(dataset.modelHash == (try store.model.entityHashes()[dataset.entity]))
        }
        let json = try Data(contentsOf: URL(fileURLWithPath: path + "/manifest.json"))
        #expect(try DatasetManifest(json: json, source: "m") == manifest)
        #expect(try manifest.json() == json)
    }

    @Test("join rows of an ordered relationship are exported in list order, and a symmetric join row only once")
    func joins() throws {
        let manifest = try DirectoryExporter(store: store, options: ExportOptions(format: .csv)).run(to: path)
        let friends = try #require(manifest.joins.first { $0.name == "Person_friends" })
        #expect(try text(friends.file) == "source,target\n1,2\n3,3\n")
        #expect(friends.rows == 2)
        let songs = try #require(
            manifest.joins.first { $0.sourceEntity == "Playlist" || $0.targetEntity == "Playlist" })
        #expect(songs.rows == 3)
        #expect(try text(songs.file).split(separator: "\n").dropFirst().map { $0.prefix(3) } == ["1,3", "1,2", "2,2"])
    }

    @Test("an export replaces an earlier export and leaves other files in the directory unchanged")
    func again() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        try Data("mine".utf8).write(to: URL(fileURLWithPath: path + "/notes.txt"))
        let exporter = try DirectoryExporter(store: store, options: ExportOptions(format: .csv))
        let first = try exporter.run(to: path)
        var changes = ChangeSet()
        changes["Owner"].insertions = [.init(id: 9, values: [.null, .integer(1), .null])]
        #expect(try store.save(changes).isEmpty)
        let second = try exporter.run(to: path)
        #expect(try text("notes.txt") == "mine")
        #expect(first != second)
        #expect(try text("Owner.csv").hasSuffix("\n9,,1,\n"))
        #expect(try names().count == first.datasets.count + first.joins.count + 2)
    }

    @Test("a failed export leaves an existing directory unchanged and creates no new directory")
    func failing() throws {
        struct Stopped: Error {}
        let exporter = try DirectoryExporter(store: store, options: ExportOptions(format: .csv))
        #expect(throws: Stopped.self) { try exporter.run(to: path) { throw Stopped() } }
        #expect(!FileManager.default.fileExists(atPath: path))
        let manifest = try exporter.run(to: path)
        var changes = ChangeSet()
        changes["Owner"].insertions = [.init(id: 9, values: [.null, .integer(1), .null])]
        #expect(try store.save(changes).isEmpty)
        let before = try names()
        #expect(throws: Stopped.self) { try exporter.run(to: path) { throw Stopped() } }
        #expect(try names() == before)
        #expect(try !text("Owner.csv").contains("\n9,"))
        let json = try Data(contentsOf: URL(fileURLWithPath: path + "/manifest.json"))
        #expect(try DatasetManifest(json: json, source: "m") == manifest)
    }

    @Test("all files of an export contain the same state of the store despite concurrent writes")
    func consistent() async throws {
        let (store, path) = (store, path)
        let writing = Task.detached {
            for round in 1...100 {
                var changes = ChangeSet()
                changes["Owner"].insertions = [.init(id: Int64(100 + round), values: [.null, .integer(1), .null])]
                changes["Tag"].insertions = try rows("Tag", Int64(100 + round)...Int64(100 + round))
                #expect(try store.save(changes).isEmpty)
            }
        }
        for _ in 0..<10 {
            let manifest = try DirectoryExporter(store: store, options: ExportOptions(format: .ndjson)).run(to: path)
            let counts = ["Owner", "Tag"].map { name in manifest.datasets.first { $0.entity == name }?.rows ?? -1 }
            #expect(counts[0] == counts[1] + 1)
        }
        try await writing.value
    }

    @Test("a column selection, a missing header, an invalid manifest and an unusable target path are rejected")
    func refused() throws {
        for change: (inout ExportOptions) -> Void in [{ $0.columns = [.init("id")] }, { $0.hasHeader = false }] {
            let error = #expect(throws: InterchangeError.self) {
                _ = try DirectoryExporter(store: store, options: .with(.csv, change))
            }
            #expect(error?.code == .unsupported)
        }
        for (json, code) in [("[]", InterchangeError.Code.malformed), (#"{"version":2}"#, .unsupported)] {
            let error = #expect(throws: InterchangeError.self) {
                _ = try DatasetManifest(json: Data(json.utf8), source: "m.json")
            }
            #expect(error?.code == code && error?.source == "m.json")
        }
        let file = folder.file("file").path
        try Data().write(to: URL(fileURLWithPath: file))
        for target in [file, folder.file("no/out").path, ""] {
            let error = #expect(throws: InterchangeError.self) {
                try DirectoryExporter(store: store, options: ExportOptions(format: .csv)).run(to: target)
            }
            #expect(error?.code == .cannotCreate)
        }
    }
}
