import Foundation
import PersistenceTestSupport
import StrataPersistence
import Testing

@Suite("Record identifiers")
struct RecordIDTests {
    struct Customer: PersistentRecord, Hashable, Codable {
        let id: RecordID<Customer>
        var name: String
        var referrer: RecordID<Customer>?

        static let entity = RecordEntity<Customer>(
            "Customer", id: \.id,
            [
                .attribute("name", \.name),
                .toOne("referrer", \.referrer, to: "Customer", inverse: "referred"),
                .toMany("referred", to: "Customer", inverse: "referrer"),
            ]
        ) { row in Customer(id: try row.id(), name: try row.next(), referrer: try row.next()) }
    }

    @Test(
        "an identifier can be used in references and predicates, and can be created from its number",
        arguments: StoreKind.allCases)
    func stored(_ kind: StoreKind) async throws {
        let stack = try kind.stack(try ManagedObjectModel(records: [Customer.self]))
        let (ada, kurt) = try await stack.background.performTransaction { context in
            let ada = try context.insert(Customer.self) { Customer(id: $0, name: "Ada") }
            let kurt = try context.insert(Customer.self) { Customer(id: $0, name: "Kurt", referrer: ada.id) }
            return (ada.record, kurt.record)
        }
        let id = ada.id
        func find(_ predicate: Predicate<Customer>) async throws -> [Customer] {
            try await stack.background.fetch(FetchRequest<Customer>(where: predicate))
        }
        #expect(try await find(#Predicate { $0.id == id }) == [ada])
        #expect(try await find(#Predicate { $0.referrer == id }) == [kurt])
        #expect(try await find(#Predicate { $0.id.rawValue > 1 }) == [kurt])
        #expect(try await find(#Predicate { $0.referrer?.rawValue == 1 }) == [kurt])
    }

    @Test("identifiers from every source are in the range 1 to 2^53 - 1")
    func range() throws {
        typealias ID = RecordID<Customer>
        for number in [0, -1, 9_007_199_254_740_992, Int64.min, .max] {
            #expect(ID(rawValue: number) == nil)
            #expect(ID("\(number)") == nil)
            #expect(throws: DecodingError.self) { try JSONDecoder().decode(ID.self, from: Data("\(number)".utf8)) }
        }
        for number in [Int64(1), 9_007_199_254_740_991] {
            let id = try #require(ID(rawValue: number))
            #expect(ID("\(number)") == id && id.description == "\(number)")
            #expect(try JSONDecoder().decode(ID.self, from: try JSONEncoder().encode(id)) == id)
        }
        for text in ["", " 1", "01", "+1", "1.0", "1e3", "one"] { #expect(ID(text) == nil, "\(text)") }
        #expect([ID](arrayLiteral: 3, 1, 2).sorted() == [1, 2, 3])
        let one: ID = 1
        #expect(!(one < one))
    }

    @Test("an identifier is encoded as its number, and a nil identifier is omitted")
    func written() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        func text(_ customer: Customer) throws -> String {
            String(decoding: try encoder.encode(customer), as: UTF8.self)
        }
        #expect(try text(Customer(id: 7, name: "Kurt", referrer: 3)) == #"{"id":7,"name":"Kurt","referrer":3}"#)
        #expect(try text(Customer(id: 9_007_199_254_740_991, name: "")) == #"{"id":9007199254740991,"name":""}"#)
    }

    @Test("an identifier is decoded from its number, and an optional identifier is nil if missing or null")
    func read() throws {
        func customer(_ text: String) throws -> Customer {
            try JSONDecoder().decode(Customer.self, from: Data(text.utf8))
        }
        #expect(try customer(#"{"id":7,"name":"Kurt","referrer":3}"#) == Customer(id: 7, name: "Kurt", referrer: 3))
        for text in [#"{"id":7,"name":"Kurt"}"#, #"{"id":7,"name":"Kurt","referrer":null}"#] {
            #expect(try customer(text) == Customer(id: 7, name: "Kurt"))
        }
    }

    @Test(
        "an invalid identifier is rejected with its key and the range",
        arguments: ["id", "referrer"], [0, -1, 9_007_199_254_740_992] as [Int64])
    func refused(_ key: String, _ number: Int64) throws {
        var numbers: [String: Int64] = ["id": 7, "referrer": 3]
        numbers[key] = number
        let text = #"{"id":\#(numbers["id"] ?? 0),"name":"Kurt","referrer":\#(numbers["referrer"] ?? 0)}"#
        let error = try #require(throws: DecodingError.self) {
            try JSONDecoder().decode(Customer.self, from: Data(text.utf8))
        }
        guard case .dataCorrupted(let context) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(context.codingPath.map(\.stringValue) == [key])
        #expect(context.debugDescription == "\(number) is not an identifier (1 to 9007199254740991)")
    }

    @Test("a missing identifier and an identifier of a wrong type cause different errors")
    func missing() {
        func error(_ text: String) -> DecodingError? {
            #expect(throws: DecodingError.self) { try JSONDecoder().decode(Customer.self, from: Data(text.utf8)) }
        }
        guard case .keyNotFound(let key, _)? = error(#"{"name":"Kurt"}"#), key.stringValue == "id" else {
            Issue.record("a missing identifier is not called missing")
            return
        }
        guard case .typeMismatch(_, let context)? = error(#"{"id":"7","name":"Kurt"}"#) else {
            Issue.record("a text is not called one of another type")
            return
        }
        #expect(context.codingPath.map(\.stringValue) == ["id"])
    }

    @Test("an identifier literal out of range ends the process")
    func literal() async {
        await #expect(processExitsWith: .failure) { _ = RecordID<Customer>(integerLiteral: 0) }
    }
}
