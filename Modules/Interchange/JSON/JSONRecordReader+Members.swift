import StrataCore

extension JSONRecordReader {
    /// The number of members of the current record.
    public var memberCount: Int { members.count }

    /// What the value of a member is.
    ///
    /// - Parameter member: 0 to ``memberCount`` - 1, in the order of the file; a member that is not there is null.
    /// - Returns: The kind.
    public func kind(ofMember member: Int) -> JSONKind {
        members.indices.contains(member) ? members[member].kind : .null
    }

    /// The physical line, from 1, on which the member's key is.
    ///
    /// - Parameter member: 0 to ``memberCount`` - 1; a member that is not there has the record's line.
    /// - Returns: The line.
    public func line(ofMember member: Int) -> Int {
        members.indices.contains(member) ? members[member].line : line
    }

    /// The key of a member as a string of its own.
    ///
    /// - Parameter member: 0 to ``memberCount`` - 1; a member that is not there has an empty key.
    /// - Returns: The key without escapes; a path where the member is inside objects, and the attribute's name where the document has no key.
    public func key(ofMember member: Int) -> String {
        guard members.indices.contains(member) else { return "" }
        if let name = members[member].name { return names[name] }
        return withBytes(of: members[member].key) { String(decoding: $0) }
    }

    /// The text of a member's value as a string of its own.
    ///
    /// - Parameter member: 0 to ``memberCount`` - 1; a member that is not there is empty.
    /// - Returns: A string's text without quotes and escapes; a number or a literal as it is written. An array or an
    ///   object as it stands in the document, checked.
    public func text(ofMember member: Int) -> String {
        withText(ofMember: member) { String(decoding: $0) }
    }

    /// Gives access to the bytes of a member's key: valid UTF-8 without escapes.
    ///
    /// - Parameters:
    ///   - member: 0 to ``memberCount`` - 1; a member that is not there has no bytes.
    ///   - body: Gets the bytes, which are in the reader's buffer.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws.
    public func withKey<Result, Failure: Error>(
        ofMember member: Int, _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard members.indices.contains(member) else { return try body(window.bytes.span.extracting(0..<0)) }
        guard let name = members[member].name else { return try withBytes(of: members[member].key, body) }
        let bytes = Array(names[name].utf8)
        return try body(bytes.span)
    }

    /// Gives access to the bytes of a member's value, in the form of ``text(ofMember:)``.
    ///
    /// - Parameters:
    ///   - member: 0 to ``memberCount`` - 1; a member that is not there has no bytes.
    ///   - body: Gets the bytes, which are in the reader's buffer.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws.
    public func withText<Result, Failure: Error>(
        ofMember member: Int, _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard members.indices.contains(member) else { return try body(window.bytes.span.extracting(0..<0)) }
        return try withBytes(of: members[member].value, body)
    }

    /// Gives access to the bytes of the current record, or of what ``recover()`` passed over, as they stand in the file.
    ///
    /// - Parameter body: Gets the bytes, which are in the reader's buffer.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws.
    public func withOriginal<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let range = window.anchor..<window.anchor + max(0, recordEnd)
        return try body(window.bytes.span.extracting(range))
    }
}
