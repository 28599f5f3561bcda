import PersistenceTestSupport
import StrataPersistence
import StrataTestSupport
import StrataTesting
import Testing

@Suite("Contexts that are pinned to a state of the store")
struct QueryGenerationTests {
    private static let byName = FetchRequest<Player>(sort: [SortKey(\.name)])

    private static func names(_ context: ConfinedContext) throws -> [String] {
        try context.fetch(byName).map(\.name)
    }

    @Test("a pinned context reads one state, and ignores commits and batches of others", arguments: StoreKind.everyKind)
    func pinned(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let team = try stack.team("Red")
        let ann = try stack.player("Ann", team: team.id)
        let context = stack.container.newBackgroundContext()
        try context.performAndWait { context in
            try context.pinQueryGeneration()
            #expect(context.isPinned)
        }
        try stack.player("Ben", team: team.id)
        _ = try stack.container.batchUpdate("Player", set: ["name": .constant(.string("Abe"))])
        try context.performAndWait { context in
            let names = try Self.names(context)
            let count = try context.count(Self.byName)
            #expect(names == ["Ann"] && count == 1)
            #expect(try context.existingObject(with: ann.id, of: Player.self).name == "Ann")
            context.unpinQueryGeneration()
            #expect(!context.isPinned)
            #expect(try Self.names(context) == ["Abe", "Abe"])
        }
        try stack.container.close()
    }

    @Test("a save, a merge, a refresh, a reset and another pin move the context", arguments: StoreKind.allCases)
    func moves(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let ann = try stack.player("Ann")
        let context = stack.container.newBackgroundContext()
        func added(_ name: String, then step: @Sendable (ConfinedContext) throws -> Void) throws {
            try stack.player(name)
            try context.performAndWait { context in
                let before = try Self.names(context)
                #expect(!before.contains(name))
                try step(context)
                #expect(context.isPinned)
                let after = try Self.names(context)
                #expect(after.contains(name))
            }
        }
        try context.performAndWait { try $0.pinQueryGeneration() }
        try added("Ben") { try $0.pinQueryGeneration() }
        try added("Cyd") { try $0.refreshAllObjects() }
        try added("Dan") { $0.reset() }
        try added("Eve") { try $0.mergeChanges(of: ["Player": [ann.id.rawValue]]) }
        try added("Fay") { context in
            _ = try context.insert(Player.self) { Player(id: $0, name: "Own") }
            try context.save()
            let own = try Self.names(context)
            #expect(own.contains("Own"))
        }
        context.automaticallyMergesChangesFromParent = true
        try stack.background.performAndWait { context in
            try context.existingObject(with: ann.id, of: Player.self).name = "Abe"
            try context.save()
        }
        let merged = try context.performAndWait { try Self.names($0) }
        #expect(merged.first == "Abe")
        try stack.container.close()
    }

    @Test(
        "a save of a pinned context detects what others changed, and a policy resolves it",
        arguments: StoreKind.allCases)
    func conflicts(_ kind: StoreKind) throws {
        let stack = try kind.league()
        let ann = try stack.player("Ann")
        let context = stack.container.newBackgroundContext()
        try context.performAndWait { context in
            try context.pinQueryGeneration()
            try context.existingObject(with: ann.id, of: Player.self).name = "Own"
        }
        _ = try stack.background.performAndWait { context in
            try context.existingObject(with: ann.id, of: Player.self).name = "Abe"
            try context.save()
        }
        try context.performAndWait { context in
            let error = #expect(throws: PersistenceError.self) { try context.save() }
            #expect(error?.code == .conflict && context.isPinned)
            try context.save(mergePolicy: .mergeByPropertyObjectTrump)
            #expect(try Self.names(context) == ["Own"])
        }
        try stack.container.close()
    }

    @Test("at most eight contexts are pinned, and a released or unpinned one makes room", arguments: StoreKind.allCases)
    func limit(_ kind: StoreKind) throws {
        let stack = try kind.league()
        var contexts = (0..<8).map { stack.container.newBackgroundContext(name: "pinned \($0)") }
        for context in contexts { try context.performAndWait { try $0.pinQueryGeneration() } }
        let last = stack.container.newBackgroundContext()
        let error = #expect(throws: PersistenceError.self) {
            try last.performAndWait { try $0.pinQueryGeneration() }
        }
        #expect(error?.message.contains("“pinned 0”") == true)
        contexts.removeLast()
        try last.performAndWait { try $0.pinQueryGeneration() }
        let child = last.newChildContext()
        #expect(throws: PersistenceError.self) { try child.performAndWait { try $0.pinQueryGeneration() } }
        try stack.container.close()
    }
}
