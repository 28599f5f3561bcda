/// The keys of the document's object that were seen so far.
struct JSONDocumentKeys {
    private var seen: Set<[UInt8]> = []
    /// The first keys, for messages.
    private var names: [String] = []

    /// How many keys are remembered; a document with more of them is no dataset, and its memory must stay bounded.
    private static let maximumKeys = 4_096
    /// How many bytes of a key are remembered by name, and how many names a message holds.
    private static let maximumNames = 20

    /// Remembers a key; false when it was there before.
    mutating func insert(_ key: [UInt8]) -> Bool {
        guard !seen.contains(key) else { return false }
        guard seen.count < Self.maximumKeys else { return true }
        seen.insert(key)
        if names.count < Self.maximumNames { names.append(String(decoding: key, as: UTF8.self)) }
        return true
    }

    /// The first keys for a message, or nil when there are none.
    var list: String? {
        guard !names.isEmpty else { return nil }
        return names.joined(separator: ", ") + (seen.count > names.count ? ", …" : "")
    }
}
