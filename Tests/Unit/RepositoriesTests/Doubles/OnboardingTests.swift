import Foundation
import StrataDomain
import StrataPersistence
import StrataRepositories
import StrataTesting
import Testing

@Suite("Tests of a service with and without a stack")
struct OnboardingTests {
    private let ada = Boss(id: 1, firstName: "Ada", lastName: "Lovelace")

    private func laptops(_ count: Int) throws -> Item {
        try Item(
            id: 1, itemId: UUID(), dateCreated: .now, name: "Laptop", unitCost: 900, unitPrice: 900, stockCount: count)
    }

    @Test("hiring an employee decreases the stock of laptops")
    func hire() async throws {
        let records = try InMemoryRecords(ReferenceModel.model(), [ada, laptops(2)])
        let alan = try await Onboarding(records: records).hire("Alan", "Turing", salary: 300, boss: 1, laptop: 1)
        #expect(try await records.fetch(FetchRequest<Employee>()) == [alan])
        #expect(try await records.fetch(FetchRequest<Item>()).map(\.stockCount) == [1])
    }

    @Test("hiring an employee without a laptop in stock throws and stores nothing")
    func noLaptop() async throws {
        let records = try InMemoryRecords(ReferenceModel.model(), [ada, laptops(0)])
        await #expect(throws: PersistenceError.self) {
            try await Onboarding(records: records).hire("Alan", "Turing", salary: 300, boss: 1, laptop: 1)
        }
        #expect(try await records.count(FetchRequest<Employee>()) == 0)
        #expect(try await records.fetch(FetchRequest<Item>()).map(\.stockCount) == [0])
    }

    @Test("hiring an employee for a full team or a missing boss throws")
    func refused() async throws {
        let records = try InMemoryRecords(ReferenceModel.model(), [ada, laptops(20)])
        let onboarding = Onboarding(records: records)
        for number in 1...8 { _ = try await onboarding.hire("E", "\(number)", salary: 1, boss: 1, laptop: 1) }
        await #expect(throws: TeamIsFull(boss: 1)) {
            try await onboarding.hire("E", "9", salary: 1, boss: 1, laptop: 1)
        }
        await #expect(throws: DomainError.notFound(Boss.self, id: 7)) {
            try await onboarding.hire("E", "9", salary: 1, boss: 7, laptop: 1)
        }
        #expect(try await records.fetch(FetchRequest<Item>()).map(\.stockCount) == [12])
    }

    @Test("hiring an employee runs one unit of work")
    func oneUnit() async throws {
        let records = try InMemoryRecords(ReferenceModel.model(), [ada, laptops(1)])
        try await confirmation { begun in
            let spy = SpyContext(base: records) { begun() }
            _ = try await Onboarding(records: spy).hire("Alan", "Turing", salary: 300, boss: 1, laptop: 1)
        }
    }

    @Test("an error of a full disk reaches the caller of the service")
    func doubles() async throws {
        let full = FailingContext(error: PersistenceError(.diskFull, "the disk is full"))
        let error = await #expect(throws: PersistenceError.self) {
            try await Onboarding(records: full).hire("Alan", "Turing", salary: 300, boss: 1, laptop: 1)
        }
        #expect(error?.code == .diskFull)
    }

    @Test("the service has the same results over every kind of store", arguments: StoreKind.allCases)
    func stores(_ kind: StoreKind) async throws {
        let stack = try ArticleStack(kind)
        let context = stack.container.backgroundContext
        try await context.performTransaction { unit in
            try unit.insert(ada)
            try unit.insert(try laptops(1))
        }
        let alan = try await Onboarding(records: context).hire("Alan", "Turing", salary: 300, boss: 1, laptop: 1)
        await #expect(throws: PersistenceError.self) {
            try await Onboarding(records: context).hire("Kurt", "Gödel", salary: 300, boss: 1, laptop: 1)
        }
        #expect(try await context.fetch(FetchRequest<Employee>()) == [alan])
        #expect(try await context.fetch(FetchRequest<Item>()).map(\.stockCount) == [0])
    }

    @Test("a change to a copy of in-memory records does not affect the original")
    func copies() async throws {
        let records = try InMemoryRecords(ReferenceModel.model(), [ada])
        let copy = try records.copy()
        _ = try await copy.delete(FetchRequest<Boss>())
        #expect(try await records.fetch(FetchRequest<Boss>()) == [ada])
        #expect(try await copy.count(FetchRequest<Boss>()) == 0)
    }
}
