import PersistenceTestSupport
import StrataStoreKit
import StrataTesting
import Testing

@testable import StrataCore
@testable import StrataPersistence

/// Join rows of a bulk write whose ends are of one entity, in list columns of both ends and as separate records.
@Suite("Join rows of bulk rows")
struct BulkJoinRowTests {
    private func store(_ kind: StoreKind, _ folder: TemporaryFolder) throws -> any PersistentStore {
        try kind.open(
            try ManagedObjectModel([
                EntityDescription(
                    "Person",
                    [
                        .relationship(.init("mentors", to: "Person", .toMany, inverse: "pupils", isOrdered: true)),
                        .relationship(.init("pupils", to: "Person", .toMany, inverse: "mentors")),
                        .relationship(.init("friends", to: "Person", .toMany, inverse: "friends")),
                        .relationship(.init("boss", to: "Person", .toOne)),
                    ])
            ]), in: folder)
    }

    private func location(_ record: Int) -> RowLocation { RowLocation(line: record + 1, record: record) }

    private func row(_ source: Int64, _ target: Int64, _ record: Int, isOwnerNew: Bool = true) -> JoinRowInput {
        JoinRowInput(
            JoinRow(JoinPair(source: source, target: target)), location: location(record),
            isOwnerNew: isOwnerNew)
    }

    private func pairs(_ store: any PersistentStore, _ join: String) throws -> [[Int64]] {
        try store.joins(JoinRequest(join)).map { [$0.pair.source, $0.pair.target] }
            .sorted { $0.lexicographicallyPrecedes($1) }
    }

    private func insert(_ ids: [Int64], _ writer: any RowWriter, _ options: InsertOptions) throws -> any RowInserter {
        let inserter = try writer.inserter(of: "Person", options)
        for id in ids { try inserter.insert(id: id, values: [.null], location: location(Int(id))) }
        return inserter
    }

    @Test("the error names the first dangling join row in the order of the input", arguments: StoreKind.allCases)
    func first(_ kind: StoreKind) throws {
        let folder = try TemporaryFolder()
        let store = try store(kind, folder)
        let error = try persistenceError {
            try store.writeRows { writer in
                _ = try insert([1], writer, InsertOptions())
                for (join, options) in [("Person_mentors", InsertOptions()), ("Person_friends", InsertOptions())] {
                    let rows = try writer.pairInserter(of: join, options, owners: nil)
                    let isFirst = join == "Person_friends"
                    try rows.insert(row(1, 8, isFirst ? 2 : 4))
                    try rows.insert(row(7, 1, isFirst ? 6 : 3))
                }
                try writer.insert(
                    JoinRow(JoinPair(source: 1, target: 9)), of: "Person_mentors", location: location(5))
            }
        }
        #expect(error.location == location(2) && error.attribute == "friends" && error.value == "8")
    }

    @Test("a join row with a rejected source is reported with the source", arguments: StoreKind.allCases)
    func rejectedSource(_ kind: StoreKind) throws {
        let folder = try TemporaryFolder()
        let store = try store(kind, folder)
        var reports: [String] = []
        let options = InsertOptions(onMissingReference: .reject) {
            reports.append("\($0.location.record) \($0.error.attribute ?? "") \($0.error.value ?? "")")
        }
        try store.writeRows { writer in
            let people = try insert([2], writer, options)
            try people.insert(id: 1, values: [.integer(9)], location: location(1))
            try writer.pairInserter(of: "Person_mentors", options, owners: nil).insert(row(1, 2, 3))
        }
        #expect(reports == ["1 boss 9", "3 pupils 1"])
        #expect(try pairs(store, "Person_mentors").isEmpty)
    }

    @Test("a dangling join row of a rejected row is not counted as dropped", arguments: StoreKind.allCases)
    func rejectedOwner(_ kind: StoreKind) throws {
        let folder = try TemporaryFolder()
        let store = try store(kind, folder)
        var counts = InsertCounts()
        try store.writeRows { writer in
            let people = try insert([2], writer, InsertOptions(onMissingReference: .reject) { _ in })
            try people.insert(id: 1, values: [.integer(9)], location: location(1))
            let friends = try writer.pairInserter(
                of: "Person_friends", InsertOptions(onMissingReference: .null),
                owners: PairOwners(people, isSource: true))
            for owner in [1, 2] as [Int64] { try friends.insert(row(owner, 8, Int(owner))) }
            try writer.checkReferences()
            counts = friends.counts
        }
        #expect(counts.droppedPairs == 1)
        #expect(try pairs(store, "Person_friends").isEmpty)
    }

    @Test("rows with one location are each rejected if their list columns are dangling", arguments: StoreKind.allCases)
    func sameLocation(_ kind: StoreKind) throws {
        let folder = try TemporaryFolder()
        let store = try store(kind, folder)
        var values: [String] = []
        let options = InsertOptions(onMissingReference: .reject) { values.append($0.error.value ?? "") }
        try store.writeRows { writer in
            let people = try insert([1, 2, 3], writer, options)
            let friends = try writer.pairInserter(
                of: "Person_friends", options, owners: PairOwners(people, isSource: true))
            for pair in [row(1, 2, 4), row(2, 7, 4), row(2, 8, 4), row(3, 9, 4)] { try friends.insert(pair) }
        }
        // Person 1 refers to person 2, which is rejected because of its own list.
        #expect(Set(values) == ["7", "9", "2"] && values.count == 3)
        #expect(try store.rows(StoreRequest("Person")).isEmpty)
    }

    @Test("a rejected update restores the list columns of both ends", arguments: StoreKind.allCases)
    func bothEnds(_ kind: StoreKind) throws {
        let folder = try TemporaryFolder()
        let store = try store(kind, folder)
        try store.writeRows { writer in
            _ = try insert([1, 2, 3, 4], writer, InsertOptions())
            for (source, target) in [(1, 2), (3, 1)] as [(Int64, Int64)] {
                try writer.insert(
                    JoinRow(JoinPair(source: source, target: target), sourcePosition: 7), of: "Person_mentors",
                    location: location(1))
            }
        }
        var records: [Int] = []
        let options = InsertOptions(onConflict: .update, onMissingReference: .reject) {
            records.append($0.location.record)
        }
        try store.writeRows { writer in
            let people = try insert([1], writer, options)
            for (isSource, pair) in [(true, row(1, 9, 1, isOwnerNew: false)), (false, row(4, 1, 1, isOwnerNew: false))]
            {
                let rows = try writer.pairInserter(
                    of: "Person_mentors", options, owners: PairOwners(people, isSource: isSource))
                try writer.removePairs(of: 1, isSource: isSource, join: "Person_mentors")
                try rows.insert(pair)
                // The list column of a later row contains a join row of the rejected one.
                if !isSource {
                    try people.insert(id: 5, values: [.null], location: location(5))
                    try rows.insert(row(1, 5, 5))
                }
            }
        }
        #expect(records == [1])
        #expect(try pairs(store, "Person_mentors") == [[1, 2], [1, 5], [3, 1]])
        #expect(try store.joins(JoinRequest("Person_mentors")).map(\.sourcePosition).contains(7))
    }
}
