/// The words that Swift code cannot use as plain names.
enum SwiftKeywords {
    /// The words that are valid names of properties, parameters and cases only in backticks.
    ///
    /// The list was determined with the compiler of Swift 6.3. Contextual words such as `open` need no backticks.
    private static let reserved: Set<String> = [
        "Any", "Self", "as", "associatedtype", "await", "break", "case", "catch", "class", "continue", "default",
        "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func",
        "guard", "if", "import", "in", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup",
        "private", "protocol", "public", "repeat", "rethrows", "return", "static", "struct", "subscript", "super",
        "switch", "throw", "throws", "true", "try", "typealias", "var", "where", "while",
    ]

    /// The words that are not valid names even in backticks, or that mean something else after a period.
    static let unusable: Set<String> = ["Type", "Protocol", "self", "init"]

    /// Returns a name in the form in which code uses it: with backticks if it is a keyword.
    static func quoted(_ name: String) -> String { reserved.contains(name) ? "`\(name)`" : name }

    /// Returns a name in the form in which code declares it as a parameter: almost all keywords are plain.
    static func parameter(_ name: String) -> String {
        ["inout", "let", "var"].contains(name) ? "`\(name)`" : name
    }

    /// Returns a name in the form in which code uses it as the label of an argument.
    static func label(_ name: String) -> String { name == "inout" ? "`\(name)`" : name }

    /// Returns a Boolean value that indicates whether a text is a name of ASCII letters, digits and `_`.
    ///
    /// Keywords are no names.
    static func isName(_ text: String) -> Bool {
        func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte & 0xDF) }
        return text.utf8.first.map(isLetter) == true && isTypeName(text)
            && text.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || $0 == 0x5F }
    }

    /// Returns a Boolean value that indicates whether a type can have a name.
    static func isTypeName(_ name: String) -> Bool { !reserved.contains(name) && !unusable.contains(name) }
}
