import Foundation
import StrataCore

/// The format of generators in a description: one key for the generator, with a value that contains its parameters.
extension FixtureGenerator {
    /// The keys of all generators; an attribute's JSON object has at most one of them.
    static let keys = [
        "kind", "oneOf", "code", "uniform", "normal", "logNormal", "dates", "times", "markup", "chance", "reference",
        "pattern", "bytes", "later", "earlier",
    ]

    /// The key of this generator in a description.
    var key: String {
        switch self {
        case .kind: "kind"
        case .oneOf: "oneOf"
        case .code: "code"
        case .uniform: "uniform"
        case .normal: "normal"
        case .logNormal: "logNormal"
        case .dates: "dates"
        case .times: "times"
        case .markup: "markup"
        case .chance: "chance"
        case .reference: "reference"
        case .pattern: "pattern"
        case .bytes: "bytes"
        case .later: "later"
        case .earlier: "earlier"
        }
    }

    /// The text that specifies this generator in a description, for messages.
    var mention: String {
        if case .kind(let kind) = self { "\"kind\": \"\(kind.rawValue)\"" } else { "\"\(key)\"" }
    }

    /// Reads a generator from its key and its parameters.
    ///
    /// If the default generator has the same key, missing parameters are taken from it.
    ///
    /// - Parameters:
    ///   - key: The key of the generator.
    ///   - attribute: The JSON object that describes the attribute.
    ///   - name: The names of the entity and the attribute, for messages.
    ///   - usual: The default generator of the attribute.
    /// - Throws: ``FixtureError`` for parameters that are missing, unknown, or of the wrong type.
    init(
        _ key: String, attribute: DescriptionObject, name: (entity: String, attribute: String),
        usual: FixtureGenerator
    ) throws(FixtureError) {
        func parameters(_ names: String...) throws(FixtureError) -> DescriptionObject {
            try DescriptionObject(
                attribute[key] ?? JSONValue(.object([])), names, entity: name.entity, attribute: name.attribute)
        }
        func needed<Value>(_ value: Value?, _ parameter: String) throws(FixtureError) -> Value {
            guard let value else { throw attribute.error(at: key, "\"\(key)\" requires \"\(parameter)\"") }
            return value
        }
        func bounds(_ object: DescriptionObject, _ usual: Bounds?) throws(FixtureError) -> Bounds {
            let minimum = try needed(try object.number("minimum") ?? usual?.minimum, "minimum")
            let maximum = try needed(try object.number("maximum") ?? usual?.maximum, "maximum")
            guard minimum <= maximum else {
                throw object.error("the minimum \(minimum) is more than the maximum \(maximum)")
            }
            return Bounds(minimum...maximum, step: try object.optional("step", usual: usual?.step, object.number))
        }
        // Missing parameters are those of the default generator only if it has the same key.
        let usual: FixtureGenerator? = usual.key == key ? usual : nil
        let usualBounds = usual?.bounds
        switch key {
        case "kind": self = .kind(try needed(try attribute.word(key), key))
        case "oneOf": self = .oneOf(try Self.weightedTexts(attribute, key))
        case "code":
            let object = try parameters("prefix", "digits")
            var (usualPrefix, usualDigits): (String, Int?) = ("", nil)
            if case .code(let prefix, let digits) = usual { (usualPrefix, usualDigits) = (prefix, digits) }
            self = .code(
                prefix: try object.text("prefix") ?? usualPrefix,
                digits: try needed(try object.integer("digits", in: 1...18) ?? usualDigits, "digits"))
        case "uniform":
            self = .uniform(try bounds(try parameters("minimum", "maximum", "step"), usualBounds))
        case "normal":
            let object = try parameters("mean", "deviation", "minimum", "maximum", "step")
            var (usualMean, usualDeviation): (Decimal?, Decimal?) = (nil, nil)
            if case .normal(let mean, let deviation, _) = usual { (usualMean, usualDeviation) = (mean, deviation) }
            self = .normal(
                mean: try needed(try object.number("mean") ?? usualMean, "mean"),
                deviation: try needed(try object.number("deviation") ?? usualDeviation, "deviation"),
                try bounds(object, usualBounds))
        case "logNormal":
            let object = try parameters("median", "sigma", "minimum", "maximum", "step")
            var (usualMedian, usualSigma): (Decimal?, Decimal?) = (nil, nil)
            if case .logNormal(let median, let sigma, _) = usual { (usualMedian, usualSigma) = (median, sigma) }
            self = .logNormal(
                median: try needed(try object.number("median") ?? usualMedian, "median"),
                sigma: try needed(try object.number("sigma") ?? usualSigma, "sigma"), try bounds(object, usualBounds))
        case "dates": self = try Self.dates(try parameters("from", "to", "weekdays", "precision"), usual)
        case "times": self = try Self.times(try parameters("from", "to", "step"), usual)
        case "markup":
            let object = try parameters("over", "percent")
            var (usualOver, usualPercent): (String?, ClosedRange<Int>?) = (nil, nil)
            if case .markup(let over, let percent) = usual { (usualOver, usualPercent) = (over, percent) }
            self = .markup(
                over: try needed(try object.text("over") ?? usualOver, "over"),
                percent: try needed(
                    try Self.range(object, "percent", in: 0...100_000) ?? usualPercent, "percent"))
        case "chance": self = .chance(try needed(try attribute.share(key), key))
        case "pattern": self = .pattern(try needed(try attribute.text(key), key))
        case "bytes": self = .bytes(try needed(try Self.range(attribute, key, in: Self.byteCounts), key))
        case "later":
            let object = try parameters("than", "days")
            var (usualOther, usualDays): (String?, Int?) = (nil, nil)
            if case .later(let other, let days) = usual { (usualOther, usualDays) = (other, days) }
            self = .later(
                than: try needed(try object.text("than") ?? usualOther, "than"),
                days: try needed(try object.integer("days", in: Self.laterDays) ?? usualDays, "days"))
        case "earlier":
            var usualWithout = FixtureShare.none
            if case .earlier(let without) = usual { usualWithout = without }
            self = .earlier(without: try parameters("without").share("without") ?? usualWithout)
        default:
            let object = try parameters("without", "perTarget")
            var (without, perTarget): (FixtureShare, ClosedRange<Int>?) = (.none, nil)
            if case .reference(let usualWithout, let usualPerTarget) = usual {
                (without, perTarget) = (usualWithout, usualPerTarget)
            }
            self = .reference(
                without: try object.share("without") ?? without,
                perTarget: try object.optional("perTarget", usual: perTarget) { name throws(FixtureError) in
                    try Self.range(object, name, in: FixtureGenerator.targetBounds)
                })
        }
    }

    private static func dates(
        _ object: DescriptionObject, _ usual: FixtureGenerator?
    ) throws(FixtureError) -> FixtureGenerator {
        var values: (from: FixtureInstant?, to: FixtureInstant?, weekdays: [Int]?, precision: Precision) =
            (nil, nil, nil, .second)
        if case .dates(let from, let to, let weekdays, let precision) = usual {
            values = (from, to, weekdays, precision)
        }
        guard let from = try object.instant("from") ?? values.from else {
            throw object.error("\"dates\" requires \"from\"")
        }
        let weekdays = try object.optional("weekdays", usual: values.weekdays) { name throws(FixtureError) in
            try object.integers(
                name, count: 7, in: 0...1_000_000,
                "seven whole numbers from 0 to 1000000, the weights of the days from Monday on")
        }
        return .dates(
            from: from, to: try object.optional("to", usual: values.to, object.instant), weekdays: weekdays,
            precision: try object.word("precision") ?? values.precision)
    }

    private static func range(
        _ object: DescriptionObject, _ name: String, in range: ClosedRange<Int>
    ) throws(FixtureError) -> ClosedRange<Int>? {
        let what = "two whole numbers from \(range.lowerBound) to \(range.upperBound), the smaller one first"
        guard let pair = try object.integers(name, count: 2, in: range, what) else { return nil }
        guard pair[0] <= pair[1] else { throw object.error(at: name, "\"\(name)\" must be \(what)") }
        return pair[0]...pair[1]
    }

    private static func weightedTexts(
        _ attribute: DescriptionObject, _ key: String
    ) throws(FixtureError) -> [WeightedText] {
        let what = "a list of texts, or an object of texts and their weights, whole numbers from 1 to 1000000"
        let wrong = attribute.error(at: key, "\"\(key)\" must be \(what)")
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

    /// Returns the parameters of this generator as JSON for a description.
    ///
    /// - Parameter usual: The default generator, from which a reader takes missing parameters. A parameter that only
    ///   the default generator has is written as null.
    /// - Returns: The JSON value for the key of this generator.
    func parameters(usual: FixtureGenerator) -> JSONValue {
        switch self {
        case .kind(let kind): return .init(.string(kind.rawValue))
        case .oneOf(let texts):
            if texts.allSatisfy({ $0.weight == 1 }) { return .init(.array(texts.map { .init(.string($0.text)) })) }
            return .object(texts.map { ($0.text, .number($0.weight)) })
        case .code(let prefix, let digits):
            return .object([("prefix", .init(.string(prefix))), ("digits", .number(digits))])
        case .uniform(let bounds): return .object(bounds.parameters(usual.key == key ? usual.bounds : nil))
        case .normal(let mean, let deviation, let bounds):
            return .object(
                [("mean", .number(mean)), ("deviation", .number(deviation))]
                    + bounds.parameters(usual.key == key ? usual.bounds : nil))
        case .logNormal(let median, let sigma, let bounds):
            return .object(
                [("median", .number(median)), ("sigma", .number(sigma))]
                    + bounds.parameters(usual.key == key ? usual.bounds : nil))
        case .dates(let from, let to, let weekdays, let precision):
            var members: [(String, JSONValue)] = [("from", .init(.string("\(from)")))]
            var (usualTo, usualWeekdays): (FixtureInstant?, [Int]?) = (nil, nil)
            if case .dates(_, let to, let weekdays, _) = usual { (usualTo, usualWeekdays) = (to, weekdays) }
            if to != nil || usualTo != nil { members.append(("to", .init(to.map { .string("\($0)") } ?? .null))) }
            if weekdays != nil || usualWeekdays != nil {
                members.append(("weekdays", .init(weekdays.map { .array($0.map { .number($0) }) } ?? .null)))
            }
            return .object(members + [("precision", .init(.string(precision.rawValue)))])
        case .times(let from, let to, let step): return Self.times(from, to, step, usual)
        case .markup(let over, let percent):
            return .object([("over", .init(.string(over))), ("percent", .range(percent))])
        case .chance(let share): return .number(share.decimal)
        case .pattern(let pattern): return .string(pattern)
        case .bytes(let lengths): return .range(lengths)
        case .later(let other, let days): return .object([("than", .string(other)), ("days", .number(days))])
        case .earlier(let without): return .object([("without", .number(without.decimal))])
        case .reference(let without, let perTarget):
            var members: [(String, JSONValue)] = [("without", .number(without.decimal))]
            var usualPerTarget: ClosedRange<Int>?
            if case .reference(_, let perTarget) = usual { usualPerTarget = perTarget }
            if perTarget != nil || usualPerTarget != nil {
                members.append(("perTarget", perTarget.map { .range($0) } ?? .init(.null)))
            }
            return .object(members)
        }
    }

    /// The bounds of the generated numbers, or `nil` if the generator has none.
    ///
    /// Only the generators of numbers have bounds.
    var bounds: Bounds? {
        switch self {
        case .uniform(let bounds), .normal(_, _, let bounds), .logNormal(_, _, let bounds): bounds
        default: nil
        }
    }
}

extension FixtureGenerator.Bounds {
    fileprivate func parameters(_ usual: Self?) -> [(String, JSONValue)] {
        var members: [(String, JSONValue)] = [("minimum", .number(minimum)), ("maximum", .number(maximum))]
        if step != nil || usual?.step != nil {
            members.append(("step", step.map { .number($0) } ?? .init(.null)))
        }
        return members
    }
}

extension JSONValue {
    static func range(_ range: ClosedRange<Int>) -> Self {
        Self(.array([.number(range.lowerBound), .number(range.upperBound)]))
    }
}
