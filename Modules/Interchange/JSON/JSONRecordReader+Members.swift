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
    /// - Returns: The key without escapes.
    public func key(ofMember member: Int) -> String {
        String(decoding: window.bytes[range(member, \.key)], as: UTF8.self)
    }

    /// The text of a member's value as a string of its own.
    ///
    /// - Parameter member: 0 to ``memberCount`` - 1; a member that is not there is empty.
    /// - Returns: A string's text without quotes and escapes; a number or a literal as it is written. The text of an array or an
    ///   object is not of use: its strings are unescaped in place.
    public func text(ofMember member: Int) -> String {
        String(decoding: window.bytes[range(member, \.value)], as: UTF8.self)
    }

    /// Lends the bytes of a member's key: valid UTF-8 without escapes.
    ///
    /// - Parameters:
    ///   - member: 0 to ``memberCount`` - 1; a member that is not there has no bytes.
    ///   - body: Gets the bytes, which are in the reader's buffer.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws.
    public func withKey<Result, Failure: Error>(
        ofMember member: Int, _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(window.bytes.span.extracting(range(member, \.key)))
    }

    /// Lends the bytes of a member's value, in the form of ``text(ofMember:)``.
    ///
    /// - Parameters:
    ///   - member: 0 to ``memberCount`` - 1; a member that is not there has no bytes.
    ///   - body: Gets the bytes, which are in the reader's buffer.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws.
    public func withText<Result, Failure: Error>(
        ofMember member: Int, _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(window.bytes.span.extracting(range(member, \.value)))
    }

    private func range(_ member: Int, _ part: KeyPath<Member, Range<Int>>) -> Range<Int> {
        guard members.indices.contains(member) else { return 0..<0 }
        let range = members[member][keyPath: part]
        return window.anchor + range.lowerBound..<window.anchor + range.upperBound
    }
}
