import StrataPersistence
import StrataTesting
import Testing

@Suite("Broken stores")
struct BrokenStoreTests {
    /// The rule that must detect each fault.
    static let faults: [(BrokenStore.Fault, String)] = [
        (.nullsLast, "strings are compared by their UTF-8 bytes"),
        (.canonicalStrings, "strings are compared by their UTF-8 bytes"),
        (.unknownTruth, "truth has two values: what is not true is false, and its negation true"),
        (.wrappingArithmetic, "overflow and division by zero are errors"),
        (.evaluatesEverything, "a condition is evaluated from left to right and not beyond what decides it"),
        (.foldsUnicode, "ignoring case folds the letters A to Z and nothing else"),
        (.likeIsContains, "a pattern is the whole text: * is any characters, ? one Unicode scalar"),
        (
            .comparesLetters,
            "texts of a form are compared and sorted by what they mean, and are equal by their letters"
        ),
        (.dropsTiebreak, "rows that the sort keys leave equal come by identifier, ascending"),
        (.ignoresSecondSortKey, "the first sort key counts most"),
        (.insertionOrder, "without a sort key rows come by identifier"),
        (.windowOffByOne, "limit and offset cut the ordered rows"),
        (.windowsBeforeFiltering, "the window is cut after the condition"),
        (.countIgnoresWindow, "limit and offset cut the ordered rows"),
        (.countsEverything, "count is the number of rows that fetch gives"),
        (.roundsDoubles, "a double comes back to the last bit"),
        (.cutsText, "a string comes back byte for byte"),
        (.losesEmptyBinary, "binary comes back, the empty one too"),
        (.shiftsDays, "a day comes back"),
        (.cutsTimes, "a time of day comes back to the nanosecond"),
        (.neverStops, "a fetch ends when its body stops it"),
        (.swallowsErrors, "a fetch passes on what its body throws"),
        (.cursorSeesLaterWrites, "a cursor reads one state while others write"),
        (.snapshotsDiffer, "snapshots opened together show one state, whatever is written later"),
        (.lateMarks, "a snapshot knows the next identifiers and what users kept, as they were"),
        (.staysOpen, "a closed store refuses every call, and closes again"),
        (.ignoresVersions, "a row of another version is a conflict, and nothing is written"),
        (.missingIsNoConflict, "a missing row is a conflict of its update"),
        (.missingIsNeverReported, "a missing row is a conflict on request, and nothing is written"),
        (.ignoresUniqueness, "no two rows have the same unique value"),
        (.uniqueNulls, "nulls are not unique"),
        (.checksEveryStep, "two rows exchange their unique values in one save"),
        (.halfWrittenSave, "a save that fails writes nothing"),
        (.ignoresReferences, "a reference to what does not exist is refused, on insert and on update"),
        (.ignoresReferencesOnDelete, "a row that others refer to is not deleted"),
        (.writesAllColumns, "an update writes the changed columns and no other"),
        (.keepsVersions, "an inserted row has version 1, an update raises it by one"),
        (.repeatsIdentifiers, "reserved identifiers begin at 1 and are never given again"),
        (.ignoresExplicitIdentifiers, "an identifier given explicitly raises the mark"),
        (.startsAtZero, "reserved identifiers begin at 1 and are never given again"),
        (.bulkKeepsRowsOfFailure, "rows inserted in bulk are stored all or none"),
        (.bulkLeavesGaps, "rows are numbered on from the mark, without gaps"),
        (.bulkNamesNoPlace, "a dangling reference of a bulk insert is named by the first such row of the input"),
        (.bulkRefusesForwardReferences, "bulk rows may refer to rows that come later"),
        (
            .bulkKnowsNoConflicts,
            "a bulk row that is there already, by identifier or unique value, is left out where conflicts are ignored"
        ),
        (.bulkUpdatesReplace, "a bulk update writes the columns that a row has, and raises the version by one"),
        (.bulkRejectsAlone, "bulk rows with dangling references are rejected, with all that refer to them"),
        (.bulkNeverChecks, "the references of bulk rows are checked before the end on request"),
        (.bulkForgetsMetadata, "metadata is stored with the bulk rows, or not at all"),
        (.bulkReadsBefore, "bulk rows are read before the end as they would be stored"),
        (.bulkHidesIdentifiers, "a bulk row that is there already gets the identifier that it has there"),
        (.bulkNumbersRefused, "a bulk row that is refused takes no number"),
        (.bulkKeepsPairs, "a bulk row that is left out takes its pairs along, from both ends"),
        (
            .bulkForgetsRowsAfterCheck,
            "a rejected bulk row does not exist for rows that come after the check"
        ),
        (.ignoresTogether, "no two rows have the same values in what is unique together"),
        (.forgetsReferenceTogether, "a reference is a part of what is unique together"),
        (.uniqueNullsTogether, "a row with a null in what is unique together is free"),
        (.checksEveryStepTogether, "two rows exchange what is unique together in one save"),
        (
            .findsByFirstOfTogether,
            "rows are found by values that are unique or indexed together, whatever became of others"
        ),
        (
            .bulkNamesFirstOfTogether,
            "a bulk row whose values are taken together is named by its place and all attributes"
        ),
        (
            .bulkKnowsNothingTogether,
            "a bulk row that is there already by what is unique together is left out, or changes that row"
        ),
        (.losesRemovals, "pairs are added and removed, and found from both ends"),
        (.refusesKnownPairs, "adding a pair that is there, and removing one that is not, changes nothing"),
        (.addsBeforeRemoving, "pairs are removed before any is added"),
        (.checksPairsFirst, "a pair joins rows of the same save"),
        (.keepsPairsOfDeleted, "a deleted row's pairs go with it"),
        (.losesPairsOfReplaced, "a row whose unique value changes keeps its pairs"),
        (.pairsRaiseVersions, "pairs raise no version and never conflict"),
        (.keepsPairsOfFailure, "a save that fails leaves the pairs as they were"),
        (.ignoresDanglingPairs, "a pair with an end that does not exist is refused, and nothing is written"),
        (.ignoresPositions, "pairs come by owner, then by position, null first, then by the other end"),
        (.keepsOldPositions, "an added pair takes the positions it is given, and one that is there takes new ones"),
        (.forgetsSymmetry, "a symmetric pair is kept once, whichever end is named first"),
        (.confusesSides, "the two sides of an entity's join rows with itself are distinguished"),
        (.acceptsUnknownJoins, "pairs of a relationship that the model does not have are refused"),
        (.ignoresOneToOne, "no two rows of a one-to-one relationship refer to the same row"),
        (.nullLeadsSomewhere, "a reference is followed, and null has no object"),
        (.oneIsNotEnough, "of many related objects one is enough, and where there is none none is"),
        (.negatesInside, "the negation of a condition on related objects holds where none fulfils it"),
        (.forgetsStoredSide, "the side of a one-to-one relationship without a column is answered by the other"),
        (.followsAnyPair, "many-to-many relationships are followed from both ends"),
        (
            .followsOneWay,
            "a symmetric relationship is followed from either end, and the two sides of another are distinguished"
        ),
        (.confusesLevels, "an entity with a relationship to itself is distinguished at every level"),
        (.ignoresNesting, "conditions on related objects are nested"),
        (.failsForStrangers, "a condition on related objects is an error where it is one for a related object"),
        (.countsStrangers, "related objects that fulfil a condition are counted"),
        (.pathsAreNull, "a value is read across to-one relationships; it is null if there is no object"),
        (
            .pathsFailForStrangers,
            "an operand across a relationship is an error where it is one for the related object"
        ),
        (.sortsByPropertiesOnly, "rows are sorted by a value that is found for each, null first"),
        (.forgetsFunctions, "texts are made small, great, trimmed and counted by Unicode's rules, and null stays null"),
        (.swallowsOverflow, "a function whose result does not fit is an error, and one that is not reached is none"),
        (.roundsToEven, "numbers are rounded with a half away from zero, and lose their sign, exactly"),
        (
            .sortsByFirstStep,
            "rows are sorted by a path across to-one relationships, and rows without a value come first"
        ),
        (.commitsAlways, "what a transaction saves is stored when it commits, and none of it otherwise"),
        (.savesAtOnce, "a transaction reads its own saves, and others do after the commit"),
        (
            .writesHalfOfConflicts,
            "a conflict inside a transaction writes nothing of its save, and the transaction continues"
        ),
        (
            .cursorSeesOwnSaves,
            "a transaction counts what it saved, and its cursor gives the rows of when it was opened"
        ),
        (
            .setsRaiseEveryVersion,
            "rows that get new values by a set keep their versions where they have the values already"
        ),
        (.setsSwallowErrors, "a set that would break uniqueness or a reference leaves nothing behind"),
        (.setsForgetConditions, "rows that are deleted by a set take their pairs along"),
        (.transactionsStayOpen, "a transaction is of no use after its end, and none begins inside another"),
    ]

    @Test("a store with a fault fails the rule that it breaks", arguments: faults)
    func fails(_ fault: BrokenStore.Fault, _ rule: String) throws {
        let check = try #require(StoreContract.checks.first { $0.rule == rule })
        let violations = try check.violations { try BrokenStore(fault, model: $0) }
        #expect(!violations.isEmpty)
        #expect(violations.allSatisfy { $0.rule == rule })
    }

    @Test("the table lists every fault once")
    func complete() {
        #expect(Self.faults.map(\.0).count == BrokenStore.Fault.allCases.count)
        #expect(Set(Self.faults.map(\.0)) == Set(BrokenStore.Fault.allCases))
    }

    @Test("a store with a fault fulfills a rule that the fault does not affect")
    func holdsElsewhere() throws {
        let check = try #require(StoreContract.checks.first { $0.rule == "without a sort key rows come by identifier" })
        for fault in [BrokenStore.Fault.nullsLast, .ignoresVersions, .ignoresUniqueness, .bulkLeavesGaps] {
            #expect(try check.violations { try BrokenStore(fault, model: $0) } == [], "\(fault)")
        }
    }
}
