import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

/// A record type's closure must read the values in the order of their declaration; otherwise an error names two
/// exchanged ones.
@Suite("The order in which records are read")
struct ReadingOrderTests {
    /// The faults of the closures of ``Person`` and ``Strict``.
    enum Fault: String, CaseIterable {
        case none, exchangedTexts, exchangedFlags, exchangedCases, exchangedReferences, readTwice, leftOut, tooMany

        @TaskLocal static var current = Fault.none

        var message: String? {
            let end =
                "; it must read the values in the declared order: first, last, isMember, isActive, mood, past, "
                + "boss, deputy"
            let reading = "the closure that makes records reads "
            return switch self {
            case .none: nil
            case .exchangedTexts: "Person.first: \(reading)the value of last into first\(end)"
            case .exchangedFlags: "Person.isMember: \(reading)the value of isActive into isMember\(end)"
            case .exchangedCases: "Person.mood: \(reading)the value of past into mood\(end)"
            case .exchangedReferences: "Person.boss: \(reading)the value of deputy into boss\(end)"
            case .readTwice: "Person.last: \(reading)the value of first into last\(end)"
            case .leftOut: "Person: \(reading)7 of 8 values\(end)"
            case .tooMany: "Person: \(reading)more than 8 values\(end)"
            }
        }
    }

    enum Mood: String, AttributeValue, CaseIterable { case glad, sad, calm }

    /// A record that is read in the order that ``Fault/current`` selects.
    struct Person: PersistentRecord {
        let id: RecordID<Person>
        var first = ""
        var last = ""
        var isMember = false
        var isActive = false
        var mood = Mood.glad
        var past: Mood?
        var boss: RecordID<Person>?
        var deputy: RecordID<Person>?

        static var entity: RecordEntity<Person> {
            let fault = Fault.current
            return RecordEntity<Person>(
                "Person", id: \.id,
                [
                    .attribute("first", \.first), .attribute("last", \.last), .attribute("isMember", \.isMember),
                    .attribute("isActive", \.isActive), .attribute("mood", \.mood), .attribute("past", \.past),
                    .toOne("boss", \.boss, to: "Person"), .toOne("deputy", \.deputy, to: "Person"),
                ]
            ) { row in
                var person = Person(id: try row.id())
                person.first = try row.next()
                person.last = fault == .readTwice ? person.first : try row.next()
                if fault == .readTwice { _ = try row.next(as: String.self) }
                person.isMember = try row.next()
                person.isActive = try row.next()
                person.mood = try row.next()
                person.past = try row.next()
                person.boss = try row.next()
                if fault != .leftOut { person.deputy = try row.next() }
                switch fault {
                case .exchangedTexts: (person.first, person.last) = (person.last, person.first)
                case .exchangedFlags: (person.isMember, person.isActive) = (person.isActive, person.isMember)
                case .exchangedCases: (person.mood, person.past) = (person.past ?? .glad, person.mood)
                case .exchangedReferences: (person.boss, person.deputy) = (person.deputy, person.boss)
                case .tooMany: _ = try row.next(as: String?.self)
                case .none, .readTwice, .leftOut: break
                }
                return person
            }
        }
    }

    @Test("a model is rejected if a record type reads its values in the wrong order", arguments: Fault.allCases)
    func model(_ fault: Fault) throws {
        try Fault.$current.withValue(fault) {
            guard let message = fault.message else {
                _ = try ManagedObjectModel(records: [Person.self])
                return
            }
            let error = try persistenceError { _ = try ManagedObjectModel(records: [Person.self]) }
            #expect(error.code == .invalidModel)
            #expect("\(error)" == message)
        }
    }

    /// A record whose initializer rejects every sample, so that only stored rows reveal the order.
    struct Strict: PersistentRecord {
        let id: RecordID<Strict>
        var first: String
        var last: String
        var note: String?

        struct Refusal: Error {}

        init(id: RecordID<Strict>, first: String, last: String, note: String?) throws {
            guard first.hasPrefix("name:"), last.hasPrefix("name:") else { throw Refusal() }
            (self.id, self.first, self.last, self.note) = (id, first, last, note)
        }

        static let declared = entity()
        static let exchanged = entity(isExchanged: true)
        static var entity: RecordEntity<Strict> { Fault.current == .exchangedTexts ? exchanged : declared }

        private static func entity(isExchanged: Bool = false) -> RecordEntity<Strict> {
            RecordEntity<Strict>(
                "Strict", id: \.id,
                [.attribute("first", \.first), .attribute("last", \.last), .attribute("note", \.note)]
            ) { row in
                let (id, one): (RecordID<Strict>, String) = (try row.id(), try row.next())
                let (two, note): (String, String?) = (try row.next(), try row.next())
                return try Strict(id: id, first: isExchanged ? two : one, last: isExchanged ? one : two, note: note)
            }
        }
    }

    @Test(
        "a wrong reading order that no sample reveals is reported at the first save or read",
        arguments: StoreKind.allCases)
    func firstRecord(_ kind: StoreKind) throws {
        try Fault.$current.withValue(.exchangedTexts) {
            let stack = try kind.stack(try ManagedObjectModel(records: [Strict.self]))
            // Two equal texts cannot be distinguished, and exchanging them has no effect.
            try stack.background.performAndWait { context in
                try context.insert(Strict(id: 1, first: "name:a", last: "name:a", note: nil))
                try context.save()
            }
            let id: RecordID<Strict> = 1
            let refusal = try persistenceError {
                try stack.container.newBackgroundContext().performAndWait { context in
                    try context.existingObject(with: id, of: Strict.self).first = "name:b"
                    try context.save()
                }
            }
            #expect(
                refusal.code == .validation && refusal.debugDescription.contains("reads the value of last into first"))
            #expect(
                try stack.container.coordinator.store.rows(StoreRequest("Strict")).map(\.values) == [
                    [.string("name:a"), .string("name:a"), .null]
                ])
            // Another program or an earlier release may have left such a row.
            var changes = ChangeSet()
            changes["Strict"].insertions = [
                .init(id: 2, values: [.string("name:b"), .string("name:a"), .null], version: 1)
            ]
            #expect(try stack.container.coordinator.store.save(changes).isEmpty)
            let reads: [@Sendable (ConfinedContext) throws -> Void] = [
                { _ = try $0.fetch(FetchRequest<Strict>()) },
                { _ = try $0.fetchRecords(FetchRequest<Strict>().skippingUnreadableRows { _ in }) },
                { try $0.existingObject(with: 2, of: Strict.self).first += "!" },
            ]
            for read in reads {
                let error = try persistenceError {
                    try stack.container.newBackgroundContext().performAndWait { context in
                        try read(context)
                        try context.save()
                    }
                }
                #expect(error.code == .invalidModel)
                #expect(
                    "\(error)".hasPrefix(
                        "Strict.first: the closure that makes records reads the value of last into first"))
            }
            let rows = try stack.container.coordinator.store.rows(StoreRequest("Strict"))
            #expect(rows.last?.values == [.string("name:b"), .string("name:a"), .null])
        }
    }

    /// A record that normalizes its values.
    struct Tidied: PersistentRecord {
        let id: RecordID<Tidied>
        let low: Int
        let high: Int
        let word: String
        let other: String

        static let entity = RecordEntity<Tidied>(
            "Tidied", id: \.id,
            [
                .attribute("low", \.low), .attribute("high", \.high), .attribute("word", \.word),
                .attribute("other", \.other),
            ]
        ) { row in
            let (id, one, two): (RecordID<Tidied>, Int, Int) = (try row.id(), try row.next(), try row.next())
            let word: String = try row.next()
            return Tidied(
                id: id, low: min(one, two), high: max(one, two), word: word.uppercased(), other: try row.next())
        }
    }

    @Test("a record type whose initializer normalizes values is read without an error", arguments: StoreKind.allCases)
    func tidied(_ kind: StoreKind) throws {
        let stack = try kind.stack(try ManagedObjectModel(records: [Tidied.self]))
        var changes = ChangeSet()
        changes["Tidied"].insertions = [
            .init(id: 1, values: [.integer(9), .integer(3), .string("abc"), .string("ABC")], version: 1)
        ]
        #expect(try stack.container.coordinator.store.save(changes).isEmpty)
        let records = try stack.background.performAndWait { try $0.fetchRecords(FetchRequest<Tidied>()) }
        #expect(records.map(\.low) == [3] && records.map(\.high) == [9] && records.map(\.word) == ["ABC"])
    }

    /// A record with one unique number for each year.
    struct Bill: PersistentRecord {
        let id: RecordID<Bill>
        var year: Int
        var number: Int?
        var numberKey: String? { number.map { "\(year)/\($0)" } }
        var text: String

        static let entity = RecordEntity<Bill>(
            "Bill", id: \.id,
            [
                .attribute("year", \.year), .computed("numberKey", \.numberKey, isUnique: true),
                .attribute("number", \.number), .attribute("text", \.text),
            ]
        ) { row in
            Bill(id: try row.id(), year: try row.next(), number: try row.next(), text: try row.next())
        }
    }

    /// A record that normalizes both its texts, and exchanges them if ``Fault/current`` requires it.
    struct Loud: PersistentRecord {
        let id: RecordID<Loud>
        let first: String
        let last: String

        static var entity: RecordEntity<Loud> {
            let isExchanged = Fault.current == .exchangedTexts
            return RecordEntity<Loud>(
                "Loud", id: \.id, [.attribute("first", \.first), .attribute("last", \.last)]
            ) { row in
                let (id, one): (RecordID<Loud>, String) = (try row.id(), try row.next())
                let two: String = try row.next()
                let (first, last) = isExchanged ? (two, one) : (one, two)
                return Loud(id: id, first: first.uppercased() + "!", last: last.uppercased() + "!")
            }
        }
    }

    @Test("a wrong reading order is detected although the initializer normalizes the values")
    func loud() throws {
        _ = try ManagedObjectModel(records: [Loud.self])
        try Fault.$current.withValue(.exchangedTexts) {
            let error = try persistenceError { _ = try ManagedObjectModel(records: [Loud.self]) }
            #expect(error.code == .invalidModel)
            #expect(
                "\(error)".hasPrefix("Loud.first: the closure that makes records reads the value of last into first"))
        }
    }

    /// A record that reads one value too many if its word requires it.
    struct Greedy: PersistentRecord {
        let id: RecordID<Greedy>
        var word: String

        static let entity = RecordEntity<Greedy>("Greedy", id: \.id, [.attribute("word", \.word)]) { row in
            let word: String = try row.next()
            return Greedy(id: try row.id(), word: word == "more" ? try row.next() : word)
        }
    }

    @Test(
        "a record type that reads too many values is reported at the first such row",
        arguments: StoreKind.allCases)
    func greedy(_ kind: StoreKind) throws {
        let stack = try kind.stack(try ManagedObjectModel(records: [Greedy.self]))
        for isBlock in [true, false] {
            let refused = try persistenceError {
                try stack.container.batchInsert(into: "Greedy") { rows in
                    var block = RowBlock(of: Greedy.entity.description)
                    for word in ["less", "more", "none"] {
                        let place = RowLocation(line: 1, record: 1)
                        block.beginRow(location: place)
                        block.set(.string(word), column: 0)
                        if !isBlock { try rows.insert(values: [.string(word)], location: place) }
                    }
                    if isBlock { try rows.insert(&block) }
                }
            }
            #expect("\(refused)".contains("reads more than 1 values"))
        }
        let store = stack.container.coordinator.store
        #expect(try store.count(StoreRequest("Greedy")) == 0)
        var changes = ChangeSet()
        changes["Greedy"].insertions = [.init(id: 1, values: [.string("more")])]
        #expect(try store.save(changes).isEmpty)
        let read = try persistenceError { _ = try stack.stored(Greedy.self) }
        #expect(read.entity == "Greedy")
    }

    @Test(
        "a computed attribute is stored, searchable and unique, and the initializer does not read it",
        arguments: StoreKind.allCases)
    func computed(_ kind: StoreKind) throws {
        let stack = try kind.stack(try ManagedObjectModel(records: [Bill.self]))
        #expect(Bill.entity.description.columns.map(\.name) == ["year", "number", "text", "numberKey"])
        try stack.background.performAndWait { context in
            try context.insert(Bill(id: 1, year: 2026, number: 7, text: "a"))
            try context.insert(Bill(id: 2, year: 2026, number: nil, text: "b"))
            try context.insert(Bill(id: 3, year: 2026, number: nil, text: "c"))
            try context.save()
            let third = try context.existingObject(with: 3, of: Bill.self)
            third.number = 7
            #expect(throws: PersistenceError.self) { try context.save() }
            third.number = 8
            try context.save()
        }
        try stack.container.newBackgroundContext().performAndWait { context in
            let found = try context.fetchRecords(FetchRequest<Bill>(where: #Predicate { $0.numberKey == "2026/8" }))
            #expect(found.map(\.id) == [3] && found.map(\.text) == ["c"])
        }
    }
}
