extension JSONRecordReader {
    /// Moves after the bracket or brace that contains the records.
    ///
    /// - Throws: ``InterchangeError/Code/header`` if the document has another structure than the layout, with the keys
    ///   that it has; ``InterchangeError/Code/malformed`` if it is not JSON.
    mutating func openDocument() throws(InterchangeError) {
        guard let byte = try skipWhitespace() else {
            throw error(.header, message: "the file is empty; it must contain \(layout.expectation)")
        }
        if layout.root.isEmpty, byte == layout.opening {
            window.position += 1
            return
        }
        guard byte == UInt8(ascii: "{"), layout.shape == .array || !layout.root.isEmpty else {
            if byte == UInt8(ascii: "["), let root = layout.root.first {
                throw error(
                    .header, message: "the document is an array and has no key \"\(root)\"; read it without --root")
            }
            let kind = try scanValue(depth: 1)
            throw error(.header, message: "the document is \(kind.name); it must be \(layout.documentExpectation)")
        }
        window.position += 1
        for level in 0..<max(1, layout.root.count) {
            documentKeys.append(JSONDocumentKeys())
            try openRoot(level)
        }
    }

    /// Searches an object around the records for the next key on the path to them.
    ///
    /// The values of other keys are validated and skipped. The parameter `level` is the index of the key in the
    /// layout's root.
    private mutating func openRoot(_ level: Int) throws(InterchangeError) {
        let root = layout.root.isEmpty ? nil : layout.root[level]
        let isLast = level + 1 >= layout.root.count
        let wanted = isLast ? layout.opening : UInt8(ascii: "{")
        var isFirst = true
        while let key = try nextDocumentKey(isFirst: isFirst) {
            isFirst = false
            let name = String(decoding: key, as: UTF8.self)
            let byte = try skipWhitespace()
            if let root, key.elementsEqual(root.utf8) {
                if byte == wanted {
                    window.position += 1
                    return
                }
                let kind = try scanValue(depth: level + 2)
                let expectation = isLast ? layout.documentExpectation : "an object"
                throw error(.header, message: "\"\(name)\" is \(kind.name); it must be \(expectation)")
            }
            if root == nil, byte == UInt8(ascii: "[") {
                throw error(
                    .header,
                    message: "the document is an object, not an array; name the key of the array with --root: \(name)")
            }
            _ = try scanValue(depth: level + 2)
        }
        guard let root else {
            throw error(
                .header,
                message: "the document is an object without an array; it must be an array of objects, "
                    + "or be read with --key-as and --value-as")
        }
        let keys = documentKeys.last?.list.map { "its keys are \($0)" } ?? "it has no keys"
        let place = level == 0 ? "the document" : "\"\(layout.root[..<level].joined(separator: "."))\""
        throw error(.header, message: "\(place) has no key \"\(root)\"; \(keys)")
    }

    /// Moves after the colon of the next key of the innermost object around the records; `nil` after its end.
    private mutating func nextDocumentKey(isFirst: Bool) throws(InterchangeError) -> [UInt8]? {
        var byte = try skipWhitespace()
        if byte == UInt8(ascii: "}") {
            window.position += 1
            return nil
        }
        if !isFirst {
            guard byte == UInt8(ascii: ",") else { throw expected("a comma or }", found: byte) }
            window.position += 1
            byte = try skipWhitespace()
        }
        guard byte == UInt8(ascii: "\"") else { throw expected("a key in quotes", found: byte) }
        let text = try scanString()
        let key = withBytes(of: text) { $0.withUnsafeBufferPointer { Array($0) } }
        scratch.removeAll(keepingCapacity: true)
        guard documentKeys[documentKeys.count - 1].insert(key) else {
            throw broken("the key \"\(String(decoding: key, as: UTF8.self))\" occurs twice")
        }
        try skipColon()
        return key
    }

    /// Moves after the records and validates the rest of the document.
    ///
    /// The objects around the records may have other keys after the records. The parameter `isClosed` indicates that
    /// the bracket or brace after the records was already consumed.
    mutating func closeDocument(isClosed: Bool = false) throws(InterchangeError) {
        if !isClosed { window.position += 1 }
        while !documentKeys.isEmpty {
            while try nextDocumentKey(isFirst: false) != nil {
                _ = try skipWhitespace()
                _ = try scanValue(depth: documentKeys.count + 1)
                scratch.removeAll(keepingCapacity: true)
            }
            documentKeys.removeLast()
        }
        if let byte = try skipWhitespace() { throw expected("nothing after the document", found: byte) }
    }

    // MARK: - Lines

    /// Skips the comments of a file of rejected records.
    mutating func skipComments() throws(InterchangeError) {
        guard isRejects else { return }
        while true {
            _ = try skipWhitespace()
            guard try window.holds(Array(RejectsMark.comment.utf8)) else { return }
            try skipLine()
        }
    }

    /// Moves after the next line break.
    mutating func skipLine() throws(InterchangeError) {
        // The bytes before an error at the end of the input belong to the record too.
        recordEnd = window.offset
        while let byte = try peekForgetting() {
            recordEnd = window.offset
            window.position += 1
            guard byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") else {
                recordEnd = window.offset
                continue
            }
            currentLine += 1
            if byte == UInt8(ascii: "\r"), try peekForgetting() == UInt8(ascii: "\n") { window.position += 1 }
            return
        }
    }

    /// Returns the line break after the record that was read last; empty if there is none or records are not on lines.
    ///
    /// The file of rejected records uses it, so that it has the line breaks of the document.
    mutating func lineBreakBehindRecord() throws(InterchangeError) -> [UInt8] {
        guard layout.shape == .lines else { return [] }
        // Skipping a line may already have consumed the line break.
        let passed = window.anchor + max(0, recordEnd)
        if passed < window.position { return Self.lineBreak(window.bytes[passed..<window.position]) }
        try window.fill(upTo: 2)
        return Self.lineBreak(window.bytes[window.position..<min(window.position + 2, window.end)])
    }

    private static func lineBreak(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        switch bytes.first {
        case UInt8(ascii: "\n"): [UInt8(ascii: "\n")]
        case UInt8(ascii: "\r"):
            bytes.dropFirst().first == UInt8(ascii: "\n") ? Array("\r\n".utf8) : [UInt8(ascii: "\r")]
        default: []
        }
    }

    /// Returns the next byte; skipped bytes are dropped if they are too long.
    mutating func peekForgetting() throws(InterchangeError) -> UInt8? {
        if window.position >= window.end, !isInRecord || window.offset > limit.spelled {
            window.anchor = window.position
        }
        return try peek()
    }
}
