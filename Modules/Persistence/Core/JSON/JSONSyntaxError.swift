/// A syntax error in a JSON text: its location and its cause.
///
/// The code that reads the text creates the message.
package struct JSONSyntaxError: Error {
    /// The cause of a JSON syntax error.
    package enum Reason: Sendable, Equatable {
        /// The JSON document ends where a value is expected.
        case noValue
        /// The text at the location of the error does not begin a JSON value.
        case unknownValue
        /// More text follows the value of the JSON document.
        case moreBehind
        case tooDeep
        /// A member of a JSON object does not begin with a name in quotes.
        case noName
        /// A JSON object has two members with this name.
        case repeatedName(String)
        case noColon
        /// Neither a comma nor this character, which ends the list or the object, follows an element.
        case noEnd(Character)
        case noDigit
        case notUTF8
        case endlessText
        case controlCharacter
        case unknownEscape
        case noHexadecimalDigit
        /// The first half of a surrogate pair is not followed by an escape sequence.
        case firstHalfAlone
        /// The first half of a surrogate pair is followed by an escape sequence that is not a second half.
        case wrongSecondHalf
        /// The second half of a surrogate pair does not follow a first half.
        case secondHalfAlone
    }

    package let reason: Reason
    /// The line and column of the error.
    package let place: JSONValue.Place
    /// The count of bytes in the text before the error.
    package let offset: Int
    /// A Boolean value that indicates whether the cause is a number with a leading zero.
    ///
    /// In this case, the zero is the byte before the location of the error, and a digit is at the location.
    package let isBehindZero: Bool
}
