import StrataTestSupport
import Testing

@testable import StrataCore
@testable import StrataInMemory

@Suite("Indexes of the in-memory store")
struct InMemoryIndexTests {
    private typealias Entry = InMemoryIndex.IndexEntry

    private static func ids(_ key: Int64, _ index: InMemoryIndex) -> [Int64] {
        var ids: [Int64] = []
        #expect(index.appendIDs(of: key, to: &ids, limit: .max))
        return ids
    }

    @Test(
        "an index returns its inserted and not removed entries in the order of identifiers",
        arguments: Seeds.first(3, of: UInt64(1)...20))
    func walk(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var expected: [Int64: Set<Int64>] = [:]
        // Some keys have more entries than a chunk, and some have few.
        let keys: [Int64] = [.min, -1, 0, 5, .max] + (10..<200)
        func entry() -> Entry {
            let key = Int.random(in: 0..<2, using: &random) == 0 ? 5 : keys.randomElement(using: &random) ?? 0
            return Entry(key: key, id: .random(in: 1...4_000, using: &random))
        }
        let first = (0..<Int.random(in: 0...1_500, using: &random)).map { _ in entry() }
        for entry in first { expected[entry.key, default: []].insert(entry.id) }
        var index = InMemoryIndex(expected.flatMap { key, ids in ids.map { Entry(key: key, id: $0) } })
        for step in 1...6_000 {
            let entry = entry()
            if step > 3_000, step < 5_000 || Int.random(in: 0..<2, using: &random) == 0 {
                index.remove(entry)
                expected[entry.key]?.remove(entry.id)
            } else if expected[entry.key, default: []].insert(entry.id).inserted {
                index.insert(entry)
            }
            if step % 1_000 == 0 {
                for key in keys + [7, -2] { #expect(Self.ids(key, index) == (expected[key] ?? []).sorted()) }
            }
        }
        for (key, ids) in expected { for id in ids { index.remove(Entry(key: key, id: id)) } }
        for key in keys { #expect(Self.ids(key, index).isEmpty) }
    }

    @Test("a copy of an index does not contain entries added to the original index later")
    func copies() {
        var index = InMemoryIndex((1...2_000).map { Entry(key: $0 % 3, id: $0) })
        let copy = index
        index.insert(Entry(key: 1, id: 5_000))
        index.remove(Entry(key: 1, id: 4))
        #expect(Self.ids(1, copy) == Array(stride(from: 1, through: 2_000, by: 3)))
        #expect(Self.ids(1, index) == [1] + Array(stride(from: 7, through: 2_000, by: 3)) + [5_000])
    }

    @Test("an index returns at most as many identifiers as the limit", arguments: [0, 1, 699, 700])
    func limit(_ limit: Int) {
        let index = InMemoryIndex((1...1_400).map { Entry(key: $0 % 2, id: $0) })
        var ids: [Int64] = []
        #expect(index.appendIDs(of: 1, to: &ids, limit: limit) == (limit >= 700))
        #expect(ids.count == limit)
    }

    @Test("equal values of different types have the same index key")
    func keys() throws {
        func decimal(_ unscaled: Int64, _ scale: UInt8) -> StoredValue {
            .decimal(ScaledDecimal(unscaled: unscaled, scale: scale))
        }
        let equal: [(StoredValue, StoredValue)] = [
            (.integer(3), .double(3)), (.integer(-3), decimal(-300, 2)), (decimal(570, 2), decimal(57, 1)),
            (.double(0.0), .double(-0.0)), (.integer(0), decimal(0, 18)), (.null, .null),
            (.string("\u{e9}"), .string("\u{e9}")), (.double(0x1p62), .integer(1 << 62)),
            (.boolean(true), .boolean(true)),
        ]
        for (left, right) in equal {
            #expect(left == right && left.indexKey == right.indexKey, "\(left) and \(right)")
        }
    }
}
