import StrataCore

/// A key for counting texts, which is the same on every machine and has a bounded size.
///
/// A long text is represented by its beginning, its length and its 64-bit hash. Two different long texts are counted as
/// one only if all three are equal.
struct TextKey: Hashable {
    /// The number of Unicode scalars of a text that are stored for display, which exceeds a line of the page.
    static let shownScalars = 96
    /// The maximum length in bytes of UTF-8 of a text that is stored completely.
    private static let keptBytes = 192

    /// The text, or the beginning of a long text.
    let shown: String
    /// A Boolean value that indicates whether ``shown`` is not the whole text.
    let isCut: Bool
    /// A hash of the whole text; it is not the seeded hash of `Hasher`, because estimates are computed from it.
    let digest: UInt64
    /// The length of the whole text in bytes of UTF-8.
    private let byteCount: Int

    /// Creates the key of a text.
    ///
    /// - Complexity: O(*n*) in the length of the text, which is read once for the hash.
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

    /// Returns the FNV-1a hash, mixed so that every bit depends on every byte.
    private static func digest(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
        StableHash.mixed(StableHash.fnv1a(bytes))
    }

    /// Returns a Boolean value that indicates whether two texts have the same bytes, as in the store.
    ///
    /// Composed and decomposed letters differ.
    static func == (left: TextKey, right: TextKey) -> Bool {
        left.digest == right.digest && left.byteCount == right.byteCount
            && left.shown.utf8.elementsEqual(right.shown.utf8)
    }

    func hash(into hasher: inout Hasher) { hasher.combine(digest) }

    /// Returns a Boolean value that indicates whether a key precedes another key in the stable order of bytes.
    func precedes(_ other: TextKey) -> Bool {
        if shown.utf8.elementsEqual(other.shown.utf8) { return digest < other.digest }
        return shown.utf8.lexicographicallyPrecedes(other.shown.utf8)
    }
}
