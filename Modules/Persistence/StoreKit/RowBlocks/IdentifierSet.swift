import StrataCore

/// A set of one entity's identifiers with a bounded memory of a few megabytes: a bit for each identifier, in pages.
///
/// It is `@inlinable` because an import queries it for every reference.
@usableFromInline
package struct IdentifierSet: Sendable {
    /// The count of identifiers in one page.
    @usableFromInline static let pageSize: Int64 = 4096
    /// The maximum count of pages.
    ///
    /// A page has 512 bytes, so all pages have 8 MiB. A million identifiers in a row take 245 pages.
    private static let maximumPages = 16_384

    /// The count of pages with the lowest identifiers, which are found in an array instead of a dictionary.
    ///
    /// These pages contain most identifiers. An element of -1 represents a missing page.
    @usableFromInline static let nearPages: Int64 = 65_536

    @usableFromInline var near: [Int32] = []
    @usableFromInline var far: [Int64: Int] = [:]
    @usableFromInline var words: [UInt64] = []

    /// A Boolean value that indicates whether the set contains every existing identifier.
    ///
    /// The code that adds all identifiers sets it to `true`. If the set has no memory for an identifier, it becomes
    /// `false`.
    @usableFromInline package var isComplete: Bool

    /// Creates an empty set.
    ///
    /// - Parameter isComplete: A Boolean value that indicates whether no other identifiers exist than those that will
    ///   be added.
    package init(isComplete: Bool = false) {
        self.isComplete = isComplete
    }

    /// A Boolean value that indicates whether no identifier was ever added.
    package var isEmpty: Bool { words.isEmpty }

    /// Returns a Boolean value that indicates whether an identifier was added.
    @inlinable
    package func contains(_ id: Int64) -> Bool {
        guard id >= 0, let offset = offset(ofPage: id / Self.pageSize) else { return false }
        let bit = Int(id % Self.pageSize)
        return words[offset + bit >> 6] & 1 << UInt64(bit & 63) != 0
    }

    /// Inserts an identifier; if it needs a page above the maximum count, the set becomes incomplete.
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

    /// Removes an identifier.
    package mutating func remove(_ id: Int64) {
        guard id >= 0, let offset = offset(ofPage: id / Self.pageSize) else { return }
        let bit = Int(id % Self.pageSize)
        words[offset + bit >> 6] &= ~(1 << UInt64(bit & 63))
    }

    /// Passes the identifiers to `body` in ascending chunks of `size`; the last chunk may be smaller.
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

    /// Returns the index of a page's first word.
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
