/// A text in a command's help for users who do not know the subject of the command yet.
struct HelpGuide: Sendable, Hashable {
    /// A part of the text.
    enum Block: Sendable, Hashable {
        /// A paragraph, which is wrapped.
        case text(String)
        /// Lines that are printed verbatim: commands to enter, or the content of a file.
        case lines([String])
    }

    /// The heading.
    let title: String
    /// The paragraphs and lines in order.
    let blocks: [Block]
}
