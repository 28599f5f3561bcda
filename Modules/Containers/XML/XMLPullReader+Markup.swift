/// The reading of tags, declarations, comments and instructions.
extension XMLPullReader {
    /// Reads a tag, or skips another markup and returns `nil`; the position is at its `<`.
    mutating func readMarkup() throws(ContainerError) -> Event? {
        while buffer.count - position < 2 {
            guard try refill() else { throw error("the document ends inside a tag") }
        }
        switch buffer[position + 1] {
        case UInt8(ascii: "!"): try readDeclaration()
        case UInt8(ascii: "?"):
            skippedInstruction = offset
            guard try skip(past: [0x3F, 0x3E]) else {
                throw ContainerError(.malformed, "the processing instruction does not end", offset: offset)
            }
        case UInt8(ascii: "/"):
            try readEndTag()
            return .end
        default:
            try readStartTag()
            return .start
        }
        return nil
    }

    static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    static let declaration = Array("<?xml ".utf8)
    static let comment = Array("<!--".utf8)
    static let commentEnd = Array("--".utf8)
    static let section = Array("<![CDATA[".utf8)
    static let sectionEnd = Array("]]>".utf8)
    static let documentType = Array("<!DOCTYPE".utf8)

    mutating func readXMLDeclaration() throws(ContainerError) {
        let end = try tagEnd()
        guard buffer[end - 1] == UInt8(ascii: "?") else { throw error("the XML declaration does not end with “?>”") }
        try readAttributes(position + Self.declaration.count - 1, before: end - 1)
        var rest = (0..<attributes.count).map { attribute(at: $0) }[...]
        guard let version = rest.popFirst(), version.name == "version", version.value == "1.0" else {
            throw error("the XML declaration must contain version=\"1.0\"")
        }
        if let encoding = rest.first, encoding.name == "encoding" {
            rest.removeFirst()
            guard encoding.value.lowercased() == "utf-8" else {
                throw ContainerError(
                    .malformed, "the encoding is “\(encoding.value)”; \(document) must be in UTF-8",
                    offset: encoding.offset)
            }
        }
        if rest.first?.name == "standalone" { rest.removeFirst() }
        if let more = rest.first {
            throw ContainerError(
                .malformed, "the XML declaration must not have “\(more.name)” here", offset: more.offset)
        }
        attributes = []
        position = end + 1
    }

    /// Skips a comment, or begins a CDATA section.
    mutating func readDeclaration() throws(ContainerError) {
        while buffer.count - position < Self.section.count, try refill() {}
        if buffer[position...].starts(with: Self.comment) {
            skippedComment = offset
            position += Self.comment.count
            guard try skip(past: Self.commentEnd) else {
                throw ContainerError(.malformed, "the comment does not end", offset: offset)
            }
            if position == buffer.count { _ = try refill() }
            guard position < buffer.count, buffer[position] == UInt8(ascii: ">") else {
                throw ContainerError(
                    .malformed, "a comment must not contain “--” except at its end",
                    offset: nextOffset - Self.commentEnd.count)
            }
            position += 1
        } else if buffer[position...].starts(with: Self.section), !openEnds.isEmpty {
            position += Self.section.count
            isInSection = true
        } else if buffer[position...].starts(with: Self.documentType) {
            throw error("\(document) must not have a document type (DOCTYPE)")
        } else {
            throw error("a tag is expected here")
        }
    }

    /// Moves after the next occurrence of a text of two bytes; returns `false` if there is none.
    mutating func skip(past end: [UInt8]) throws(ContainerError) -> Bool {
        while true {
            while buffer.count - position < end.count {
                guard try refill() else { return false }
            }
            position = buffer[position...].firstIndex(of: end[0]) ?? buffer.count
            while position < buffer.count, buffer.count - position < end.count {
                guard try refill() else { return false }
            }
            if buffer[position...].starts(with: end) {
                position += end.count
                return true
            }
            if position < buffer.count { position += 1 }
        }
    }

    /// Reads further blocks until the buffer contains the end of the tag at the position; returns its index.
    mutating func tagEnd() throws(ContainerError) -> Int {
        while true {
            var quote: UInt8 = 0
            var index = position + 1
            let end = buffer.count
            let found = buffer.withUnsafeBufferPointer { bytes in
                while index < end {
                    let byte = bytes[index]
                    if quote != 0 {
                        if byte == quote { quote = 0 }
                    } else if byte == UInt8(ascii: ">") {
                        return true
                    } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                        quote = byte
                    }
                    index += 1
                }
                return false
            }
            if found, index - position <= Self.maximumTag { return index }
            guard !found, end - position <= Self.maximumTag else {
                throw error("a tag has more than \(Self.maximumTag) bytes")
            }
            guard try refill() else { throw error("the document ends inside a tag") }
        }
    }

    mutating func readEndTag() throws(ContainerError) {
        let end = try tagEnd()
        (name, qualifiedNameRange) = try readName(at: position + 2, before: end)
        guard let after = buffer[qualifiedNameRange.upperBound..<end].firstIndex(where: { !Self.isSpace($0) }) else {
            return try closeElement(before: end)
        }
        throw error("the end tag does not end with “>”", at: after)
    }

    mutating func closeElement(before end: Int) throws(ContainerError) {
        guard let last = openEnds.last else { throw error("the end tag </\(qualifiedName)> has no start tag") }
        let open = openNames[(openEnds.count > 1 ? openEnds[openEnds.count - 2] : 0)..<last]
        guard buffer[qualifiedNameRange].elementsEqual(open) else {
            let open = String(decoding: open, as: UTF8.self)
            throw error("</\(qualifiedName)> found where <\(open)> ends")
        }
        close()
        position = end + 1
    }

    mutating func close() {
        openEnds.removeLast()
        openNames.removeSubrange((openEnds.last ?? 0)...)
    }

    mutating func readStartTag() throws(ContainerError) {
        guard !hasRoot || !openEnds.isEmpty else { throw error("a second element after the first") }
        guard openEnds.count < Self.maximumDepth else {
            throw error("more than \(Self.maximumDepth) elements inside each other")
        }
        var end = try tagEnd()
        let closing = end
        if buffer[end - 1] == UInt8(ascii: "/") {
            isEmptyTag = true
            end -= 1
        }
        (name, qualifiedNameRange) = try readName(at: position + 1, before: end)
        try readAttributes(qualifiedNameRange.upperBound, before: end)
        hasRoot = true
        openNames += buffer[qualifiedNameRange]
        openEnds.append(openNames.count)
        position = closing + 1
    }

    @inline(__always)
    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

    @inline(__always)
    static func isPartOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x61...0x7A, 0x41...0x5A, 0x30...0x39, 0x80..., 0x5F, 0x2D, 0x2E: true
        default: false
        }
    }

    /// Returns the ranges of a name, without and with its prefix.
    func readName(
        at start: Int, before end: Int
    ) throws(ContainerError) -> (local: Range<Int>, qualified: Range<Int>) {
        var (index, local) = (start, start)
        while index < end {
            let byte = buffer[index]
            if byte == UInt8(ascii: ":") { local = index + 1 } else if !Self.isPartOfName(byte) { break }
            index += 1
        }
        // A name begins with a letter or an underscore.
        guard index > local, !(0x2D...0x39).contains(buffer[start]) else {
            throw error("a name is expected here", at: start)
        }
        return (local..<index, start..<index)
    }

    mutating func readAttributes(_ start: Int, before end: Int) throws(ContainerError) {
        attributes.removeAll(keepingCapacity: true)
        var index = start
        while true {
            let previous = index
            while index < end, Self.isSpace(buffer[index]) { index += 1 }
            guard index < end else { return }
            guard index > previous else { throw error("a space is expected here", at: index) }
            let (name, qualifiedName) = try readName(at: index, before: end)
            index = qualifiedName.upperBound
            while index < end, Self.isSpace(buffer[index]) { index += 1 }
            guard index < end, buffer[index] == UInt8(ascii: "=") else {
                throw error("the attribute “\(text(qualifiedName))” has no value", at: index)
            }
            index += 1
            while index < end, Self.isSpace(buffer[index]) { index += 1 }
            guard !hasAttribute(qualifiedName) else {
                throw error("the attribute “\(text(qualifiedName))” occurs twice", at: qualifiedName.lowerBound)
            }
            guard attributes.count < Self.maximumAttributes else {
                throw error(
                    "a tag has more than \(Self.maximumAttributes) attributes", at: qualifiedName.lowerBound)
            }
            let value = try readValue(at: index, before: end)
            attributes.append(Attribute(name: name, qualifiedName: qualifiedName, value: value))
            index = value.upperBound + 1
        }
    }

    func text(_ range: Range<Int>) -> String { String(decoding: buffer[range], as: UTF8.self) }

    func hasAttribute(_ name: Range<Int>) -> Bool {
        attributes.contains { attribute in
            attribute.qualifiedName.count == name.count && buffer[attribute.qualifiedName].elementsEqual(buffer[name])
        }
    }

    /// Returns the range of an attribute's value without its quotes.
    func readValue(at start: Int, before end: Int) throws(ContainerError) -> Range<Int> {
        guard start < end, buffer[start] == UInt8(ascii: "\"") || buffer[start] == UInt8(ascii: "'") else {
            throw error("a quote is expected here", at: start)
        }
        let quote = buffer[start]
        var index = start + 1
        while index < end, buffer[index] != quote {
            if buffer[index] == UInt8(ascii: "<") {
                throw error("“<” in the value of an attribute must be written as “&lt;”", at: index)
            }
            if buffer[index] == UInt8(ascii: "&"), Self.reference(buffer[index..<end]) == nil {
                throw referenceError(at: index)
            }
            index += 1
        }
        guard index < end else { throw error("the value of the attribute does not end", at: start) }
        return (start + 1)..<index
    }
}
