#if PostgreSQL
/// Names of entities as others are told them: a text without spaces.
enum PostgreSQLAnnouncement {
    /// The names, which are words of letters, digits and `_`, with commas between them; nothing at all, which means any entity, where that is too long.
    static func text(of entities: Set<String>, atMost byteCount: Int = .max) -> String {
        let text = entities.sorted().joined(separator: ",")
        return text.utf8.count <= byteCount ? text : ""
    }

    /// The entities of a model that a text names; a text of another program names any.
    static func entities(in text: Substring, of model: Set<String>) -> Set<String> {
        if text.isEmpty { return model }
        return model.intersection(text.split(separator: ",").map(String.init))
    }
}
#endif
