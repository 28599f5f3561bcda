import StrataPersistence

/// A diagram of a model in the language of Mermaid or Graphviz.
struct ModelDiagram {
    let model: ManagedObjectModel

    /// A line between two entities, which represents a relationship and its inverse.
    private struct Line {
        let from: String
        let to: String
        let name: String
        let isToMany: Bool
        let isInverseToMany: Bool
        let isOptional: Bool
    }

    private var lines: [Line] {
        model.entities.flatMap { entity in
            entity.relationships.compactMap { relationship -> Line? in
                let inverse = relationship.inverse.flatMap {
                    model[relationship.destination]?.relationship(named: $0)
                }
                let join = model.join(of: relationship.name, in: entity.name)
                // The line is drawn for the side that has the column, or for the first side of a join table.
                guard entity.columnIndex(relationship.name) != nil || join?.isSource == true else { return nil }
                return Line(
                    from: entity.name, to: relationship.destination, name: relationship.name,
                    isToMany: relationship.cardinality == .toMany,
                    isInverseToMany: inverse.map { $0.cardinality == .toMany } ?? true,
                    isOptional: relationship.isOptional)
            }
        }
    }

    /// An entity-relationship diagram in Mermaid's language.
    var mermaid: String {
        var text = "erDiagram\n"
        for entity in model.entities {
            text += "    \(entity.name) {\n"
            for attribute in entity.attributes {
                // Mermaid's type names cannot contain parentheses.
                let type = attribute.type.description.filter { $0 != "(" && $0 != ")" }
                text += "        \(type) \(attribute.name)\(attribute.isUnique ? " UK" : "")\n"
            }
            text += "    }\n"
        }
        for line in lines {
            let left = line.isInverseToMany ? "}o" : "|o"
            let right = line.isToMany ? "o{" : line.isOptional ? "o|" : "||"
            text += "    \(line.from) \(left)--\(right) \(line.to) : \(line.name)\n"
        }
        return text
    }

    /// A directed graph in Graphviz's language.
    var dot: String {
        var text = "digraph model {\n  rankdir=LR;\n  node [shape=record, fontname=\"sans-serif\"];\n"
        for entity in model.entities {
            let attributes = entity.attributes.map { "\($0.name): \($0.type)\\l" }.joined()
            text += "  \"\(entity.name)\" [label=\"{\(entity.name)|\(attributes)}\"];\n"
        }
        for line in lines {
            let (tail, head) = (line.isInverseToMany ? "crow" : "tee", line.isToMany ? "crow" : "tee")
            let style = line.isOptional ? ", style=dashed" : ""
            text +=
                "  \"\(line.from)\" -> \"\(line.to)\" [label=\"\(line.name)\", dir=both, arrowtail=\(tail), arrowhead=\(head)\(style)];\n"
        }
        return text + "}\n"
    }
}
