import Foundation
import PersistenceTestSupport
import StrataPersistence
import Testing

@Suite("Record identifiers")
struct RecordIDTests {
    struct Customer: PersistentRecord, Hashable {
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

    @Test("it identifies, refers, and stands in predicates by itself and by its number", arguments: StoreKind.allCases)
    func stored(_ kind: StoreKind) async throws {
        let stack = try kind.stack(try ManagedObjectModel(records: [Customer.self]))
        let (ada, kurt) = try await stack.background.transaction { context in
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

    @Test("its numbers are 1 to 2^53 - 1, however they come in")
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
    }

    @Test("a literal that is none ends the process")
    func literal() async {
        await #expect(processExitsWith: .failure) { _ = RecordID<Customer>(integerLiteral: 0) }
    }
}
