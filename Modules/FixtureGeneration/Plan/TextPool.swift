/// A buffer that contains the texts of an entity's values one after another.
///
/// One buffer for all texts avoids a reference count for each text, and several threads can borrow its memory.
struct TextPool: Sendable {
    private(set) var bytes: [UInt8] = []
    /// The end offset of each text in the buffer, preceded by 0.
    private(set) var ends: [Int] = [0]

    /// The number of texts in the pool.
    var count: Int32 { Int32(ends.count - 1) }

    /// Adds a text to the pool.
    ///
    /// - Returns: The number of the text in the pool.
    mutating func add(_ text: String) -> Int32 {
        bytes.append(contentsOf: text.utf8)
        ends.append(bytes.count)
        return count - 1
    }

    /// Adds bytes, which need not be UTF-8, to the pool.
    ///
    /// - Returns: The number of the bytes in the pool.
    mutating func add(bytes content: [UInt8]) -> Int32 {
        bytes.append(contentsOf: content)
        ends.append(bytes.count)
        return count - 1
    }

    /// Adds several texts to the pool.
    ///
    /// - Returns: The range of the texts in the pool.
    mutating func add(_ texts: [String]) -> TextRange {
        let first = count
        for text in texts { _ = add(text) }
        return TextRange(first: first, count: Int32(texts.count))
    }

    /// Returns the bytes that have a number in the pool.
    func utf8(_ number: Int32) -> [UInt8] { Array(bytes[ends[Int(number)]..<ends[Int(number) + 1]]) }

    /// Accesses the text that has a number in the pool.
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

    /// Returns the bytes of the text with a number, which are valid while the pool is borrowed.
    @inline(__always)
    func utf8(_ number: Int32) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: bytes[ends[Int(number)]..<ends[Int(number) + 1]])
    }
}
