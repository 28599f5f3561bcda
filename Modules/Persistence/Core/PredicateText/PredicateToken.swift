/// One word, number, text or sign of a predicate in text.
struct PredicateToken {
    package enum Kind: Equatable {
        /// A name or keyword; a name in backticks or after `#` is no keyword.
        case word(String, isKeyword: Bool)
        case number(String)
        case string(String)
        case sign(String)
        case end
    }

    let kind: Kind
    /// Where it stands, in Unicode scalars.
    let span: Range<Int>

    /// A keyword in lowercase; `nil` for everything else.
    var keyword: String? {
        if case .word(let word, isKeyword: true) = kind { word.foldingASCIICase() } else { nil }
    }

    var sign: String? {
        if case .sign(let sign) = kind { sign } else { nil }
    }

    /// The token as messages name it.
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

    /// The text as messages show it: not too long, and in one line.
    var shortened: String {
        var shown = ""
        for scalar in unicodeScalars.prefix(Self.longestInMessage) {
            shown.unicodeScalars.append(scalar.value < 0x20 || scalar.value == 0x7F ? " " : scalar)
        }
        return unicodeScalars.count > Self.longestInMessage ? shown + "…" : shown
    }
}
