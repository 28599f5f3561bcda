import StrataCore

extension JSONRecordReader {
    /// Reads an object whose brace is the next byte.
    ///
    /// Most objects are simple and are read by a fast loop; the general parser reads the others. Both ways have the
    /// same result.
    mutating func readRecord() throws(InterchangeError) {
        line = currentLine
        isInRecord = true
        if !(layout.paths.isEmpty && readPlainObject()) { try readMembers(prefix: "", depth: depthOfRecords) }
        try endRecord()
    }

    /// Reads a member of the object whose members are the records: a key and an object, or a key and a value.
    mutating func readKeyedRecord(_ byte: UInt8?) throws(InterchangeError) {
        line = currentLine
        isInRecord = true
        guard byte == UInt8(ascii: "\"") else { throw expected("a key in quotes", found: byte) }
        let key = try scanString(isKey: true)
        names.append(layout.keyName)
        members.append(Member(key: Text(range: 0..<0), kind: .string, value: key, line: line, name: 0))
        try hold(key.range.count)
        try skipColon()
        if try skipWhitespace() == UInt8(ascii: "{") {
            try readMembers(prefix: "", depth: depthOfRecords)
        } else {
            names.append(layout.valueName)
            try readValue(key: Text(range: 0..<0), line: currentLine, name: 1, depth: depthOfRecords)
        }
        try endRecord()
    }

    /// Validates the record as a whole: its size, and that no key occurs twice.
    private mutating func endRecord() throws(InterchangeError) {
        recordEnd = window.offset
        try checkLength(0, behind: held)
        if let repeated = firstRepeatedMember() {
            isWhole = true
            throw error(.malformed, message: "the key \"\(key(ofMember: repeated))\" occurs twice")
        }
        isInRecord = false
    }

    /// Reads the members of an object whose brace is the next byte, including those of objects on the layout's paths.
    private mutating func readMembers(prefix: String, depth: Int) throws(InterchangeError) {
        window.position += 1
        var byte = try skipWhitespace()
        if byte != UInt8(ascii: "}") {
            while true {
                guard byte == UInt8(ascii: "\"") else { throw expected("a key in quotes", found: byte) }
                guard members.count < Self.maximumMembers else {
                    throw broken("more than \(Self.maximumMembers) keys")
                }
                try readMember(prefix: prefix, depth: depth)
                byte = try skipWhitespace()
                if byte == UInt8(ascii: "}") { break }
                guard byte == UInt8(ascii: ",") else { throw expected("a comma or }", found: byte) }
                window.position += 1
                byte = try skipWhitespace()
            }
        }
        window.position += 1
    }

    /// Reads a member; if its value is an object on a path, reads the members of this object instead.
    private mutating func readMember(prefix: String, depth: Int) throws(InterchangeError) {
        let line = currentLine
        let key = try scanString(isKey: true)
        try skipColon()
        let first = try skipWhitespace()
        var name: Int?
        if !prefix.isEmpty || (first == UInt8(ascii: "{") && !layout.paths.isEmpty) {
            let path = prefix + withBytes(of: key) { String(decoding: $0) }
            if first == UInt8(ascii: "{"), layout.leadsInto(path) {
                return try readMembers(prefix: path + ".", depth: depth + 1)
            }
            if !prefix.isEmpty {
                name = names.count
                names.append(path)
            }
        }
        try readValue(key: key, line: line, name: name, depth: depth + 1)
    }

    private mutating func readValue(key: Text, line: Int, name: Int?, depth: Int) throws(InterchangeError) {
        let start = window.offset
        let kind = try scanValue(depth: depth)
        let value = kind == .string ? scannedString : Text(range: start..<window.offset)
        members.append(Member(key: key, kind: kind, value: value, line: line, name: name))
    }

    /// The maximum count of members that are compared pairwise.
    ///
    /// More members are sorted, so that the time is never quadratic.
    private static let fewMembers = 24

    /// Returns the first member whose key occurred before.
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

    /// Returns the bytes of the key, or of the name, by which members are compared.
    private func keyBytes(_ member: Int) -> ArraySlice<UInt8> {
        if let name = members[member].name { return Array(names[name].utf8)[...] }
        let key = members[member].key
        if key.isInScratch { return scratch[key.range] }
        return window.bytes[window.anchor + key.range.lowerBound..<window.anchor + key.range.upperBound]
    }

    private func keysAreEqual(_ left: Int, _ right: Int) -> Bool {
        if members[left].name == nil, members[right].name == nil,
            members[left].key.range.count != members[right].key.range.count
        {
            return false
        }
        return keyBytes(left).elementsEqual(keyBytes(right))
    }
}
