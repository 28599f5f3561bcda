import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataTesting
import Synchronization
import Testing

/// Features of record types that work for untyped records too, in every store and in the test double.
@Suite("Units of work over untyped records")
struct DynamicContextTests {
    private let kiosk: Kiosk
    private let title: DynamicAttribute<String>
    private let year: DynamicAttribute<Int>
    private let price: DynamicAttribute<Decimal?>
    private let shelf: DynamicAttribute<DynamicRecord.ID?>

    init() throws {
        kiosk = try Kiosk()
        title = try kiosk.papers.attribute("title", as: String.self)
        year = try kiosk.papers.attribute("year", as: Int.self)
        price = try kiosk.papers.attribute("price", as: Decimal?.self)
        shelf = try kiosk.papers.reference("shelf", as: DynamicRecord.ID?.self)
    }

    private func paper(
        _ title: String, _ year: Int, _ records: any RecordContext, on shelf: DynamicRecord.ID? = nil
    ) async throws -> DynamicRecord {
        try await records.insert(into: kiosk.papers) { id in
            try DynamicRecord(
                kiosk.papers, id: id,
                [.set(self.title, to: title), .set(self.year, to: year), .set(self.shelf, to: shelf)])
        }
    }

    @Test("values and groups of untyped records are selected by texts", arguments: RecordsKind.allCases)
    func selections(_ kind: RecordsKind) async throws {
        let open = try kind.records(kiosk.model)
        for (name, year) in [("A", 2001), ("B", 2001), ("C", 1999)] { _ = try await paper(name, year, open.context) }
        let text = try PredicateText("Paper", in: kiosk.model)
        let byYear = try text.selection("year, count() as papers, max(title)", sort: "count() desc")
        let rows = try await open.context.select(byYear, of: kiosk.papers)
        #expect(
            rows.map(\.values) == [
                [.integer(2001), .integer(2), .string("B")], [.integer(1999), .integer(1), .string("C")],
            ])
        #expect(try rows[0].value("papers", as: Int.self) == 2)
        let titles = try text.selection("title", where: "year = 2001", sort: "title desc", limit: 1)
        #expect(try await open.context.select(titles, of: kiosk.papers).map(\.values) == [[.string("B")]])
    }

    @Test("untyped records can be inserted, fetched, counted, updated and deleted", arguments: RecordsKind.allCases)
    func wholeUnits(_ kind: RecordsKind) async throws {
        let open = try kind.records(kiosk.model)
        let records = open.context
        let shelf = try await records.insert(into: kiosk.shelves) {
            try DynamicRecord(kiosk.shelves, id: $0, ["label": "A"])
        }
        for (name, number) in [("News", 1999), ("Times", 2001), ("Post", 2003), ("Star", 2003)] {
            _ = try await paper(name, number, records, on: number > 2000 ? shelf.id : nil)
        }
        func names(_ predicate: String, sort: String = "", limit: Int? = nil, offset: Int = 0) async throws -> [String]
        {
            let request = try FetchRequest(kiosk.papers, where: predicate, sort: sort, limit: limit, offset: offset)
            return try await records.fetch(request).map { $0[title] }
        }
        #expect(try await names("year > 2000", sort: "year desc, title") == ["Post", "Star", "Times"])
        #expect(try await names("shelf.label = 'A'", sort: "length(title), title desc", limit: 2) == ["Star", "Post"])
        #expect(try await names("shelf = null") == ["News"])
        #expect(try await names("year > 0", sort: "title", limit: 2, offset: 1) == ["Post", "Star"])
        let all = try FetchRequest(kiosk.papers, sort: "shelf.label, title desc")
        #expect(try await records.fetch(all).map { $0[title] } == ["News", "Times", "Star", "Post"])
        let young = try RecordFilter(kiosk.papers, where: "year >= 2003") && .compare(title, .notEqual, "Post")
        #expect(try await records.count(FetchRequest(kiosk.papers, young)) == 1)
        #expect(
            try await records.fetch(FetchRequest(kiosk.papers, sort: [SortKey(year), SortKey(title, order: .reverse)]))
                .map { $0[title] } == ["News", "Times", "Star", "Post"])
        let changed = try await records.update(in: kiosk.papers, id: 1) { paper in
            paper[title] = "Old News"
            paper[price] = Decimal(string: "2.50")
        }
        #expect(changed[title] == "Old News")
        #expect(try await records.fetch(FetchRequest(kiosk.papers, id: 1)) == [changed])
        #expect(try await names("price = 2.5") == ["Old News"])
        #expect(try await records.delete(try FetchRequest(kiosk.papers, where: "year = 2003")) == 2)
        #expect(try await records.count(FetchRequest(kiosk.papers)) == 2)
        var streamed: [DynamicRecord] = []
        for try await paper in records.stream(all) { streamed.append(paper) }
        #expect(streamed == (try await records.fetch(all)))
        // The shelf's papers are deleted too.
        #expect(try await records.delete(FetchRequest(kiosk.shelves)) == 1)
        #expect(try await names("year > 0") == ["Old News"])
    }

    @Test(
        "an untyped record is read with the values that were stored, for every type and null",
        arguments: RecordsKind.allCases)
    func everyType(_ kind: RecordsKind) async throws {
        let open = try kind.records(kiosk.model)
        let thing = try await open.context.insert(into: kiosk.things) { try kiosk.thing($0) }
        #expect(try await open.context.fetch(FetchRequest(kiosk.things)) == [thing])
        #expect(thing.values == (try kiosk.thing(thing.id).values))
    }

    @Test(
        "an insert of an invalid untyped record is not retried", arguments: RecordsKind.allCases
    )
    func refusedOnce(_ kind: RecordsKind) async throws {
        let open = try kind.records(kiosk.model)
        let shelf = try await open.context.insert(into: kiosk.shelves) {
            try DynamicRecord(kiosk.shelves, id: $0, ["label": "A"])
        }
        let attempts = Mutex(0)
        func refusal(_ label: String, at id: DynamicRecord.ID? = nil) async throws -> PersistenceError {
            let error = await #expect(throws: PersistenceError.self) {
                try await open.context.insert(into: kiosk.shelves) {
                    attempts.withLock { $0 += 1 }
                    return try DynamicRecord(kiosk.shelves, id: id ?? $0, ["label": label])
                }
            }
            return try #require(error)
        }
        #expect(try await refusal("123456789").code == .validation)
        #expect(try await refusal("B", at: shelf.id).code == .uniqueness)
        #expect(attempts.withLock { $0 } == 2)
    }

    @Test(
        "units of work over untyped records apply every rule of the model",
        arguments: RecordsKind.allCases)
    func rules(_ kind: RecordsKind) async throws {
        let open = try kind.records(kiosk.model)
        let records = open.context
        _ = try await paper("News", 1999, records)
        _ = try await records.insert(into: kiosk.shelves) { try DynamicRecord(kiosk.shelves, id: $0, ["label": "A"]) }
        func refusal(_ body: @Sendable (any RecordTransaction) throws -> Void) async throws -> PersistenceError {
            let error = await #expect(throws: PersistenceError.self) {
                try await records.transaction(mergePolicy: nil, body)
            }
            return try #require(error)
        }
        let negative = try await refusal { _ = try $0.update(in: kiosk.papers, id: 1) { try $0.set("price", to: -1) } }
        #expect(negative.code == .validation && negative.failures.map(\.attribute) == ["price"])
        let long = try await refusal { unit in
            _ = try unit.insert(into: kiosk.shelves) {
                try DynamicRecord(kiosk.shelves, id: $0, ["label": "123456789"])
            }
        }
        #expect(long.failures.map(\.rule) == [.maximumLength(8)])
        let same = try await refusal { unit in
            _ = try unit.insert(into: kiosk.shelves) { try DynamicRecord(kiosk.shelves, id: $0, ["label": "A"]) }
        }
        #expect(same.code == .uniqueness && same.attribute == "label")
        let key = try await refusal { unit in
            _ = try unit.insert(into: kiosk.papers) {
                try DynamicRecord(kiosk.papers, id: $0, ["title": "News", "year": 1999])
            }
        }
        #expect(key.code == .uniqueness && key.attributes == ["title", "year"])
        let constant = try await refusal { _ = try $0.update(in: kiosk.shelves, id: 1) { try $0.set("rank", to: 8) } }
        #expect(constant.failures.map(\.rule) == [.immutable])
        let dangling = try await refusal { _ = try $0.update(in: kiosk.papers, id: 1) { $0[shelf] = 99 } }
        #expect(dangling.code == .danglingReference && dangling.attribute == "shelf")
        let large = try await refusal { unit in
            _ = try unit.update(in: kiosk.papers, id: 1) {
                $0[price] = Decimal(sign: .plus, exponent: 30, significand: 1)
            }
        }
        #expect(large.code == .validation && large.failures.map(\.attribute) == ["price"])
        let missing = try await refusal { _ = try $0.update(in: kiosk.papers, id: 77) { _ in } }
        #expect(missing.code == .objectNotFound && missing.entity == "Paper")
        #expect(try await records.fetch(FetchRequest(kiosk.papers)).map { $0[price] } == [nil])
    }

    @Test("an error in a predicate text contains the location and the most similar name")
    func texts() throws {
        let error = try #require(
            throws: PredicateTextError.self, performing: { _ = try FetchRequest(kiosk.papers, where: "titel = 'x'") })
        #expect(error.column == 1 && error.message.contains("did you mean \"title\"?"), "\(error.message)")
        let sort = try #require(
            throws: PredicateTextError.self,
            performing: { _ = try FetchRequest(kiosk.papers, where: "year > 1", sort: "year, shelf.lable") })
        #expect(sort.message.contains("label"), "\(sort.message)")
    }

    // MARK: Relationships

    @Test("a to-many relationship of untyped records can be read, counted and changed", arguments: RecordsKind.allCases)
    func toMany(_ kind: RecordsKind) async throws {
        let open = try kind.records(kiosk.model)
        let (kiosk, title) = (kiosk, title)
        let papers = try kiosk.shelves.toMany("papers")
        let shelf = try await open.context.insert(into: kiosk.shelves) {
            try DynamicRecord(kiosk.shelves, id: $0, ["label": "A"])
        }
        var ids: [DynamicRecord.ID] = []
        for name in ["a", "b", "c"] { ids.append(try await paper(name, 2000, open.context).id) }
        let all = ids
        let orders = try await open.context.transaction(mergePolicy: nil) { unit in
            func titles() throws -> String {
                try unit.related(papers, of: kiosk.shelves, id: shelf.id).map { $0[title] }.joined()
            }
            var orders: [String] = [try titles()]
            try unit.add(all, to: papers, of: kiosk.shelves, id: shelf.id)
            orders.append(try titles())
            try unit.move(all[2], to: 0, in: papers, of: kiosk.shelves, id: shelf.id)
            orders.append(try titles())
            try unit.remove(all[0], from: papers, of: kiosk.shelves, id: shelf.id)
            orders.append(try titles())
            try unit.add(all[0], to: papers, of: kiosk.shelves, id: shelf.id)
            orders.append("\(try unit.count(papers, of: kiosk.shelves, id: shelf.id))")
            return orders
        }
        #expect(orders == ["", "abc", "cab", "cb", "3"])
        let saved = try await open.context.transaction(mergePolicy: nil) { unit in
            try unit.related(papers, of: kiosk.shelves, id: shelf.id).map { $0[title] }.joined()
        }
        #expect(saved == "cba")
    }

    @Test(
        "many-to-many and one-to-one relationships of untyped records can be changed and read",
        arguments: RecordsKind.allCases)
    func manyToMany(_ kind: RecordsKind) async throws {
        let open = try kind.records(kiosk.model)
        let kiosk = kiosk
        let topics = try kiosk.shelves.toMany("topics")
        let shelves = try kiosk.topics.toMany("shelves")
        let neighbour = try kiosk.shelves.toOne("neighbour")
        let beside = try kiosk.shelves.reference("beside", as: DynamicRecord.ID?.self)
        let found = try await open.context.transaction(mergePolicy: nil) { unit in
            let (left, right) = (
                try unit.insert(into: kiosk.shelves) { try DynamicRecord(kiosk.shelves, id: $0, ["label": "L"]) },
                try unit.insert(into: kiosk.shelves) { try DynamicRecord(kiosk.shelves, id: $0, ["label": "R"]) }
            )
            var ids: [DynamicRecord.ID] = []
            for word in ["x", "y", "z"] {
                ids.append(
                    try unit.insert(into: kiosk.topics) { try DynamicRecord(kiosk.topics, id: $0, ["word": word]) }.id)
            }
            try unit.add(ids, to: topics, of: kiosk.shelves, id: left.id)
            try unit.add(ids[0], to: topics, of: kiosk.shelves, id: right.id)
            try unit.move(ids[2], to: 1, in: topics, of: kiosk.shelves, id: left.id)
            try unit.update(in: kiosk.shelves, id: right.id) { $0[beside] = left.id }
            return (
                try unit.related(topics, of: kiosk.shelves, id: left.id).map { try $0.value("word", as: String.self) },
                try unit.related(shelves, of: kiosk.topics, id: ids[0]).map(\.id), [left.id, right.id],
                try unit.related(neighbour, of: kiosk.shelves, id: left.id)?.id,
                try unit.related(neighbour, of: kiosk.shelves, id: right.id)?.id
            )
        }
        #expect(found.0 == ["x", "z", "y"])
        #expect(found.1 == found.2)
        #expect(found.3 == found.2[1] && found.4 == nil)
        let counted = try FetchRequest(kiosk.shelves, where: "count(topics) = 3 and any topics.word = 'y'")
        #expect(try await open.context.fetch(counted).map(\.id) == [found.2[0]])
    }

    @Test(
        "a request with a relationship of another entity or an entity of another model throws",
        arguments: RecordsKind.allCases)
    func strangers(_ kind: RecordsKind) async throws {
        let open = try kind.records(kiosk.model)
        let kiosk = kiosk
        let papers = try kiosk.shelves.toMany("papers")
        let topic = try await open.context.insert(into: kiosk.topics) {
            try DynamicRecord(kiosk.topics, id: $0, ["word": "x"])
        }
        let other = await #expect(throws: PersistenceError.self) {
            try await open.context.transaction(mergePolicy: nil) { unit in
                _ = try unit.related(papers, of: kiosk.topics, id: topic.id)
            }
        }
        #expect(other?.description == "Topic: there is no relationship “papers”")
        let stranger = try Kiosk.single("Shelf").dynamicEntity("Shelf")
        let foreign = await #expect(throws: PersistenceError.self) {
            try await open.context.fetch(FetchRequest(stranger))
        }
        #expect(
            foreign?.description
                == "Shelf: the entity belongs to another model with other columns; use the entity of the context's model"
        )
        let unknown = try Kiosk.single("Nothing").dynamicEntity("Nothing")
        await #expect(throws: PersistenceError.self) { try await open.context.count(FetchRequest(unknown)) }
    }

    // MARK: Units of work

    @Test(
        "a unit of work that throws stores nothing, and a savepoint that throws rolls back its own changes",
        arguments: RecordsKind.allCases
    )
    func takenBack(_ kind: RecordsKind) async throws {
        let open = try kind.records(kiosk.model)
        let kiosk = kiosk
        await #expect(throws: CancellationError.self) {
            try await open.context.transaction(mergePolicy: nil) { unit in
                _ = try unit.insert(into: kiosk.topics) { try DynamicRecord(kiosk.topics, id: $0, ["word": "gone"]) }
                throw CancellationError()
            }
        }
        let words = try await open.context.transaction(mergePolicy: nil) { unit in
            try unit.insert(try DynamicRecord(kiosk.topics, id: 100, ["word": "kept"]))
            do {
                try unit.transaction { inner in
                    try inner.delete(from: kiosk.topics, id: 100)
                    throw CancellationError()
                }
            } catch is CancellationError {}
            return try unit.fetch(FetchRequest(kiosk.topics)).map { try $0.value("word", as: String.self) }
        }
        #expect(words == ["kept"])
        #expect(try await open.context.count(FetchRequest(kiosk.topics)) == 1)
    }

    @Test("concurrent units of work that are retried lose no update", arguments: RecordsKind.allCases)
    func retrying(_ kind: RecordsKind) async throws {
        let open = try kind.records(kiosk.model)
        let (kiosk, year, records) = (kiosk, year, open.context)
        let id = try await paper("News", 0, records).id
        let others = open.stack.map { stack in (1...2).map { stack.container.newBackgroundContext(name: "\($0)") } }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<4 {
                let context: any RecordContext = others.map { $0[number % 2] } ?? records
                group.addTask {
                    for _ in 0..<10 {
                        try await context.transaction(retrying: 1_000) { unit in
                            _ = try unit.update(in: kiosk.papers, id: id) { $0[year] += 1 }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await records.fetch(FetchRequest(kiosk.papers)).map { $0[year] } == [40])
    }
}
