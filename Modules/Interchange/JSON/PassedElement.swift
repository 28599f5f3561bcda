/// What is passed over of an element that is no JSON: whether it may be more than one.
///
/// Between two missing quotes texts and what is between them have changed places, so that whole elements look like one text. What ends an element and begins
/// the next one, `},{`, says so wherever it stands; only of a record that is too long, and was JSON as far as it was read, an array may have it. Members also
/// begin with a key and a colon, of which a member has one outside of all brackets.
struct PassedElement {
    /// Whether it may be more than one element.
    private(set) var mayBeSeveral = false
    private let beginning: UInt8
    private let areMembers: Bool
    private let isTooLong: Bool
    /// Whether a brace was closed, with nothing but white space and commas since.
    private var isBehindBrace = false
    /// Whether there was a quote outside of all brackets, with nothing but white space since: where texts and the rest have changed places, what opens a
    /// string may be what closes a key.
    private var isBehindKey = false
    private var keyCount = 0

    init(areMembers: Bool = false, isTooLong: Bool = false) {
        self.areMembers = areMembers
        self.isTooLong = isTooLong
        beginning = areMembers ? UInt8(ascii: "\"") : UInt8(ascii: "{")
    }

    /// Notes the next byte, and which quote or closing bracket what it is inside of ends with; nil outside of all.
    mutating func note(_ byte: UInt8, inside end: UInt8?) {
        guard byte > UInt8(ascii: " ") else { return }
        if isBehindBrace, byte == beginning, !(isTooLong && end == UInt8(ascii: "]")) { mayBeSeveral = true }
        if isBehindKey, byte == UInt8(ascii: ":") {
            keyCount += 1
            if keyCount > 1 { mayBeSeveral = true }
        }
        isBehindKey = false
        // A member's value has braces before a quote that are its own.
        let isOfMember = areMembers && end != UInt8(ascii: "\"") && end != nil
        isBehindBrace = byte == UInt8(ascii: "}") ? !isOfMember : isBehindBrace && byte == UInt8(ascii: ",")
    }

    /// Notes that the last byte was a quote that opens or closes a string, and whether that is outside of all brackets.
    mutating func noteQuote(isOutside: Bool) { isBehindKey = areMembers && isOutside }
}
