import Foundation

/// How generators stand in a description: one key, behind which are the parameters.
extension FixtureGenerator {
    /// The keys, one of which an attribute has.
    static let keys = [
        "kind", "oneOf", "code", "uniform", "normal", "logNormal", "dates", "markup", "chance", "reference",
    ]

    /// The key of this generator.
    var key: String {
        switch self {
        case .kind: "kind"
        case .oneOf: "oneOf"
        case .code: "code"
        case .uniform: "uniform"
        case .normal: "normal"
        case .logNormal: "logNormal"
        case .dates: "dates"
        case .markup: "markup"
        case .chance: "chance"
        case .reference: "reference"
        }
    }

    /// Reads the parameters behind a key; those that are not there are as in the usual generator, where that has the same key.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - attribute: The attribute's object.
    ///   - name: The entity and the attribute, for messages.
    ///   - usual: What the attribute has otherwise.
    /// - Throws: ``FixtureError`` for parameters that are missing, not known, or not of their kind.
    init(
        _ key: String, _ attribute: DescriptionObject, _ name: (entity: String, attribute: String),
        usual: FixtureGenerator
    ) throws(FixtureError) {
        func parameters(_ names: String...) throws(FixtureError) -> DescriptionObject {
            try DescriptionObject(
                attribute[key] ?? DescriptionValue(.object([])), names, entity: name.entity, attribute: name.attribute)
        }
        func needed<Value>(_ value: Value?, _ parameter: String) throws(FixtureError) -> Value {
            guard let value else { throw attribute.error(at: key, "\"\(key)\" needs \"\(parameter)\"") }
            return value
        }
        func bounds(_ object: DescriptionObject, _ usual: Bounds?) throws(FixtureError) -> Bounds {
            let minimum = try needed(try object.number("minimum") ?? usual?.minimum, "minimum")
            let maximum = try needed(try object.number("maximum") ?? usual?.maximum, "maximum")
            guard minimum <= maximum else {
                throw object.error("the minimum \(minimum) is more than the maximum \(maximum)")
            }
            return Bounds(minimum...maximum, step: try object.number("step") ?? usual?.step)
        }
        switch (key, usual) {
        case ("kind", _): self = .kind(try needed(try attribute.word(key), key))
        case ("oneOf", _): self = .oneOf(try Self.weightedTexts(attribute, key))
        case ("code", _):
            let object = try parameters("prefix", "digits")
            self = .code(
                prefix: try object.text("prefix") ?? "",
                digits: try needed(try object.integer("digits", in: 1...18), "digits"))
        case ("uniform", .uniform(let usual)):
            self = .uniform(try bounds(try parameters("minimum", "maximum", "step"), usual))
        case ("uniform", _): self = .uniform(try bounds(try parameters("minimum", "maximum", "step"), nil))
        case ("normal", _):
            let object = try parameters("mean", "deviation", "minimum", "maximum", "step")
            var (usualMean, usualDeviation, usualBounds): (Decimal?, Decimal?, Bounds?) = (nil, nil, nil)
            if case .normal(let mean, let deviation, let bounds) = usual {
                (usualMean, usualDeviation, usualBounds) = (mean, deviation, bounds)
            }
            self = .normal(
                mean: try needed(try object.number("mean") ?? usualMean, "mean"),
                deviation: try needed(try object.number("deviation") ?? usualDeviation, "deviation"),
                try bounds(object, usualBounds))
        case ("logNormal", _):
            let object = try parameters("median", "sigma", "minimum", "maximum", "step")
            var (usualMedian, usualSigma, usualBounds): (Decimal?, Decimal?, Bounds?) = (nil, nil, nil)
            if case .logNormal(let median, let sigma, let bounds) = usual {
                (usualMedian, usualSigma, usualBounds) = (median, sigma, bounds)
            }
            self = .logNormal(
                median: try needed(try object.number("median") ?? usualMedian, "median"),
                sigma: try needed(try object.number("sigma") ?? usualSigma, "sigma"), try bounds(object, usualBounds))
        case ("dates", _): self = try Self.dates(try parameters("from", "to", "weekdays", "precision"), usual)
        case ("markup", _):
            let object = try parameters("over", "percent")
            var (usualOver, usualPercent): (String?, ClosedRange<Int>?) = (nil, nil)
            if case .markup(let over, let percent) = usual { (usualOver, usualPercent) = (over, percent) }
            self = .markup(
                over: try needed(try object.text("over") ?? usualOver, "over"),
                percent: try needed(
                    try Self.range(object, "percent", in: 0...100_000) ?? usualPercent, "percent"))
        case ("chance", _): self = .chance(try needed(try attribute.share(key), key))
        default:
            let object = try parameters("without", "perTarget")
            var (without, perTarget): (FixtureShare, ClosedRange<Int>?) = (.none, nil)
            if case .reference(let usualWithout, let usualPerTarget) = usual {
                (without, perTarget) = (usualWithout, usualPerTarget)
            }
            self = .reference(
                without: try object.share("without") ?? without,
                perTarget: try Self.range(object, "perTarget", in: 0...EntityFixtures.counts.upperBound) ?? perTarget)
        }
    }

    private static func dates(
        _ object: DescriptionObject, _ usual: FixtureGenerator
    ) throws(FixtureError) -> FixtureGenerator {
        var values: (from: FixtureInstant?, to: FixtureInstant?, weekdays: [Int]?, precision: Precision) =
            (nil, nil, nil, .second)
        if case .dates(let from, let to, let weekdays, let precision) = usual {
            values = (from, to, weekdays, precision)
        }
        guard let from = try object.instant("from") ?? values.from else {
            throw object.error("\"dates\" needs \"from\"")
        }
        let weekdays = try object.integers(
            "weekdays", count: 7, in: 0...1_000_000,
            "seven whole numbers from 0 to 1000000, the weights of the days from Monday on")
        return .dates(
            from: from, to: try object.instant("to") ?? values.to, weekdays: weekdays ?? values.weekdays,
            precision: try object.word("precision") ?? values.precision)
    }

    private static func range(
        _ object: DescriptionObject, _ name: String, in range: ClosedRange<Int>
    ) throws(FixtureError) -> ClosedRange<Int>? {
        let what = "two whole numbers from \(range.lowerBound) to \(range.upperBound), the lesser one first"
        guard let pair = try object.integers(name, count: 2, in: range, what) else { return nil }
        guard pair[0] <= pair[1] else { throw object.error(at: name, "\"\(name)\" should be \(what)") }
        return pair[0]...pair[1]
    }

    private static func weightedTexts(
        _ attribute: DescriptionObject, _ key: String
    ) throws(FixtureError) -> [WeightedText] {
        let what = "a list of texts, or an object of texts and their weights, whole numbers from 1 to 1000000"
        let wrong = attribute.error(at: key, "\"\(key)\" should be \(what)")
        var texts: [WeightedText] = []
        switch attribute[key]?.content {
        case .array(let elements):
            for element in elements {
                guard case .string(let text) = element.content else { throw wrong }
                texts.append(WeightedText(text))
            }
        case .object(let members):
            for member in members {
                guard case .number(let digits) = member.value.content, let weight = Int(digits),
                    (1...1_000_000).contains(weight)
                else { throw wrong }
                texts.append(WeightedText(member.name, weight: weight))
            }
        default: throw wrong
        }
        guard !texts.isEmpty else { throw wrong }
        return texts
    }

    /// The parameters as a description has them.
    var parameters: DescriptionValue {
        switch self {
        case .kind(let kind): return .init(.string(kind.rawValue))
        case .oneOf(let texts):
            if texts.allSatisfy({ $0.weight == 1 }) { return .init(.array(texts.map { .init(.string($0.text)) })) }
            return .object(texts.map { ($0.text, .number($0.weight)) })
        case .code(let prefix, let digits):
            return .object([("prefix", .init(.string(prefix))), ("digits", .number(digits))])
        case .uniform(let bounds): return .object(bounds.parameters)
        case .normal(let mean, let deviation, let bounds):
            return .object([("mean", .number(mean)), ("deviation", .number(deviation))] + bounds.parameters)
        case .logNormal(let median, let sigma, let bounds):
            return .object([("median", .number(median)), ("sigma", .number(sigma))] + bounds.parameters)
        case .dates(let from, let to, let weekdays, let precision):
            return .object(
                [("from", .init(.string("\(from)")))]
                    + (to.map { [("to", .init(.string("\($0)")))] } ?? [])
                    + (weekdays.map { [("weekdays", .init(.array($0.map { .number($0) })))] } ?? [])
                    + [("precision", .init(.string(precision.rawValue)))])
        case .markup(let over, let percent):
            return .object([("over", .init(.string(over))), ("percent", .range(percent))])
        case .chance(let share): return .number(share.decimal)
        case .reference(let without, let perTarget):
            return .object(
                [("without", .number(without.decimal))] + (perTarget.map { [("perTarget", .range($0))] } ?? []))
        }
    }
}

extension FixtureGenerator.Bounds {
    fileprivate var parameters: [(String, DescriptionValue)] {
        [("minimum", .number(minimum)), ("maximum", .number(maximum))] + (step.map { [("step", .number($0))] } ?? [])
    }
}

extension DescriptionValue {
    static func object(_ members: [(String, DescriptionValue)]) -> Self {
        Self(.object(members.map { Member(name: $0.0, value: $0.1) }))
    }

    static func number(_ number: some CustomStringConvertible) -> Self { Self(.number("\(number)")) }

    static func range(_ range: ClosedRange<Int>) -> Self {
        Self(.array([.number(range.lowerBound), .number(range.upperBound)]))
    }
}
