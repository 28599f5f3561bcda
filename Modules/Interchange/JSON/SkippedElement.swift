/// The check whether the skipped bytes of an invalid element may be more than one element.
///
/// Between two missing quotes, strings and the text between them are swapped, so that whole elements look like one
/// string. The text `},{`, which ends an element and begins the next one, indicates this in any position. The only
/// exception is an array in a record that is too long and was valid JSON as far as it was read. Members also begin with
/// a key and a colon; a member has only one colon outside of all brackets.
struct SkippedElement {
    /// A Boolean value that indicates whether the skipped bytes may be more than one element.
    private(set) var mayBeSeveral = false
    private let beginning: UInt8
    private let areMembers: Bool
    private let isTooLong: Bool
    /// A Boolean value that indicates whether a closing brace was followed only by white space and commas.
    private var isBehindBrace = false
    /// A Boolean value that indicates whether a quote outside of all brackets was followed only by white space.
    ///
    /// If strings and the text between them are swapped, a quote that opens a string may in fact close a key.
    private var isBehindKey = false
    private var keyCount = 0

    /// Creates the statistics of an element of which no byte was skipped yet.
    init(areMembers: Bool = false, isTooLong: Bool = false) {
        self.areMembers = areMembers
        self.isTooLong = isTooLong
        beginning = areMembers ? UInt8(ascii: "\"") : UInt8(ascii: "{")
    }

    /// Records the next byte, and the closing quote or bracket of the text around it; `nil` outside of all.
    mutating func note(_ byte: UInt8, inside end: UInt8?) {
        guard byte > UInt8(ascii: " ") else { return }
        if isBehindBrace, byte == beginning, !(isTooLong && end == UInt8(ascii: "]")) { mayBeSeveral = true }
        if isBehindKey, byte == UInt8(ascii: ":") {
            keyCount += 1
            if keyCount > 1 { mayBeSeveral = true }
        }
        isBehindKey = false
        // The value of a member may itself contain braces before a quote.
        let isOfMember = areMembers && end != UInt8(ascii: "\"") && end != nil
        isBehindBrace = byte == UInt8(ascii: "}") ? !isOfMember : isBehindBrace && byte == UInt8(ascii: ",")
    }

    /// Records that the last byte was a quote that opens or closes a string, and whether it is outside of all brackets.
    mutating func noteQuote(isOutside: Bool) { isBehindKey = areMembers && isOutside }
}
