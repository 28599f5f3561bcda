import PersistenceTestSupport
import StrataPersistence
import StrataTesting
import Testing

/// References that cannot be null.
@Suite("Mandatory references")
struct MandatoryReferenceTests {
    struct Ship: PersistentRecord {
        let id: LibraryID

        static let sailors = ToMany<Ship, Sailor>("sailors", to: "Sailor", inverse: "ship", deleteRule: .deny)
        static let entity = RecordEntity<Ship>("Ship", id: \.id, [.relationship(sailors)]) { Ship(id: try $0.id()) }
    }

    struct Sailor: PersistentRecord {
        let id: LibraryID
        var ship: LibraryID

        static let entity = RecordEntity<Sailor>(
            "Sailor", id: \.id, [.toOne("ship", \.ship, to: "Ship", inverse: "sailors", deleteRule: .cascade)]
        ) { Sailor(id: try $0.id(), ship: try $0.next()) }
    }

    /// Returns a stack with ships 1 and 2; sailors 1 and 2 are on the first.
    private func stack(_ kind: StoreKind) throws -> TestStack {
        let stack = try kind.stack(try ManagedObjectModel(records: [Ship.self, Sailor.self]))
        try stack.background.performAndWait { context in
            for id in [1, 2] as [LibraryID] {
                try context.insert(Ship(id: id))
                try context.insert(Sailor(id: id, ship: 1))
            }
            try context.save()
        }
        return stack
    }

    @Test(
        "a cascade from a sailor to its ship is denied until the ship's other sailors are deleted too",
        arguments: StoreKind.allCases)
    func cascadesUp(_ kind: StoreKind) throws {
        let stack = try stack(kind)
        try stack.background.performAndWait { context in
            try context.delete(1, of: Sailor.self)
            let error = try persistenceError { try context.save() }
            #expect(error.failures.map(\.rule) == [.deniedDeletion] && error.failures.map(\.value) == [.integer(1)])
            #expect(error.failures.map(\.entity) == ["Ship"] && error.failures.map(\.attribute) == ["sailors"])
            try context.delete(2, of: Sailor.self)
            #expect(try context.save().deleted == ["Ship": [1], "Sailor": [1, 2]])
        }
        #expect(try stack.stored(Ship.self).map(\.id.rawValue) == [2])
    }

    @Test(
        "an object can be deleted after all objects that refer to it have been moved to another owner",
        arguments: StoreKind.allCases)
    func moved(_ kind: StoreKind) throws {
        let stack = try stack(kind)
        try stack.background.performAndWait { context in
            try context.delete(1, of: Ship.self)
            #expect(try persistenceError { try context.save() }.failures.map(\.value) == [.integer(2)])
            try context.existingObject(with: 1, of: Sailor.self).ship = 2
            try context.existingObject(with: 2, of: Sailor.self).ship = 2
            #expect(try context.save().deleted == ["Ship": [1]])
        }
        #expect(try stack.stored(Sailor.self).map(\.ship) == [2, 2])
    }

    @Test(
        "deleting a new object is denied at every save until no object refers to it",
        arguments: StoreKind.allCases)
    func discarded(_ kind: StoreKind) throws {
        let stack = try stack(kind)
        try stack.background.performAndWait { context in
            let ship = try context.insert(Ship(id: 3))
            let sailor = try context.existingObject(with: 2, of: Sailor.self)
            sailor.ship = 3
            context.delete(ship)
            for _ in 1...2 {
                let error = try persistenceError { try context.save() }
                #expect(error.failures.map(\.rule) == [.deniedDeletion] && error.failures.map(\.id) == [3])
            }
            sailor.ship = 2
            #expect(try context.save().updated == ["Sailor": [2]])
        }
    }

    @Test(
        "an object with a mandatory owner cannot be removed from it, but can be moved to another owner",
        arguments: StoreKind.allCases)
    func removed(_ kind: StoreKind) throws {
        let stack = try stack(kind)
        try stack.background.performAndWait { context in
            let ships = try context.fetch(FetchRequest<Ship>())
            let sailors = try context.objects(\.sailors, of: ships[0])
            #expect(throws: (any Error).self) { try context.remove(sailors[0], from: \.sailors, of: ships[0]) }
            #expect(throws: (any Error).self) { try context.set([], as: \.sailors, of: ships[0]) }
            #expect(!context.hasChanges && sailors[0].ship == 1)
            try context.set([sailors[1]], as: \.sailors, of: ships[1])
            #expect(try context.object(\.ship, of: sailors[1], as: Ship.self) === ships[1])
            try context.save()
        }
        #expect(try stack.stored(Sailor.self).map(\.ship) == [1, 2])
    }

    @Test("setting a list that contains a deleted object throws and changes no object", arguments: StoreKind.allCases)
    func setAllOrNothing(_ kind: StoreKind) throws {
        let stack = try stack(kind)
        try stack.background.performAndWait { context in
            let ship = try context.existingObject(with: 1, of: Ship.self)
            let deleted = try context.insert(Sailor(id: 9, ship: 2))
            context.delete(deleted)
            let sailor = try context.insert(Sailor(id: 3, ship: 2))
            #expect(throws: (any Error).self) { try context.set([sailor, deleted], as: \.sailors, of: ship) }
            #expect(sailor.ship == 2)
        }
    }
}
