/// Prose in a command's help, for who has not seen before what the command is about.
struct HelpGuide: Sendable, Hashable {
    /// A part of it.
    enum Block: Sendable, Hashable {
        /// A paragraph, which is wrapped.
        case text(String)
        /// Lines that stay as they are: what is typed, or what a file has.
        case lines([String])
    }

    /// The heading.
    let title: String
    /// The paragraphs and lines, in their order.
    let blocks: [Block]
}
