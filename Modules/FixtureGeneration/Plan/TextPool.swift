/// The texts of an entity's values in one contiguous buffer.
struct TextPool: Sendable {
    private(set) var bytes: [UInt8] = []
    /// The end of each text.
    private(set) var ends: [Int] = [0]

    /// The number of texts.
    var count: Int32 { Int32(ends.count - 1) }

    /// Adds a text.
    ///
    /// - Returns: The number of the text.
    mutating func add(_ text: String) -> Int32 {
        bytes.append(contentsOf: text.utf8)
        ends.append(bytes.count)
        return count - 1
    }

    /// Adds bytes, which need not be a text.
    ///
    /// - Returns: The number of the bytes.
    mutating func add(bytes content: [UInt8]) -> Int32 {
        bytes.append(contentsOf: content)
        ends.append(bytes.count)
        return count - 1
    }

    /// Adds texts.
    ///
    /// - Returns: The numbers of the texts, which are consecutive.
    mutating func add(_ texts: [String]) -> TextRange {
        let first = count
        for text in texts { _ = add(text) }
        return TextRange(first: first, count: Int32(texts.count))
    }

    /// Returns the bytes with a number.
    func utf8(_ number: Int32) -> [UInt8] { Array(bytes[ends[Int(number)]..<ends[Int(number) + 1]]) }

    /// Accesses the text with a number.
    subscript(number: Int32) -> String {
        String(decoding: bytes[ends[Int(number)]..<ends[Int(number) + 1]], as: UTF8.self)
    }
}

/// A range of consecutive texts in a pool.
struct TextRange: Sendable, Hashable {
    var first: Int32
    var count: Int32
}

/// The borrowed texts of a ``TextPool``.
package struct BorrowedTexts {
    let bytes: UnsafeBufferPointer<UInt8>
    let ends: UnsafeBufferPointer<Int>

    /// Returns the bytes of a text, which are valid while the pool is borrowed.
    @inline(__always)
    func utf8(_ number: Int32) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: bytes[ends[Int(number)]..<ends[Int(number) + 1]])
    }
}
