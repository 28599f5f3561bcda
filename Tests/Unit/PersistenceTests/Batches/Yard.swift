import PersistenceTestSupport
import StrataPersistence
import StrataStoreKit
import StrataTestSupport

/// Nested folders with files, labels and owners, which have every delete rule and bounds on relationships.
enum Yard {
    static func model() throws -> ManagedObjectModel {
        try ManagedObjectModel(records: [Keeper.self, Folder.self, File.self, Label.self, Seal.self])
    }

    /// A keeper, who cannot be deleted while having folders.
    struct Keeper: PersistentRecord, Hashable {
        let id: LibraryID
        var name: String

        static let folders = ToMany<Keeper, Folder>("folders", to: "Folder", inverse: "keeper", deleteRule: .deny)
        static let entity = RecordEntity<Keeper>(
            "Keeper", id: \.id, [.attribute("name", \.name), .relationship(folders)]
        ) { Keeper(id: try $0.id(), name: try $0.next()) }
    }

    /// A folder, whose deletion deletes its contents and its seal.
    struct Folder: PersistentRecord, Hashable {
        let id: LibraryID
        var parent: LibraryID?
        var keeper: LibraryID?

        static let children = ToMany<Folder, Folder>(
            "children", to: "Folder", inverse: "parent", deleteRule: .cascade)
        static let files = ToMany<Folder, File>("files", to: "File", inverse: "folder", deleteRule: .cascade)
        static let seal = ToOne<Folder, Seal>("seal", to: "Seal", inverse: "folder", deleteRule: .cascade)
        static let entity = RecordEntity<Folder>(
            "Folder", id: \.id,
            [
                .toOne("parent", \.parent, to: "Folder", inverse: "children"),
                .toOne("keeper", \.keeper, to: "Keeper", inverse: "folders"),
                .relationship(children), .relationship(files), .relationship(seal),
            ]
        ) { Folder(id: try $0.id(), parent: try $0.next(), keeper: try $0.next()) }
    }

    struct File: PersistentRecord, Hashable {
        let id: LibraryID
        var size: Int
        var code: String?
        var folder: LibraryID?
        var original: LibraryID?

        static let labels = ToMany<File, Label>("labels", to: "Label", inverse: "files", maximumCount: 2)
        static let copies = ToMany<File, File>("copies", to: "File", inverse: "original")
        static let entity = RecordEntity<File>(
            "File", id: \.id,
            [
                .attribute("size", \.size, rules: [.minimum(.integer(0)), .maximum(.integer(1_000))]),
                .attribute("code", \.code, isUnique: true),
                .toOne("folder", \.folder, to: "Folder", inverse: "files"),
                .toOne("original", \.original, to: "File", inverse: "copies"),
                .relationship(labels), .relationship(copies),
            ]
        ) {
            File(
                id: try $0.id(), size: try $0.next(), code: try $0.next(), folder: try $0.next(),
                original: try $0.next())
        }
    }

    /// A label, which needs a file and is deleted only after its files.
    struct Label: PersistentRecord, Hashable {
        let id: LibraryID
        var word: String

        static let files = ToMany<Label, File>(
            "files", to: "File", inverse: "labels", deleteRule: .deny, isOptional: false)
        static let entity = RecordEntity<Label>(
            "Label", id: \.id, [.attribute("word", \.word), .relationship(files)]
        ) { Label(id: try $0.id(), word: try $0.next()) }
    }

    /// A seal, which needs a folder.
    struct Seal: PersistentRecord, Hashable {
        let id: LibraryID
        var folder: LibraryID

        static let entity = RecordEntity<Seal>(
            "Seal", id: \.id, [.toOne("folder", \.folder, to: "Folder", inverse: "seal", deleteRule: .nullify)]
        ) { Seal(id: try $0.id(), folder: try $0.next()) }
    }

    /// Returns random contents.
    static func changes(using random: inout SeededGenerator) -> ChangeSet {
        func reference(_ count: Int64) -> StoredValue {
            Int.random(in: 0..<2, using: &random) == 0 ? .null : .integer(.random(in: 1...count, using: &random))
        }
        var changes = ChangeSet()
        changes["Keeper"].insertions = (1...3).map { .init(id: $0, values: [.string("k\($0)")]) }
        changes["Folder"].insertions = (1...8).map { id in
            // Some folders are their own parents or form a cycle.
            .init(id: id, values: [reference(8), Int.random(in: 0..<4, using: &random) == 0 ? reference(3) : .null])
        }
        changes["File"].insertions = (Int64(1)...10).map { id in
            let code: StoredValue = id % 2 == 0 ? .null : .string("c\(id)")
            return .init(id: id, values: [.integer(id * 10), code, reference(8), reference(10)])
        }
        changes["Label"].insertions = (1...4).map { .init(id: $0, values: [.string("l\($0)")]) }
        changes["Seal"].insertions = (1...3).map { .init(id: $0, values: [.integer($0 * 2)]) }
        var counts: [Int64: Int] = [:]
        for label in Int64(1)...4 {
            for file in Set(
                (0...Int.random(in: 0...2, using: &random)).map { _ in Int64.random(in: 1...10, using: &random) })
            {
                guard counts[file, default: 0] < 2 else { continue }
                counts[file, default: 0] += 1
                changes.joins["File_labels", default: .init()].added
                    .append(JoinRow(JoinPair(source: file, target: label)))
            }
        }
        return changes
    }
}
