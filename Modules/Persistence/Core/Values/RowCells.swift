/// A row's identifier, version and values side by side in memory, with two words for each value.
///
/// A store that reads all values at once can provide them. The record type's own code then reads a value without a call
/// of the ``RowSource``. The source is used only if a cell is unknown, because another type is declared or stored.
@usableFromInline
package struct RowCells {
    /// The content of a cell's second word; the kind is the lower half of the first word.
    @usableFromInline
    package enum Kind: UInt32, Sendable {
        /// Unknown: the source must be read.
        case unknown = 0
        case null = 1
        /// An integer.
        case integer = 2
        /// The bits of a floating-point number.
        case double = 3
        /// A Boolean value: 0 for `false`, any other number for `true`.
        case boolean = 4
        /// The bits of the seconds since the reference date.
        case date = 5
        /// The address of a text's unchecked bytes; their count is the upper half of the first word.
        case string = 6
    }

    /// The words of the cells, after two words with the identifier and the version.
    ///
    /// SAFETY: the pointer is valid as long as the source that the ``RowReader`` also retains. The memory of texts is
    /// valid while the row is the current one.
    @usableFromInline let words: UnsafePointer<Int64>?
    /// The count of values; 0 if there is no memory.
    @usableFromInline let count: Int

    package init(words: UnsafePointer<Int64>, count: Int) {
        self.words = words
        self.count = count
    }

    /// Creates no cells, so that every value is read from the source.
    @inlinable
    init() {
        words = nil
        count = 0
    }

    /// Returns the two words of a value if it has a kind.
    @inlinable
    @inline(__always)
    package func cell(_ index: Int, _ kind: Kind) -> (head: UInt64, bits: Int64)? {
        guard let words, UInt(bitPattern: index) < UInt(bitPattern: count) else { return nil }
        let head = UInt64(bitPattern: words[2 &* index &+ 2])
        guard UInt32(truncatingIfNeeded: head) == kind.rawValue else { return nil }
        return (head, words[2 &* index &+ 3])
    }

    /// Returns the kind and the bits of a value; `nil` if there are no cells.
    package func content(_ index: Int) -> (kind: Kind, bits: Int64)? {
        guard let words, UInt(bitPattern: index) < UInt(bitPattern: count) else { return nil }
        return Kind(rawValue: UInt32(truncatingIfNeeded: words[2 * index + 2])).map { ($0, words[2 * index + 3]) }
    }

    /// Returns the unchecked bytes of a text, if the value is a text.
    @inlinable
    @inline(__always)
    package func bytes(_ index: Int) -> UnsafeBufferPointer<UInt8>? {
        guard let (head, bits) = cell(index, .string) else { return nil }
        let start = UnsafePointer<UInt8>(bitPattern: Int(truncatingIfNeeded: bits))
        return UnsafeBufferPointer(start: start, count: Int(head >> 32))
    }

    /// Returns a text with replacement characters for invalid UTF-8, if the value is a text.
    @inlinable
    @inline(__always)
    func string(_ index: Int) -> String? {
        guard let bytes = bytes(index) else { return nil }
        // A small string is copied directly into the string's own storage, which takes a quarter fewer instructions.
        // With allocated memory, it took a sixth longer.
        if bytes.count <= 15 {
            return String(unsafeUninitializedCapacity: bytes.count) { text in
                _ = text.initialize(from: bytes)
                return bytes.count
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns a Boolean value that indicates whether the value of a column is null; `nil` if that is unknown.
    @inlinable
    @inline(__always)
    package func isNull(_ index: Int) -> Bool? {
        guard let words, UInt(bitPattern: index) < UInt(bitPattern: count) else { return nil }
        let kind = UInt32(truncatingIfNeeded: words[2 &* index &+ 2])
        return kind == Kind.unknown.rawValue ? nil : kind == Kind.null.rawValue
    }
}
