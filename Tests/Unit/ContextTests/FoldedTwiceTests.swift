import PersistenceTestSupport
import StrataPersistence
import StrataTesting
import Testing

/// One save that merges a new object into another new object, and the result into a stored object.
@Suite("Upserts of two new objects into one stored object")
struct FoldedTwiceTests {
    struct Account: PersistentRecord, Hashable {
        let id: LibraryID
        var mail: String?
        var phone: String?

        static let orders = ToMany<Account, Order>("orders", to: "Order", inverse: "account")
        static let groups = ToMany<Account, Circle>("groups", to: "Circle", inverse: "accounts")
        static let entity = RecordEntity<Account>(
            "Account", id: \.id,
            [
                .attribute("mail", \.mail, isUnique: true), .attribute("phone", \.phone, isUnique: true),
                .relationship(orders), .relationship(groups),
            ]
        ) { row in Account(id: try row.id(), mail: try row.next(), phone: try row.next()) }
    }

    struct Order: PersistentRecord, Hashable {
        let id: LibraryID
        var account: LibraryID?

        static let entity = RecordEntity<Order>(
            "Order", id: \.id, [.toOne("account", \.account, to: "Account", inverse: "orders")]
        ) { row in Order(id: try row.id(), account: try row.next()) }
    }

    struct Circle: PersistentRecord, Hashable {
        let id: LibraryID

        static let accounts = ToMany<Circle, Account>("accounts", to: "Account", inverse: "groups")
        static let entity = RecordEntity<Circle>("Circle", id: \.id, [.relationship(accounts)]) { row in
            Circle(id: try row.id())
        }
    }

    @Test(
        "references to two new objects are moved to the stored object that both are merged into",
        arguments: StoreKind.allCases,
        [MergePolicy.mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump, .overwrite, .rollback])
    func chain(_ kind: StoreKind, _ policy: MergePolicy) throws {
        let stack = try kind.stack(try ManagedObjectModel(records: [Account.self, Order.self, Circle.self]))
        try stack.background.performTransactionAndWait { context in
            try context.insert(Account(id: 1, phone: "1"))
            try context.insert(Circle(id: 1))
        }
        let context = stack.container.newBackgroundContext(mergePolicy: policy)
        try context.performAndWait { context in
            // The third account has the second's address, and the second has the stored account's number.
            let second = try context.insert(Account(id: 2, mail: "a", phone: "1"))
            let third = try context.insert(Account(id: 3, mail: "a", phone: "3"))
            try context.insert(Order(id: 2, account: 2))
            try context.insert(Order(id: 3, account: 3))
            try context.add(third, to: \.accounts, of: try context.existingObject(with: 1, of: Circle.self))
            let saved = try context.save()
            #expect(saved.upserted == ["Account": [2: 1, 3: 1]])
            let stored = try context.existingObject(with: 1, of: Account.self)
            #expect(try context.existingObject(holding: second) === stored)
            #expect(try context.existingObject(holding: third) === stored)
        }
        #expect(try stack.stored(Account.self).map(\.id) == [1])
        #expect(try stack.stored(Order.self).map(\.account) == [1, 1])
        let inCircle = try stack.background.performAndWait { context in
            try context.objects(\.accounts, of: try context.existingObject(with: 1, of: Circle.self)).map(\.rawID)
        }
        #expect(inCircle == [1])
    }
}
