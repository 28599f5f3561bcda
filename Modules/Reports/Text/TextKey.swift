import StrataCore

/// A text as something to count by: the same text has the same key on every machine, and a long one takes no more memory.
struct TextKey: Hashable {
    /// What is kept of a text to show it, in Unicode scalars; more than a line of the page.
    static let shownScalars = 96
    /// Texts up to this length, in bytes of UTF-8, are kept whole.
    private static let keptBytes = 192

    /// The beginning of the text, or all of it.
    let shown: String
    /// Whether ``shown`` is not all of it.
    let isCut: Bool
    /// A hash of all of the text; not the seeded one of `Hasher`, because estimates are made of it.
    let digest: UInt64
    private let byteCount: Int

    init(_ text: String) {
        var text = text
        (digest, byteCount) = text.withUTF8 { (Self.digest($0), $0.count) }
        isCut = byteCount > Self.keptBytes
        if isCut {
            var start = String.UnicodeScalarView()
            start.append(contentsOf: text.unicodeScalars.prefix(Self.shownScalars))
            shown = String(start)
        } else {
            shown = text
        }
    }

    /// FNV-1a, mixed so that every bit depends on every byte.
    private static func digest(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
        StableHash.mixed(StableHash.fnv1a(bytes))
    }

    /// Equality by bytes, as the store has it: composed and decomposed letters differ.
    static func == (left: TextKey, right: TextKey) -> Bool {
        left.digest == right.digest && left.byteCount == right.byteCount
            && left.shown.utf8.elementsEqual(right.shown.utf8)
    }

    func hash(into hasher: inout Hasher) { hasher.combine(digest) }

    /// Order by bytes, for lists that come out the same each time.
    func precedes(_ other: TextKey) -> Bool {
        if shown.utf8.elementsEqual(other.shown.utf8) { return digest < other.digest }
        return shown.utf8.lexicographicallyPrecedes(other.shown.utf8)
    }
}
