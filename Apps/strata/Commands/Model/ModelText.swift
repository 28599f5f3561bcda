import StrataPersistence

/// A readable description of a model: each entity with its properties.
struct ModelText {
    let model: ManagedObjectModel

    var text: String { model.entities.map(text).joined(separator: "\n") }

    private func text(_ entity: EntityDescription) -> String {
        var title = entity.name
        if let name = entity.external.name { title += ", “\(name)” in files" }
        switch entity.external.identifiers {
        case .own: title += ", without identifiers in files"
        case .column("id"): break
        case .column(let name): title += ", identifiers in “\(name)”"
        }
        for words in [entity.external.title, entity.external.explanation].compactMap({ $0 }) {
            title += "\n  # \(words)"
        }
        let notes = Dictionary(
            entity.attributes.map { ($0.name, [$0.title, $0.explanation].compactMap { $0 }) },
            uniquingKeysWith: { first, _ in first })
        let names = Dictionary(
            entity.columns.filter { $0.externalName != $0.name }.map { ($0.name, $0.externalName) },
            uniquingKeysWith: { first, _ in first })
        let rows = model.summaries(of: entity).map { property in
            (property.name, property.summary + (names[property.name].map { ", “\($0)” in files" } ?? ""))
        }
        let width = rows.map(\.0.count).max() ?? 0
        return title + "\n"
            + rows.map { name, summary in
                "  " + name + String(repeating: " ", count: width - name.count + 2) + summary + "\n"
                    + (notes[name] ?? []).map { String(repeating: " ", count: width + 4) + "# \($0)\n" }.joined()
            }.joined()
    }
}
