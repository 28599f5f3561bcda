import PersistenceTestSupport
import StrataPersistence
import StrataTesting
import Testing

@Suite("One-to-one relationships")
struct OneToOneTests {
    private struct Office {
        /// Returns a stack in which Ada (1) has passport 1, Bob (2) has passport 2, and Cid (3) has none.
        static func stack(_ kind: StoreKind) throws -> TestStack {
            let stack = try kind.stack(try Company.model())
            try stack.background.performAndWait { context in
                for (id, name) in [(1, "Ada"), (2, "Bob"), (3, "Cid")] as [(LibraryID, String)] {
                    try context.insert(Company.Person(id: id, name: name))
                }
                for (id, holder) in [(1, 1), (2, 2), (3, nil)] as [(LibraryID, LibraryID?)] {
                    try context.insert(Company.Passport(id: id, number: "P\(id.rawValue)", holder: holder))
                }
                try context.save()
            }
            return stack
        }
    }

    private func person(_ id: LibraryID, _ context: ConfinedContext) throws -> Managed<Company.Person> {
        try context.existingObject(with: id)
    }

    private func passport(_ id: LibraryID, _ context: ConfinedContext) throws -> Managed<Company.Passport> {
        try context.existingObject(with: id)
    }

    /// Returns the passports of Ada, Bob and Cid and the holders of the three passports, as the context has them.
    private func pairs(_ context: ConfinedContext) throws -> [Int64?] {
        try [1, 2, 3].map { try context.object(\.passport, of: try person($0, context))?.rawID }
            + [1, 2, 3].map { try passport($0, context).holder?.rawValue }
    }

    /// The way in which a passport is assigned to a person.
    enum Way { case property, inverse }

    @Test(
        "assigning a counterpart to a new owner releases it from the old owner",
        arguments: StoreKind.allCases, [false, true])
    func steals(_ kind: StoreKind, _ isKnown: Bool) throws {
        for way in [Way.property, .inverse] {
            for isChild in [false, true] {
                let stack = try Office.stack(kind)
                let parent = stack.container.newBackgroundContext(name: "parent")
                let context = isChild ? parent.newChildContext() : parent
                try context.performAndWait { context in
                    let known = isKnown ? try context.fetch(FetchRequest<Company.Passport>()) : []
                    let second = try passport(2, context)
                    if way == .property {
                        second.holder = 1
                    } else {
                        try context.set(second, as: \.passport, of: try person(1, context))
                    }
                    #expect(try pairs(context) == [2, nil, nil, nil, 1, nil], "\(way), child: \(isChild)")
                    try context.save()
                    #expect(try pairs(context) == [2, nil, nil, nil, 1, nil], "\(way), child: \(isChild)")
                    withExtendedLifetime(known) {}
                }
                try parent.performAndWait { context in
                    try context.save()
                    #expect(try pairs(context) == [2, nil, nil, nil, 1, nil], "\(way), child: \(isChild)")
                }
                #expect(try stack.stored(Company.Passport.self).map(\.holder) == [nil, 1, nil], "\(way)")
            }
        }
    }

    @Test(
        "assigning a counterpart releases the previous counterpart immediately", arguments: StoreKind.allCases,
        [false, true])
    func leftAtOnce(_ kind: StoreKind, _ isFetched: Bool) throws {
        try Office.stack(kind).container.newBackgroundContext().performAndWait { context in
            let passports =
                try isFetched
                ? context.fetch(FetchRequest<Company.Passport>()) : [1, 2, 3].map { try passport($0, context) }
            passports[1].holder = 1
            #expect(passports[0].holder == nil)
        }
    }

    @Test(
        "a save releases the previous counterpart although the context has not read it", arguments: StoreKind.allCases)
    func stealsUnread(_ kind: StoreKind) throws {
        let stack = try Office.stack(kind)
        try stack.container.newBackgroundContext().performAndWait { context in
            let first = try passport(2, context)
            first.holder = 1
            try context.save()
        }
        #expect(try stack.stored(Company.Passport.self).map(\.holder) == [nil, 1, nil])
    }

    @Test("a new object that is assigned as a counterpart replaces the old counterpart", arguments: StoreKind.allCases)
    func inserted(_ kind: StoreKind) throws {
        let stack = try Office.stack(kind)
        try stack.background.performAndWait { context in
            let new = try context.insert(Company.Passport(id: 4, number: "P4", holder: 1))
            #expect(try context.object(\.passport, of: try person(1, context)) === new)
            try context.save()
        }
        #expect(try stack.stored(Company.Passport.self).map(\.holder) == [nil, 2, nil, 1])
    }

    @Test("two owners can swap their counterparts in one save", arguments: StoreKind.allCases)
    func swap(_ kind: StoreKind) throws {
        let stack = try Office.stack(kind)
        try stack.background.performAndWait { context in
            let (first, second) = (try passport(1, context), try passport(2, context))
            (first.holder, second.holder) = (2, 1)
            #expect(try pairs(context) == [2, 1, nil, 2, 1, nil])
            try context.save()
        }
        #expect(try stack.stored(Company.Passport.self).map(\.holder) == [2, 1, nil])
    }

    @Test(
        "an owner's counterpart is the last of several objects that are assigned to it", arguments: StoreKind.allCases)
    func last(_ kind: StoreKind) throws {
        let stack = try Office.stack(kind)
        try stack.background.performAndWait { context in
            let all = try context.fetch(FetchRequest<Company.Passport>())
            for passport in all { passport.holder = 3 }
            try context.save()
            #expect(all.map { $0.holder } == [nil, nil, 3])
        }
        #expect(try stack.stored(Company.Passport.self).map(\.holder) == [nil, nil, 3])
    }

    @Test("a counterpart that was replaced before it was read can be assigned again", arguments: StoreKind.allCases)
    func takesBack(_ kind: StoreKind) throws {
        let stack = try Office.stack(kind)
        try stack.container.newBackgroundContext().performAndWait { context in
            let third = try passport(3, context)
            third.holder = 1
            let first = try passport(1, context)
            #expect(first.holder == nil && third.holder == 1)
            first.holder = 1
            #expect(first.holder == 1 && third.holder == nil)
            try context.save()
        }
        #expect(try stack.stored(Company.Passport.self).map(\.holder) == [1, 2, nil])
    }

    @Test("a counterpart can be released from both sides", arguments: StoreKind.allCases, [false, true])
    func giveUp(_ kind: StoreKind, _ byProperty: Bool) throws {
        let stack = try Office.stack(kind)
        try stack.background.performAndWait { context in
            if byProperty {
                try passport(1, context).holder = nil
            } else {
                try context.set(nil, as: \.passport, of: try person(1, context))
            }
            #expect(try pairs(context) == [nil, 2, nil, nil, 2, nil])
            try context.save()
        }
        #expect(try stack.stored(Company.Passport.self).map(\.holder) == [nil, 2, nil])
    }

    @Test("a counterpart with a mandatory reference cannot be released", arguments: StoreKind.allCases)
    func mandatory(_ kind: StoreKind) throws {
        let stack = try kind.library()
        try stack.container.newBackgroundContext().performAndWait { context in
            let virgil = try context.author(2)
            #expect(throws: (any Error).self) { try context.set(nil, as: \.contract, of: virgil) }
            #expect(try context.object(\.contract, of: virgil)?.rawID == 1 && !context.hasChanges)
            let second = try context.insert(Contract(id: 2, fee: 2, author: 2))
            #expect(try persistenceError { try context.save() }.code == .uniqueness)
            second.author = 1
            try context.save()
            #expect(try context.object(\.contract, of: try context.author(1)) === second)
        }
    }

    @Test("a deleted object has no counterpart, and assigning one throws", arguments: StoreKind.allCases)
    func deleted(_ kind: StoreKind) throws {
        let stack = try Office.stack(kind)
        try stack.background.performAndWait { context in
            let (first, ada) = (try passport(1, context), try person(1, context))
            context.delete(first)
            #expect(try context.object(\.passport, of: ada) == nil)
            #expect(try persistenceError { try context.set(first, as: \.passport, of: ada) }.code == .detachedObject)
            context.rollback()
            #expect(try context.object(\.passport, of: ada) === first)
            context.delete(ada)
            #expect(try persistenceError { try context.set(first, as: \.passport, of: ada) }.code == .detachedObject)
            try context.processPendingChanges()
            #expect(first.holder == nil)
            try context.save()
        }
        #expect(try stack.stored(Company.Passport.self).map(\.holder) == [nil, 2, nil])
    }
}
