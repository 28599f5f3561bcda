/// A row's identifier, version and values side by side, as a store read them all at once: two words a value.
///
/// Where a store has them, a value is read without asking anybody, in the record type's own code. What a cell does not hold, because another type
/// is declared or stored, is left to the ``RowSource``.
@usableFromInline
package struct RowCells {
    /// What the second word of a cell is; the first has it in its lower half.
    @usableFromInline
    package enum Kind: UInt32, Sendable {
        /// Nothing: the source is to be asked.
        case unknown = 0
        case null = 1
        /// A whole number.
        case integer = 2
        /// The bits of a floating-point number.
        case double = 3
        /// 0, or anything else for yes.
        case boolean = 4
        /// The bits of the seconds since the reference date.
        case date = 5
        /// The address of a text's bytes, whose number is the upper half of the first word; nobody has checked them.
        case string = 6
    }

    /// Two words in front: the identifier and the version.
    ///
    /// SAFETY: valid as long as the source that a ``RowReader`` holds beside it; what it leads to as long as the row is stood on.
    @usableFromInline let words: UnsafePointer<Int64>?
    /// The number of values; 0 where there is no memory.
    @usableFromInline let count: Int

    package init(words: UnsafePointer<Int64>, count: Int) {
        self.words = words
        self.count = count
    }

    /// No cells: everything is asked of the source.
    @inlinable
    init() {
        words = nil
        count = 0
    }

    /// A value's two words, where there is one of the kind.
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

    /// The bytes of a text, which nobody has checked, where there is one.
    @inlinable
    @inline(__always)
    package func bytes(_ index: Int) -> UnsafeBufferPointer<UInt8>? {
        guard let (head, bits) = cell(index, .string) else { return nil }
        let start = UnsafePointer<UInt8>(bitPattern: Int(truncatingIfNeeded: bits))
        return UnsafeBufferPointer(start: start, count: Int(head >> 32))
    }

    /// The text of a value, mended where it is no UTF-8, where there is one.
    @inlinable
    @inline(__always)
    func string(_ index: Int) -> String? {
        guard let bytes = bytes(index) else { return nil }
        // What a string holds in itself is copied there at once: a quarter fewer instructions. With memory of its own it took a sixth longer.
        if bytes.count <= 15 {
            return String(unsafeUninitializedCapacity: bytes.count) { text in
                _ = text.initialize(from: bytes)
                return bytes.count
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether a value is null; `nil` where that is not known.
    @inlinable
    @inline(__always)
    package func isNull(_ index: Int) -> Bool? {
        guard let words, UInt(bitPattern: index) < UInt(bitPattern: count) else { return nil }
        let kind = UInt32(truncatingIfNeeded: words[2 &* index &+ 2])
        return kind == Kind.unknown.rawValue ? nil : kind == Kind.null.rawValue
    }
}
