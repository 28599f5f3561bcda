import Persistence

extension DatasetImporter {
    /// How many keys of a document are remembered: a file with other keys in every record must not fill the memory.
    private static let rememberedKeys = 4096

    /// Reads the objects of a JSON array.
    ///
    /// - Returns: The keys that were dropped.
    func readJSON(_ input: ByteInput, _ builder: inout RowBuilder, _ places: PlaceNames) throws -> [String] {
        var reader = try JSONRecordReader(input, root: options.root)
        var targets: [String: ColumnPlan.Target] = [:]
        var ignored: [String] = []
        while try reader.next() {
            try checkCancellation(reader.record)
            builder.begin()
            var seen: Set<ColumnPlan.Target> = []
            var isProblem = false
            for member in 0..<reader.memberCount {
                let key = reader.key(ofMember: member)
                let target: ColumnPlan.Target
                if let known = targets[key] {
                    target = known
                } else if let found = plan.target(of: key) {
                    target = found
                    places.note(key, for: plan.name(of: found))
                    if targets.count < Self.rememberedKeys { targets[key] = found }
                } else {
                    isProblem = isProblem || !options.ignoresUnknownColumns
                    target = .ignored
                    if options.ignoresUnknownColumns, targets.count < Self.rememberedKeys {
                        targets[key] = .ignored
                        ignored.append(key)
                    }
                }
                if target == .ignored { continue }
                if !seen.insert(target).inserted { isProblem = true }
                try set(member, target, of: reader, &builder)
            }
            if isProblem || builder.isIncomplete { throw keyProblems(reader) }
            try builder.insert(RowPlace(line: reader.line, record: reader.record))
        }
        let unmet = options.mapping.keys.sorted().filter { targets[$0] == nil && targets.count < Self.rememberedKeys }
        if reader.record > 0, !unmet.isEmpty {
            let problems = unmet.map { "no record has a key \(PrintableText.quoted($0)) to be renamed" }
            throw InterchangeError(.columns, source: input.name, message: PrintableText.listed(problems))
        }
        return ignored
    }

    private func set(
        _ member: Int, _ target: ColumnPlan.Target, of reader: borrowing JSONRecordReader, _ builder: inout RowBuilder
    ) throws(InterchangeError) {
        let type: AttributeType
        switch target {
        case .ignored: return
        case .id: type = .integer64
        case .column(let index): type = builder.types[index]
        }
        do throws(InvalidText) {
            let value = try value(ofMember: member, as: type, reader)
            switch target {
            case .column(let index): builder.set(value, index)
            default: try builder.setID(value)
            }
        } catch {
            let kind = reader.kind(ofMember: member)
            let hasText = kind == .number || kind == .string
            let message = reader.withText(ofMember: member) { hasText ? TextValue.message($0, error) : error.reason }
            throw reader.error(.invalidValue, member: member, message: message)
        }
    }

    private func value(
        ofMember member: Int, as type: AttributeType, _ reader: borrowing JSONRecordReader
    ) throws(InvalidText) -> StoredValue {
        let kind = reader.kind(ofMember: member)
        switch (kind, type) {
        case (.null, _): return .null
        case (.boolean(let value), .boolean): return .boolean(value)
        case (.number, .integer16), (.number, .integer32), (.number, .integer64), (.number, .double),
            (.number, .decimal):
            return try reader.withText(ofMember: member) { bytes throws(InvalidText) in
                try TextValue.parseNumber(bytes, as: type)
            }
        case (.string, .boolean): break
        case (.string, _):
            return try reader.withText(ofMember: member) { bytes throws(InvalidText) in
                try TextValue.parse(bytes, as: type)
            }
        default: break
        }
        throw InvalidText("\(kind.name) stands where \(Self.expectation(type)) is expected")
    }

    private static func expectation(_ type: AttributeType) -> String {
        switch type {
        case .string: "a string"
        case .integer16, .integer32, .integer64: "a whole number"
        case .double, .decimal: "a number"
        case .boolean: "true or false"
        case .date: "a date in a string"
        case .uuid: "a UUID in a string"
        case .binary: "base64 in a string"
        }
    }

    private func keyProblems(_ reader: borrowing JSONRecordReader) -> InterchangeError {
        let keys = (0..<reader.memberCount).map { reader.key(ofMember: $0) }
        let problems = plan.problems(keys, ignoringUnknown: options.ignoresUnknownColumns)
            .map { $0.hasPrefix("unknown column") ? "unknown key" + $0.dropFirst("unknown column".count) : $0 }
            .map { $0.hasPrefix("missing column") ? "missing key" + $0.dropFirst("missing column".count) : $0 }
        return reader.error(.columns, message: PrintableText.listed(problems))
    }
}
