import PersistenceTestSupport
import StrataPersistence
import StrataTesting
import Testing

/// Bounds on the number of objects in a relationship.
@Suite("Bounds on the number of related objects")
struct CountRuleTests {
    /// A club, which has one to three members, and no badges or two to three.
    struct Club: PersistentRecord {
        let id: LibraryID
        var name: String

        static let members = ToMany<Club, Member>(
            "members", to: "Member", inverse: "club", isOptional: false, minimumCount: 1, maximumCount: 3)
        static let badges = ToMany<Club, Badge>(
            "badges", to: "Badge", inverse: "clubs", minimumCount: 2, maximumCount: 3)
        static let entity = RecordEntity<Club>(
            "Club", id: \.id, [.attribute("name", \.name), .relationship(members), .relationship(badges)]
        ) { Club(id: try $0.id(), name: try $0.next()) }
    }

    struct Member: PersistentRecord {
        let id: LibraryID
        var club: LibraryID?

        static let entity = RecordEntity<Member>(
            "Member", id: \.id, [.toOne("club", \.club, to: "Club", inverse: "members")]
        ) { Member(id: try $0.id(), club: try $0.next()) }
    }

    struct Badge: PersistentRecord {
        let id: LibraryID

        static let clubs = ToMany<Badge, Club>("clubs", to: "Club", inverse: "badges")
        static let entity = RecordEntity<Badge>("Badge", id: \.id, [.relationship(clubs)]) { Badge(id: try $0.id()) }
    }

    /// Returns a stack with clubs 1 and 2 and members 1, 2 and 3; club 1 has badges 1 and 2 of four.
    private func stack(_ kind: StoreKind) throws -> TestStack {
        let stack = try kind.stack(try ManagedObjectModel(records: [Club.self, Member.self, Badge.self]))
        try stack.background.performAndWait { context in
            let first = try context.insert(Club(id: 1, name: "Chess"))
            try context.insert(Club(id: 2, name: "Rowing"))
            try context.insert(Member(id: 1, club: 1))
            try context.insert(Member(id: 2, club: 1))
            try context.insert(Member(id: 3, club: 2))
            let badges = try [1, 2, 3, 4].map { try context.insert(Badge(id: $0)) }
            try context.set(Array(badges.prefix(2)), as: \.badges, of: first)
            try context.save()
        }
        return stack
    }

    /// A change, and the failures that its save reports.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let failures: [String]
        let change: @Sendable (ConfinedContext) throws -> Void
    }

    private static func club(_ id: LibraryID, _ context: ConfinedContext) throws -> Managed<Club> {
        try context.existingObject(with: id)
    }

    private static func badge(_ id: LibraryID, _ context: ConfinedContext) throws -> Managed<Badge> {
        try context.existingObject(with: id)
    }

    static let cases: [Case] = [
        Case(
            testDescription: "a new owner has no objects",
            failures: ["Club 3, members: 0 is below the minimum count of 1"]
        ) {
            try $0.insert(Club(id: 3, name: "Golf"))
        },
        Case(
            testDescription: "an owner's only object moves to another owner",
            failures: ["Club 2, members: 0 is below the minimum count of 1"]
        ) { context in
            try context.existingObject(with: 3, of: Member.self).club = 1
        },
        Case(
            testDescription: "an owner's only object is removed",
            failures: ["Club 2, members: 0 is below the minimum count of 1"]
        ) { context in
            let member = try context.existingObject(with: 3, of: Member.self)
            try context.remove(member, from: \.members, of: try club(2, context))
        },
        Case(
            testDescription: "an owner's only object is deleted",
            failures: ["Club 2, members: 0 is below the minimum count of 1"]
        ) { context in
            try context.delete(3, of: Member.self)
        },
        Case(
            testDescription: "too many objects are inserted",
            failures: ["Club 1, members: 4 is above the maximum count of 3"]
        ) {
            context in
            for id in [11, 12] as [LibraryID] { try context.insert(Member(id: id, club: 1)) }
        },
        Case(
            testDescription: "an owner has too few join rows",
            failures: ["Club 1, badges: 1 is below the minimum count of 2"]
        ) {
            context in
            try context.remove(try badge(1, context), from: \.badges, of: try club(1, context))
        },
        Case(
            testDescription: "an owner has too few join rows, added from the other side",
            failures: ["Club 2, badges: 1 is below the minimum count of 2"]
        ) { context in
            try context.add(try club(2, context), to: \.clubs, of: try badge(1, context))
        },
        Case(
            testDescription: "an owner has too many join rows",
            failures: ["Club 1, badges: 4 is above the maximum count of 3"]
        ) {
            context in
            for id in [3, 4] as [LibraryID] {
                try context.add(try badge(id, context), to: \.badges, of: try club(1, context))
            }
        },
        Case(
            testDescription: "an object of a join row is deleted",
            failures: ["Club 1, badges: 1 is below the minimum count of 2"]
        ) {
            context in
            try context.delete(2, of: Badge.self)
        },
        Case(
            testDescription: "a new owner has too few objects in two relationships",
            failures: [
                "Club 3, members: 0 is below the minimum count of 1",
                "Club 3, badges: 1 is below the minimum count of 2",
            ]
        ) { context in
            let golf = try context.insert(Club(id: 3, name: "Golf"))
            try context.add(try badge(4, context), to: \.badges, of: golf)
        },
    ]

    @Test(
        "a save that breaks a bound on related objects reports the bound and leaves the context usable",
        arguments: StoreKind.allCases, cases)
    func broken(_ kind: StoreKind, _ item: Case) throws {
        let stack = try stack(kind)
        for isChild in [false, true] {
            let parent = stack.container.newBackgroundContext(name: "parent")
            let context = isChild ? parent.newChildContext() : parent
            try context.performAndWait { context in
                try item.change(context)
                let error = try persistenceError { try context.save() }
                #expect(error.code == .validation && error.failures.map(\.debugDescription) == item.failures)
                #expect(context.hasChanges)
                context.rollback()
                try context.existingObject(with: 1, of: Club.self).name += "!"
                try context.save()
            }
            try parent.performAndWait { context in _ = try context.save() }
        }
        #expect(try stack.stored(Club.self).map(\.name) == ["Chess!!", "Rowing"])
        #expect(try stack.stored(Member.self).map(\.club) == [1, 1, 2])
    }

    /// Changes that break no bound.
    static let allowed: [Case] = [
        Case(testDescription: "an owner is deleted", failures: []) { context in
            try context.delete(2, of: Club.self)
        },
        Case(testDescription: "an owner's only object is replaced", failures: []) { context in
            try context.delete(3, of: Member.self)
            try context.insert(Member(id: 9, club: 2))
        },
        Case(testDescription: "an optional relationship becomes empty", failures: []) { context in
            try context.set([], as: \.badges, of: try club(1, context))
        },
        Case(testDescription: "a join row is replaced", failures: []) { context in
            try context.delete(2, of: Badge.self)
            try context.add(try badge(3, context), to: \.badges, of: try club(1, context))
        },
        Case(testDescription: "a new owner has enough objects", failures: []) { context in
            try context.insert(Club(id: 3, name: "Golf"))
            try context.insert(Member(id: 9, club: 3))
        },
    ]

    @Test("a save that keeps the bounds on related objects succeeds", arguments: StoreKind.allCases, allowed)
    func kept(_ kind: StoreKind, _ item: Case) throws {
        let stack = try stack(kind)
        try stack.background.performAndWait { context in
            try item.change(context)
            try context.save()
        }
    }
}
