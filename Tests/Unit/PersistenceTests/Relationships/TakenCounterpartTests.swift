import PersistenceTestSupport
import StrataPersistence
import StrataTesting
import Testing

/// Another writer assigns a passport to a person between this context's reading and its own assignment.
@Suite("Counterparts that another writer reassigned")
struct TakenCounterpartTests {
    static let policies: [(MergePolicy, mine: Bool?)] = [
        (.error, nil), (.mergeByPropertyStoreTrump, false), (.rollback, false), (.mergeByPropertyObjectTrump, true),
        (.overwrite, true),
    ]

    /// Returns a stack with Ada (1), Bob (2) and four passports, of which only the fourth is assigned: to Bob.
    private func stack(_ kind: StoreKind) throws -> TestStack {
        let stack = try kind.stack(try Company.model())
        try stack.background.performAndWait { context in
            try context.insert(Company.Person(id: 1, name: "Ada"))
            try context.insert(Company.Person(id: 2, name: "Bob"))
            for id in [1, 2, 3, 4] as [LibraryID] {
                try context.insert(Company.Passport(id: id, number: "P\(id.rawValue)", holder: id == 4 ? 2 : nil))
            }
            try context.save()
        }
        return stack
    }

    private func passport(_ id: LibraryID, _ context: ConfinedContext) throws -> Managed<Company.Passport> {
        try context.existingObject(with: id)
    }

    private func give(_ id: LibraryID, to holder: LibraryID?, _ context: ManagedObjectContext) throws {
        try context.performAndWait { context in
            try passport(id, context).holder = holder
            try context.save()
        }
    }

    private func holders(_ stack: TestStack) throws -> [Int64?] {
        try stack.stored(Company.Passport.self).map { $0.holder?.rawValue }
    }

    // mine                      | theirs                    | store
    // --------------------------|---------------------------|----------------------
    // reads passport 2 (and 1)  |                           | Ada has none
    //                           | passport 1: Ada, saves    | 1 is Ada's
    // passport 2: Ada           |                           |
    // saves                     |                           | as the policy says
    @Test(
        "the merge policy decides which of two objects keeps a counterpart that two writers assigned",
        arguments: StoreKind.allCases, policies)
    func taken(_ kind: StoreKind, _ wanted: (policy: MergePolicy, mine: Bool?)) throws {
        for knows in [false, true] {
            let stack = try stack(kind)
            let mine = stack.container.mainContext
            try mine.performAndWait { context in
                context.mergePolicy = wanted.policy
                let known = knows ? try passport(1, context) : nil
                let second = try passport(2, context)
                try give(1, to: 1, stack.background)
                second.holder = 1
                guard let isMine = wanted.mine else {
                    let error = try persistenceError { try context.save() }
                    #expect(error.code == .uniqueness && error.entity == "Passport" && error.attribute == "holder")
                    #expect(error.conflicts.map(\.id) == [2] && error.conflicts.map(\.owner) == [1])
                    #expect(second.holder == 1 && second.state == .updated, "as before, to be mended")
                    context.rollback()
                    return
                }
                try context.save()
                #expect(second.holder == (isMine ? 1 : nil), "\(wanted.policy), known: \(knows)")
                #expect(!context.hasChanges)
                withExtendedLifetime(known) {}
            }
            let expected: [Int64?] = wanted.mine == true ? [nil, 1, nil, 2] : [1, nil, nil, 2]
            #expect(try holders(stack) == expected, "\(wanted.policy), known: \(knows)")
        }
    }

    @Test(
        "a counterpart conflict is also found for new objects, processed changes and merged contexts",
        arguments: StoreKind.allCases, [false, true])
    func otherWays(_ kind: StoreKind, _ isNew: Bool) throws {
        for isMerged in [false, true] {
            let stack = try stack(kind)
            let mine = stack.container.mainContext
            let keeper = Keeper()
            try mine.performAndWait { context in
                keeper.keep(try context.existingObject(with: 1, of: Company.Person.self))
                if isMerged { keeper.keep(try passport(1, context)) }
                if isNew {
                    keeper.keep(try context.insert(Company.Passport(id: 5, number: "P5", holder: 1)))
                } else {
                    let second = try passport(2, context)
                    second.holder = 1
                    keeper.keep(second)
                }
                if !isMerged { try give(1, to: 1, stack.background) }
            }
            if isMerged { try give(1, to: 1, stack.background) }
            try mine.performAndWait { context in
                let ada = try context.existingObject(with: 1, of: Company.Person.self)
                // This call applies the effects of the change, and the passport's number is then written again.
                let claimant = try #require(try context.object(\.passport, of: ada))
                #expect(claimant.rawID == (isNew ? 5 : 2), "what was changed here counts here")
                claimant.number = "new"
                let error = try persistenceError { try context.save() }
                #expect(error.conflicts.map(\.owner) == [1], "new: \(isNew), merged: \(isMerged)")
                try context.save(mergePolicy: .mergeByPropertyObjectTrump)
                keeper.release()
            }
            let expected: [Int64?] = isNew ? [nil, nil, nil, 2, 1] : [nil, 1, nil, 2]
            #expect(try holders(stack) == expected, "new: \(isNew), merged: \(isMerged)")
        }
    }

    @Test(
        "an object that loses a counterpart under the store-trump policy has its stored owner again",
        arguments: StoreKind.allCases)
    func back(_ kind: StoreKind) throws {
        let stack = try stack(kind)
        let mine = stack.container.mainContext
        try mine.performAndWait { context in
            let fourth = try passport(4, context)
            try give(1, to: 1, stack.background)
            fourth.holder = 1
            try context.save(mergePolicy: .mergeByPropertyStoreTrump)
            #expect(fourth.holder == 2)
        }
        #expect(try holders(stack) == [1, nil, nil, 2])
    }

    @Test(
        "a context may reassign a counterpart whose current owner it has read or saved",
        arguments: StoreKind.allCases)
    func seen(_ kind: StoreKind) throws {
        let stack = try stack(kind)
        let mine = stack.container.mainContext
        try mine.performAndWait { context in
            let second = try passport(2, context)
            try give(1, to: 1, stack.background)
            let ada = try context.existingObject(with: 1, of: Company.Person.self)
            let first = try #require(try context.object(\.passport, of: ada))
            #expect(first.rawID == 1)
            second.holder = 1
            try context.save()
            #expect(first.holder == nil)
        }
        #expect(try holders(stack) == [nil, 1, nil, 2])
        try give(3, to: 1, stack.background)
        #expect(try holders(stack) == [nil, nil, 1, 2])
        // A context may reassign a counterpart that it assigned itself, although it retains earlier objects.
        try mine.performAndWait { context in
            let held = try passport(4, context)
            try passport(1, context).holder = 1
            try context.save()
            try passport(2, context).holder = 1
            try context.save()
            withExtendedLifetime(held) {}
        }
        #expect(try holders(stack) == [nil, 1, nil, 2])
    }

    @Test(
        "a counterpart conflict does not recur after all objects are refreshed",
        arguments: StoreKind.allCases, [false, true])
    func again(_ kind: StoreKind, _ keepsChange: Bool) throws {
        let stack = try stack(kind)
        try stack.container.mainContext.performAndWait { context in
            let second = try passport(2, context)
            try give(1, to: 1, stack.background)
            second.holder = 1
            #expect(try persistenceError { try context.save() }.code == .uniqueness)
            if !keepsChange { context.rollback() }
            try context.refreshAllObjects()
            second.holder = 1
            try context.save()
        }
        #expect(try holders(stack) == [nil, 1, nil, 2])
    }

    @Test("an assignment by a batch update causes a counterpart conflict", arguments: StoreKind.allCases)
    func batch(_ kind: StoreKind) throws {
        let stack = try stack(kind)
        try stack.container.mainContext.performAndWait { context in
            let second = try passport(2, context)
            try stack.container.batchUpdate(
                "Passport", where: .compare(.property("number"), .equal, .constant(.string("P1"))),
                set: ["holder": .constant(.integer(1))])
            second.holder = 1
            #expect(try persistenceError { try context.save() }.conflicts.map(\.owner) == [1])
            context.rollback()
        }
        #expect(try holders(stack) == [1, nil, nil, 2])
    }

    @Test(
        "a child context's save finds a counterpart that its parent reassigned meanwhile",
        arguments: StoreKind.allCases,
        policies)
    func child(_ kind: StoreKind, _ wanted: (policy: MergePolicy, mine: Bool?)) throws {
        let stack = try stack(kind)
        let parent = stack.container.mainContext
        let child = parent.newChildContext(mergePolicy: wanted.policy)
        try child.performAndWait { context in
            let (first, second) = (try passport(1, context), try passport(2, context))
            try parent.performAndWait { try passport(1, $0).holder = 1 }
            second.holder = 1
            if wanted.mine == nil {
                #expect(try persistenceError { try context.save() }.conflicts.map(\.owner) == [1])
                context.rollback()
            } else {
                try context.save()
            }
            withExtendedLifetime(first) {}
        }
        try parent.performAndWait { _ = try $0.save() }
        #expect(try holders(stack) == (wanted.mine == true ? [nil, 1, nil, 2] : [1, nil, nil, 2]), "\(wanted.policy)")
    }
}
