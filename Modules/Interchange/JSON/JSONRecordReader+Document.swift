extension JSONRecordReader {
    /// Goes behind the bracket of the array.
    mutating func openArray() throws(InterchangeError) {
        let byte = try skipWhitespace()
        switch (byte, root) {
        case (nil, _):
            throw error(.header, message: "the file is empty; it must hold a JSON array of objects")
        case (UInt8(ascii: "["), nil):
            window.position += 1
        case (UInt8(ascii: "["), let root?):
            throw error(
                .header, message: "the document is an array and has no key \"\(root)\"; read it without --root")
        case (UInt8(ascii: "{"), _):
            window.position += 1
            try openRoot()
        default:
            let kind = try scanValue(depth: 1)
            throw error(.header, message: "the document is \(kind.name); it must be an array of objects")
        }
    }

    /// Looks through the document's object for the key that holds the array.
    private mutating func openRoot() throws(InterchangeError) {
        var isFirst = true
        while let key = try nextDocumentKey(isFirst: isFirst) {
            isFirst = false
            let name = String(decoding: key, as: UTF8.self)
            let isArray = try skipWhitespace() == UInt8(ascii: "[")
            if let root {
                if key.elementsEqual(root.utf8) {
                    if isArray {
                        window.position += 1
                        return
                    }
                    let kind = try scanValue(depth: 2)
                    throw error(.header, message: "\"\(name)\" is \(kind.name); it must be an array of objects")
                }
            } else if isArray {
                throw error(
                    .header,
                    message: "the document is an object, not an array; name the key of the array with --root: \(name)")
            }
            _ = try scanValue(depth: 2)
        }
        guard let root else {
            throw error(.header, message: "the document is an object without an array; it must be an array of objects")
        }
        let keys = documentKeys.list.map { "its keys are \($0)" } ?? "it has no keys"
        throw error(.header, message: "the document has no key \"\(root)\"; \(keys)")
    }

    /// Goes behind the colon of the next key of the document's object; nil behind its end.
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
        let range = try scanString()
        let key = Array(window.bytes[window.anchor + range.lowerBound..<window.anchor + range.upperBound])
        guard documentKeys.insert(key) else {
            throw broken("the key \"\(String(decoding: key, as: UTF8.self))\" is there twice")
        }
        try skipColon()
        return key
    }

    /// Goes behind the array and makes sure that the rest of the document is well-formed.
    mutating func closeArray() throws(InterchangeError) {
        window.position += 1
        if root != nil {
            while try nextDocumentKey(isFirst: false) != nil {
                _ = try skipWhitespace()
                _ = try scanValue(depth: 2)
            }
        }
        if let byte = try skipWhitespace() { throw expected("nothing after the document", found: byte) }
    }
}
