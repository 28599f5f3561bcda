import Foundation
import PersistenceTestSupport
import StrataPersistence
import Testing

@Suite("Untyped records as values")
struct DynamicRecordTests {
    private let kiosk: Kiosk

    init() throws { kiosk = try Kiosk() }

    private func paper(_ id: DynamicRecord.ID = 1) throws -> DynamicRecord {
        try DynamicRecord(kiosk.papers, id: id, ["title": "News", "year": 1999])
    }

    // MARK: Handles

    @Test("an attribute handle reads and writes values of each type, and null if the attribute is optional")
    func everyType() throws {
        var thing = try kiosk.thing(1)
        func check<Value: AttributeValue & Equatable>(_ name: String, _ type: Value.Type) throws {
            let (mandatory, optional) = (
                try kiosk.things.attribute(name, as: Value.self),
                try kiosk.things.attribute("\(name)OrNot", as: Value?.self)
            )
            #expect(thing[optional] == nil)
            thing[optional] = thing[mandatory]
            #expect(thing[optional] == thing[mandatory])
            #expect(try thing.value("\(name)OrNot") == Kiosk.types.first { $0.name == name }?.value)
            thing[optional] = nil
            #expect(try thing.value("\(name)OrNot") == .null)
        }
        try check("text", String.self)
        try check("small", Int16.self)
        try check("middle", Int32.self)
        try check("large", Int.self)
        try check("large", Int64.self)
        try check("real", Double.self)
        try check("price", Decimal.self)
        try check("flag", Bool.self)
        try check("instant", Date.self)
        try check("day", Day.self)
        try check("time", TimeOfDay.self)
        try check("uuid", UUID.self)
        try check("bytes", Data.self)
        #expect(thing == (try kiosk.thing(1)))
    }

    @Test("resolving a handle with the wrong type throws an error that names the attribute's type")
    func otherType() throws {
        func refusal<Value: AttributeValue>(_ name: String, _ type: Value.Type) throws -> String {
            try persistenceError { _ = try kiosk.things.attribute(name, as: type) }.description
        }
        #expect(
            try refusal("price", Int.self) == "Thing.price: the property is a decimal(2), not a Int; use Decimal")
        #expect(
            try refusal("small", Int.self) == "Thing.small: the property is an integer16, not a Int; use Int16")
        #expect(
            try refusal("text", String?.self)
                == "Thing.text: the property is a string, not a Optional<String>; use String")
        #expect(
            try refusal("textOrNot", String.self)
                == "Thing.textOrNot: the property is an optional string, not a String; use String?")
        #expect(
            try refusal("text", Grade.self) == "Thing.text: the property is a string, not a Grade; use String")
        #expect(
            try refusal("pice", Decimal.self)
                == "Thing: there is no attribute or to-one relationship “pice”; did you mean price?")
    }

    @Test("resolving a property with the wrong function throws an error that names the right function")
    func kinds() throws {
        func refusal(_ body: () throws -> Void) throws -> String { try persistenceError(body).description }
        let papers = kiosk.papers
        let shelves = kiosk.shelves
        let shelf = try papers.reference("shelf", as: DynamicRecord.ID?.self)
        var record = try paper()
        #expect(record[shelf] == nil)
        record[shelf] = 12
        #expect(try record.value("shelf") == .integer(12))
        #expect(
            try refusal { _ = try papers.reference("shelf", as: DynamicRecord.ID.self) }
                == "Paper.shelf: the property is an optional reference to Shelf, not a RecordID<DynamicRecord>; use "
                + "DynamicRecord.ID?")
        #expect(
            try refusal { _ = try papers.attribute("shelf", as: Int.self) }
                == "Paper.shelf: the property is a to-one relationship, not an attribute; use reference(\"shelf\", as:)"
        )
        #expect(
            try refusal { _ = try papers.reference("title", as: DynamicRecord.ID?.self) }
                == "Paper.title: the property is an attribute, not a relationship; use attribute(\"title\", as:)")
        #expect(
            try refusal { _ = try shelves.toOne("papers") }
                == "Shelf.papers: the relationship refers to any number of objects; use toMany(\"papers\")")
        #expect(
            try refusal { _ = try shelves.toMany("neighbour") }
                == "Shelf.neighbour: the relationship refers to one object; use toOne(\"neighbour\")")
        #expect(
            try refusal { _ = try shelves.toOne("beside") }
                == "Shelf.beside: the relationship has a column; use reference(\"beside\", as:)")
        #expect(
            try refusal { _ = try shelves.toMany("paper") }
                == "Shelf: there is no relationship “paper”; did you mean papers?")
        #expect(
            try refusal { _ = try shelves.attribute("papers", as: String.self) }
                == "Shelf.papers: the relationship has no column in the record; use toMany(\"papers\")")
        #expect(
            try refusal { _ = try kiosk.model.dynamicEntity("Papers") }
                == "the model has no entity “Papers”; did you mean Paper?")
    }

    @Test("a handle works for records of an equal entity and ends the program for a record of another entity")
    func handles() async throws {
        let title = try kiosk.papers.attribute("title", as: String.self)
        let twin = try DynamicRecord(Kiosk().papers, id: 1, ["title": "Twin", "year": 1])
        #expect(twin[title] == "Twin")
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let kiosk = try Kiosk()
            let title = try kiosk.papers.attribute("title", as: String.self)
            _ = try DynamicRecord(kiosk.topics, id: 1, ["word": "x"])[title]
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(
            text.contains("the handle of Paper.title was used for a record of Topic; resolve the name in that entity"))
    }

    // MARK: Names

    @Test("values are read and written by name, and errors contain the attribute or a similar name")
    func names() throws {
        var record = try paper()
        #expect(try record.value("id") == .integer(1))
        #expect(try record.value("title") == .string("News"))
        #expect(try record.value("year", as: Int.self) == 1999)
        #expect(try record.value("price", as: Decimal?.self) == nil)
        try record.set("price", to: 3)
        #expect(try record.value("price", as: Decimal.self) == 3)
        try record.set("price", to: nil)
        let before = record
        func refusal(_ body: () throws -> Void) throws -> String { try persistenceError(body).description }
        #expect(
            try refusal { _ = try record.value("titel") }
                == "Paper: there is no attribute or to-one relationship “titel”; did you mean title?")
        #expect(
            try refusal { _ = try record.value("title", as: Int.self) }
                == "Paper.title: the attribute is a string, and its value is not a Int; read the attribute as String")
        #expect(
            try refusal { _ = try record.value("price", as: Decimal.self) }
                == "Paper.price: the attribute is an optional decimal(2), and its value is not a Decimal; read the "
                + "attribute as Decimal?")
        #expect(
            try refusal { try record.set("title", to: nil) }
                == "Paper.title: given null, where a string is expected; give String")
        #expect(
            try refusal { try record.set("year", to: "1999") }
                == "Paper.year: given a string, where an integer64 is expected; give Int")
        #expect(
            try refusal { try record.set("shelf", to: 0) }
                == "Paper.shelf: given a number that is not an identifier, where an optional reference to Shelf is "
                + "expected; "
                + "give DynamicRecord.ID?")
        #expect(try refusal { try record.set("price", to: Decimal(string: "0.125")) }.hasPrefix("Paper.price: given"))
        #expect(record == before)
    }

    @Test("a new untyped record has default values, and an error lists all missing mandatory values")
    func making() throws {
        let shelf = try DynamicRecord(kiosk.shelves, id: 3, ["label": "A"])
        #expect(shelf.values == [.string("A"), .integer(7), .null])
        #expect(shelf.description == "Shelf 3 (label: “A”, rank: 7, beside: null)")
        let error = try persistenceError { _ = try DynamicRecord(kiosk.papers, id: 1, ["price": nil]) }
        #expect(error.code == .validation)
        #expect(error.failures.map(\.attribute) == ["title", "year"])
        #expect(error.failures.allSatisfy { $0.rule == .mandatory && $0.id == 1 })
        let twice = try persistenceError {
            _ = try DynamicRecord(kiosk.papers, id: 1, ["title": "A", "year": 1, "title": "B"])
        }
        #expect(twice.description == "Paper.title: the attribute is given twice")
        let short = try persistenceError { _ = try DynamicRecord(kiosk.topics, StoredRow(id: 1, values: [])) }
        #expect(short.description == "Topic: a row has 1 values, but 0 are given")
        let unnumbered = try persistenceError {
            _ = try DynamicRecord(kiosk.topics, StoredRow(id: 0, values: [.string("x")]))
        }
        #expect(unnumbered.description == "Topic.id: 0 is not an identifier (1 to 9007199254740991)")
    }

    @Test("untyped records are equal if their entity, identifier and stored values are equal")
    func equality() throws {
        #expect(try paper() == paper())
        #expect(try paper() != paper(2))
        #expect(try Set([paper(), paper(), paper(2)]).count == 2)
        var other = try paper()
        try other.set("price", to: 0)
        #expect(try other != paper())
        #expect(
            try DynamicRecord(kiosk.topics, id: 1, ["word": "x"])
                != DynamicRecord(Kiosk.single("Subject").dynamicEntity("Subject"), id: 1, ["word": "x"]))
        // 3 and 3.00 are one stored value.
        try other.set("price", to: Decimal(3))
        var same = other
        try same.set("price", to: 3)
        #expect(same == other && same.hashValue == other.hashValue)
    }
}

extension Kiosk {
    /// Returns a model of one entity with a word.
    static func single(_ name: String) throws -> ManagedObjectModel {
        try ManagedObjectModel([EntityDescription(name, [.attribute(AttributeDescription("word", .string))])])
    }
}
