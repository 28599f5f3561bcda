import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataTesting
import Testing

/// Objects of entities without a record type, which contexts treat like all others.
@Suite("Untyped records in contexts")
struct DynamicObjectTests {
    private let kiosk: Kiosk
    private let title: DynamicAttribute<String>
    private let year: DynamicAttribute<Int>

    init() throws {
        kiosk = try Kiosk()
        title = try kiosk.papers.attribute("title", as: String.self)
        year = try kiosk.papers.attribute("year", as: Int.self)
    }

    @Test(
        "an untyped object is unique per identifier, can be changed and reports its changes",
        arguments: StoreKind.allCases)
    func objects(_ kind: StoreKind) throws {
        let stack = try kind.stack(kiosk.model)
        let (kiosk, title, year) = (kiosk, title, year)
        try stack.background.performAndWait { context in
            let paper = try context.insert(into: kiosk.papers) {
                try DynamicRecord(kiosk.papers, id: $0, ["title": "News", "year": 1999])
            }
            let shelf = try context.insert(into: kiosk.shelves) {
                try DynamicRecord(kiosk.shelves, id: $0, ["label": "A"])
            }
            try context.add(paper, of: shelf, through: try kiosk.shelves.toMany("papers"))
            try context.save()
            #expect(try context.existingObject(with: paper.id, in: kiosk.papers) === paper)
            #expect(try paper.record.value("shelf") == .integer(shelf.rawID))
            paper[title] = "Times"
            try paper.update { $0[year] = 2000 }
            #expect(paper[title] == "Times" && paper.hasChanges)
            #expect(paper.changedValues() == ["title": .string("Times"), "year": .integer(2000)])
            #expect(try context.fetch(FetchRequest(kiosk.papers, where: "title = 'Times'")).first === paper)
            #expect(try context.count(FetchRequest(kiosk.papers, where: "shelf.label = 'B'")) == 0)
            context.rollback()
            #expect(paper[title] == "News" && paper[year] == 1999)
            context.delete(shelf)
            try context.save()
            #expect(try context.count(FetchRequest(kiosk.papers)) == 0)
            #expect(context.object(with: paper.id, in: kiosk.papers).id == paper.id)
        }
    }

    @Test(
        "untyped objects are saved into a parent context and merged property by property",
        arguments: StoreKind.allCases)
    func childrenAndConflicts(_ kind: StoreKind) throws {
        let stack = try kind.stack(kiosk.model)
        let (kiosk, title, year) = (kiosk, title, year)
        let id = try stack.background.performAndWait { context in
            let paper = try context.insert(into: kiosk.papers) {
                try DynamicRecord(kiosk.papers, id: $0, ["title": "News", "year": 1999])
            }
            try context.save()
            return paper.id
        }
        let child = stack.background.newChildContext()
        try child.performAndWait { context in
            try context.existingObject(with: id, in: kiosk.papers)[title] = "Child"
            try context.insert(into: kiosk.topics) { try DynamicRecord(kiosk.topics, id: $0, ["word": "w"]) }
            try context.save()
        }
        // Meanwhile another context changes the object that the first one has read.
        let other = stack.container.newBackgroundContext()
        try other.performAndWait { context in
            try context.existingObject(with: id, in: kiosk.papers)[year] = 2010
            try context.save()
        }
        try stack.background.performAndWait { context in
            #expect(context.hasChanges)
            try context.save()
            let paper = try context.existingObject(with: id, in: kiosk.papers)
            #expect(paper[title] == "Child" && paper[year] == 2010)
            #expect(try context.count(FetchRequest(kiosk.topics)) == 1)
        }
    }

    @Test(
        "a relationship of untyped objects can be prefetched by name and set to a list", arguments: StoreKind.allCases)
    func prefetching(_ kind: StoreKind) throws {
        let stack = try kind.stack(kiosk.model)
        let (kiosk, title) = (kiosk, title)
        let papers = try kiosk.shelves.toMany("papers")
        try stack.background.performAndWait { context in
            let shelf = try context.insert(into: kiosk.shelves) {
                try DynamicRecord(kiosk.shelves, id: $0, ["label": "A"])
            }
            let objects = try ["a", "b"].map { name in
                try context.insert(into: kiosk.papers) {
                    try DynamicRecord(kiosk.papers, id: $0, ["title": name, "year": 1])
                }
            }
            try context.set(objects.reversed(), of: shelf, through: papers)
            try context.save()
            let request = FetchRequest(kiosk.shelves, prefetching: [.relationship("papers")])
            let found = try #require(try context.fetch(request).first)
            #expect(try context.objects(of: found, through: papers).map { $0[title] } == ["b", "a"])
            let wrong = #expect(throws: PersistenceError.self) {
                try context.fetch(FetchRequest(kiosk.shelves, prefetching: [.relationship("paper")]))
            }
            #expect(
                wrong?.description == "Shelf: there is no relationship “paper” to prefetch; did you mean papers?")
            let stranger = try context.insert(into: kiosk.topics) {
                try DynamicRecord(kiosk.topics, id: $0, ["word": "w"])
            }
            let refused = #expect(throws: PersistenceError.self) {
                try context.add(stranger, of: found, through: papers)
            }
            #expect(refused?.description == "Shelf.papers: the relationship refers to Paper, but 1 is of Topic")
        }
    }

    @Test(
        "an untyped object of another entity is rejected as a counterpart and in a list", arguments: StoreKind.allCases)
    func strangers(_ kind: StoreKind) throws {
        let stack = try kind.stack(kiosk.model)
        let kiosk = kiosk
        try stack.background.performAndWait { context in
            let shelf = try context.insert(into: kiosk.shelves) {
                try DynamicRecord(kiosk.shelves, id: $0, ["label": "A"])
            }
            let paper = try context.insert(into: kiosk.papers) {
                try DynamicRecord(kiosk.papers, id: $0, ["title": "News", "year": 1])
            }
            let before = paper.record
            let partner = #expect(throws: PersistenceError.self) {
                try context.set(paper, of: shelf, through: try kiosk.shelves.toOne("neighbour"))
            }
            #expect(partner?.description == "Shelf.neighbour: the relationship refers to Shelf, but 1 is of Paper")
            let topics = try kiosk.shelves.toMany("topics")
            let among = #expect(throws: PersistenceError.self) {
                try context.add([paper], of: shelf, through: topics)
            }
            #expect(among?.description == "Shelf.topics: the relationship refers to Topic, but 1 is of Paper")
            #expect(paper.record == before)
            try context.save()
            #expect(try context.objects(of: shelf, through: topics).isEmpty)
        }
    }

    @Test("bulk inserts, batch updates and batch deletions accept untyped entities", arguments: StoreKind.allCases)
    func batches(_ kind: StoreKind) throws {
        let stack = try kind.stack(kiosk.model)
        func drafts(_ numbers: ClosedRange<Int64>) throws -> [DynamicRecord] {
            try numbers.map {
                try DynamicRecord(
                    kiosk.papers, StoredRow(id: $0, values: [.string("n"), .integer($0), .null, .null, .null]))
            }
        }
        #expect(try stack.container.batchInsert(kiosk.papers, records: try drafts(1...10)) == 10)
        let repeated = #expect(throws: PersistenceError.self) {
            try stack.container.batchInsert(kiosk.papers, records: try drafts(11...12) + drafts(3...3))
        }
        #expect(repeated?.code == .uniqueness && repeated?.location?.record == 3)
        let elsewhere = #expect(throws: PersistenceError.self) {
            try stack.container.batchInsert(kiosk.topics, records: try drafts(20...20))
        }
        #expect(
            elsewhere?.description == "Topic: the record is of Paper of another model, or of another entity")
        let old = try RecordFilter(kiosk.papers, where: "year <= 3")
        #expect(
            try stack.container.batchUpdate(
                DynamicRecord.self, entity: kiosk.papers, where: old, [.set(title, to: "old")]
            ).selectedCount == 3)
        try stack.container.batchUpdate(
            DynamicRecord.self, entity: kiosk.papers, where: old,
            BatchAssignment.assignments(kiosk.papers, "price = year * 1.5"))
        #expect(
            try stack.container.batchDelete(DynamicRecord.self, entity: kiosk.papers, where: !old).selectedCount == 7)
        let unnamed = #expect(throws: PersistenceError.self) { try stack.container.batchDelete(DynamicRecord.self) }
        #expect(unnamed?.description == "DynamicRecord declares no entity; name one with `entity:`")
        let left = try stack.background.performAndWait { [kiosk, title] context in
            try context.fetchRecords(FetchRequest(kiosk.papers)).map { "\($0[title]) \(try $0.value("price"))" }
        }
        #expect(left == ["old 1.50", "old 3.00", "old 4.50"])
    }

    @Test(
        "a context throws if an entity is used with two record types",
        arguments: StoreKind.allCases)
    func oneKind(_ kind: StoreKind) throws {
        let model = try Library.model()
        let stack = try kind.stack(model)
        let tags = try model.dynamicEntity("Tag")
        let error = #expect(throws: PersistenceError.self) {
            try stack.background.performAndWait { try $0.fetchRecords(FetchRequest(tags)) }
        }
        #expect(
            error?.description
                == "Tag: the model has the record type Tag for this entity, not DynamicRecord; use Tag, or open the "
                + "store with a model without record types")
        let untyped = try kind.stack(try ManagedObjectModel(model.entities))
        let one = try untyped.background.performAndWait { context in
            let tag = try context.insert(Tag.self) { Tag(id: $0, word: "war") }
            try context.save()
            return tag.record
        }
        let reading: [@Sendable (ConfinedContext, FetchRequest<DynamicRecord>) throws -> Void] = [
            { _ = try $0.fetchRecords($1) }, { _ = try $0.fetchIdentifiers($1) }, { _ = try $0.count($1) },
        ]
        for read in reading {
            let other = #expect(throws: PersistenceError.self) {
                try untyped.background.performAndWait { try read($0, FetchRequest(tags)) }
            }
            #expect(
                other?.description
                    == "Tag: the context uses records of Tag for this entity, not of DynamicRecord; use only one of "
                    + "these types")
        }
        let found = try untyped.container.newBackgroundContext().performAndWait { context in
            try context.fetch(FetchRequest(tags, where: "word = 'war'")).map(\.record)
        }
        #expect(found.map(\.id.rawValue) == [one.id.rawValue])
    }
}
