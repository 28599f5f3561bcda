import Foundation
import StrataCore

/// A reader of the rows and join rows that follow the model in an XML store.
///
/// Elements may be in any order within their parent element, because people sort and merge them.
struct XMLRowReader: ~Copyable {
    private var reader: XMLReader
    private let loader: ContentsLoader
    private var entities: Set<Int> = []
    private var joins: Set<Int> = []

    init(_ reader: consuming XMLReader, _ loader: ContentsLoader) {
        self.reader = reader
        self.loader = loader
        loader.raisesMarks = true
    }

    private var model: ManagedObjectModel { loader.model }

    mutating func read() throws {
        while true {
            let tag = try reader.tag()
            switch (tag.side, tag.name) {
            case (.end, XMLNames.store):
                try checkComplete(tag)
                return try reader.readEnd()
            case (.start, XMLNames.entity), (.empty, XMLNames.entity): try readEntity(tag)
            case (.start, XMLNames.pairs), (.empty, XMLNames.pairs): try readPairs(tag)
            default:
                let suggestion = NearestName.suggestion(for: tag.name, among: [XMLNames.entity, XMLNames.pairs])
                throw FormatError(
                    "<\(tag.side == .end ? "/" : "")\(tag.name)> is not allowed here\(suggestion)", at: tag.offset)
            }
        }
    }

    /// Throws an error if the element of an entity or join table is missing; it would otherwise count as one without
    /// rows.
    private func checkComplete(_ end: XMLTag) throws {
        for (place, entity) in model.entities.enumerated() where !entities.contains(place) {
            throw FormatError(
                "the rows of \(entity.name) are missing: <entity name=\"\(entity.name)\">", at: end.offset)
        }
        for (place, join) in model.joins.enumerated() where !joins.contains(place) {
            throw FormatError(
                "the join rows of \(join.name) are missing: <pairs name=\"\(join.name)\">", at: end.offset)
        }
    }

    /// Returns the index of a tag's name in a list of names, each of which may occur once in the file.
    private static func place(
        of tag: XMLTag, among names: [String], seen: inout Set<Int>, what: String
    ) throws -> Int {
        let name = try tag.required(XMLNames.name)
        guard let place = names.firstIndex(of: name.value) else {
            let suggestion = NearestName.suggestion(for: name.value, among: names)
            throw FormatError("the model has no \(what) “\(name.value)”\(suggestion)", at: name.offset)
        }
        guard seen.insert(place).inserted else {
            throw FormatError("the \(what) “\(name.value)” occurs twice", at: tag.offset)
        }
        return place
    }

    // MARK: Rows

    private mutating func readEntity(_ element: XMLTag) throws {
        try element.allow([XMLNames.name, XMLNames.next])
        let place = try Self.place(of: element, among: model.entities.map(\.name), seen: &entities, what: "entity")
        if let next = element.optional(XMLNames.next) {
            let number = try next.number()
            guard number >= identifierRange.lowerBound, number <= identifierRange.upperBound + 1 else {
                throw FormatError("the stored next identifier is not a valid identifier", at: next.offset)
            }
            loader.setMark(number, of: place, at: next.offset)
        }
        guard element.side == .start else { return }
        while true {
            let tag = try reader.tag()
            if tag.side == .end { return }
            guard tag.name == XMLNames.row else {
                throw FormatError("in <\(XMLNames.entity)> only <\(XMLNames.row)> is allowed", at: tag.offset)
            }
            try readRow(tag, of: place)
        }
    }

    private mutating func readRow(_ element: XMLTag, of place: Int) throws {
        try element.allow([XMLNames.id, XMLNames.version])
        let (entity, columns) = (model.entities[place], loader.columns[place])
        let id = try element.required(XMLNames.id).number()
        var row = StoredRow(
            id: id, version: try element.optional(XMLNames.version)?.number() ?? 1,
            values: Array(repeating: .null, count: columns.count))
        var seen: Set<Int> = []
        var isWhole = true
        while element.side == .start {
            let tag = try reader.tag()
            if tag.side == .end { break }
            let text = try reader.text(in: tag)
            guard let index = entity.columnIndex(tag.name) else {
                isWhole = false
                let suggestion = NearestName.suggestion(for: tag.name, among: columns.map(\.name))
                try loader.found(
                    .schema, "the model has no such attribute\(suggestion)", entity: entity.name, id: id,
                    attribute: tag.name, at: tag.offset)
                continue
            }
            guard seen.insert(index).inserted else {
                throw FormatError("<\(tag.name)> occurs twice", at: tag.offset)
            }
            do { row.values[index] = try value(text, tag, columns[index]) } catch let error as InvalidText {
                isWhole = false
                try loader.found(
                    .type, error.reason, entity: entity.name, id: id, attribute: tag.name, at: tag.offset)
            }
        }
        try loader.add(row, of: place, at: element.offset, isWhole: isWhole)
    }

    private func value(_ text: [UInt8], _ tag: XMLTag, _ column: StoredColumn) throws -> StoredValue {
        try tag.allow([XMLNames.form])
        var value: StoredValue
        switch (tag.optional(XMLNames.form)?.value, column.type) {
        case (nil, .string): value = .string(String(decoding: text, as: UTF8.self))
        case (nil, _): value = try column.coding.parse(Self.trimmed(text).span)
        case (XMLNames.base64, .string):
            guard let decoded = String(validating: try BinaryText.parse(Self.trimmed(text).span), as: UTF8.self) else {
                throw InvalidText("the text is not valid UTF-8")
            }
            value = .string(decoded)
        case (XMLNames.seconds, .date):
            value = .date(Date(timeIntervalSinceReferenceDate: try DoubleText.parse(Self.trimmed(text).span)))
        case (let form, _):
            throw InvalidText("the form “\(form ?? "")” of type \(column.coding.name) is unknown")
        }
        guard let stored = column.stored(value) else { throw InvalidText(column.coding.refusal(of: value)) }
        value = stored
        return value
    }

    /// Returns a text without white space at its beginning and end, which people and formatting programs add.
    private static func trimmed(_ text: [UInt8]) -> [UInt8] {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0A).contains(byte) || byte == 0x0D }
        guard let first = text.first, let last = text.last, isSpace(first) || isSpace(last) else { return text }
        guard let start = text.firstIndex(where: { !isSpace($0) }), let end = text.lastIndex(where: { !isSpace($0) })
        else { return [] }
        return Array(text[start...end])
    }

    // MARK: Join rows

    private mutating func readPairs(_ element: XMLTag) throws {
        try element.allow([XMLNames.name])
        let place = try Self.place(
            of: element, among: model.joins.map(\.name), seen: &joins, what: "many-to-many relationship")
        let join = model.joins[place]
        var names = [XMLNames.source, XMLNames.target]
        if join.isSourceOrdered { names.append(XMLNames.sourcePosition) }
        if join.isTargetOrdered { names.append(XMLNames.targetPosition) }
        guard element.side == .start else { return }
        while true {
            let tag = try reader.tag()
            if tag.side == .end { return }
            guard tag.name == XMLNames.pair else {
                throw FormatError("in <\(XMLNames.pairs)> only <\(XMLNames.pair)> is allowed", at: tag.offset)
            }
            try tag.allow(names)
            let pair = JoinPair(
                source: try tag.required(XMLNames.source).number(), target: try tag.required(XMLNames.target).number())
            try loader.add(
                JoinRow(
                    pair, sourcePosition: try tag.optional(XMLNames.sourcePosition)?.number(),
                    targetPosition: try tag.optional(XMLNames.targetPosition)?.number()), of: place, at: tag.offset)
            guard tag.side == .start else { continue }
            let inner = try reader.tag()
            guard inner.side == .end else {
                throw FormatError("<\(inner.name)> is not allowed in <\(tag.name)>", at: inner.offset)
            }
        }
    }
}
