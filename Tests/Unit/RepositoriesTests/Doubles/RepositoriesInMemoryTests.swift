import Foundation
import StrataDomain
import StrataPersistence
import StrataRepositories
import StrataTesting
import Testing

@Suite("Tests of repositories without a stack")
struct RepositoriesInMemoryTests {
    private let day = Date(timeIntervalSinceReferenceDate: 0)
    private let teal = Color(id: 1, hex: HexColor(red: 0, green: 128, blue: 128), name: "teal", dateCreated: .now)
    private let ada = Boss(id: 2, firstName: "Ada", lastName: "Lovelace")

    @Test("find returns an existing record, and nil for a missing record")
    func find() async throws {
        let context = try InMemoryRecords(ReferenceModel.model(), [teal])
        #expect(try await StoredColorRepository(context).find(1) == teal)
        #expect(try await StoredBossRepository(context).find(1) == nil)
    }

    @Test("a created record has the next identifier and the caller's values")
    func create() async throws {
        let context = try InMemoryRecords(ReferenceModel.model(), [teal, ada])
        let color = try await StoredColorRepository(context).create(hex: teal.hex, name: nil, dateCreated: day)
        #expect(color == Color(id: 2, hex: teal.hex, name: nil, dateCreated: day))
        let boss = try await StoredBossRepository(context).create(firstName: "Kurt", lastName: "G")
        #expect(boss == Boss(id: 3, firstName: "Kurt", lastName: "G"))
        let employee = try await StoredEmployeeRepository(context).create(
            firstName: "Alan", lastName: "T", salary: 300, dateHired: day, boss: ada.id)
        #expect(
            try employee
                == Employee(id: 1, firstName: "Alan", lastName: "T", salary: 300, dateHired: day, boss: ada.id))
        let itemId = UUID()
        let item = try await StoredItemRepository(context).create(
            name: "Cup", unitCost: 1, unitPrice: 2, stockCount: 4, itemId: itemId, dateCreated: day)
        #expect(
            try item
                == Item(
                    id: 1, itemId: itemId, dateCreated: day, name: "Cup", unitCost: 1, unitPrice: 2, stockCount: 4))
    }

    @Test("an update of a missing record throws a DomainError, not a PersistenceError")
    func updateOfNothing() async throws {
        let bosses = StoredBossRepository(try InMemoryRecords(ReferenceModel.model()))
        await #expect(throws: DomainError.notFound(Boss.self, id: 2)) {
            try await bosses.update(2) { $0.lastName = "King" }
        }
    }

    @Test("an update may change properties, and throws if it changes the identifier")
    func updateOfIdentifier() async throws {
        let bosses = StoredBossRepository(try InMemoryRecords(ReferenceModel.model(), [ada]))
        #expect(try await bosses.update(2) { $0.lastName = "King" }.fullName == "Ada King")
        let error = await #expect(throws: DomainError.self) {
            try await bosses.update(2) { $0 = Boss(id: 3, firstName: $0.firstName, lastName: $0.lastName) }
        }
        #expect(error?.description == "Boss.id: 2 was changed to 3, but an identifier cannot be changed")
    }

    @Test("delete returns true if the record existed, and deleteAll returns the number of records")
    func delete() async throws {
        let context = try InMemoryRecords(ReferenceModel.model(), [teal, ada])
        #expect(try await StoredColorRepository(context).delete(1))
        #expect(try await StoredEmployeeRepository(context).delete(1) == false)
        #expect(try await StoredBossRepository(context).deleteAll() == 1)
    }

    @Test("a negative limit is rejected before the context is called")
    func negativeLimit() async throws {
        let colors = StoredColorRepository(FailingContext(error: PersistenceError(.database, "asked")))
        let query = Query<Color>(limit: -1)
        for refused in [
            await #expect(throws: DomainError.self) { try await colors.fetch(query) },
            await #expect(throws: DomainError.self) { try await colors.count(query) },
            await #expect(throws: DomainError.self) { for try await _ in colors.stream(query) {} },
        ] {
            #expect(refused?.description == "Query.limit: -1 is less than 0")
        }
    }

    @Test("an error of the context reaches the caller unchanged", arguments: Call.all)
    func failure(call: Call) async throws {
        let colors = StoredColorRepository(FailingContext(error: PersistenceError(.diskFull, "the disk is full")))
        let error = await #expect(throws: PersistenceError.self) { try await call.make(colors) }
        #expect(error?.code == .diskFull)
    }

    struct Call: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let make: @Sendable (any ColorRepository) async throws -> Void

        static let all = [
            Call("create") { try await $0.create(hex: HexColor(red: 1, green: 2, blue: 3)) },
            Call("find") { _ = try await $0.find(1) },
            Call("fetch") { _ = try await $0.fetch() },
            Call("stream") { for try await _ in $0.stream() {} },
            Call("count") { _ = try await $0.count() },
            Call("update") { try await $0.update(1) { $0.name = nil } },
            Call("delete") { try await $0.delete(1) },
            Call("delete all") { try await $0.deleteAll() },
        ]

        private init(_ name: String, _ make: @escaping @Sendable (any ColorRepository) async throws -> Void) {
            testDescription = name
            self.make = make
        }
    }
}
