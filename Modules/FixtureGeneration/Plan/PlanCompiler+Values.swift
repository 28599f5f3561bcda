import Foundation
import StrataCore

extension PlanCompiler {
    /// Returns the draw that produces the texts of a grammar.
    mutating func draw(_ grammar: TextGrammar) -> Draw {
        longestMade = max(longestMade, grammar.longest.last ?? 0)
        let place = GrammarTable.add(grammar, to: &texts, &numbers)
        return .grammar(place: Int32(place), count: max(1, grammar.count))
    }

    /// Returns the draw that produces texts matching a regular expression.
    mutating func draw(pattern: String, _ field: FixtureField, isUnique: Bool) throws(FixtureError) -> Draw {
        let isPart = entity.uniquenessConstraints.contains { $0.contains(field.name) }
        do throws(InvalidPattern) {
            let unique = isUnique || isPart ? UInt64(max(1, fixtures.count)) : nil
            guard let lengths = field.lengths else {
                throw InvalidPattern("the rules for the length contradict each other")
            }
            return draw(try PatternTexts.grammar(pattern, lengths: lengths, unique: unique))
        } catch {
            throw FixtureError(
                .unsatisfiable,
                "texts cannot be generated from the pattern \(pattern): \(error.message); list the texts with \"oneOf\""
            )
        }
    }

    mutating func draw(bytes lengths: ClosedRange<Int>) throws(FixtureError) -> Draw {
        let allowed = FixtureGenerator.byteCounts
        guard allowed.contains(lengths.lowerBound), lengths.upperBound <= allowed.upperBound else {
            throw FixtureError(
                .invalidDescription,
                "the length must be from 0 to \(allowed.upperBound) bytes, not \(lengths)")
        }
        longestMade = max(longestMade, lengths.upperBound)
        return .bytes(least: Int32(lengths.lowerBound), lengths: UInt64(lengths.count))
    }

    /// Returns the draw that selects values from a list of values that are not texts.
    mutating func draw(
        values weighted: [WeightedText], isEven: Bool, _ field: FixtureField
    ) throws(FixtureError) -> Draw {
        let first = values.count
        for text in weighted {
            guard let value = FixtureValue(written: text.text, field.type) else {
                throw FixtureError(
                    .invalidDescription, "\"oneOf\" has \"\(text.text)\", which is not \(field.type.indefinite)")
            }
            if let real = value.real {
                values.append(.real(real))
                continue
            }
            switch try FixedCell(value, field) {
            case .text(let text): values.append(.text(texts.add(text)))
            case .bytes(let bytes): values.append(.text(texts.add(bytes: bytes)))
            case .cell(let cell): values.append(cell)
            }
        }
        guard !isEven else { return .values(first: first, count: UInt64(weighted.count)) }
        return .weightedValues(first: first, count: weighted.count, sums: addSums(of: weighted))
    }

    /// Returns the draw that produces a date after the date of another field.
    func later(_ over: String, days: Int, field: FixtureField) throws(FixtureError) -> Draw {
        guard let place = entity.fields.firstIndex(where: { $0.name == over }) else {
            throw FixtureError(.unknown, "\"than\" names \"\(over)\", but there is no such attribute")
        }
        let base = entity.fields[place]
        let attribute = fixtures.attributes[over] ?? AttributeFixtures(base)
        guard base.type == field.type else {
            throw FixtureError(.invalidDescription, "\"than\" names \(over), which is \(base.type.indefinite)")
        }
        if case .later = attribute.generator {
            throw FixtureError(
                .invalidDescription, "\"than\" names \(over), which is itself later than another attribute")
        }
        guard attribute.nulls == .none || field.isOptional else {
            throw FixtureError(
                .invalidDescription,
                "\"than\" names \(over), which may be null, but this attribute is mandatory")
        }
        guard FixtureGenerator.laterDays.contains(days) else {
            throw FixtureError(
                .invalidDescription, "\"days\" must be from 0 to \(FixtureGenerator.laterDays.upperBound), not \(days)")
        }
        let step = field.type == .day ? CivilDay.secondsInDay : field.origin?.form.room?.precision.seconds ?? 1
        let count = Int64(days) * CivilDay.secondsInDay / step + 1
        return .later(over: place, count: UInt64(count), step: step, end: description.referenceDate.seconds)
    }
}

extension FixtureValue {
    /// Creates a value from the text in which datasets contain it, or returns `nil` if the text is not a value of the
    /// type.
    init?(written text: String, _ type: FixtureField.ValueType) {
        let value: FixtureValue? =
            switch type {
            case .text, .color: .text(text)
            case .integer, .reference: Int64(text).map(FixtureValue.integer)
            case .decimal: Decimal(string: text).map(FixtureValue.decimal)
            case .double: Double(text).map(FixtureValue.double)
            case .boolean: text == "true" ? .boolean(true) : text == "false" ? .boolean(false) : nil
            case .uuid: UUID(uuidString: text).map(FixtureValue.uuid)
            case .binary: Data(base64Encoded: text).map(FixtureValue.binary)
            case .date: Self.date(text)
            case .day, .timeOfDay: FixtureValue(text, instant: type)
            }
        guard let value else { return nil }
        self = value
    }

    private static func date(_ text: String) -> FixtureValue? {
        // A text that is not a date is ignored, whatever the error is.
        do throws(InvalidText) {
            guard case .date(let date) = try AttributeType.date.coding.parse(text) else { return nil }
            return .date(date)
        } catch {
            return nil
        }
    }

    /// A floating-point number, or a date that is not a whole second in the years 0000 to 9999; `nil` for other values.
    fileprivate var real: Double? {
        switch self {
        case .double(let number): number
        case .date(let date) where FixtureInstant(date) == nil: date.timeIntervalSinceReferenceDate
        default: nil
        }
    }
}
