/// Functions that quote words for the command lines in messages.
package enum ShellWord {
    /// Returns a word in the form in which a POSIX shell reads it: unchanged, or in single quotes.
    ///
    /// A word of letters, digits and `._-/=:%,+@` needs no quotes.
    package static func quoted(_ word: String) -> String {
        let isPlain =
            !word.isEmpty
            && word.utf8.allSatisfy { byte in
                (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte) || (0x30...0x39).contains(byte)
                    || "._-/=:%,+@".utf8.contains(byte)
            }
        guard !isPlain else { return word }
        return "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
