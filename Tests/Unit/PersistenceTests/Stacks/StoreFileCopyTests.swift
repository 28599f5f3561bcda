import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

import struct PersistenceTestSupport.Tag

/// The contents of a stack over a copy of a store's file, which stays unchanged.
@Suite("Copies of a store's file")
struct StoreFileCopyTests {
    @Test("a copy contains every row with its identifier, version and values", arguments: StoreFileCopy.allCases)
    func rows(_ kind: StoreFileCopy) throws {
        let file = try StoreFile()
        let copy = try kind.prepare(try Library.model(), file.url)()
        let original = try file.open()
        for entity in original.model.entities {
            let rows = try original.rows(StoreRequest(entity.name))
            #expect(!rows.isEmpty)
            #expect(try copy.store.rows(StoreRequest(entity.name)) == rows)
        }
        try original.close()
    }

    @Test("a copy contains every join row with its position, read from both ends", arguments: StoreFileCopy.allCases)
    func pairs(_ kind: StoreFileCopy) throws {
        let file = try StoreFile()
        let copy = try kind.prepare(try Library.model(), file.url)()
        let original = try file.open()
        for join in original.model.joins {
            for side in [JoinRequest.Side.source, .target] {
                let pairs = try original.joins(JoinRequest(join.name, of: side))
                #expect(!pairs.isEmpty)
                #expect(try copy.store.joins(JoinRequest(join.name, of: side)) == pairs)
            }
        }
        try original.close()
    }

    @Test("a copy keeps the order of ordered relationships", arguments: StoreFileCopy.allCases)
    func order(_ kind: StoreFileCopy) throws {
        let file = try StoreFile()
        let copy = try kind.prepare(try Library.model(), file.url)()
        let (words, titles) = try copy.container.backgroundContext.performAndWait { context in
            let aeneid = try context.existingObject(with: LibraryID(unchecked: 3), of: Book.self)
            let homer = try context.existingObject(with: LibraryID(unchecked: 1), of: Author.self)
            return (
                try context.objects(\.tags, of: aeneid).map(\.word),
                try context.objects(\.books, of: homer).map(\.title)
            )
        }
        #expect(words == ["sea", "war"])
        #expect(titles == ["Odyssey", "Iliad"])
    }

    @Test("a copy assigns the file's next identifiers, even after a gap", arguments: StoreFileCopy.allCases)
    func marks(_ kind: StoreFileCopy) throws {
        let file = try StoreFile()
        let copy = try kind.prepare(try Library.model(), file.url)()
        #expect(try copy.store.reserveIdentifiers(1, of: "Tag") == 44...44)
        #expect(try copy.store.reserveIdentifiers(2, of: "Book") == 4...5)
    }

    @Test("a copy keeps the user's metadata", arguments: StoreFileCopy.allCases)
    func metadata(_ kind: StoreFileCopy) throws {
        let file = try StoreFile()
        let copy = try kind.prepare(try Library.model(), file.url)()
        #expect(try copy.store.metadata(forKey: "seed") == "7")
        #expect(try copy.store.metadata(forKey: "uuid") == nil)
    }

    @Test("a copy rejects a unique value that the file has", arguments: StoreFileCopy.allCases)
    func uniqueness(_ kind: StoreFileCopy) throws {
        let folder = try TemporaryFolder()
        let container = try PersistentContainer(
            model: try League.model(), .sqlite(at: folder.file("league.sqlite")), mainQueue: .private)
        try container.backgroundContext.performAndWait { context in
            try context.insert(Player.self) { Player(id: $0, name: "Ada", number: 9) }
            try context.insert(Player.self) { Player(id: $0, name: "Ben", number: nil) }
            try context.save()
        }
        try container.close()
        let copy = try kind.prepare(try League.model(), folder.file("league.sqlite"))()
        // The background context's policy would merge the two players.
        try copy.container.newBackgroundContext(mergePolicy: .error).performAndWait { context in
            try context.insert(Player.self) { Player(id: $0, name: "Cleo", number: 9) }
            #expect(try persistenceError { try context.save() }.code == .uniqueness)
        }
    }

    @Test("a copy does not see the changes of another copy", arguments: StoreFileCopy.allCases)
    func separate(_ kind: StoreFileCopy) throws {
        let file = try StoreFile()
        let copies = try kind.prepare(try Library.model(), file.url)
        let (first, second) = (try copies(), try copies())
        try first.container.backgroundContext.performAndWait { context in
            for tag in try context.fetch(FetchRequest<Tag>()) { context.delete(tag) }
            try context.insert(Author.self) { Author(id: $0, name: "Pindar") }
            try context.save()
        }
        #expect(try first.store.count(StoreRequest("Tag")) == 0)
        for copy in [second, try copies()] {
            #expect(try copy.store.count(StoreRequest("Tag")) == 3)
            #expect(try copy.store.joins(JoinRequest("Book_tags")).count == 4)
            #expect(try copy.store.count(StoreRequest("Author")) == 3)
            #expect(try copy.store.reserveIdentifiers(1, of: "Author") == 4...4)
        }
    }

    @Test(
        "copying leaves the file unchanged, and the copy does not need the file afterwards",
        arguments: StoreFileCopy.allCases)
    func untouched(_ kind: StoreFileCopy) throws {
        let file = try StoreFile()
        let before = try file.contents()
        #expect(before.count == 1)
        let copies = try kind.prepare(try Library.model(), file.url)
        #expect(try file.contents() == before)
        try FileManager.default.removeItem(at: file.url)
        let copy = try copies()
        #expect(try copy.store.count(StoreRequest("Author")) == 3)
    }

    @Test(
        "a copy is created from a folder that is not writable",
        .enabled(if: geteuid() != 0, "root may read and write everything"),
        arguments: StoreFileCopy.allCases)
    func readOnlyFolder(_ kind: StoreFileCopy) throws {
        let file = try StoreFile()
        try #require(chmod(file.url.path, 0o444) == 0 && chmod(file.folder.url.path, 0o555) == 0)
        defer { _ = chmod(file.folder.url.path, 0o755) }
        let copy = try kind.prepare(try Library.model(), file.url)()
        #expect(try copy.store.count(StoreRequest("Author")) == 3)
    }

    @Test("a copy includes the log of a killed process, and the log stays unchanged", arguments: StoreFileCopy.allCases)
    func log(_ kind: StoreFileCopy) throws {
        let file = try StoreFile()
        let open = try file.open()
        _ = try open.reserveIdentifiers(60, of: "Tag")
        let folder = try TemporaryFolder()
        let killed = try file.killed(in: folder)
        let copy = try kind.prepare(try Library.model(), killed)()
        #expect(try copy.store.reserveIdentifiers(1, of: "Tag") == 104...104)
        #expect(try file.isSame(killed))
        try open.close()
    }

    @Test("reading a store's metadata leaves the file and the log of a killed process unchanged")
    func metadataOfKilled() throws {
        let file = try StoreFile()
        let open = try file.open()
        _ = try open.reserveIdentifiers(60, of: "Tag")
        let folder = try TemporaryFolder()
        let killed = try file.killed(in: folder)
        let metadata = try PersistentContainer.metadata(of: .sqlite(at: killed))
        #expect(metadata.information.kind == "SQLite")
        #expect(try file.isSame(killed))
        try open.close()
    }

    @Test(
        "a copy of a store that is in use includes its log, and the store stays usable",
        arguments: StoreFileCopy.allCases)
    func inUse(_ kind: StoreFileCopy) throws {
        let file = try StoreFile()
        let open = try file.open()
        _ = try open.reserveIdentifiers(60, of: "Tag")
        let copy = try kind.prepare(try Library.model(), file.url)()
        #expect(try copy.store.reserveIdentifiers(1, of: "Tag") == 104...104)
        // The open store still works, and its locks still exist.
        #expect(try open.reserveIdentifiers(1, of: "Tag") == 104...104)
        try open.close()
    }
}
