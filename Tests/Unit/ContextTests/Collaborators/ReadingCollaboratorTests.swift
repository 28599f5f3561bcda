import PersistenceTestSupport
import StrataCore
import StrataStoreKit
import Testing

import struct PersistenceTestSupport.Tag

@testable import StrataPersistence

@Suite("Object reader, without a context")
struct ObjectReaderTests {
    @Test("reads of the same row return the same object, and a changed object keeps its values")
    func identity() throws {
        let parts = try Collaborators()
        let request = StoreRequest("Author", where: .compare(.property("id"), .equal, .constant(.integer(1))))
        let first = try #require(try parts.reader.fetch(request, of: Author.entity).first)
        first.name = "Homeros"
        let again = try parts.reader.fetch(request, of: Author.entity)
        #expect(again.count == 1 && again.first === first && first.name == "Homeros")
        #expect(
            try parts.reader.objects(withRawIDs: [1, 9], of: "Author").map(ObjectIdentifier.init) == [.init(first)])
    }

    @Test("the result of a request contains unsaved changes")
    func merged() throws {
        let parts = try Collaborators()
        let named = StoreRequest("Author", where: .compare(.property("name"), .equal, .constant(.string("Ovid"))))
        #expect(try parts.reader.isTouchedByChanges(named) == false)
        let virgil = try parts.author(2)
        virgil.name = "Ovid"
        _ = try parts.inserter.insert(Author(id: 8, name: "Ovid"))
        #expect(try parts.reader.isTouchedByChanges(named))
        #expect(try parts.reader.identifiers(named, of: Author.entity) == [2, 8])
        #expect(try parts.reader.count(named, of: Author.entity) == 2)
        #expect(try parts.store.count(named) == 0)
    }

    @Test("the reader of a child context reads the unsaved changes of its parent")
    func child() throws {
        let parent = try Collaborators()
        let homer = try parent.author(1)
        homer.name = "Homeros"
        let child = try Collaborators(parent: parent)
        #expect(try child.author(1).name == "Homeros" && child.author(1) !== homer)
        #expect(try child.reader.parentRows(of: "Author", [1]).map { $0.values[0] } == [.string("Homeros")])
    }

    @Test("related objects and join rows contain unsaved changes")
    func related() throws {
        let parts = try Collaborators()
        let homer = try parts.author(1)
        let aeneid = try parts.book(3)
        aeneid.author = 1
        let (books, _, place) = try parts.reader.relationship(Author.books.description, of: homer)
        let related = try parts.reader.relatedObjects(of: [homer], books, place)
        #expect(Set(related[1]?.map(\.rawID) ?? []) == [1, 2, 3])
        let tags = try #require(parts.registry.model.join(of: "tags", in: "Book")).join
        parts.editor.removePair(JoinPair(source: 3, target: 1), from: tags)
        #expect(try parts.reader.pairs(of: tags, ownerIsSource: true, [3]).map(\.other) == [2])
    }

    @Test("the hook of a fetched object runs once for each row that is read")
    func hooks() throws {
        var called: [Int64] = []
        let parts = try Collaborators(onHook: { hook, object in
            if hook == .awakeFromFetch { called.append(object.rawID) }
        })
        let authors = try parts.reader.fetch(StoreRequest("Author"), of: Author.entity)
        _ = try parts.reader.fetch(StoreRequest("Author"), of: Author.entity)
        #expect(called == [1, 2, 3] && authors.count == 3)
    }
}

@Suite("Change propagator, without a context")
struct ChangePropagatorTests {
    @Test("the next read applies the delete rules of a deleted object")
    func rules() throws {
        let parts = try Collaborators()
        let (homer, iliad, virgil) = (try parts.author(1), try parts.book(1), try parts.author(2))
        parts.propagator.delete(homer)
        #expect(iliad.author == 1 && parts.pending.deletions.isPending)
        try parts.propagator.prepareToRead()
        #expect(iliad.author == nil && virgil.mentor == nil)
        #expect(homer.state == .deleted && !parts.pending.deletions.isPending)
    }

    @Test("an operation in progress suppresses the delete rules")
    func settling() throws {
        let parts = try Collaborators()
        let (homer, iliad) = (try parts.author(1), try parts.book(1))
        try parts.propagator.settling {
            parts.propagator.delete(homer)
            try parts.propagator.processPendingChanges()
        }
        #expect(iliad.author == 1)
        try parts.propagator.processPendingChanges()
        #expect(iliad.author == nil)
    }

    @Test("a cascade deletes the dependent object, and its hook runs before the deletion")
    func cascade() throws {
        var called: [String] = []
        let parts = try Collaborators(onHook: { hook, object in
            if hook == .prepareForDeletion { called.append("\(object.entityName) \(object.rawID)") }
        })
        let (virgil, contract) = (try parts.author(2), try parts.contract(1))
        parts.propagator.delete(virgil)
        #expect(try parts.propagator.processAllChanges().isEmpty)
        #expect(contract.state == .deleted && called == ["Author 2", "Contract 1"])
    }

    @Test("the owner of a counterpart that is only in the store keeps a mandatory reference")
    func counterparts() throws {
        let parts = try Collaborators()
        _ = try parts.inserter.insert(Contract(id: 9, fee: 1, author: 2))
        try parts.propagator.processPendingChanges()
        #expect(try parts.contract(1).author == 2)
        #expect(parts.registry["Contract"]?.updated.isEmpty == true)
    }
}

@Suite("Object inserter, without a context")
struct ObjectInserterTests {
    @Test("an inserted object is new, and a second object with its identifier is rejected")
    func inserted() throws {
        let parts = try Collaborators()
        let author = try parts.inserter.insert(Author(id: 8, name: "Ovid"))
        #expect(author.state == .inserted && parts.registry["Author"]?.inserted.first === author)
        let error = try persistenceError { _ = try parts.inserter.insert(Author(id: 8, name: "Horace")) }
        #expect(error.code == .uniqueness)
    }

    @Test("new identifiers differ from each other and from those of rows and new objects")
    func identifiers() throws {
        let parts = try Collaborators()
        let first = try parts.inserter.newID(in: Author.entity)
        let author = try parts.inserter.insert(into: Author.entity) { Author(id: $0, name: "Ovid") }
        #expect(Set([first, author.id]).count == 2 && ![first, author.id].contains { $0.rawValue <= 3 })
    }

    @Test("an object whose hook throws an error is not inserted")
    func refused() throws {
        let parts = try Collaborators(onHook: { hook, _ in
            if hook == .awakeFromInsert { throw CancellationError() }
        })
        #expect(throws: CancellationError.self) { try parts.inserter.insert(Author(id: 8, name: "Ovid")) }
        #expect(parts.registry["Author"]?.inserted.isEmpty == true && !parts.transactions.hasChanges)
    }

    @Test("a new object with the identifier of a deleted object does not receive the references to it")
    func reused() throws {
        let parts = try Collaborators()
        let iliad = try parts.book(1)
        parts.propagator.delete(try parts.author(1))
        _ = try parts.inserter.insert(Author(id: 1, name: "Ovid"))
        #expect(iliad.author == nil)
    }
}

@Suite("Fetcher, without a context")
struct FetcherTests {
    @Test("a fetch applies pending delete rules and reports an event")
    func fetched() throws {
        let parts = try Collaborators()
        let counts = Guarded<[Int]>([])
        parts.events.subscribe { event in
            if case .fetched(_, let count) = event { counts.withLock { $0.append(count) } }
        }
        parts.propagator.delete(try parts.author(2))
        #expect(try parts.fetcher.fetch(FetchRequest<Contract>()).isEmpty)
        #expect(try parts.fetcher.fetchRecords(FetchRequest<Author>()).map(\.name) == ["Homer", "Sappho"])
        #expect(try parts.fetcher.count(FetchRequest<Book>()) == 3)
        #expect(try parts.fetcher.fetchIdentifiers(FetchRequest<Tag>()).map(\.rawValue) == [1, 2, 3])
        #expect(counts.withLock { $0 } == [0, 2, 3, 3])
    }

    @Test("a lookup finds stored and new objects, but no deleted ones")
    func lookup() throws {
        let parts = try Collaborators()
        let ovid = try parts.inserter.insert(Author(id: 8, name: "Ovid"))
        #expect(try parts.author(8) === ovid)
        #expect(try parts.fetcher.delete(1, from: Author.entity))
        #expect(try !parts.fetcher.delete(1, from: Author.entity))
        #expect(try persistenceError { _ = try parts.author(1) }.code == .objectNotFound)
    }

    @Test("batches contain all objects, and prefetched objects are released after their batch")
    func batches() throws {
        let parts = try Collaborators()
        var sizes: [Int] = []
        try parts.fetcher.fetch(FetchRequest<Author>(prefetching: [.toMany(\.books)]), inBatchesOf: 2) { authors in
            sizes.append(authors.count)
            #expect(authors.allSatisfy { parts.readAhead.objects("books", of: $0) != nil })
        }
        #expect(sizes == [2, 1] && parts.readAhead.heldObjects.isEmpty)
    }

    @Test("a failed merge is reported by the next read")
    func failedMerge() throws {
        let parts = try Collaborators()
        parts.pending.keepNotice(MergeNotice(), failure: CancellationError())
        #expect(throws: CancellationError.self) { try parts.fetcher.fetch(FetchRequest<Tag>()) }
        #expect(try parts.fetcher.fetch(FetchRequest<Tag>()).count == 3)
    }

    @Test("a graph contains the related records")
    func graph() throws {
        let parts = try Collaborators()
        let graph = try parts.fetcher.fetchGraph(FetchRequest<Author>(prefetching: [.toMany(\.books)]))
        let titles = try graph.records.map { try graph.related(\.books, of: $0).map(\.title) }
        #expect(titles == [["Odyssey", "Iliad"], ["Aeneid"], []])
    }
}

@Suite("Relationship editor, without a context")
struct RelationshipEditorTests {
    @Test("an object that is added to an ordered relationship is last, and a moved object has the requested position")
    func ordered() throws {
        let parts = try Collaborators()
        let (homer, aeneid) = (try parts.author(1), try parts.book(3))
        func titles() throws -> [String] { try parts.editor.objects(of: homer, through: Author.books).map { $0.title } }
        try parts.editor.add(aeneid, of: homer, through: Author.books)
        #expect(try titles() == ["Odyssey", "Iliad", "Aeneid"])
        try parts.editor.move(aeneid, to: 0, of: homer, through: Author.books)
        #expect(try titles() == ["Aeneid", "Odyssey", "Iliad"])
        try parts.editor.remove(aeneid, of: homer, through: Author.books)
        #expect(try parts.editor.count(of: homer, through: Author.books) == 2 && aeneid.author == nil)
    }

    @Test("a changed join row discards the prefetched lists of its relationship")
    func joins() throws {
        let parts = try Collaborators()
        let books = try parts.fetcher.fetch(FetchRequest<Book>(prefetching: [.toMany(\.tags)]))
        let aeneid = try #require(books.first { $0.rawID == 3 })
        let love = try parts.fetcher.existingObject(with: 3, in: Tag.entity)
        #expect(parts.readAhead.objects("tags", of: aeneid)?.map(\.rawID) == [2, 1])
        try parts.editor.insert(love, at: 1, of: aeneid, through: Book.tags)
        #expect(try parts.editor.objects(of: aeneid, through: Book.tags).map(\.rawID) == [2, 3, 1])
        try parts.editor.set([love], of: aeneid, through: Book.tags)
        #expect(try parts.editor.objects(of: aeneid, through: Book.tags).map(\.rawID) == [3])
    }

    @Test("a deleted object cannot be added to a relationship")
    func deleted() throws {
        let parts = try Collaborators()
        let (homer, aeneid) = (try parts.author(1), try parts.book(3))
        parts.propagator.delete(aeneid)
        let error = try persistenceError { try parts.editor.add(aeneid, of: homer, through: Author.books) }
        #expect(error.code == .detachedObject)
    }

    @Test("the related object of a one-to-one relationship can be read and replaced")
    func toOne() throws {
        let parts = try Collaborators()
        let (homer, virgil, contract) = (try parts.author(1), try parts.author(2), try parts.contract(1))
        #expect(try parts.editor.object(of: virgil, through: Author.contract) === contract)
        try parts.editor.set(contract, of: homer, through: Author.contract)
        #expect(contract.author == 1)
        #expect(try parts.editor.object(of: virgil, through: Author.contract) == nil)
        #expect(try parts.editor.object(\.mentor, of: virgil, as: Author.self) === homer)
    }
}
