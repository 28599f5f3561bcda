import PersistenceTestSupport
import StrataTesting
import Testing

@testable import StrataCore
@testable import StrataPersistence

/// Registration of the objects of a read that began when the context had no objects.
@Suite("Identity maps")
struct IdentityMapTests {
    private static func objects(_ ids: [Int64], of identityMap: IdentityMap) -> [ManagedObject] {
        ids.map { ManagedObject(rawID: $0, state: .unchanged, version: 1, ownership: identityMap.ownership) }
    }

    @Test("the objects of a read are found by their identifiers", arguments: [[1, 2, 3], [3, 1, 2]] as [[Int64]])
    func read(_ ids: [Int64]) throws {
        try StoreKind.inMemory.league().background.performAndWait { context in
            let identityMap = try context.identityMap(of: Team.entity)
            let objects = Self.objects(ids, of: identityMap)
            let mark = try #require(identityMap.emptyMark)
            #expect(identityMap.registerAll(objects, areAscending: ids == ids.sorted(), since: mark))
            #expect(identityMap.emptyMark == nil)
            for object in objects { #expect(identityMap.object(object.rawID) === object) }
        }
    }

    @Test(
        "a read registers none of its objects if another object was registered after the read began",
        arguments: [false, true])
    func another(_ areAscending: Bool) throws {
        try StoreKind.inMemory.league().background.performAndWait { context in
            let identityMap = try context.identityMap(of: Team.entity)
            let objects = Self.objects([1, 2], of: identityMap)
            let mark = try #require(identityMap.emptyMark)
            let other = Self.objects([2], of: identityMap)
            identityMap.register(other[0])
            #expect(!identityMap.registerAll(objects, areAscending: areAscending, since: mark))
            #expect(identityMap.object(1) == nil && identityMap.object(2) === other[0])
        }
    }

    @Test("a read with two objects of one identifier registers none of its objects")
    func twice() throws {
        try StoreKind.inMemory.league().background.performAndWait { context in
            let identityMap = try context.identityMap(of: Team.entity)
            let objects = Self.objects([1, 2, 1], of: identityMap)
            let mark = try #require(identityMap.emptyMark)
            #expect(!identityMap.registerAll(objects, areAscending: false, since: mark))
            #expect(identityMap.isEmpty && identityMap.object(1) == nil && identityMap.object(2) == nil)
        }
    }
}
