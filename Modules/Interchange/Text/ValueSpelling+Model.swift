import StrataCore

extension ValueSpelling {
    /// Creates the spelling that a model declares for an attribute.
    ///
    /// - Throws: ``InterchangeError/Code/unsupported`` with the invalid sign or format.
    init(_ spelling: ExternalSpelling) throws(InterchangeError) {
        self.init(trueWords: spelling.trueWords, falseWords: spelling.falseWords)
        if let sign = spelling.decimal { decimal = try NumberSign(sign) }
        if let sign = spelling.group { group = try NumberSign(sign) }
        if let text = spelling.dateFormat {
            let format = try DatePattern(text)
            if format.hasDay { dateFormat = format } else { timeFormat = format }
        }
    }
}
