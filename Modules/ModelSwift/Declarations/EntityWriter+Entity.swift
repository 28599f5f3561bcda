import StrataCore

extension EntityWriter {
    /// Writes the static property with the entity of the record type.
    func writeEntity(_ text: inout SwiftText) {
        text.add()
        text.comment("The entity of the records.")
        // With the explicit type, the compiler writes the module's interface without checking the expression.
        let type = library("RecordEntity")
        text.add("\(access)static let entity: \(type)<\(recordType)> = \(type)(")
        text.nested { text in
            var first: [SwiftExpression] = [.text(SwiftLiteral.text(entity.name)), "id: \\.id"]
            if options.layers == .two { first.append("rawID: \\\(recordType).ID.rawValue") }
            text.add(.text(first.map(\.flat).joined(separator: ", ") + ","))
            let properties = entity.properties.map(expression)
            let end = entityArguments + ["rules: .model"]
            if properties.isEmpty {
                text.add(filled: ["[]"] + end)
            } else {
                text.add("[")
                text.nested { text in
                    // A literal with one element has no comma at its end.
                    for property in properties { text.add(property, tail: properties.count > 1 ? "," : "") }
                }
                text.add(filled: ["]"] + end)
            }
        }
        text.add(") { row in")
        text.nested { text in
            let values = [SwiftExpression.labeled("id", "row.id()")] + passed { _ in "row.next()" }
            text.add(.call(recordType, values), head: "try ")
        }
        text.add("}")
    }

    private var entityArguments: [SwiftExpression] {
        func lists(_ label: String, _ lists: [[String]]) -> [SwiftExpression] {
            guard !lists.isEmpty else { return [] }
            return [.labeled(label, .array(lists.map { .array($0.map { .text(SwiftLiteral.text($0)) }) }))]
        }
        var list = lists("uniquenessConstraints", entity.uniquenessConstraints) + lists("indexes", entity.indexes)
        if entity.external != ExternalForm() { list.append(.labeled("external", external)) }
        if !entity.renamedFrom.isEmpty { list.append(.labeled("renamedFrom", texts(entity.renamedFrom))) }
        if entity.keepsOrder { list.append("keepsOrder: true") }
        return list
    }

    private func texts(_ texts: [String]) -> SwiftExpression { .array(texts.map { .text(SwiftLiteral.text($0)) }) }

    private func argument(_ label: String, _ text: String?) -> [SwiftExpression] {
        text.map { [.labeled(label, .text(SwiftLiteral.text($0)))] } ?? []
    }

    private var external: SwiftExpression {
        let form = entity.external
        var list = argument("name", form.name)
        switch form.identifiers {
        case .own: list.append("identifiers: .own")
        case .column(let name) where name != "id": list.append("identifiers: .column(\(SwiftLiteral.text(name)))")
        case .column: break
        }
        if !form.columns.isEmpty { list.append(.labeled("columns", texts(form.columns))) }
        if let missing = form.missingValues { list.append(.labeled("missingValues", texts(missing))) }
        list += argument("title", form.title) + argument("explanation", form.explanation)
        return .call(library("ExternalForm"), list)
    }

    // MARK: Properties

    private func expression(of property: EntityDescription.Property) -> SwiftExpression {
        switch property {
        case .attribute(let attribute):
            let modifiers = modifiers(of: attribute)
            return modifiers.isEmpty ? call(of: attribute) : .chain(call(of: attribute), modifiers)
        case .relationship(let relationship):
            let modifiers = modifiers(of: relationship)
            return modifiers.isEmpty ? call(of: relationship) : .chain(call(of: relationship), modifiers)
        }
    }

    private func call(of attribute: AttributeDescription) -> SwiftExpression {
        var list: [SwiftExpression] = [
            .text(SwiftLiteral.text(attribute.name)), .text("\\.\(names.member(attribute.name))"),
        ]
        if case .decimal(let scale) = attribute.type, scale > 0 { list.append("scale: \(scale)") }
        if let value = attribute.defaultValue { list.append("default: \(values.defaultValue(value))") }
        if !attribute.rules.isEmpty { list.append(.labeled("rules", .array(attribute.rules.map(rule)))) }
        if attribute.isUnique { list.append("isUnique: true") }
        if attribute.isIndexed { list.append("isIndexed: true") }
        if attribute.isImmutable { list.append("isImmutable: true") }
        return .call(".attribute", list)
    }

    private func rule(_ rule: AttributeRule) -> SwiftExpression {
        switch rule {
        case .minimum(let value): .text(".minimum(\(values.stored(value)))")
        case .maximum(let value): .text(".maximum(\(values.stored(value)))")
        case .greaterThan(let value): .text(".greaterThan(\(values.stored(value)))")
        case .lessThan(let value): .text(".lessThan(\(values.stored(value)))")
        case .oneOf(let list): .call(".oneOf", [.array(list.map { .text(values.stored($0)) })])
        case .minimumLength(let length): .text(".minimumLength(\(SwiftLiteral.integer(Int64(length))))")
        case .maximumLength(let length): .text(".maximumLength(\(SwiftLiteral.integer(Int64(length))))")
        case .pattern(let pattern): .text(".pattern(\(SwiftLiteral.pattern(pattern)))")
        }
    }

    private func modifiers(of attribute: AttributeDescription) -> [SwiftExpression] {
        var list: [SwiftExpression] = []
        if attribute.externalName != nil || !attribute.spelling.isUsual {
            var arguments: [SwiftExpression] = [.text(attribute.externalName.map(SwiftLiteral.text) ?? "nil")]
            if !attribute.spelling.isUsual {
                arguments.append(.labeled("spelling", expression(of: attribute.spelling)))
            }
            list.append(.call(".external", arguments))
        }
        if let format = attribute.domain?.format { list.append(".format(.\(format))") }
        if attribute.title != nil || attribute.explanation != nil {
            let texts = [attribute.title ?? nil, attribute.explanation].map { $0.map(SwiftLiteral.text) ?? "nil" }
            list.append(.call(".titled", (attribute.explanation == nil ? [texts[0]] : texts).map { .text($0) }))
        }
        list += renaming(attribute.renamedFrom)
        if !attribute.renamedValues.isEmpty {
            let pairs = attribute.renamedValues.map { renamed in
                SwiftExpression.text("\(values.swift(renamed.from)): \(values.swift(renamed.to))")
            }
            list.append(.call(".renamedValues", [.array(pairs)]))
        }
        if attribute.isPreservedAfterDeletion { list.append(".preservedAfterDeletion()") }
        return list
    }

    private func renaming(_ names: [String]) -> [SwiftExpression] {
        guard !names.isEmpty else { return [] }
        let texts = names.map { SwiftExpression.text(SwiftLiteral.text($0)) }
        return [.call(".renamed", [.labeled("from", texts[0])] + texts.dropFirst())]
    }

    private func expression(of spelling: ExternalSpelling) -> SwiftExpression {
        var list: [SwiftExpression] = []
        if let missing = spelling.missingValues { list.append(.labeled("missingValues", texts(missing))) }
        list += argument("decimal", spelling.decimal) + argument("group", spelling.group)
        if !spelling.trueWords.isEmpty { list.append(.labeled("trueWords", texts(spelling.trueWords))) }
        if !spelling.falseWords.isEmpty { list.append(.labeled("falseWords", texts(spelling.falseWords))) }
        list += argument("dateFormat", spelling.dateFormat)
        if spelling.writesFewestDigits { list.append("writesFewestDigits: true") }
        return .call(library("ExternalSpelling"), list)
    }

    private func call(of relationship: RelationshipDescription) -> SwiftExpression {
        guard entity.columnIndex(relationship.name) != nil else {
            return .text(".relationship(\(names.property(relationship.name)))")
        }
        var list: [SwiftExpression] = [
            .text(SwiftLiteral.text(relationship.name)), .text("\\.\(names.member(relationship.name))"),
        ]
        if options.layers == .two { list.append("raw: \\\(record(relationship.destination)).ID.rawValue") }
        list += argument("to", relationship.destination) + argument("inverse", relationship.inverse)
        if relationship.deleteRule != .nullify { list.append("deleteRule: .\(relationship.deleteRule.rawValue)") }
        return .call(".toOne", list)
    }

    private func modifiers(of relationship: RelationshipDescription) -> [SwiftExpression] {
        var list: [SwiftExpression] = []
        if let name = relationship.externalName { list.append(.text(".external(\(SwiftLiteral.text(name)))")) }
        if let key = relationship.externalKey {
            list.append(.call(".external", [.labeled("key", expression(of: key))]))
        }
        if let link = relationship.externalLink {
            list.append(.call(".external", [.labeled("link", expression(of: link))]))
        }
        return list + renaming(relationship.renamedFrom)
    }

    private func expression(of key: ExternalKey) -> SwiftExpression {
        if key.properties.count == 1, key.columns.count == 1 {
            let column = SwiftLiteral.text(key.columns[0])
            return .text("\(library("ExternalKey"))(\(SwiftLiteral.text(key.properties[0])), column: \(column))")
        }
        return .call(library("ExternalKey"), [texts(key.properties), .labeled("columns", texts(key.columns))])
    }

    private func expression(of link: ExternalLink) -> SwiftExpression {
        switch link {
        case .list(let form):
            var list = argument("column", form.column)
            if form.separator != "," { list += argument("separator", form.separator) }
            list += argument("property", form.property)
            return .call(".list", [.call(library("ExternalList"), list)])
        case .table(let table):
            var list: [SwiftExpression] = [.text(SwiftLiteral.text(table.name))]
            list.append(.labeled("owner", expression(of: table.owner)))
            list.append(.labeled("destination", expression(of: table.destination)))
            list += argument("position", table.position) + argument("inversePosition", table.inversePosition)
            return .call(".table", [.call(library("ExternalLinkTable"), list)])
        }
    }
}
