extension String {
    /// Returns the text with every single quote replaced by another text.
    ///
    /// A quote that has a combining mark is replaced too, although it is a different `Character`.
    func quotesReplaced(by text: String) -> String {
        let parts = unicodeScalars.split(separator: "'", omittingEmptySubsequences: false)
        return parts.map { String($0) }.joined(separator: text)
    }
}
