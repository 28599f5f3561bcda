import Foundation
import StrataCore

/// A search for generators of realistic values that the rules of a model's attribute allow.
struct AttributeDraft {
    let attribute: AttributeDescription
    let entity: EntityDescription
    let check: RuleCheck
    /// The values that the attribute's files can represent.
    let form: FileForm
    /// A Boolean value that indicates whether all values must be equally likely because they must be unique.
    let isCounted: Bool

    init(_ attribute: AttributeDescription, of entity: EntityDescription, keys: FileKeys) {
        self.attribute = attribute
        self.entity = entity
        form = FileForm(attribute, of: entity, keys: keys)
        check = RuleCheck(attribute, form)
        isCounted = attribute.isUnique || entity.uniquenessConstraints.contains { $0.contains(attribute.name) }
    }

    /// The default share of null values of an optional attribute.
    static let nulls = FixtureShare.percent(10)

    /// Returns the field for the attribute, with the generators that were found.
    ///
    /// - Throws: ``FixtureError`` with the code `unsatisfiable` if no valid value was found.
    func field() throws(FixtureError) -> FixtureField {
        let type = type
        var generators = try generators(of: type)
        if isCounted { generators = generators.filter { $0.isCounted } + generators.filter { !$0.isCounted } }
        guard let first = generators.first else {
            throw error(
                "no value was found that satisfies the attribute's rules (\(rules)); change the rules, or make "
                    + "the attribute optional")
        }
        // A duplicate would not be an alternative.
        var seen: Set<FixtureGenerator> = []
        generators = generators.filter { seen.insert($0).inserted }
        var field = FixtureField(
            attribute.name, type: type, generator: first,
            nulls: attribute.isOptional && form.hasNull ? Self.nulls : .none,
            isOptional: attribute.isOptional, mustBeUnique: attribute.isUnique, least: least)
        field.rules = attribute.rules
        field.origin = FieldOrigin(attribute, form)
        field.alternatives = Array(generators.dropFirst())
        return field
    }

    private func error(_ message: String) -> FixtureError {
        FixtureError(.unsatisfiable, entity: entity.name, attribute: attribute.name, message)
    }

    private var rules: String {
        var rules = attribute.rules.map { "\($0)" }
        if let domain = attribute.domain { rules.append(domain.name) }
        if form.room != nil, let format = attribute.spelling.dateFormat { rules.append("the date format \(format)") }
        return rules.isEmpty ? "those of its type" : rules.joined(separator: ", ")
    }

    /// The minimum of the attribute's numbers, which a description shows.
    private var least: Decimal? {
        for case .minimum(let value) in attribute.rules {
            switch value {
            case .integer(let number): return Decimal(number)
            case .decimal(let number): return number.decimal
            default: break
            }
        }
        return nil
    }

    // MARK: - Types

    private var type: FixtureField.ValueType {
        switch attribute.type {
        case .string: isColor ? .color : .text
        case .integer16, .integer32, .integer64: .integer
        case .double: .double(scale: NumberRange(attribute, isCounted: isCounted)?.scale ?? 2)
        case .decimal(let scale): .decimal(scale: Int(scale))
        case .boolean: .boolean
        case .date: .date
        case .day: .day
        case .timeOfDay: .timeOfDay
        case .uuid: .uuid
        case .binary: .binary
        }
    }

    /// A Boolean value that indicates whether all valid texts are colors of the form `#RRGGBB`.
    private var isColor: Bool {
        attribute.domain?.name == "HexColor"
            && !attribute.rules.contains { if case .oneOf = $0 { true } else { false } }
            && check.allows(.string("#0FA9B3"))
    }

    private func generators(of type: FixtureField.ValueType) throws(FixtureError) -> [FixtureGenerator] {
        let choices = choices
        if !choices.isEmpty || attribute.rules.contains(where: { if case .oneOf = $0 { true } else { false } }) {
            return choices.isEmpty ? [] : [.oneOf(weighted(choices))]
        }
        let ideas = ideas.filter(type.takes).compactMap { listed($0, type) }
        switch type {
        case .text: return try texts(ideas) + found(type)
        case .color: return [.kind(.hexColor)]
        case .integer, .decimal, .double: return numbers(ideas) + found(type)
        case .boolean: return truths(ideas)
        case .date, .day: return dates(ideas) + found(type)
        case .timeOfDay: return times(ideas) + found(type)
        case .uuid:
            return check.allows(.uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 0x47, 8, 0x89, 10, 11, 12, 13, 14, 15, 16))))
                && !hasBounds
                ? [.kind(.uuid)] : found(type)
        case .binary: return hasBounds ? found(type) : bytes
        case .reference: return []
        }
    }

    private var ideas: [FixtureGenerator] {
        let format = FormatIdea.generators(of: attribute)
        guard format.isEmpty else { return format }
        let own = AttributeName(attribute.name, of: entity.name).ideas
        guard own.isEmpty, let name = attribute.externalName else { return own }
        return AttributeName(name, of: entity.external.name ?? entity.name).ideas
    }

    private var hasBounds: Bool { attribute.rules.contains { !$0.values.isEmpty } }

    // MARK: - Lists of values

    /// The texts of the values that one rule of the attribute lists and that no other rule forbids.
    private var choices: [String] {
        for case .oneOf(let values) in attribute.rules { return written(values) }
        return []
    }

    /// Returns the texts of those values that the attribute allows, without duplicates.
    private func written(_ values: [StoredValue]) -> [String] {
        var seen: Set<StoredValue> = []
        return values.filter { check.allows($0) && seen.insert($0).inserted }.compactMap(\.fixtureText)
    }

    /// Returns a generator with a list, limited to those listed values that have a type and that the rules allow.
    ///
    /// - Returns: The generator, or `nil` if no listed value is valid. A generator without a list is returned
    ///   unchanged.
    private func listed(_ generator: FixtureGenerator, _ type: FixtureField.ValueType) -> FixtureGenerator? {
        guard case .oneOf(let texts) = generator, type != .text else { return generator }
        let values = texts.filter { text in
            // A text that is not of the type is skipped, whatever the error is.
            do throws(InvalidText) {
                let value = try attribute.type.coding.parse(Array(text.text.utf8).span)
                return FixtureValue(written: text.text, type) != nil && check.allows(value)
            } catch { return false }
        }
        return values.isEmpty ? nil : .oneOf(values)
    }

    /// Returns the texts with weights; the attribute's default value has a higher weight than the other texts.
    private func weighted(_ texts: [String]) -> [WeightedText] {
        guard !isCounted, case .constant(let value)? = attribute.defaultValue, let usual = value.fixtureText else {
            return texts.map { WeightedText($0) }
        }
        return texts.map { WeightedText($0, weight: $0 == usual ? 3 : 1) }
    }

    /// Returns generators of values near the values in the rules; they are used only if there are no other candidates.
    private func found(_ type: FixtureField.ValueType) -> [FixtureGenerator] {
        guard hasBounds else { return [] }
        let coding = attribute.type.coding
        var values = attribute.rules.flatMap(\.values)
        for value in values {
            for number in 0..<64 as Range<Int64> {
                if let next = coding.sample(number, after: value) { values.append(next) }
            }
            values += value.neighbours
        }
        for number in 0..<64 as Range<Int64> {
            if let value = coding.sample(number, after: nil) { values.append(value) }
        }
        values += padded(values)
        if attribute.type == .uuid {
            values += (0..<128 as Range<UInt64>).map { .uuid(UUID(bits: RowBits.mixed($0), RowBits.mixed(~$0))) }
        }
        let texts = withZones(written(values).filter { FixtureValue(written: $0, type) != nil })
        return texts.isEmpty ? [] : [.oneOf(texts)]
    }

    /// Returns the texts with a time zone if there are any, and otherwise all texts of a date and time.
    ///
    /// Readers cannot compare texts with a time zone with texts without one.
    private func withZones(_ texts: [String]) -> [String] {
        guard attribute.domain?.format == .dateTime else { return texts }
        let zoned = texts.filter(TextFormat.offsetDateTime.takes)
        return zoned.isEmpty ? texts : zoned
    }

    /// Returns the texts and the bytes among the values, padded to the attribute's minimum length.
    private func padded(_ values: [StoredValue]) -> [StoredValue] {
        var least = 0
        for case .minimumLength(let length) in attribute.rules where length <= RegularExpression.longest {
            least = max(least, length)
        }
        guard least > 0 else { return [] }
        return (values + [.string(""), .binary(Data())]).compactMap { value in
            switch value {
            case .string(let text) where attribute.type == .string:
                .string(text + String(repeating: "a", count: max(0, least - text.unicodeScalars.count)))
            case .binary(let data) where attribute.type == .binary:
                .binary(data + Data(count: max(0, least - data.count)))
            default: nil
            }
        }
    }

    // MARK: - Boolean values, bytes

    private func truths(_ ideas: [FixtureGenerator]) -> [FixtureGenerator] {
        switch (check.allows(.boolean(false)), check.allows(.boolean(true))) {
        case (true, true):
            if case .constant(.boolean(let usual))? = attribute.defaultValue, ideas.isEmpty {
                return [.chance(.percent(usual ? 80 : 20))]
            }
            return ideas.isEmpty ? [.chance(.percent(50))] : ideas
        case (true, false): return [.oneOf(["false"])]
        case (false, true): return [.oneOf(["true"])]
        case (false, false): return []
        }
    }

    private var bytes: [FixtureGenerator] {
        let most = FixtureGenerator.byteCounts.upperBound
        var (least, greatest) = (isCounted ? 8 : 4, 32)
        for rule in attribute.rules {
            switch rule {
            case .minimumLength(let length):
                greatest = max(greatest, length)
                least = max(least, length)
            default: break
            }
        }
        for rule in attribute.rules {
            guard case .maximumLength(let length) = rule else { continue }
            greatest = min(greatest, length)
            least = min(least, length)
        }
        guard 0 <= least, least <= greatest, greatest <= most, check.allows(.binary(Data(count: least))) else {
            return []
        }
        return [.bytes(least...(isCounted ? least : greatest))]
    }
}

extension FixtureGenerator {
    /// A Boolean value that indicates whether all values of the generator are equally likely, so that each can occur
    /// once.
    var isCounted: Bool {
        switch self {
        case .kind, .oneOf, .code, .uniform, .pattern, .bytes, .dates, .times, .chance, .reference: true
        case .normal, .logNormal, .markup, .later, .earlier: false
        }
    }
}

extension StoredValue {
    /// The values immediately before and after this value, if the samples of its type are further away from it.
    fileprivate var neighbours: [StoredValue] {
        switch self {
        case .timeOfDay(let time):
            let nanoseconds = time.nanosecondsSinceMidnight
            return [-1, 1, 1_000_000_000 - nanoseconds % 1_000_000_000].compactMap {
                TimeOfDay(nanosecondsSinceMidnight: nanoseconds + $0).map { .timeOfDay($0) }
            }
        case .double(let number):
            return [number.nextDown, number.nextUp, number / 2, number * 2].filter(\.isFinite).map { .double($0) }
        case .string(let text):
            return (0..<26 as Range<UInt8>).map { .string(text + String(UnicodeScalar(0x61 + $0))) }
                + text.indices.map { .string(String(text[..<$0])) }
        case .binary(let data):
            return (0..<64 as Range<UInt8>).map { .binary(data + [$0]) }
                + data.indices.map { .binary(Data(data[..<$0])) }
        default: return []
        }
    }
}

extension UUID {
    /// Creates a UUID from its upper and lower 64 bits.
    fileprivate init(bits upper: UInt64, _ lower: UInt64) {
        func byte(_ word: UInt64, _ place: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: word >> (56 - 8 * place)) }
        self.init(
            uuid: (
                byte(upper, 0), byte(upper, 1), byte(upper, 2), byte(upper, 3), byte(upper, 4), byte(upper, 5),
                byte(upper, 6), byte(upper, 7), byte(lower, 0), byte(lower, 1), byte(lower, 2), byte(lower, 3),
                byte(lower, 4), byte(lower, 5), byte(lower, 6), byte(lower, 7)
            ))
    }
}
