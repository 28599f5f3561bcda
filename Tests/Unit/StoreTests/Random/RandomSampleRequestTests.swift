import Foundation
import PersistenceTestSupport
import StrataTestSupport
import StrataTesting
import Testing

@testable import StrataCore
@testable import StrataInMemory
@testable import StrataPersistence
@testable import StrataSQLite
@testable import StrataStoreKit

/// A record with one value of each type, for the contract's entity `Sample`.
struct Sample: PersistentRecord {
    let id: LibraryID
    var label: String
    var text: String?
    var short: Int16?
    var medium: Int32?
    var long: Int64?
    var ratio: Double?
    var price: Decimal?
    var weight: Decimal?
    var flag: Bool?
    var instant: Date?
    var token: UUID?
    var bytes: Data?
    var birthday: Day?
    var opening: TimeOfDay?

    static let sortPaths: [any PartialKeyPath<Sample> & Sendable] = [
        \.label, \.text, \.short, \.medium, \.long, \.ratio, \.price, \.weight, \.flag, \.instant, \.token, \.bytes,
        \.birthday, \.opening, \.id,
    ]

    static let entity = RecordEntity<Sample>(
        "Sample", id: \.id,
        [
            .attribute("label", \.label, default: .constant(.string("none"))),
            .attribute("text", \.text, isIndexed: true), .attribute("short", \.short), .attribute("medium", \.medium),
            .attribute("long", \.long, isIndexed: true), .attribute("ratio", \.ratio),
            .attribute("price", \.price, scale: 2), .attribute("weight", \.weight, scale: 4),
            .attribute("flag", \.flag), .attribute("instant", \.instant), .attribute("token", \.token),
            .attribute("bytes", \.bytes), .attribute("birthday", \.birthday), .attribute("opening", \.opening),
        ]
    ) { row in
        Sample(
            id: try row.id(), label: try row.next(), text: try row.next(), short: try row.next(),
            medium: try row.next(),
            long: try row.next(), ratio: try row.next(), price: try row.next(), weight: try row.next(),
            flag: try row.next(),
            instant: try row.next(), token: try row.next(), bytes: try row.next(),
            birthday: try row.next(), opening: try row.next())
    }
}

/// Random requests over every type of value, with random unsaved changes.
@Suite("Random requests in contexts")
struct RandomSampleRequestTests {
    private static let requestsPerWorld = 20

    @Test(
        "contexts answer random requests over every type correctly, including unsaved changes",
        arguments: Seeds.first(1, of: UInt64(201)...216))
    func agree(seed: UInt64) throws {
        for kind in StoreKind.everyKind {
            for isChild in [false, true] {
                let world = try World(seed, kind, isChild: isChild)
                for number in 1...Self.requestsPerWorld { try world.ask(number) }
                #expect(world.partial > 2, "seed \(seed): the conditions are worth asking")
            }
        }
    }

    /// Forty rows in a stack and in an array.
    final class World: @unchecked Sendable {  // SAFETY: used by one test, in the closures of its contexts only.
        private let seed: UInt64
        private let name: String
        private let stack: TestStack
        private let parent: ManagedObjectContext
        private let context: ManagedObjectContext
        private var rows: [StoredRow]
        private var generator: RandomConditions
        private var isDirty = false
        private(set) var partial = 0

        init(_ seed: UInt64, _ kind: StoreKind, isChild: Bool) throws {
            self.seed = seed
            name = "\(kind)\(isChild ? ", child" : "")"
            stack = try kind.stack(try ManagedObjectModel(records: [Sample.self]))
            generator = RandomConditions(seed: seed)
            rows = []
            for id in Int64(1)...40 {
                rows.append(StoredRow(id: id, values: generator.values.row(using: &generator.random)))
            }
            var changes = ChangeSet()
            changes["Sample"].insertions = rows.map { .init(id: $0.id, values: $0.values) }
            _ = try stack.container.coordinator.store.save(changes)
            parent = stack.container.newBackgroundContext(name: "parent")
            context = isChild ? parent.newChildContext() : parent
        }

        func ask(_ number: Int) throws {
            if generator.chance(50) {
                let place = generator.chance(40) && !isDirty ? parent : context
                isDirty = isDirty || place === context
                try place.performAndWait { context in
                    for _ in 0..<Int.random(in: 1...6, using: &generator.random) { try change(context) }
                }
            }
            if generator.chance(15) {
                try context.performAndWait { context in _ = try context.save() }
                isDirty = false
            }
            let entity = Sample.entity.description
            while true {
                let condition = generator.condition(depth: 2)
                do {
                    let chosen = try rows.filter { try ReferenceEvaluator($0, entity).holds(condition) }
                    if !chosen.isEmpty, chosen.count < rows.count { partial += 1 }
                    try ask(condition, chosen, "seed \(seed), \(name), request \(number): \(condition)")
                    return
                } catch is ReferenceEvaluator.Unsupported {
                    continue
                }
            }
        }

        private func change(_ context: ConfinedContext) throws {
            let row = StoredRow(
                id: (rows.map(\.id).max() ?? 0) + 1, values: generator.values.row(using: &generator.random))
            let place = Int.random(in: rows.indices, using: &generator.random)
            switch Int.random(in: 0..<6, using: &generator.random) {
            case 0:
                try context.insert(try Sample.entity.record(from: row))
                rows.append(row)
            case 1 where rows.count > 5:
                try context.delete(try #require(LibraryID(rawValue: rows[place].id)), of: Sample.self)
                rows.remove(at: place)
            default:
                let id = try #require(LibraryID(rawValue: rows[place].id))
                try context.existingObject(with: id, of: Sample.self).write(row.values)
                rows[place].values = row.values
            }
        }

        private func ask(_ condition: FetchCondition, _ chosen: [StoredRow], _ text: String) throws {
            var request = FetchRequest<Sample>(.condition(condition))
            for _ in 0..<Int.random(in: 0...2, using: &generator.random) {
                let order: SortOrder = generator.chance(50) ? .forward : .reverse
                request.sort.append(
                    generator.chance(20)
                        ? SortKey(.function(.length, .property("text")), order: order)
                        : SortKey(generator.pick(Sample.sortPaths, or: \.id), order: order))
            }
            if generator.chance(60) { request.limit = .random(in: 0...20, using: &generator.random) }
            if generator.chance(40) { request.offset = .random(in: 0...10, using: &generator.random) }
            let lowered = try request.lowered()
            let sorted = try chosen.sorted { left, right in
                for key in lowered.sort {
                    let sign = try ReferenceEvaluator.order(
                        try ReferenceEvaluator(left, Sample.entity.description).value(
                            try key.operand(of: Sample.entity.description)),
                        try ReferenceEvaluator(right, Sample.entity.description).value(
                            try key.operand(of: Sample.entity.description)))
                    if sign != 0 { return (sign < 0) != key.isDescending }
                }
                return left.id < right.id
            }
            let expected = sorted.dropFirst(request.offset).prefix(request.limit ?? Int.max).map(\.id)
            let comment: Comment =
                "\(text) sort \(lowered.sort) limit \(request.limit ?? -1) offset \(request.offset)"
            try context.performAndWait { [request] (context) throws in
                #expect(try context.count(request) == expected.count, comment)
                #expect(try context.fetchIdentifiers(request).map(\.rawValue) == expected, comment)
                #expect(try context.fetch(request).map(\.rawID) == expected, comment)
                #expect(try context.fetchRecords(request).map(\.id.rawValue) == expected, comment)
            }
        }
    }
}
