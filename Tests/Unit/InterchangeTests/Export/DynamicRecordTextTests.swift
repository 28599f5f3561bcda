import Foundation
import StrataInterchange
import StrataPersistence
import StrataTestSupport
import Testing

@Suite("JSON of dynamic records")
struct DynamicRecordTextTests {
    @Test(
        "a record's JSON text equals its line of an NDJSON export and is decoded to the same record",
        arguments: Seeds.first(20, of: 1...400))
    func sameText(seed: Int) throws {
        let container = try SampleModel.container()
        let things = try container.model.dynamicEntity("Thing")
        var values = RandomValues(seed: UInt64(seed))
        let drafts = try (1...20).map { number in
            let row = things.description.columns.map { values.value($0.type, isOptional: $0.isOptional) }
            return try DynamicRecord(things, StoredRow(id: Int64(number), values: row))
        }
        try container.batchInsert(things, records: drafts)
        let found = try container.backgroundContext.performAndWait { try $0.fetchRecords(FetchRequest(things)) }
        let lines = try container.exported("Thing", .ndjson).split(separator: "\n").map(String.init)
        #expect(try found.map { try $0.json() } == lines, "seed \(seed)")
        #expect(try lines.map { try DynamicRecord(things, json: $0) } == found, "seed \(seed)")
        for record in found {
            let data = try JSONEncoder().encode(record)
            #expect(
                try JSONDecoder().decode(DynamicRecord.self, from: data, configuration: things) == record,
                "seed \(seed): \(String(decoding: data, as: UTF8.self))")
        }
    }

    @Test("the error for an invalid JSON object contains the entity, the attribute and the reason")
    func refusals() throws {
        let people = try SampleModel.model().dynamicEntity("Person")
        func refusal(_ json: String, id: DynamicRecord.ID? = nil) throws -> String {
            let error = try #require(
                throws: DecodingError.self, performing: { _ = try DynamicRecord(people, json: json, id: id) })
            switch error {
            case .dataCorrupted(let context), .keyNotFound(_, let context), .typeMismatch(_, let context),
                .valueNotFound(_, let context):
                return context.debugDescription
            @unknown default: return "\(error)"
            }
        }
        #expect(
            try refusal(#"{"id":1,"nam":"x"}"#)
                == "Person: there is no attribute or to-one relationship “nam”; did you mean name?")
        #expect(try refusal(#"{"id":1,"name":7}"#).hasPrefix("Person.name: the value is not a string"))
        #expect(
            try refusal(#"{"id":1,"name":"x","rank":true}"#).hasPrefix("Person.rank: the value is not a whole number"))
        #expect(
            try refusal(#"{"id":1,"name":null}"#) == "Person.name: null, where a string is expected")
        #expect(try refusal(#"{"id":1}"#).contains("Person 1, name: "))
        #expect(
            try refusal(#"{"name":"x"}"#) == "Person: the id is missing; give a new record an id")
        #expect(
            try refusal(#"{"id":2,"name":"x"}"#, id: 3) == "Person.id: the id differs from the given identifier, 3")
        #expect(try refusal(#"{"id":0,"name":"x"}"#).contains("0 is not an identifier"))
        #expect(
            try refusal(#"{"id":1,"name":"x","boss":0}"#)
                == "Person.boss: a number that is not an identifier, where an optional reference to Person is expected")
        let new = try DynamicRecord(people, json: #"{"name":"x","rank":"12"}"#, id: 5)
        #expect(try new.json() == #"{"id":5,"name":"x","rank":12,"boss":null}"#)
        #expect(throws: DecodingError.self) { try DynamicRecord(people, json: "[1]") }
        #expect(throws: DecodingError.self) { try DynamicRecord(people, json: "{") }
    }
}
