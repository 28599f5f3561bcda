extension JSONRecordReader {
    /// Reads an object whose brace is the next byte.
    mutating func readRecord() throws(InterchangeError) {
        line = currentLine
        isInRecord = true
        window.position += 1
        var byte = try skipWhitespace()
        if byte != UInt8(ascii: "}") {
            while true {
                guard byte == UInt8(ascii: "\"") else { throw expected("a key in quotes", found: byte) }
                guard members.count < Self.maximumMembers else {
                    throw broken("more than \(Self.maximumMembers) keys")
                }
                try readMember()
                byte = try skipWhitespace()
                if byte == UInt8(ascii: "}") { break }
                guard byte == UInt8(ascii: ",") else { throw expected("a comma or }", found: byte) }
                window.position += 1
                byte = try skipWhitespace()
            }
        }
        window.position += 1
        guard window.offset <= recordLimit else { throw tooLong }
        if let repeated = firstRepeatedMember() {
            throw error(.malformed, message: "the key \"\(key(ofMember: repeated))\" is there twice")
        }
        isInRecord = false
    }

    private mutating func readMember() throws(InterchangeError) {
        let line = currentLine
        let key = try scanString()
        try skipColon()
        _ = try skipWhitespace()
        let start = window.offset
        let kind = try scanValue(depth: depthOfRecords + 1)
        let value = kind == .string ? scannedString : start..<window.offset
        members.append(Member(key: key, kind: kind, value: value, line: line))
    }

    /// How many members are compared each with each; more of them are sorted, so that no file takes quadratic time.
    private static let fewMembers = 24

    /// The first member whose key was there before.
    private func firstRepeatedMember() -> Int? {
        if members.count <= Self.fewMembers {
            for index in members.indices {
                for earlier in 0..<index where keysAreEqual(earlier, index) { return index }
            }
            return nil
        }
        let order = members.indices.sorted { left, right in
            let leftKey = keyBytes(left)
            let rightKey = keyBytes(right)
            if leftKey.count != rightKey.count { return leftKey.count < rightKey.count }
            if leftKey.elementsEqual(rightKey) { return left < right }
            return leftKey.lexicographicallyPrecedes(rightKey)
        }
        return zip(order, order.dropFirst()).filter { keysAreEqual($0, $1) }.map { $1 }.min()
    }

    private func keyBytes(_ member: Int) -> ArraySlice<UInt8> {
        let key = members[member].key
        return window.bytes[window.anchor + key.lowerBound..<window.anchor + key.upperBound]
    }

    private func keysAreEqual(_ left: Int, _ right: Int) -> Bool {
        guard members[left].key.count == members[right].key.count else { return false }
        return keyBytes(left).elementsEqual(keyBytes(right))
    }
}
