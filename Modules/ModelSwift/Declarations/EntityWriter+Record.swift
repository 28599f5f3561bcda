import StrataCore

extension EntityWriter {
    /// Writes the record type: identifier, properties, initializer, relationships and enumerations.
    ///
    /// - Parameters:
    ///   - file: The file of the type.
    ///   - withEntity: A Boolean value that indicates whether the type also conforms to `PersistentRecord` and declares
    ///     its entity.
    func writeRecord(_ file: inout SwiftFile, withEntity: Bool) {
        importTypes(columns, &file)
        let identifier = library(options.layers == .one ? "RecordID" : "Identifier")
        file.needs(options.layers == .one ? "StrataPersistence" : "StrataDomain", isExposed: true)
        file.text.comment(summary)
        let base = withEntity ? library("PersistentRecord") : "\(library("Identifiable")), \(library("Sendable"))"
        let conformances = "\(base), \(library("Hashable")), \(library("Codable"))"
        file.text.block("\(access)struct \(names.type): \(conformances)") { text in
            text.comment("The identifier of the record.")
            text.add("\(access)let id: \(identifier)<\(recordType)>")
            for column in columns { writeProperty(column, &text) }
            text.add()
            text.comment("Creates a record.")
            let id = "id: \(identifier)<\(recordType)>"
            text.function("\(access)init", [id] + parameters(isOutside: false)) { text in
                text.add("self.id = id")
                for column in columns {
                    text.add("self.\(names.member(column.name)) = \(names.property(column.name))")
                }
            }
            if withEntity {
                writeRelationships(&text)
                writeEntity(&text)
            }
            for attribute in entity.attributes { writeEnumeration(of: attribute, withConformance: withEntity, &text) }
        }
    }

    /// Writes the conformance of the record type and its entity, as an extension.
    func writePersistence(_ file: inout SwiftFile) {
        // The last module has the conformance of identifiers to the protocol of StrataPersistence.
        file.needs("StrataDomain", isExposed: false)
        file.needs("StrataPersistence", isExposed: true)
        file.needs("StrataRepositories", isExposed: options.access == .public)
        if columns.contains(where: { $0.attribute?.hasFoundationConstants == true }) {
            file.needs("Foundation", isExposed: false)
        }
        file.text.block("extension \(recordType): \(library("PersistentRecord"))") { text in
            writeRelationships(&text)
            writeEntity(&text)
        }
        for attribute in entity.attributes {
            guard let enumeration = names.enumerations[attribute.name] else { continue }
            file.text.add()
            let name = "\(recordType).\(enumeration.type)"
            file.text.block("extension \(name): \(library("AttributeValue"))") { writeDomain(&$0) }
        }
    }

    private var summary: String {
        let first = entity.external.title ?? "A record of “\(entity.external.name ?? entity.name)”."
        return first.sentence + (entity.external.explanation.map { "\n\n\($0)" } ?? "")
    }

    private func writeProperty(_ column: ColumnDescription, _ text: inout SwiftText) {
        let attribute = column.attribute
        var summary = attribute?.title
        if summary == nil {
            let words = words(of: column)
            let subject = attribute == nil ? "The identifier of the \(words)" : "The \(words)"
            summary = column.isOptional ? "\(subject), or `nil` if there is none." : "\(subject)."
        }
        text.comment((summary ?? "").sentence + (attribute?.explanation.map { "\n\n\($0)" } ?? ""))
        let isConstant = attribute?.isImmutable == true
        text.add("\(access)\(isConstant ? "let" : "var") \(names.property(column.name)): \(type(column))")
    }

    /// Returns the name of a column as words: its name in files, if that consists of words.
    func words(of column: ColumnDescription) -> String {
        let name = names.member(column.name) == "key" ? "key" : column.name
        guard let external = column.attribute?.externalName, external.lowercased() != "id",
            external.allSatisfy({ $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" })
        else { return Words.text(name) }
        return external
    }

    // MARK: Relationships

    private func writeRelationships(_ text: inout SwiftText) {
        for link in links {
            let kind = library(link.cardinality == .toOne ? "ToOne" : "ToMany")
            text.add()
            text.comment("The relationship to the \(Words.text(link.name)).")
            let type = "\(kind)<\(recordType), \(record(link.destination))>"
            let value = SwiftExpression.call(kind, arguments(of: link))
            let head = "\(access)static var \(names.property(link.name)): \(type) { "
            if text.indent + head.count + value.flat.count + 2 <= SwiftExpression.width {
                text.add(value, head: head, tail: " }")
            } else {
                text.block(String(head.dropLast(3))) { $0.add(value) }
            }
        }
    }

    private func arguments(of link: RelationshipDescription) -> [SwiftExpression] {
        var list: [SwiftExpression] = [
            .text(SwiftLiteral.text(link.name)), .labeled("to", .text(SwiftLiteral.text(link.destination))),
        ]
        if let inverse = link.inverse { list.append(.labeled("inverse", .text(SwiftLiteral.text(inverse)))) }
        if link.deleteRule != .nullify { list.append("deleteRule: .\(link.deleteRule.rawValue)") }
        guard link.cardinality == .toMany else { return list }
        if !link.isOptional { list.append("isOptional: false") }
        if link.minimumCount != 0 { list.append("minimumCount: \(link.minimumCount)") }
        if let maximum = link.maximumCount { list.append("maximumCount: \(maximum)") }
        if let attribute = link.orderingAttribute {
            list.append(.labeled("orderedBy", .text(SwiftLiteral.text(attribute))))
        } else if link.isOrdered {
            list.append("isOrdered: true")
        }
        return list
    }

    // MARK: Enumerations

    private func writeEnumeration(
        of attribute: AttributeDescription, withConformance: Bool, _ text: inout SwiftText
    ) {
        guard let enumeration = names.enumerations[attribute.name] else { return }
        text.add()
        text.comment("The values of `\(names.properties[attribute.name] ?? attribute.name)`.")
        var conformances = ["String"].map(library)
        conformances += withConformance ? [library("AttributeValue")] : []
        conformances += ["CaseIterable", "Codable", "Sendable"].map(library)
        text.block("\(access)enum \(enumeration.type): \(conformances.joined(separator: ", "))") { text in
            for (name, value) in enumeration.cases {
                text.comment("The value “\(value)”.")
                text.add("case \(SwiftKeywords.quoted(name)) = \(SwiftLiteral.text(value))")
            }
            if withConformance {
                text.add()
                writeDomain(&text)
            }
        }
    }

    private func writeDomain(_ text: inout SwiftText) {
        text.comment("No rule of the type, because the model lists the values.")
        text.add("\(access)static var domain: \(library("AttributeDomain"))? { nil }")
    }
}

extension AttributeDescription {
    /// A Boolean value that indicates whether a default, a rule or an earlier value is written with a type of
    /// Foundation.
    fileprivate var hasFoundationConstants: Bool {
        guard type.isOfFoundation else { return false }
        if case .constant? = defaultValue { return true }
        return !rules.isEmpty || !renamedValues.isEmpty
    }
}

extension String {
    /// The text with a period at its end, if it does not end a sentence already.
    var sentence: String { last.map { ".!?".contains($0) } == true ? self : self + "." }
}
