import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataTestSupport
import StrataTesting
import Testing

/// Random walks through the pages of random orders, with insertions and deletions between pages.
@Suite("Random walks through pages")
struct RandomPageTests {
    private static let walksPerSeed = 100

    @Test(
        "every page has the rows after the place of its token, also after insertions and deletions",
        arguments: StoreKind.allCases, Seeds.first(1, of: UInt64(1)...100))
    func agree(_ kind: StoreKind, _ seed: UInt64) throws {
        let stack = try kind.stack(try ManagedObjectModel(records: [Sample.self]), mainQueue: .private)
        try stack.background.performAndWait { context in
            let world = World(seed)
            for _ in 1...12 { try world.insert(context) }
            try context.save()
            for number in 1...Self.walksPerSeed {
                try world.walk(context, "\(kind), seed \(seed), walk \(number)")
                context.reset()
            }
        }
    }

    /// The rows of a store, and the walks through them.
    private final class World {
        private var random: SeededGenerator
        private var rows: [StoredRow] = []
        private var last: Int64 = 0
        private let values = RandomValues()

        init(_ seed: UInt64) {
            random = SeededGenerator(seed: seed)
        }

        func insert(_ context: ConfinedContext) throws {
            last += 1
            let row = StoredRow(id: last, values: values.row(using: &random))
            try context.insert(try Sample.entity.record(from: row))
            rows.append(row)
        }

        private func delete(_ context: ConfinedContext) throws {
            guard rows.count > 4, let row = rows.randomElement(using: &random) else { return }
            let id = LibraryID(unchecked: row.id)
            context.delete(try context.existingObject(with: id, of: Sample.self))
            rows.removeAll { $0.id == row.id }
        }

        /// Reads pages forward and backward, and compares each with the rows after or before the place of its token.
        func walk(_ context: ConfinedContext, _ name: Comment) throws {
            let keys = (0..<Int.random(in: 0...3, using: &random)).map { _ in
                (column: Int.random(in: 0..<15, using: &random) - 1, isDescending: Bool.random(using: &random))
            }
            let names = ["id"] + Sample.entity.description.columns.map(\.name)
            let sort = keys.map { key in
                SortKey<Sample>(names[key.column + 1], order: key.isDescending ? .reverse : .forward)
            }
            let request = FetchRequest<Sample>(sort: sort)
            let size = Int.random(in: 1...rows.count + 1, using: &random)
            let isPending = Int.random(in: 0...3, using: &random) == 0
            var page = try context.page(request, size: size)
            expect(page, sorted(by: keys).prefix(size).map(\.id), name)
            var place: (StoredRow, StoredRow)?
            for step in 1...10 {
                if let first = page.records.first, let last = page.records.last {
                    place = (try Sample.entity.row(of: first), try Sample.entity.row(of: last))
                }
                let goesBack = page.previous != nil && Int.random(in: 0...2, using: &random) == 0
                guard let token = goesBack ? page.previous : page.next, let (first, last) = place else { break }
                let wasEmpty = page.records.isEmpty
                if Bool.random(using: &random) { try insert(context) }
                if Bool.random(using: &random) { try delete(context) }
                if !isPending { try context.save() }
                page = try context.page(request, size: size, after: token)
                if wasEmpty { break }
                let order = sorted(by: keys)
                let wanted =
                    goesBack
                    ? order.filter { precedes($0, first, keys) }.suffix(size)
                    : order.filter { precedes(last, $0, keys) }.prefix(size)
                expect(page, wanted.map(\.id), "\(name), step \(step)")
            }
            try context.save()
        }

        private func expect(_ page: Page<Sample>, _ wanted: [Int64], _ name: Comment) {
            #expect(page.records.map(\.id.rawValue) == wanted, name)
        }

        private func sorted(by keys: [(column: Int, isDescending: Bool)]) -> [StoredRow] {
            rows.sorted { precedes($0, $1, keys) }
        }

        private func precedes(
            _ left: StoredRow, _ right: StoredRow, _ keys: [(column: Int, isDescending: Bool)]
        ) -> Bool {
            for key in keys {
                let (first, second) = (value(left, key.column), value(right, key.column))
                if first != second { return (first < second) != key.isDescending }
            }
            return left.id < right.id
        }

        private func value(_ row: StoredRow, _ column: Int) -> StoredValue {
            column < 0 ? .integer(row.id) : row.values[column]
        }
    }
}
