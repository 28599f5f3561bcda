/// Identifiers of one entity that are known to exist: a bit each, in pages, in a few megabytes at most.
struct KnownIdentifiers {
    /// How many identifiers one page is for.
    private static let pageSize: Int64 = 4096
    /// 512 bytes each, so 8 MiB: a million identifiers in a row take 245 of them.
    private static let maximumPages = 16_384

    private var pages: [Int64: Int] = [:]
    private var words: [UInt64] = []
    private var lastPage: Int64 = -1
    private var lastOffset = 0

    /// Whether every identifier there is was added.
    var isComplete = false

    /// Whether an identifier was added.
    mutating func contains(_ id: Int64) -> Bool {
        let page = id / Self.pageSize
        if page != lastPage {
            guard let offset = pages[page] else { return false }
            (lastPage, lastOffset) = (page, offset)
        }
        let bit = Int(id % Self.pageSize)
        return words[lastOffset + bit >> 6] & 1 << UInt64(bit & 63) != 0
    }

    /// Adds an identifier; beyond the last page there is room for, the set is complete no longer.
    mutating func insert(_ id: Int64) {
        let page = id / Self.pageSize
        if page != lastPage {
            if let offset = pages[page] {
                lastOffset = offset
            } else {
                guard pages.count < Self.maximumPages else {
                    isComplete = false
                    return
                }
                lastOffset = words.count
                pages[page] = lastOffset
                words.append(contentsOf: repeatElement(0, count: Int(Self.pageSize) / 64))
            }
            lastPage = page
        }
        let bit = Int(id % Self.pageSize)
        words[lastOffset + bit >> 6] |= 1 << UInt64(bit & 63)
    }

    /// Whether there is room for more pages.
    var hasRoom: Bool { pages.count < Self.maximumPages }

    /// Forgets an identifier.
    mutating func remove(_ id: Int64) {
        guard contains(id) else { return }
        let bit = Int(id % Self.pageSize)
        words[lastOffset + bit >> 6] &= ~(1 << UInt64(bit & 63))
    }
}
