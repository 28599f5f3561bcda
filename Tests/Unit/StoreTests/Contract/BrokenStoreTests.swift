import StrataPersistence
import StrataTesting
import Testing

@Suite("Broken stores")
struct BrokenStoreTests {
    /// The rule that must detect each fault.
    static let faults: [(BrokenStore.Fault, String)] = [
        (.nullsLast, "strings are compared by their UTF-8 bytes"),
        (.canonicalStrings, "strings are compared by their UTF-8 bytes"),
        (.unknownTruth, "a condition that is not true is false, and its negation is true"),
        (.wrappingArithmetic, "overflow and division by zero are errors"),
        (.evaluatesEverything, "a condition is evaluated from left to right until its result is decided"),
        (.foldsUnicode, "a case-insensitive search ignores the case of the letters A to Z only"),
        (.likeIsContains, "a pattern must match the whole text; * matches any characters, and ? one Unicode scalar"),
        (
            .comparesLetters,
            "texts with a format are ordered by their meaning, and equal only if their bytes are equal"
        ),
        (.dropsTiebreak, "rows with equal sort keys are sorted by ascending identifier"),
        (.ignoresSecondSortKey, "the first sort key has the highest priority"),
        (.insertionOrder, "rows are sorted by identifier if there is no sort key"),
        (.windowOffByOne, "limit and offset select from the sorted rows"),
        (.windowsBeforeFiltering, "limit and offset apply to the rows that the condition selects"),
        (.countIgnoresWindow, "limit and offset select from the sorted rows"),
        (.countsEverything, "a count equals the number of rows that a fetch returns"),
        (.roundsDoubles, "a double is read back unchanged to the last bit"),
        (.cutsText, "a stored string is read back byte for byte"),
        (.losesEmptyBinary, "binary values are read back unchanged, including empty ones"),
        (.shiftsDays, "a day is read back unchanged"),
        (.cutsTimes, "a time of day is read back unchanged to the nanosecond"),
        (.neverStops, "a fetch ends when its closure returns stop"),
        (.swallowsErrors, "a fetch rethrows the error of its closure"),
        (.cursorSeesLaterWrites, "a cursor does not read writes made after it was opened"),
        (.snapshotsDiffer, "snapshots opened together show the same state, regardless of later writes"),
        (.lateMarks, "a snapshot contains the next identifiers and the metadata of its opening"),
        (.staysOpen, "a closed store rejects every call, and can be closed again"),
        (.ignoresVersions, "a change based on an outdated version is a conflict, and nothing is written"),
        (.missingIsNoConflict, "updating a missing row is a conflict"),
        (.missingIsNeverReported, "deleting a missing row is a conflict on request, and nothing is written"),
        (.ignoresUniqueness, "a save with a duplicate unique value is rejected"),
        (.uniqueNulls, "several rows may have null in a unique attribute"),
        (.checksEveryStep, "two rows can exchange their unique values in one save"),
        (.halfWrittenSave, "a failed save writes nothing"),
        (.ignoresReferences, "a dangling reference is rejected on insert and on update"),
        (.ignoresReferencesOnDelete, "a row that other rows reference cannot be deleted"),
        (.writesAllColumns, "an update writes only the changed columns"),
        (.keepsVersions, "an inserted row has version 1, and each update raises the version by one"),
        (.repeatsIdentifiers, "reserved identifiers begin at 1 and are never reserved again"),
        (.ignoresExplicitIdentifiers, "an explicit identifier raises the next identifier"),
        (.startsAtZero, "reserved identifiers begin at 1 and are never reserved again"),
        (.bulkKeepsRowsOfFailure, "a bulk insert stores all of its rows or none"),
        (.bulkLeavesGaps, "bulk rows without an identifier get the next identifiers without gaps"),
        (.bulkNamesNoPlace, "a bulk insert with dangling references reports the location of the first such row"),
        (.bulkRefusesForwardReferences, "bulk rows may reference rows that are inserted later"),
        (
            .bulkKnowsNoConflicts,
            "a bulk row with an existing identifier or unique value is skipped if conflicts are ignored"
        ),
        (.bulkUpdatesReplace, "a bulk update writes only the present columns, and raises the row's version by one"),
        (.bulkRejectsAlone, "bulk rows with dangling references are rejected, with all rows that reference them"),
        (.bulkNeverChecks, "the references of bulk rows can be checked before the end of the transaction"),
        (.bulkForgetsMetadata, "metadata is stored with the bulk rows of its transaction, or not at all"),
        (.bulkReadsBefore, "bulk rows can be read before the end of the transaction as they would be stored"),
        (.bulkHidesIdentifiers, "inserting a bulk row that exists already returns the identifier of the stored row"),
        (.bulkNumbersRefused, "a rejected bulk row consumes no identifier"),
        (.bulkKeepsPairs, "join rows with a rejected bulk row at either end are dropped"),
        (
            .bulkForgetsRowsAfterCheck,
            "bulk rows inserted after a check cannot reference a row that the check rejected"
        ),
        (.ignoresTogether, "a duplicate of a unique combination of values is rejected"),
        (.forgetsReferenceTogether, "a reference can be part of a unique combination of values"),
        (.uniqueNullsTogether, "a unique combination that contains null may occur in several rows"),
        (.checksEveryStepTogether, "two rows can exchange the values of a unique combination in one save"),
        (
            .findsByFirstOfTogether,
            "rows are found by values that are unique or indexed together, also after changes"
        ),
        (
            .bulkNamesFirstOfTogether,
            "a bulk row with a duplicate unique combination is reported with location and attributes"
        ),
        (
            .bulkKnowsNothingTogether,
            "a bulk row with an existing unique combination is skipped, or updates the stored row"
        ),
        (.losesRemovals, "join rows are added, removed, and found from both ends"),
        (.refusesKnownPairs, "adding an existing join row or removing a missing join row changes nothing"),
        (.addsBeforeRemoving, "a save removes join rows before it adds join rows"),
        (.checksPairsFirst, "a join row may reference rows inserted in the same save"),
        (.keepsPairsOfDeleted, "deleting a row deletes its join rows"),
        (.losesPairsOfReplaced, "a row whose unique value changes keeps its join rows"),
        (.pairsRaiseVersions, "changes of join rows raise no version and never conflict"),
        (.keepsPairsOfFailure, "a failed save leaves the join rows unchanged"),
        (.ignoresDanglingPairs, "a dangling join row is rejected, and nothing is written"),
        (.ignoresPositions, "join rows are sorted by owner, then by position with null first, then by the other end"),
        (.keepsOldPositions, "adding a join row stores the given position, also if the join row exists already"),
        (.forgetsSymmetry, "a symmetric join row is stored once, whichever end is listed first"),
        (.confusesSides, "the two ends of a join row between rows of one entity are distinguished"),
        (.acceptsUnknownJoins, "join rows of an unknown relationship are rejected"),
        (.ignoresOneToOne, "a second reference to the same row in a one-to-one relationship is rejected"),
        (.nullLeadsSomewhere, "a condition follows a reference, and is false if the reference is null"),
        (.oneIsNotEnough, "a to-many condition needs at least one related object that fulfills it"),
        (.negatesInside, "a negated condition on related objects is true if no object fulfills the condition"),
        (.forgetsStoredSide, "a one-to-one relationship is followed from the sides with and without the column"),
        (.followsAnyPair, "many-to-many relationships are followed from both ends"),
        (
            .followsOneWay,
            "a symmetric relationship is followed from both ends, and an asymmetric one in one direction"
        ),
        (.confusesLevels, "nested conditions on an entity's relationship to itself apply to the right level"),
        (.ignoresNesting, "conditions on related objects can be nested"),
        (.failsForStrangers, "a condition on related objects fails only if a related object causes an error"),
        (.countsStrangers, "related objects that fulfill a condition can be counted"),
        (.pathsAreNull, "a path across to-one relationships returns a value, or null without a related object"),
        (
            .pathsFailForStrangers,
            "an operand across a relationship fails only if a related object causes an error"
        ),
        (.sortsByPropertiesOnly, "rows can be sorted by a calculated value, with null first"),
        (.forgetsFunctions, "case conversion, trimming and length follow Unicode's rules, and return null for null"),
        (.swallowsOverflow, "a function whose result overflows is an error unless the function is never evaluated"),
        (.roundsToEven, "numbers are rounded exactly, with halves away from zero, and absolute values are exact"),
        (
            .sortsByFirstStep,
            "rows are sorted by a path across to-one relationships, with rows without a value first"
        ),
        (.commitsAlways, "a transaction stores all of its saves if it commits, and nothing otherwise"),
        (.savesAtOnce, "a transaction reads its own saves, and other readers see them after the commit"),
        (
            .writesHalfOfConflicts,
            "a save with a conflict writes nothing, and its transaction continues"
        ),
        (
            .cursorSeesOwnSaves,
            "a transaction counts its own saves, and an open cursor does not return later saves"
        ),
        (
            .setsRaiseEveryVersion,
            "a set-based update raises only the versions of rows whose values it changes"
        ),
        (
            .setsSwallowErrors,
            "a set-based change that breaks uniqueness or a reference is rejected and changes nothing"
        ),
        (.setsForgetConditions, "a set-based deletion deletes the join rows of the deleted rows"),
        (.transactionsStayOpen, "a transaction throws if it is used after its end, and transactions cannot be nested"),
    ]

    @Test("a store with a fault violates the contract rule that the fault breaks", arguments: faults)
    func fails(_ fault: BrokenStore.Fault, _ rule: String) throws {
        let check = try #require(StoreContract.checks.first { $0.rule == rule })
        let violations = try check.violations { try BrokenStore(fault, model: $0) }
        #expect(!violations.isEmpty)
        #expect(violations.allSatisfy { $0.rule == rule })
    }

    @Test("the table of faults lists every fault exactly once")
    func complete() {
        #expect(Self.faults.map(\.0).count == BrokenStore.Fault.allCases.count)
        #expect(Set(Self.faults.map(\.0)) == Set(BrokenStore.Fault.allCases))
    }

    @Test("a store with a fault fulfills a rule that the fault does not affect")
    func holdsElsewhere() throws {
        let check = try #require(
            StoreContract.checks.first { $0.rule == "rows are sorted by identifier if there is no sort key" })
        for fault in [BrokenStore.Fault.nullsLast, .ignoresVersions, .ignoresUniqueness, .bulkLeavesGaps] {
            #expect(try check.violations { try BrokenStore(fault, model: $0) } == [], "\(fault)")
        }
    }
}
