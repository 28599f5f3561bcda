import StrataPersistence
import StrataStoreKit

/// A store that breaks one rule intentionally, to show that the contract detects it.
final class BrokenStore: PersistentStore {
    /// The broken rule.
    enum Fault: String, CaseIterable, Sendable {
        // Reading.
        case nullsLast, canonicalStrings, unknownTruth, wrappingArithmetic, evaluatesEverything, foldsUnicode
        case forgetsFunctions, swallowsOverflow, roundsToEven, comparesLetters
        case likeIsContains, dropsTiebreak, ignoresSecondSortKey, insertionOrder, windowOffByOne, windowsBeforeFiltering
        case countIgnoresWindow, countsEverything
        case roundsDoubles, cutsText, losesEmptyBinary, shiftsDays, cutsTimes
        case neverStops, swallowsErrors, cursorSeesLaterWrites, snapshotsDiffer, lateMarks, staysOpen
        // Writing.
        case ignoresVersions, missingIsNoConflict, missingIsNeverReported, ignoresUniqueness, uniqueNulls,
            checksEveryStep,
            halfWrittenSave
        case ignoresReferences, ignoresReferencesOnDelete, writesAllColumns, keepsVersions
        case repeatsIdentifiers, ignoresExplicitIdentifiers, startsAtZero
        case bulkKeepsRowsOfFailure, bulkLeavesGaps, bulkNamesNoPlace, bulkRefusesForwardReferences
        case bulkKnowsNoConflicts, bulkUpdatesReplace, bulkRejectsAlone, bulkNeverChecks, bulkForgetsMetadata
        case bulkReadsBefore, bulkHidesIdentifiers, bulkNumbersRefused, bulkKeepsPairs, bulkForgetsRowsAfterCheck
        // Unique keys and indexes of several attributes.
        case ignoresTogether, forgetsReferenceTogether, uniqueNullsTogether, checksEveryStepTogether
        case findsByFirstOfTogether, bulkNamesFirstOfTogether, bulkKnowsNothingTogether
        // Join rows.
        case losesRemovals, refusesKnownPairs, addsBeforeRemoving, checksPairsFirst, keepsPairsOfDeleted
        case losesPairsOfReplaced, pairsRaiseVersions, keepsPairsOfFailure, ignoresDanglingPairs, ignoresPositions
        case keepsOldPositions, forgetsSymmetry, confusesSides, acceptsUnknownJoins, ignoresOneToOne
        // Conditions on related objects.
        case nullLeadsSomewhere, oneIsNotEnough, negatesInside, forgetsStoredSide, followsAnyPair, followsOneWay
        case confusesLevels, ignoresNesting, failsForStrangers, countsStrangers
        // Paths.
        case pathsAreNull, pathsFailForStrangers, sortsByFirstStep, sortsByPropertiesOnly
        // Transactions.
        case commitsAlways, savesAtOnce, writesHalfOfConflicts, transactionsStayOpen, cursorSeesOwnSaves
        // Set-based changes.
        case setsRaiseEveryVersion, setsSwallowErrors, setsForgetConditions
    }

    let fault: Fault
    let base: InMemoryStore
    /// The identifiers in the order in which they were inserted.
    let order = Guarded<[Int64]>([])
    let isClosed = Guarded(false)
    /// Every join row of articles and tags that was ever added.
    let everAdded = Guarded<[JoinRow]>([])

    init(_ fault: Fault, model: ManagedObjectModel) throws {
        self.fault = fault
        base = InMemoryStore(model: try fault.model(model))
    }

    var model: ManagedObjectModel { base.model }

    func information() throws -> StoreInformation { try base.information() }

    func metadata(forKey key: String) throws -> String? { try base.metadata(forKey: key) }

    func close() throws {
        if fault != .staysOpen { try base.close() }
    }
}

extension BrokenStore.Fault {
    /// Returns the model without the rule that the store ignores.
    fileprivate func model(_ model: ManagedObjectModel) throws -> ManagedObjectModel {
        try ManagedObjectModel(
            model.entities.map { entity in
                EntityDescription(
                    entity.name,
                    entity.properties.filter { self != .ignoresOneToOne || $0.name != "passport" }.map { property in
                        if self == .ignoresOneToOne, case .relationship(let relationship) = property,
                            relationship.name == "holder"
                        {
                            return .relationship(.init("holder", to: "Person", .toOne))
                        }
                        guard case .attribute(var attribute) = property else { return property }
                        if self == .ignoresUniqueness { attribute.isUnique = false }
                        return .attribute(attribute)
                    }, uniquenessConstraints: constraints(of: entity), indexes: entity.indexes)
            })
    }

    private func constraints(of entity: EntityDescription) -> [[String]] {
        switch self {
        case .ignoresTogether: []
        case .forgetsReferenceTogether: entity.uniquenessConstraints.filter { !$0.contains("room") }
        default: entity.uniquenessConstraints
        }
    }
}
