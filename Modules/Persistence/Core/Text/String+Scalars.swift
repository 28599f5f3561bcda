extension String {
    /// The text with another one in place of each of some scalar.
    ///
    /// Whatever stands behind it: with a combining mark a quote is one `Character`, which is no quote to Swift, and still one to who reads the text.
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
