import Foundation
import PersistenceTestSupport
import StrataTesting
import Testing

@testable import StrataCore
@testable import StrataInMemory
@testable import StrataPersistence
@testable import StrataSQLite

/// One-to-one counterparts that are reassigned several times before a save.
@Suite("Changes of counterparts")
struct CounterpartChangeTests {
    private func stack(_ kind: StoreKind) throws -> TestStack {
        let stack = try kind.stack(try Company.model())
        try stack.background.performAndWait { context in
            try context.insert(Company.Person(id: 1, name: "Ada"))
            try context.insert(Company.Passport(id: 1, number: "P1", holder: 1))
            try context.insert(Company.Passport(id: 2, number: "P2", holder: nil))
            try context.save()
        }
        return stack
    }

    @Test(
        "a counterpart that is reassigned twice is released by its previous owner each time",
        arguments: StoreKind.allCases)
    func back(_ kind: StoreKind) throws {
        let stack = try stack(kind)
        try stack.background.performAndWait { context in
            let second = try context.existingObject(with: 2, of: Company.Passport.self)
            second.holder = 1
            // The first passport is read with its old holder, and is then released.
            let first = try context.existingObject(with: 1, of: Company.Passport.self)
            #expect(try context.count(FetchRequest<Company.Passport>(where: #Predicate { $0.holder == nil })) == 1)
            #expect(first.holder == nil)
            first.holder = 1
            #expect(second.holder == nil)
            try context.save()
        }
        #expect(try stack.stored(Company.Passport.self).map { $0.holder?.rawValue } == [1, nil])
    }

    @Test(
        "a context discards outdated changes of a counterpart that is reassigned many times",
        arguments: StoreKind.allCases)
    func bounded(_ kind: StoreKind) throws {
        let stack = try stack(kind)
        try stack.background.performAndWait { context in
            let passports = try context.fetch(FetchRequest<Company.Passport>())
            for round in 1...4_000 { passports[round % 2].holder = 1 }
            #expect(context.counterparts.changes.count < 2_000)
            #expect(passports.map { $0.holder?.rawValue } == [1, nil])
            try context.save()
        }
        #expect(try stack.stored(Company.Passport.self).map { $0.holder?.rawValue } == [1, nil])
    }
}
