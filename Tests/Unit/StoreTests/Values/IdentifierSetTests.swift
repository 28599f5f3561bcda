import StrataCore
import StrataStoreKit
import StrataTesting
import Testing

@Suite("Sets of identifiers")
struct IdentifierSetTests {
    @Test("identifiers are enumerated in ascending order in chunks", arguments: [1, 7, 1_000])
    func random(size: Int) {
        var (set, expected) = (IdentifierSet(isComplete: true), Set<Int64>())
        #expect(set.isEmpty)
        var random = SystemRandomNumberGenerator()
        for _ in 0..<500 {
            // The identifiers are in near and distant pages, and adjacent in one word.
            let id = Int64.random(in: 0..<300, using: &random) * [1, 63, 4_095, 1 << 40].randomElement(using: &random)!
            set.insert(id)
            expected.insert(id)
        }
        for id in expected where id % 5 == 0 {
            set.remove(id)
            expected.remove(id)
        }
        var chunks: [[Int64]] = []
        set.forEachChunk(of: size) { chunks.append($0) }
        #expect(chunks.flatMap(\.self) == expected.sorted())
        #expect(chunks.dropLast().allSatisfy { $0.count == size })
        #expect(expected.allSatisfy(set.contains) && !set.contains(-1) && !set.contains(5))
        #expect(set.isComplete)
    }

    @Test("an insertion into a full set of identifiers marks the set as incomplete")
    func full() {
        var set = IdentifierSet(isComplete: true)
        for page in 0..<Int64(16_384) { set.insert(page << 30) }
        #expect(set.isComplete)
        set.insert(1 << 50)
        #expect(!set.isComplete && !set.contains(1 << 50) && set.contains(1 << 30))
    }

    @Test("inserting a negative identifier marks the set as incomplete")
    func negative() {
        var set = IdentifierSet(isComplete: true)
        set.insert(-1)
        #expect(!set.isComplete && !set.contains(-1))
    }
}
