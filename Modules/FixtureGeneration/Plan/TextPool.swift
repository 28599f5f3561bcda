/// The texts that an entity's values are made of, one behind the other.
struct TextPool: Sendable {
    private(set) var bytes: [UInt8] = []
    /// Where each text ends.
    private(set) var ends: [Int] = [0]

    /// The number of texts.
    var count: Int32 { Int32(ends.count - 1) }

    /// Adds a text.
    ///
    /// - Returns: Its number.
    mutating func add(_ text: String) -> Int32 {
        bytes.append(contentsOf: text.utf8)
        ends.append(bytes.count)
        return count - 1
    }

    /// Adds bytes that are no text, or one.
    ///
    /// - Returns: Their number.
    mutating func add(bytes content: [UInt8]) -> Int32 {
        bytes.append(contentsOf: content)
        ends.append(bytes.count)
        return count - 1
    }

    /// Adds texts.
    ///
    /// - Returns: Their numbers, which follow each other.
    mutating func add(_ texts: [String]) -> TextRange {
        let first = count
        for text in texts { _ = add(text) }
        return TextRange(first: first, count: Int32(texts.count))
    }

    /// The bytes of a number.
    func utf8(_ number: Int32) -> [UInt8] { Array(bytes[ends[Int(number)]..<ends[Int(number) + 1]]) }

    /// The text of a number.
    subscript(number: Int32) -> String {
        String(decoding: bytes[ends[Int(number)]..<ends[Int(number) + 1]], as: UTF8.self)
    }
}

/// Texts of a pool that follow each other.
struct TextRange: Sendable, Hashable {
    var first: Int32
    var count: Int32
}

/// The texts of a ``TextPool``, borrowed.
package struct BorrowedTexts {
    let bytes: UnsafeBufferPointer<UInt8>
    let ends: UnsafeBufferPointer<Int>

    /// The bytes of a text, valid as long as the pool is borrowed.
    @inline(__always)
    func utf8(_ number: Int32) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: bytes[ends[Int(number)]..<ends[Int(number) + 1]])
    }
}
