/// The keys of an object around the records that were read so far.
///
/// Keys are compared byte by byte after their escapes are decoded. If there are more keys than can be stored, a
/// repeated key may remain undetected.
struct JSONDocumentKeys {
    private var seen: Set<[UInt8]> = []
    /// The first keys, for messages.
    private var names: [String] = []

    /// The maximum count of stored keys, which bounds the memory; a document with more keys is not a dataset.
    private static let maximumKeys = 4_096
    /// The maximum count of keys in a message.
    private static let maximumNames = 20

    /// Stores a key; returns `false` if it is stored already.
    mutating func insert(_ key: [UInt8]) -> Bool {
        guard !seen.contains(key) else { return false }
        guard seen.count < Self.maximumKeys else { return true }
        seen.insert(key)
        if names.count < Self.maximumNames { names.append(String(decoding: key, as: UTF8.self)) }
        return true
    }

    /// The first keys for a message, or `nil` if there are none.
    var list: String? {
        guard !names.isEmpty else { return nil }
        return names.joined(separator: ", ") + (seen.count > names.count ? ", …" : "")
    }
}
