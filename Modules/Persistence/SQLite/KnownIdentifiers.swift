/// Identifiers of one entity that are known to exist: a bit each, in pages, in a few megabytes at most.
struct KnownIdentifiers {
    /// How many identifiers one page is for.
    private static let pageSize: Int64 = 4096
    /// 512 bytes each, so 8 MiB: a million identifiers in a row take 245 of them.
    private static let maximumPages = 16_384

    /// The pages that most identifiers are in, found without hashing; -1 where there is none.
    private static let nearPages: Int64 = 65_536

    private var near: [Int32] = []
    private var far: [Int64: Int] = [:]
    private var words: [UInt64] = []

    /// Whether every identifier there is was added.
    var isComplete = false

    /// Whether an identifier was added.
    func contains(_ id: Int64) -> Bool {
        guard id >= 0, let offset = offset(ofPage: id / Self.pageSize) else { return false }
        let bit = Int(id % Self.pageSize)
        return words[offset + bit >> 6] & 1 << UInt64(bit & 63) != 0
    }

    /// Adds an identifier; beyond the last page there is room for, the set is complete no longer.
    mutating func insert(_ id: Int64) {
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
    mutating func remove(_ id: Int64) {
        guard id >= 0, let offset = offset(ofPage: id / Self.pageSize) else { return }
        let bit = Int(id % Self.pageSize)
        words[offset + bit >> 6] &= ~(1 << UInt64(bit & 63))
    }

    /// Where a page's words begin.
    private func offset(ofPage page: Int64) -> Int? {
        guard page < Self.nearPages else { return far[page] }
        guard page < near.count else { return nil }
        let number = near[Int(page)]
        return number < 0 ? nil : Int(number) * Self.wordsInPage
    }

    private mutating func makePage(_ page: Int64) -> Int? {
        let number = words.count / Self.wordsInPage
        guard number < Self.maximumPages else { return nil }
        if page < Self.nearPages {
            while near.count <= page { near.append(-1) }
            near[Int(page)] = Int32(number)
        } else {
            far[page] = words.count
        }
        words.append(contentsOf: repeatElement(0, count: Self.wordsInPage))
        return number * Self.wordsInPage
    }

    private static let wordsInPage = Int(pageSize) / 64
}
