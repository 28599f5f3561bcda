extension String {
    /// The text with another one in place of each single quote, also of one with a combining mark, which to Swift is another
    /// character.
    func quotesReplaced(by text: String) -> String {
        let parts = unicodeScalars.split(separator: "'", omittingEmptySubsequences: false)
        return parts.map { String($0) }.joined(separator: text)
    }
}
