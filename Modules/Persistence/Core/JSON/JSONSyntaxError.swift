/// Where a text is no JSON, and why; who reads it says so in its own words.
package struct JSONSyntaxError: Error {
    /// What is wrong.
    package enum Reason: Sendable, Equatable {
        /// The document ends where a value should be.
        case noValue
        /// No value begins like this.
        case unknownValue
        /// There is more behind the document.
        case moreBehind
        case tooDeep
        /// There is no name in quotes.
        case noName
        /// A name of a member stands twice.
        case repeatedName(String)
        case noColon
        /// Neither a comma nor the end of the list or the object, which this character is.
        case noEnd(Character)
        case noDigit
        case notUTF8
        case endlessText
        case controlCharacter
        case unknownEscape
        case noHexadecimalDigit
        /// The first half of a surrogate pair stands alone.
        case firstHalfAlone
        /// What follows the first half of a surrogate pair is no second one.
        case wrongSecondHalf
        /// The second half of a surrogate pair stands alone.
        case secondHalfAlone
    }

    package let reason: Reason
    /// Where it is.
    package let place: JSONValue.Place
    /// The same as the number of bytes before it.
    package let offset: Int
    /// Whether a number with a zero in front is what is wrong: the zero is the byte before, and a digit stands here.
    package let isBehindZero: Bool
}
