/// The location and the cause of a JSON syntax error; the code that reads the text writes the message.
package struct JSONSyntaxError: Error {
    /// The cause of a syntax error.
    package enum Reason: Sendable, Equatable {
        /// The document ends before a value.
        case noValue
        /// The text at the location does not begin a value.
        case unknownValue
        /// More text follows the document.
        case moreBehind
        case tooDeep
        /// A member has no name in quotes.
        case noName
        /// A member name occurs twice.
        case repeatedName(String)
        case noColon
        /// Neither a comma nor the character that ends the list or the object follows.
        case noEnd(Character)
        case noDigit
        case notUTF8
        case endlessText
        case controlCharacter
        case unknownEscape
        case noHexadecimalDigit
        /// The first half of a surrogate pair has no second half.
        case firstHalfAlone
        /// The escape after the first half of a surrogate pair is not a second half.
        case wrongSecondHalf
        /// The second half of a surrogate pair has no first half.
        case secondHalfAlone
    }

    package let reason: Reason
    /// The location of the error.
    package let place: JSONValue.Place
    /// The location as the count of bytes before it.
    package let offset: Int
    /// A Boolean value that indicates whether the error is a number with a leading zero.
    ///
    /// The zero is the byte before the location, and a digit is at the location.
    package let isBehindZero: Bool
}
