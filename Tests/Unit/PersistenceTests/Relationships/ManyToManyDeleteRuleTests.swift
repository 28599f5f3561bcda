import Foundation
import PersistenceTestSupport
import StrataTesting
import Testing

@testable import StrataCore
@testable import StrataInMemory
@testable import StrataPersistence
@testable import StrataSQLite
@testable import StrataStoreKit

/// Delete rules for join rows and for references without a column, and their numbers of statements.
@Suite("Delete rules of many-to-many relationships, and their statements")
struct ManyToManyDeleteRuleTests {
    /// A folder, whose deletion deletes its files, and which cannot be deleted while it has guards.
    struct Folder: PersistentRecord {
        let id: LibraryID

        static let files = ToMany<Folder, File>("files", to: "File", inverse: "folders", deleteRule: .cascade)
        static let guards = ToMany<Folder, Guard>("guards", to: "Guard", inverse: "folders", deleteRule: .deny)
        static let entity = RecordEntity<Folder>(
            "Folder", id: \.id, [.relationship(files), .relationship(guards)]
        ) { Folder(id: try $0.id()) }
    }

    struct File: PersistentRecord {
        let id: LibraryID

        static let folders = ToMany<File, Folder>("folders", to: "Folder", inverse: "files")
        static let entity = RecordEntity<File>("File", id: \.id, [.relationship(folders)]) { File(id: try $0.id()) }
    }

    struct Guard: PersistentRecord {
        let id: LibraryID

        static let folders = ToMany<Guard, Folder>("folders", to: "Folder", inverse: "guards")
        static let entity = RecordEntity<Guard>("Guard", id: \.id, [.relationship(folders)]) { Guard(id: try $0.id()) }
    }

    private func stack(_ kind: StoreKind, folders: Int64) throws -> TestStack {
        let stack = try kind.stack(try ManagedObjectModel(records: [Folder.self, File.self, Guard.self]))
        var changes = ChangeSet()
        changes["Folder"].insertions = (1...folders).map { .init(id: $0, values: []) }
        changes["File"].insertions = (1...folders + 1).map { .init(id: $0, values: []) }
        changes["Guard"].insertions = [.init(id: 1, values: [])]
        changes.joins["Folder_files", default: .init()].added = (1...folders).map {
            JoinRow(JoinPair(source: $0, target: $0))
        }
        _ = try stack.container.coordinator.store.save(changes)
        return stack
    }

    @Test(
        "the deny rule rejects a deletion while the object has a join row", arguments: StoreKind.allCases)
    func deny(_ kind: StoreKind) throws {
        let stack = try stack(kind, folders: 2)
        try stack.background.performAndWait { context in
            let folder = try context.existingObject(with: 1, of: Folder.self)
            let watch = try context.existingObject(with: 1, of: Guard.self)
            try context.add(watch, to: \.guards, of: folder)
            try context.save()
            context.delete(folder)
            let error = try persistenceError { try context.save() }
            #expect(error.failures.map(\.rule) == [.deniedDeletion] && error.failures.map(\.attribute) == ["guards"])
            context.delete(watch)
            #expect(try context.save().deleted == ["Folder": [1], "File": [1], "Guard": [1]])
        }
        #expect(try stack.stored(File.self).map(\.id.rawValue) == [2, 3])
    }

    @Test(
        "a count of related objects excludes objects that a pending cascade will delete",
        arguments: StoreKind.allCases)
    func counts(_ kind: StoreKind) throws {
        let stack = try stack(kind, folders: 2)
        try stack.background.performAndWait { context in
            let first = try context.existingObject(with: 1, of: Folder.self)
            let second = try context.existingObject(with: 2, of: Folder.self)
            try context.add(try context.existingObject(with: 1, of: File.self), to: \.files, of: second)
            #expect(try context.count(\.files, of: second) == 2)
            context.delete(first)
            #expect(try context.count(\.files, of: second) == 1)
        }
    }

    @Test(
        "a cascade follows unsaved join rows and ignores removed join rows",
        arguments: StoreKind.allCases)
    func pending(_ kind: StoreKind) throws {
        let stack = try stack(kind, folders: 2)
        for isChild in [false, true] {
            let parent = stack.container.newBackgroundContext(name: "parent")
            let context = isChild ? parent.newChildContext() : parent
            try context.performAndWait { context in
                let folder = try context.existingObject(with: 1, of: Folder.self)
                try context.remove(try context.existingObject(with: 1, of: File.self), from: \.files, of: folder)
                try context.add(try context.existingObject(with: 3, of: File.self), to: \.files, of: folder)
                context.delete(folder)
                let new = try context.insert(Folder(id: 9))
                try context.add(try context.existingObject(with: 1, of: File.self), to: \.files, of: new)
                context.delete(new)
                #expect(try context.fetch(FetchRequest<File>()).map(\.rawID) == [2])
                #expect(try context.save().deleted == ["Folder": [1], "File": [1, 3]])
            }
            try parent.performAndWait { (context) throws in
                #expect(try context.fetch(FetchRequest<File>()).map(\.rawID) == [2])
                if isChild { try context.save() } else { _ = try Self.restore(stack) }
            }
        }
        #expect(try stack.stored(File.self).map(\.id.rawValue) == [2])
        #expect(try stack.stored(Folder.self).map(\.id.rawValue) == [2])
    }

    /// Restores the rows that the first round of a test deleted.
    private static func restore(_ stack: TestStack) throws {
        var changes = ChangeSet()
        changes["Folder"].insertions = [.init(id: 1, values: [])]
        changes["File"].insertions = [.init(id: 1, values: []), .init(id: 3, values: [])]
        changes.joins["Folder_files", default: .init()].added = [JoinRow(JoinPair(source: 1, target: 1))]
        _ = try stack.container.coordinator.store.save(changes)
    }

    @Test("a cascade runs the same number of statements for any number of objects")
    func statements() throws {
        func reads(_ folders: Int64) throws -> Int {
            let stack = try stack(.sqlite, folders: folders)
            let store = try #require(stack.container.coordinator.store as? SQLiteStore)
            return try stack.background.performAndWait { context in
                let all = try context.fetch(FetchRequest<Folder>())
                let before = try store.pool.withConnection(\.counts).runs
                for folder in all { context.delete(folder) }
                try context.processPendingChanges()
                #expect(context.deletedObjects.count == Int(2 * folders))
                return try store.pool.withConnection(\.counts).runs - before
            }
        }
        let few = try reads(2)
        #expect(try reads(300) == few)
        #expect(few <= 6)
    }

    @Test("the nullify rule runs the same number of statements for any number of objects")
    func nullifying() throws {
        func runs(_ books: Int) throws -> Int {
            let stack = try StoreKind.sqlite.library()
            let store = try #require(stack.container.coordinator.store as? SQLiteStore)
            return try stack.background.performAndWait { context in
                for number in 0..<books { _ = try context.newBook("\(number)", by: 3) }
                try context.save()
                let sappho = try context.author(3)
                let before = try store.pool.withConnection(\.counts).runs
                context.delete(sappho)
                try context.processPendingChanges()
                return try store.pool.withConnection(\.counts).runs - before
            }
        }
        #expect(try runs(200) == runs(2))
    }
}
