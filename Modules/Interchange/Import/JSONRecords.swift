import Foundation
import StrataCore
import StrataStoreKit

/// The records of a JSON document.
///
/// The keys of a document are unknown before they occur. Therefore each new key is matched when it occurs, and the
/// result is stored. Keys that the options rename or omit are missing only if they do not occur in the whole document.
struct JSONRecords: RecordSource, ~Copyable {
    /// The maximum count of stored keys, which bounds the memory for a file with different keys in every record.
    private static let rememberedKeys = 4096

    let decoding: RowDecoding
    private var reader: JSONRecordReader
    private let reading: ReadingOptions
    private let input: ByteInput
    private let required: [Int]
    private let isKeyed: Bool
    private var targets: [String: ColumnPlan.Target] = [:]
    /// The names of the attributes in the file.
    private(set) var names: [String: String] = [:]
    private var ignored: [String] = []
    /// The keys of the previous record in order, with their targets, because most records have the same keys.
    private var previousKeys: [(key: [UInt8], target: ColumnPlan.Target)] = []
    /// For each column, the number of the record that set it last.
    private var lastSet: [Int]
    private var lastID = 0
    /// The keys above mapped paths, with those paths: if such a key is null, the values of its paths are null.
    private var pathsBelow: [String: [String]] = [:]
    /// The list columns, which may be arrays in a document.
    private let lists: [Int: ListedPairs]
    /// The columns whose texts are JSON arrays, objects or numbers, which may be such values in a document.
    private let nested: [Int: JSONKind]
    /// The columns whose texts are JSON values of any kind.
    private let anything: Set<Int>

    init(_ input: ByteInput, decoding: RowDecoding, reading: ReadingOptions) throws(InterchangeError) {
        let layout = JSONRecordLayout(reading)
        for path in layout.paths {
            for point in path.indices where path[point] == "." {
                let key = String(path[..<point])
                if decoding.plan.target(of: key) ?? .ignored == .ignored { pathsBelow[key, default: []].append(path) }
            }
        }
        let spelled = try Self.spelled(decoding, reading, source: input.name)
        reader = try JSONRecordReader(
            input, layout: layout, recordLimit: reading.maximumRecordBytes, encoding: reading.encoding)
        self.input = input
        self.reading = reading
        self.decoding = spelled
        isKeyed = layout.shape == .members
        required = decoding.plan.requiredColumns
        lists = Dictionary(decoding.plan.shape.lists.map { ($0.source, $0) }, uniquingKeysWith: { first, _ in first })
        var nested: [Int: JSONKind] = [:]
        var anything: Set<Int> = []
        for (place, column) in decoding.plan.entity.columns.enumerated() {
            switch column.attribute?.domain?.format {
            case .array: nested[place] = .array
            case .object: nested[place] = .object
            case .number, .bigInteger: nested[place] = .number
            case .json: anything.insert(place)
            default: break
            }
        }
        (self.nested, self.anything) = (nested, anything)
        lastSet = Array(repeating: 0, count: decoding.plan.entity.columns.count)
    }

    /// Returns the decoding with the spellings of keys.
    ///
    /// The keys of the document are unknown before its end, so spellings apply to all names that would match
    /// attributes.
    private static func spelled(
        _ decoding: RowDecoding, _ reading: ReadingOptions, source: String
    ) throws(InterchangeError) -> RowDecoding {
        let plan = decoding.plan
        guard plan.isSpelled(reading) else { return decoding }
        var columns: [(name: String, target: ColumnPlan.Target)] = []
        let others = plan.names.compactMap { name in plan.targetOfAttribute(name).map { (name: name, target: $0) } }
        for (name, target) in reading.spelledNames.compactMap({ name in plan.target(of: name).map { (name, $0) } })
            + others
        where !columns.contains(where: { $0.target == target }) {
            columns.append((name, target))
        }
        let spelling = SpellingPlan(reading, plan: plan, columns: columns, isCertain: false)
        guard spelling.problems.isEmpty else {
            let problems = spelling.problems.map {
                $0.hasPrefix("there is no column")
                    ? "no record can have a key" + $0.dropFirst("there is no column".count) : $0
            }
            throw InterchangeError(.columns, source: source, message: PrintableText.listed(problems))
        }
        return decoding.spelled(by: spelling, reading)
    }

    var record: Int { reader.record }
    var lostLine: Int? { reader.lostLine }
    var header: [UInt8] { [] }
    var fingerprint: UInt64 { reader.withOriginal { ImportResumption.fingerprint($0) } }

    var findings: FileFindings {
        var findings = FileFindings()
        findings.ignoredColumns = ignored
        findings.roundedDates = decoding.spellings.rounding.roundedCount
        findings.changedCells = decoding.spellings.changes.summary { column in
            let target = column == CellChanges.identifier ? ColumnPlan.Target.id : .column(column)
            return names[decoding.plan.attribute(of: target)] ?? decoding.plan.name(of: target)
        }
        let encoding = reader.window.input.encodingName
        if encoding != "UTF-8", encoding != reading.encoding?.rawValue { findings.recognized.append(encoding) }
        return findings
    }

    mutating func next() throws(InterchangeError) -> Bool { try reader.next() }

    mutating func recover() throws(InterchangeError) -> Bool { try reader.recover() }

    /// Returns the bytes of the record as a separate document, which needs braces if it is a member.
    mutating func original() throws(InterchangeError) -> [UInt8] {
        // Read the line break first, because reading moves the bytes in the window.
        let lineBreak = try reader.lineBreakBehindRecord()
        let original = reader.withOriginal { $0.withUnsafeBufferPointer { Array($0) } }
        guard isKeyed, !original.isEmpty else { return original + lineBreak }
        return [UInt8(ascii: "{")] + original + [UInt8(ascii: "}")]
    }

    /// Throws if a key that the options rename or omit did not occur.
    func checkEnd() throws(InterchangeError) {
        func unmet(_ names: some Sequence<String>, to be: String) -> [NameProblem] {
            names.sorted().filter { targets[$0] == nil && targets.count < Self.rememberedKeys }.map {
                NameProblem(fault: .absent, text: "no record has a key \(PrintableText.quoted($0)) to be \(be)")
            }
        }
        let problems = unmet(reading.mapping.keys, to: "renamed") + unmet(reading.omittedColumns, to: "left out")
        guard reader.record > 0, !problems.isEmpty, !reading.mayLackMappedKeys else { return }
        throw InterchangeError(problems, source: input.name)
    }

    mutating func fillRow(_ block: inout RowBlock) throws(InterchangeError) {
        let record = reader.record
        decoding.spellings.changes.line = reader.line
        if reader.recordEnd >= RowDecoding.largeRecord,
            !decoding.hasRoom(for: reader.recordEnd, besides: block.byteCount)
        {
            throw reader.error(.malformed, message: RowDecoding.noRoom)
        }
        block.beginRow(location: RowLocation(source: decoding.source, line: reader.line, record: record))
        var isProblem = false
        var invalid: [(member: Int, target: ColumnPlan.Target, error: InvalidText)] = []
        for member in 0..<reader.memberCount {
            if let paths = nullPaths(ofMember: member) {
                setNull(paths, &block)
                continue
            }
            let target = target(ofMember: member, &isProblem)
            switch target {
            case .ignored: continue
            case .id:
                if lastID == record { isProblem = true }
                lastID = record
            case .column(let column):
                if lastSet[column] == record { isProblem = true }
                lastSet[column] = record
            }
            if isProblem { continue }
            do throws(InvalidText) {
                try set(member, target: target, into: &block)
            } catch {
                invalid.append((member, target, error))
            }
        }
        for constant in decoding.constants {
            lastSet[constant.column] = record
            do throws(InvalidText) {
                try CellText.set(constant.text.span, by: decoding, column: constant.column, into: &block)
            } catch {
                block.removeLastRow()
                throw decoding.refusal(of: constant, error, source: input.name, line: reader.line, record: record)
            }
        }
        if !invalid.isEmpty { throw refusal(invalid, &block) }
        if isProblem || required.contains(where: { lastSet[$0] != record }) {
            block.removeLastRow()
            throw keyProblems()
        }
        let failures = decoding.problems(in: &block)
        if !failures.isEmpty {
            block.removeLastRow()
            throw refusal([], failures)
        }
        if decoding.keepsOriginals {
            let original = try original()
            block.setNote(original.span)
        }
    }

    /// Returns the mapped paths below a member that is null; `nil` for any other member.
    private func nullPaths(ofMember member: Int) -> [String]? {
        guard !pathsBelow.isEmpty, reader.kind(ofMember: member) == .null else { return nil }
        return pathsBelow[reader.key(ofMember: member)]
    }

    /// Sets the columns of paths to null, because an object above them is null.
    private mutating func setNull(_ paths: [String], _ block: inout RowBlock) {
        for path in paths {
            guard let target = decoding.plan.target(of: path) else { continue }
            targets[path] = target
            names[decoding.plan.attribute(of: target)] = path
            guard case .column(let column) = target else { continue }
            lastSet[column] = reader.record
            block.setNull(column: column)
        }
    }

    /// Returns the target of a member; most records have the keys of the previous one, in the same order.
    private mutating func target(ofMember member: Int, _ isProblem: inout Bool) -> ColumnPlan.Target {
        if previousKeys.indices.contains(member) {
            let isSame = reader.withKey(ofMember: member) { key in
                key.withUnsafeBufferPointer { key in
                    guard let address = key.baseAddress else { return previousKeys[member].key.isEmpty }
                    return key.count == previousKeys[member].key.count
                        && memcmp(address, previousKeys[member].key, key.count) == 0
                }
            }
            if isSame { return previousKeys[member].target }
        }
        let key = reader.key(ofMember: member)
        let target = target(of: key, &isProblem)
        if target != .ignored || reading.leavesOutUnknown, member <= previousKeys.count, member < 256 {
            let entry = (Array(key.utf8), target)
            if member < previousKeys.count { previousKeys[member] = entry } else { previousKeys.append(entry) }
        }
        return target
    }

    private mutating func target(of key: String, _ isProblem: inout Bool) -> ColumnPlan.Target {
        if let known = targets[key] { return known }
        if let found = decoding.plan.target(of: key) {
            if found != .ignored { names[decoding.plan.attribute(of: found)] = key }
            if targets.count < Self.rememberedKeys { targets[key] = found }
            return found
        }
        isProblem = isProblem || !reading.leavesOutUnknown
        if reading.leavesOutUnknown, targets.count < Self.rememberedKeys {
            targets[key] = .ignored
            ignored.append(key)
        }
        return .ignored
    }

    /// Reads a member into its cell; the kind of the value must fit the type of the column.
    private func set(_ member: Int, target: ColumnPlan.Target, into block: inout RowBlock) throws(InvalidText) {
        let kind = reader.kind(ofMember: member)
        guard case .column(let column) = target else {
            return try reader.withText(ofMember: member) { bytes throws(InvalidText) in
                // The key of an object is always a string.
                guard kind == .number || kind == .string else {
                    throw InvalidText("\(kind.name) found, but a whole number is expected")
                }
                guard kind == .number else { return try decoding.setID(bytes, &block) }
                guard case .integer(let id) = try AttributeType.integer64.coding.parseNumber(bytes),
                    identifierRange.contains(id)
                else {
                    throw InvalidText(
                        "not an identifier (\(identifierRange.lowerBound) to \(identifierRange.upperBound))")
                }
                block.setID(id)
            }
        }
        let expected = decoding.codings[column]
        switch (kind, expected.json) {
        case (.null, _): return block.setNull(column: column)
        case _ where anything.contains(column): try setJSON(member, kind, column: column, into: &block)
        case (.boolean(let value), .boolean): return block.setInteger(value ? 1 : 0, column: column)
        case (.number, .number):
            return try reader.withText(ofMember: member) { bytes throws(InvalidText) in
                let number = try expected.parseNumber(bytes)
                // A document may have any form of doubles: 5 and 5.0 are the same number.
                if case .decimal = number { decoding.spellings.changes.compare(bytes, number, column: column) }
                block.set(number, column: column)
            }
        // A key is a string, whatever its type.
        case (.string, .boolean)
        where reader.members[member].name == 0 && reading.keyAttribute != nil || decoding.routes[column] == .spelled,
            (.string, .string), (.string, .number),
            (.number, .string) where nested[column] == .number || decoding.spellings.takesNumber(column: column):
            return try reader.withText(ofMember: member) { bytes throws(InvalidText) in
                try CellText.set(bytes, by: decoding, column: column, into: &block)
            }
        case (.array, _) where lists[column] != nil: try setList(member, column: column, into: &block)
        case (.array, _) where nested[column] == .array, (.object, _) where nested[column] == .object:
            reader.withText(ofMember: member) { block.setText($0, column: column) }
        default:
            let expectation = lists[column] == nil ? expected.jsonName : "an array, or a string of its elements,"
            throw InvalidText("\(kind.name) found, but \(expectation) is expected")
        }
    }

    /// Sets a column to the JSON text of a value.
    private func setJSON(
        _ member: Int, _ kind: JSONKind, column: Int, into block: inout RowBlock
    ) throws(InvalidText) {
        var text: [UInt8] = []
        switch kind {
        case .null: return block.setNull(column: column)
        case .boolean(let value): text += "\(value)".utf8
        case .string: reader.withText(ofMember: member) { JSONText.append(String(decoding: $0), to: &text) }
        case .number, .array, .object:
            reader.withText(ofMember: member) { text += $0.withUnsafeBufferPointer { Array($0) } }
        }
        try CellText.set(text.span, by: decoding, column: column, into: &block)
    }

    /// Converts a JSON array into the text of a list column.
    private func setList(_ member: Int, column: Int, into block: inout RowBlock) throws(InvalidText) {
        guard let listed = lists[column] else { return }
        let takesNumbers = decoding.spellings.takesNumber(column: column)
        let text = try reader.withText(ofMember: member) { bytes throws(InvalidText) in
            try ListText.text(ofArray: bytes, listed, takesNumbers: takesNumbers)
        }
        guard let text else { return block.setNull(column: column) }
        block.setText(Array(text.utf8).span, column: column)
    }

    private func invalid(_ member: Int, _ error: InvalidText) -> InterchangeError {
        let kind = reader.kind(ofMember: member)
        let hasText = kind == .number || kind == .string
        let message = reader.withText(ofMember: member) { hasText ? AttributeText.message($0, error) : error.reason }
        return reader.error(.invalidValue, member: member, message: message)
    }

    /// Returns the error of a record with invalid values, and with the rules that the other values violate.
    private func refusal(
        _ invalid: [(member: Int, target: ColumnPlan.Target, error: InvalidText)], _ block: inout RowBlock
    ) -> InterchangeError {
        // Values that could not be read, or do not exist, are missing in the row; do not report this as a second
        // problem.
        let unread = Set(invalid.map { decoding.plan.attribute(of: $0.target) })
        let missing = Set(required.filter { lastSet[$0] != reader.record })
        let failures = decoding.problems(in: &block).filter { failure in
            !unread.contains(failure.attribute)
                && !missing.contains { decoding.plan.attribute(of: .column($0)) == failure.attribute }
        }
        block.removeLastRow()
        return refusal(invalid.map { self.invalid($0.member, $0.error) }, failures)
    }

    private func refusal(_ errors: [InterchangeError], _ failures: [ValidationFailure]) -> InterchangeError {
        let errors =
            errors
            + failures.map { failure in
                var error = reader.error(.invalidValue, message: RowDecoding.message(failure))
                error.column = names[failure.attribute] ?? failure.attribute
                return error
            }
        var error = errors[0]
        error.add(errors.dropFirst().map { RecordProblem(column: $0.column, message: $0.message) })
        return error
    }

    /// Returns the error with all unknown, repeated and missing keys of the record.
    private func keyProblems() -> InterchangeError {
        let keys = (0..<reader.memberCount).filter { nullPaths(ofMember: $0) == nil }.map { reader.key(ofMember: $0) }
        let problems = decoding.plan.problems(of: .key, keys, ignoringUnknown: reading.leavesOutUnknown)
        return InterchangeError(problems, source: input.name, line: reader.line, record: reader.record)
    }
}
