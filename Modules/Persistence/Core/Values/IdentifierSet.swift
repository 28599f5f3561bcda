/// Identifiers of one entity: a bit each, in pages, in a few megabytes at most.
///
/// `@inlinable`, because an import asks for every reference.
@usableFromInline
package struct IdentifierSet: Sendable {
    /// How many identifiers one page is for.
    @usableFromInline static let pageSize: Int64 = 4096
    /// 512 bytes each, so 8 MiB: a million identifiers in a row take 245 of them.
    private static let maximumPages = 16_384

    /// The pages that most identifiers are in, found without hashing; -1 where there is none.
    @usableFromInline static let nearPages: Int64 = 65_536

    @usableFromInline var near: [Int32] = []
    @usableFromInline var far: [Int64: Int] = [:]
    @usableFromInline var words: [UInt64] = []

    /// Whether every identifier there is was added: who adds them says so, and an addition for which there is no room takes it back.
    @usableFromInline package var isComplete: Bool

    /// An empty set.
    ///
    /// - Parameter isComplete: Whether there are no identifiers but those that will be added.
    package init(isComplete: Bool = false) {
        self.isComplete = isComplete
    }

    /// Whether nothing was ever added.
    package var isEmpty: Bool { words.isEmpty }

    /// Whether an identifier was added.
    @inlinable
    package func contains(_ id: Int64) -> Bool {
        guard id >= 0, let offset = offset(ofPage: id / Self.pageSize) else { return false }
        let bit = Int(id % Self.pageSize)
        return words[offset + bit >> 6] & 1 << UInt64(bit & 63) != 0
    }

    /// Adds an identifier; beyond the last page there is room for, the set is complete no longer.
    @inlinable
    package mutating func insert(_ id: Int64) {
        guard id >= 0 else {
            isComplete = false
            return
        }
        let page = id / Self.pageSize
        guard let offset = offset(ofPage: page) ?? makePage(page) else {
            isComplete = false
            return
        }
        let bit = Int(id % Self.pageSize)
        words[offset + bit >> 6] |= 1 << UInt64(bit & 63)
    }

    /// Forgets an identifier.
    package mutating func remove(_ id: Int64) {
        guard id >= 0, let offset = offset(ofPage: id / Self.pageSize) else { return }
        let bit = Int(id % Self.pageSize)
        words[offset + bit >> 6] &= ~(1 << UInt64(bit & 63))
    }

    /// Gives the identifiers, ascending, so many at once; the last may be fewer.
    package func forEachChunk(of size: Int, _ body: ([Int64]) throws -> Void) rethrows {
        var chunk: [Int64] = []
        let pages = near.indices.lazy.filter { near[$0] >= 0 }.map(Int64.init) + far.keys.sorted()
        for page in pages {
            guard let offset = offset(ofPage: page) else { continue }
            for word in 0..<Self.wordsInPage {
                var bits = words[offset + word]
                while bits != 0 {
                    chunk.append(page * Self.pageSize + Int64(word * 64 + bits.trailingZeroBitCount))
                    bits &= bits - 1
                    if chunk.count == size {
                        try body(chunk)
                        chunk = []
                    }
                }
            }
        }
        if !chunk.isEmpty { try body(chunk) }
    }

    /// Where a page's words begin.
    @inlinable
    func offset(ofPage page: Int64) -> Int? {
        guard page < Self.nearPages else { return far[page] }
        guard page < near.count else { return nil }
        let number = near[Int(page)]
        return number < 0 ? nil : Int(number) * Self.wordsInPage
    }

    @usableFromInline
    mutating func makePage(_ page: Int64) -> Int? {
        let number = words.count / Self.wordsInPage
        guard number < Self.maximumPages else { return nil }
        if page < Self.nearPages {
            while near.count <= page { near.append(-1) }
            near[Int(page)] = Int32(number)
        } else {
            far[page] = words.count
        }
        words.append(contentsOf: Self.emptyPage)
        return number * Self.wordsInPage
    }

    @usableFromInline static let wordsInPage = 4096 / 64
    @usableFromInline static let emptyPage = [UInt64](repeating: 0, count: wordsInPage)
}
