#if PostgreSQL
/// The text form of the entity names in an announcement of a change; the text contains no spaces.
enum PostgreSQLAnnouncement {
    /// Returns entity names separated by commas; if the result would exceed the limit, returns an empty text, which
    /// means all entities.
    ///
    /// The names consist of letters, digits and `_`.
    static func text(of entities: Set<String>, atMost byteCount: Int = .max) -> String {
        let text = entities.sorted().joined(separator: ",")
        return text.utf8.count <= byteCount ? text : ""
    }

    /// Returns those entities of a model that a text names; if another program has written the text, it may name any of
    /// them.
    static func entities(in text: Substring, of model: Set<String>) -> Set<String> {
        if text.isEmpty { return model }
        return model.intersection(text.split(separator: ",").map(String.init))
    }
}
#endif
