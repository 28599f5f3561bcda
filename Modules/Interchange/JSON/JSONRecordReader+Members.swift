import StrataCore

extension JSONRecordReader {
    /// The number of members of the current record.
    ///
    /// It is 0 for an empty object, and after the last record. Records of one document may have different counts and
    /// orders of members.
    public var memberCount: Int { members.count }

    /// Returns the kind of a member's value.
    ///
    /// A program cannot distinguish a missing member from null by its kind; compare the index with ``memberCount``.
    ///
    /// - Parameter member: The index of the member, 0 to ``memberCount`` - 1, in the order of the file; a missing
    ///   member is null.
    /// - Returns: The kind of the value.
    public func kind(ofMember member: Int) -> JSONKind {
        members.indices.contains(member) ? members[member].kind : .null
    }

    /// Returns the physical line, from 1, of the member's key.
    ///
    /// Use it for messages about a member of an object that spans several lines.
    ///
    /// - Parameter member: The index of the member, 0 to ``memberCount`` - 1; a missing member has the record's line.
    /// - Returns: The line.
    public func line(ofMember member: Int) -> Int {
        members.indices.contains(member) ? members[member].line : line
    }

    /// Returns the key of a member as a string.
    ///
    /// - Parameter member: The index of the member, 0 to ``memberCount`` - 1; a missing member has an empty key.
    /// - Returns: The key, with its escape sequences decoded. If the member is inside nested objects, the result is the
    ///   path of keys to the member. If the member has no key in the record, the result is the name of its attribute.
    /// - Complexity: O(*n*) in the bytes of the key. In loops over many records, ``withKey(ofMember:_:)`` avoids the
    ///   string.
    public func key(ofMember member: Int) -> String {
        guard members.indices.contains(member) else { return "" }
        if let name = members[member].name { return names[name] }
        return withBytes(of: members[member].key) { String(decoding: $0) }
    }

    /// Returns the text of a member's value as a string.
    ///
    /// The string is a copy that stays valid after the next call of ``next()``.
    ///
    /// - Parameter member: The index of the member, 0 to ``memberCount`` - 1; a missing member has an empty text.
    /// - Returns: A string's text without quotes and escapes; a number or a literal as it is written; a validated array
    ///   or object verbatim.
    /// - Complexity: O(*n*) in the bytes of the value.
    public func text(ofMember member: Int) -> String {
        withText(ofMember: member) { String(decoding: $0) }
    }

    /// Calls a closure with the bytes of a member's key: valid UTF-8 without escapes.
    ///
    /// The closure must not retain the span; the compiler enforces this. If the member has a path or a name from the
    /// layout, the bytes are those of ``key(ofMember:)``, and the call copies them.
    ///
    /// - Parameters:
    ///   - member: The index of the member, 0 to ``memberCount`` - 1; a missing member has no bytes.
    ///   - body: A closure that receives the bytes, which are in the reader's buffer.
    /// - Returns: The result of the closure.
    /// - Throws: The error of the closure.
    public func withKey<Result, Failure: Error>(
        ofMember member: Int, _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard members.indices.contains(member) else { return try body(window.bytes.span.extracting(0..<0)) }
        guard let name = members[member].name else { return try withBytes(of: members[member].key, body) }
        let bytes = Array(names[name].utf8)
        return try body(bytes.span)
    }

    /// Calls a closure with the bytes of a member's value, in the form of ``text(ofMember:)``.
    ///
    /// Use this method for conversions that need no string. The closure must not retain the span; the compiler enforces
    /// this.
    ///
    /// - Parameters:
    ///   - member: The index of the member, 0 to ``memberCount`` - 1; a missing member has no bytes.
    ///   - body: A closure that receives the bytes, which are in the reader's buffer.
    /// - Returns: The result of the closure.
    /// - Throws: The error of the closure.
    /// - Complexity: O(1); the bytes are not copied.
    public func withText<Result, Failure: Error>(
        ofMember member: Int, _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard members.indices.contains(member) else { return try body(window.bytes.span.extracting(0..<0)) }
        return try withBytes(of: members[member].value, body)
    }

    /// Calls a closure with the verbatim bytes of the current record, or of the bytes that ``recover()`` skipped.
    ///
    /// Use the bytes to write a rejected record to another file. The bytes contain neither the comma nor the line break
    /// after the record. If the records are members of an object, the bytes are the key and the value without braces.
    ///
    /// - Parameter body: A closure that receives the bytes, which are in the reader's buffer.
    /// - Returns: The result of the closure.
    /// - Throws: The error of the closure.
    /// - Complexity: O(1); the bytes are not copied.
    public func withOriginal<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let range = window.anchor..<window.anchor + max(0, recordEnd)
        return try body(window.bytes.span.extracting(range))
    }
}
