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

/// Random requests over random data with random unsaved changes: contexts must agree with a separate evaluator over
/// plain arrays.
///
/// Each world has 60 requests, in a root context and in a child, over every store, and each request is made for objects
/// and in one other way.
@Suite("Random requests across relationships in contexts")
struct RandomCompanyRequestTests {
    private static let requestsPerWorld = 60

    @Test(
        "contexts answer random requests across relationships correctly, including unsaved changes",
        arguments: Seeds.first(1, of: UInt64(1)...40))
    func agree(seed: UInt64) throws {
        for kind in StoreKind.everyKind {
            for isChild in [false, true] {
                let world = try World(seed, kind, isChild: isChild)
                for number in 1...Self.requestsPerWorld { try world.ask(number) }
                #expect(world.partial > 2, "seed \(seed): the conditions are worth asking")
            }
        }
    }

    /// A company in a stack and in arrays.
    final class World: @unchecked Sendable {  // SAFETY: used by one test, in the closures of its contexts only.
        private let seed: UInt64
        private let name: String
        private let stack: TestStack
        private let parent: ManagedObjectContext
        private let context: ManagedObjectContext
        private var company: RandomCompany
        private var generator: RandomRelatedConditions
        private var isDirty = false
        private(set) var partial = 0

        init(_ seed: UInt64, _ kind: StoreKind, isChild: Bool) throws {
            self.seed = seed
            name = "\(kind)\(isChild ? ", child" : "")"
            let model = try Company.model()
            stack = try kind.stack(model)
            generator = RandomRelatedConditions(random: SeededGenerator(seed: seed))
            company = RandomCompany(model, using: &generator.random)
            _ = try stack.container.coordinator.store.save(company.changes)
            parent = stack.container.newBackgroundContext(name: "parent")
            context = isChild ? parent.newChildContext() : parent
        }

        private func isChosen(_ percent: Int) -> Bool { generator.chance(percent) }

        func ask(_ number: Int) throws {
            if isChosen(60) {
                // A child's changes are invisible to others until its save, so the parent changes only objects that the
                // child did not.
                let place = isChosen(40) && !isDirty ? parent : context
                isDirty = isDirty || place === context
                try place.performAndWait { context in
                    for _ in 0..<Int.random(in: 1...6, using: &generator.random) {
                        guard let change = company.change(using: &generator.random) else { continue }
                        // A department's head has no inverse relationship, so nothing clears the reference.
                        for change in company.headsLost(by: change) + [change] {
                            try context.make(change)
                            company.apply(change)
                        }
                    }
                }
            }
            if isChosen(15) {
                try context.performAndWait { context in _ = try context.save() }
                isDirty = false
                if context !== parent, isChosen(50) { try parent.performAndWait { context in _ = try context.save() } }
            }
            let entity = RandomRelatedConditions.relationships.keys.sorted()[number % 6]
            let condition = generator.condition(entity, depth: 3)
            guard let type = Company.type(of: entity) else { return }
            try ask(type, condition, "seed \(seed), \(name), request \(number): \(entity) where \(condition)")
        }

        private func ask<Record: CompanyRecord>(
            _ type: Record.Type, _ condition: FetchCondition, _ text: String
        ) throws {
            var request = FetchRequest<Record>(.condition(condition))
            for path in Record.sortPaths.shuffled(using: &generator.random).prefix(
                .random(in: 0...2, using: &generator.random))
            {
                request.sort.append(SortKey(path, order: isChosen(50) ? .forward : .reverse))
            }
            if isChosen(40), let key = Record.sortKeys.randomElement(using: &generator.random) {
                request.sort.insert(key, at: 0)
            }
            if isChosen(50) { request.limit = .random(in: 0...6, using: &generator.random) }
            if isChosen(40) { request.offset = .random(in: 0...4, using: &generator.random) }
            let expected = try select(request, condition)
            let comment: Comment =
                "\(text) sort \(try request.lowered().sort) limit \(request.limit ?? -1) offset \(request.offset)"
            let way = Int.random(in: 0..<4, using: &generator.random)
            try context.performAndWait { [request] context in
                let objects = try context.fetch(request)
                #expect(objects.map { StoredRow(id: $0.rawID, values: $0.currentRow().values) } == expected, comment)
                switch way {
                case 0: #expect(try context.count(request) == expected.count, comment)
                case 1: #expect(try context.fetchIdentifiers(request).map(\.rawValue) == expected.map(\.id), comment)
                case 2:
                    var ids: [Int64] = []
                    try context.fetch(request, inBatchesOf: 3) { ids += $0.map(\.rawID) }
                    #expect(ids == expected.map(\.id), comment)
                default:
                    let records = try context.fetchRecords(request)
                    #expect(
                        try records.map { StoredRow(id: $0.id.rawValue, values: try Record.entity.row(of: $0).values) }
                            == expected, comment)
                }
            }
        }

        private func select<Record: CompanyRecord>(
            _ request: FetchRequest<Record>, _ condition: FetchCondition
        ) throws -> [StoredRow] {
            let entity = Record.entity.description
            let rows = company.rows[entity.name] ?? []
            let chosen = try rows.filter { try ReferenceEvaluator($0, entity, in: company).holds(condition) }
            if !chosen.isEmpty, chosen.count < rows.count { partial += 1 }
            let keys = try request.sort.map { try $0.lowered(of: request.entity) }
            let sorted = try chosen.sorted { left, right in
                for key in keys {
                    let sign = try ReferenceEvaluator.order(
                        try ReferenceEvaluator(left, entity, in: company).value(path: key.property ?? ""),
                        try ReferenceEvaluator(right, entity, in: company).value(path: key.property ?? ""))
                    if sign != 0 { return (sign < 0) != key.isDescending }
                }
                return left.id < right.id
            }
            return Array(sorted.dropFirst(request.offset).prefix(request.limit ?? Int.max))
        }
    }
}

extension ConfinedContext {
    /// Makes a change of a company in this context.
    fileprivate func make(_ change: CompanyChange) throws {
        // Every lookup of the public interface does the same.
        try processPendingChanges()
        switch change {
        case .write(let entity, let id, let column, let value):
            try #require(try reader.objects(withRawIDs: [id], of: entity).first).typed.write(value, column: column)
        case .insert(let entity, let row):
            func insert<Record: CompanyRecord>(_ type: Record.Type) throws {
                try self.insert(try Record.entity.record(from: row))
            }
            guard let type = Company.type(of: entity) else { return }
            try insert(type)
        case .delete(let entity, let id): delete(try #require(try reader.objects(withRawIDs: [id], of: entity).first))
        case .join(let name, let pair): try join(name, pair, isAdded: true)
        case .unlink(let name, let pair): try join(name, pair, isAdded: false)
        }
    }

    private func join(_ name: String, _ pair: JoinPair, isAdded: Bool) throws {
        func find<Record: CompanyRecord>(_ id: Int64, _ type: Record.Type) throws -> Managed<Record> {
            try existingObject(with: try #require(LibraryID(rawValue: id)), of: type)
        }
        func change<Source: CompanyRecord, Target: CompanyRecord>(
            _ forth: KeyPath<Source.Type, ToMany<Source, Target>>, _ back: KeyPath<Target.Type, ToMany<Target, Source>>
        ) throws {
            let (source, target) = (try find(pair.source, Source.self), try find(pair.target, Target.self))
            switch (isAdded, (pair.source + pair.target) % 2 == 0) {
            case (true, true): try add(target, to: forth, of: source)
            case (true, false): try add(source, to: back, of: target)
            case (false, true): try remove(target, from: forth, of: source)
            case (false, false): try remove(source, from: back, of: target)
            }
        }
        switch name {
        case "Person_friends": try change(\Company.Person.Type.friends, \Company.Person.Type.friends)
        case "Person_follows": try change(\Company.Person.Type.follows, \Company.Person.Type.followers)
        default: try change(\Company.Article.Type.tags, \Company.Label.Type.articles)
        }
    }
}
