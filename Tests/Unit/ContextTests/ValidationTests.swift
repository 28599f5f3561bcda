import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

/// The rules that a save checks before it writes: those of the model and of the record types, with all failures at
/// once.
@Suite("Validation")
struct ValidationTests {
    @Test("a save reports every failure with object, attribute, value and rule", arguments: StoreKind.allCases)
    func gathered(_ kind: StoreKind) throws {
        let stack = try kind.stack(Rental.model())
        try stack.container.newBackgroundContext().performAndWait { context in
            let first = try context.insert(Rental.self) { Rental(id: $0, from: 5, to: 3, note: "much too long") }
            let second = try context.insert(Rental.self) { Rental(id: $0, from: 1, to: 100) }
            let error = try persistenceError { try context.save() }
            #expect(error.code == .validation)
            #expect(
                error.failures == [
                    failure(1, "note", .string("much too long"), .maximumLength(8)),
                    failure(1, "to", .integer(3), .custom("a rental ends after it begins")),
                    failure(2, "", .null, .custom("a rental lasts 30 days at most")),
                ])
            #expect(
                "\(error)" == """
                    3 rules of the model are broken:
                      Rental 1, note: is longer than 8
                      Rental 1, to: a rental ends after it begins
                      Rental 2: a rental lasts 30 days at most
                    """)
            let count = try stack.container.coordinator.store.count(StoreRequest("Rental"))
            #expect(count == 0, "a failed save writes nothing")
            (first.to, first.note, second.to) = (9, nil, 2)
            #expect(try context.save().inserted == ["Rental": [1, 2]], "and leaves the context usable")
        }
        #expect(try stack.stored(Rental.self).map(\.to) == [9, 2])
    }

    @Test("a record's validation receives the operation and the stored values", arguments: StoreKind.allCases)
    func transitions(_ kind: StoreKind) throws {
        let stack = try kind.stack(Rental.model())
        try stack.container.newBackgroundContext().performAndWait { context in
            let rental = try context.insert(Rental.self) { Rental(id: $0, from: 1, to: 2, isPaid: true) }
            try context.save()
            rental.isPaid = false
            let update = try persistenceError { try context.save() }
            #expect(update.failures == [failure(1, "isPaid", .boolean(false), .custom("what is paid stays paid"))])
            rental.isPaid = true
            context.delete(rental)
            let deletion = try persistenceError { try context.save() }
            #expect(deletion.failures == [failure(1, "", .null, .custom("what is paid is not deleted"))])
            #expect(rental.state == .deleted && context.hasChanges)
            context.rollback()
            #expect(rental.state == .unchanged && rental.isPaid)
        }
        #expect(try stack.stored(Rental.self).map(\.isPaid) == [true])
    }

    @Test("a save validates a value after its save hook has corrected it", arguments: StoreKind.allCases)
    func afterHooks(_ kind: StoreKind) throws {
        let stack = try kind.stack(Rental.model())
        try stack.container.newBackgroundContext().performAndWait { context in
            let rental = try context.insert(Rental.self) { Rental(id: $0, from: 1, to: 2, note: "trim me please") }
            rental.trims = true
            try context.save()
            #expect(rental.note == "trim")
        }
    }

    @Test("a child's save is validated before its parent receives the changes", arguments: StoreKind.allCases)
    func child(_ kind: StoreKind) throws {
        let stack = try kind.stack(Rental.model())
        let parent = stack.container.newBackgroundContext()
        try parent.newChildContext().performAndWait { context in
            try context.insert(Rental.self) { Rental(id: $0, from: 5, to: 3) }
            #expect(try persistenceError { try context.save() }.code == .validation)
        }
        #expect(!parent.performAndWait { $0.hasChanges })
    }

    private func failure(
        _ id: Int64, _ attribute: String, _ value: StoredValue, _ rule: ValidationFailure.Rule
    ) -> ValidationFailure {
        ValidationFailure(entity: "Rental", id: id, attribute: attribute, value: value, rule: rule)
    }
}

/// A record with rules across its attributes for every operation.
struct Rental: PersistentRecord, Hashable {
    let id: TeamID
    var from: Int
    var to: Int
    var note: String?
    var isPaid = false
    /// The value is not stored.
    var trims = false

    static let entity = RecordEntity<Rental>(
        "Rental", id: \.id,
        [
            .attribute("from", \.from), .attribute("to", \.to),
            .attribute("note", \.note, rules: [.maximumLength(8)]), .attribute("isPaid", \.isPaid),
        ]
    ) { row in
        Rental(id: try row.id(), from: try row.next(), to: try row.next(), note: try row.next(), isPaid: try row.next())
    }

    static func model() throws -> ManagedObjectModel { try ManagedObjectModel(records: [Rental.self]) }
}

extension Rental: ValidatedRecord {
    func validate(_ validation: inout RecordValidation<Rental>) {
        validation.require(from < to, of: \.to, "a rental ends after it begins")
        validation.require(to - from <= 30, "a rental lasts 30 days at most")
        if validation.operation == .update, validation.committed?.isPaid == true {
            validation.require(isPaid, of: \.isPaid, "what is paid stays paid")
        }
    }

    func validateForDelete(_ validation: inout RecordValidation<Rental>) {
        validation.require(!isPaid, "what is paid is not deleted")
    }
}

extension Rental: LifecycleHooks {
    static func willSave(_ object: Managed<Rental>, in context: ConfinedContext) throws {
        if object.trims, let note = object.note { object.note = String(note.prefix(4)) }
    }
}
