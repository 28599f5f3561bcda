import Persistence

/// A store that breaks one rule on purpose: it shows that the contract would find such a store.
final class BrokenStore: PersistentStore {
    /// What is wrong with it, and which rule must notice.
    enum Fault: String, CaseIterable, Sendable {
        // Reading.
        case nullsLast, canonicalStrings, unknownTruth, wrappingArithmetic, evaluatesEverything, foldsUnicode
        case dropsTiebreak, ignoresSecondSortKey, insertionOrder, windowOffByOne, windowsBeforeFiltering
        case countIgnoresWindow, countsEverything, acceptsAnyRequest
        case roundsDoubles, cutsText, losesEmptyBinary
        case neverStops, swallowsErrors, cursorSeesLaterWrites, staysOpen
        // Writing.
        case ignoresVersions, goneIsNoConflict, ignoresUniqueness, uniqueNulls, judgesEveryStep, halfWrittenSave
        case ignoresReferences, ignoresReferencesOnDelete, writesAllColumns, keepsVersions
        case repeatsIdentifiers, ignoresExplicitIdentifiers, startsAtZero
        case bulkKeepsRowsOfFailure, bulkLeavesGaps, bulkNamesNoPlace, bulkRefusesForwardReferences
    }

    let fault: Fault
    let base: InMemoryStore
    /// Identifiers in the order in which they were inserted.
    let order = Guarded<[Int64]>([])
    let isClosed = Guarded(false)

    init(_ fault: Fault, model: ManagedObjectModel) throws {
        self.fault = fault
        base = InMemoryStore(model: try fault.model(model))
    }

    var model: ManagedObjectModel { base.model }

    func information() throws -> StoreInformation { try base.information() }

    func close() throws {
        if fault != .staysOpen { try base.close() }
    }
}

extension BrokenStore.Fault {
    /// A store that does not know of a rule is one whose model does not have it.
    fileprivate func model(_ model: ManagedObjectModel) throws -> ManagedObjectModel {
        try ManagedObjectModel(
            model.entities.map { entity in
                EntityDescription(
                    entity.name,
                    entity.properties.map { property in
                        guard case .attribute(var attribute) = property else { return property }
                        if self == .ignoresUniqueness { attribute.isUnique = false }
                        return .attribute(attribute)
                    })
            })
    }
}
