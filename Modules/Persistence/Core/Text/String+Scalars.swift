extension String {
    /// Returns the text with each occurrence of a scalar replaced with another text.
    ///
    /// The scalar is replaced even if a combining mark follows it. Swift treats a quote with a combining mark as one
    /// `Character` that differs from a quote, but other readers of the text still find a quote.
    ///
    /// - Complexity: O(*n*) in the bytes of the text.
    package func replacing(_ scalar: Unicode.Scalar, by text: String) -> String {
        var result = ""
        for found in unicodeScalars {
            if found == scalar { result += text } else { result.unicodeScalars.append(found) }
        }
        return result
    }
}
