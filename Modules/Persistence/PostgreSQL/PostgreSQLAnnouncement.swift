#if PostgreSQL
/// The text form of entity names in change announcements, without spaces.
enum PostgreSQLAnnouncement {
    /// Returns the names, separated by commas, or an empty text, which means any entity, if they exceed the limit.
    ///
    /// The names consist of letters, digits and `_`.
    static func text(of entities: Set<String>, atMost byteCount: Int = .max) -> String {
        let text = entities.sorted().joined(separator: ",")
        return text.utf8.count <= byteCount ? text : ""
    }

    /// Returns the entities of a model that a text names; a text of another program can return any of them.
    static func entities(in text: Substring, of model: Set<String>) -> Set<String> {
        if text.isEmpty { return model }
        return model.intersection(text.split(separator: ",").map(String.init))
    }
}
#endif
