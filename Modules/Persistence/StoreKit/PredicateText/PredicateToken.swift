import StrataCore

/// A token of a textual predicate: a word, a number, a text in quotes, or a sign.
///
/// A name in backticks or after `#` is a word that is never a keyword, so that properties may have the names of
/// keywords.
struct PredicateToken {
    package enum Kind: Equatable {
        /// A name or a keyword; a name in backticks or after `#` is not a keyword.
        case word(String, isKeyword: Bool)
        case number(String)
        case string(String)
        case sign(String)
        case end
    }

    let kind: Kind
    /// The location of the token in the textual predicate, in Unicode scalars.
    let span: Range<Int>

    /// The keyword in lowercase; `nil` if the token is not a keyword.
    var keyword: String? {
        if case .word(let word, isKeyword: true) = kind { word.foldingASCIICase() } else { nil }
    }

    var sign: String? {
        if case .sign(let sign) = kind { sign } else { nil }
    }

    /// The name of the token in error messages.
    var name: String {
        switch kind {
        case .word(let word, _): "\"\(word.shortened)\""
        case .number(let text): text.shortened
        case .string: "a text"
        case .sign(let sign): "\"\(sign)\""
        case .end: "the end"
        }
    }
}

extension String {
    private static let longestInMessage = 40

    /// The token's text for error messages: shortened, and in one line.
    var shortened: String {
        var shown = ""
        for scalar in unicodeScalars.prefix(Self.longestInMessage) {
            shown.unicodeScalars.append(scalar.value < 0x20 || scalar.value == 0x7F ? " " : scalar)
        }
        return unicodeScalars.count > Self.longestInMessage ? shown + "…" : shown
    }
}
