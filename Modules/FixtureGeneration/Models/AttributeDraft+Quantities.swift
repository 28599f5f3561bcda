import Foundation
import StrataCore

extension AttributeDraft {
    // MARK: - Numbers

    /// Returns generators of numbers: the suitable ones among those for the attribute's name, then ones with increasing
    /// ranges.
    func numbers(_ ideas: [FixtureGenerator]) -> [FixtureGenerator] {
        guard
            let range = NumberRange(attribute, isCounted: isCounted, missing: form.missing(of: attribute.type)),
            !range.isEmpty
        else { return [] }
        var generators = ideas.compactMap { clamped($0, range) }
        let power =
            range.scale == 0
            ? 1 : Int64(clamping: (0..<min(range.scale, 4)).reduce(Int128(1)) { power, _ in power * 10 })
        for count in [1_000, 1_000_000, 1_000_000_000_000] as [Int64] {
            if let bounds = range.present(range.numbers(count * (count == 1_000 ? power : 1))) {
                generators.append(.uniform(bounds))
            }
        }
        return generators
    }

    /// Returns a number generator that is limited to a range, or `nil` if the range contains none of its numbers.
    ///
    /// If equally likely values are required, the returned generator has a uniform distribution.
    private func clamped(_ generator: FixtureGenerator, _ range: NumberRange) -> FixtureGenerator? {
        guard let bounds = generator.bounds.flatMap(range.clamped).flatMap(range.present) else { return nil }
        switch generator {
        case .uniform: return .uniform(bounds)
        case _ where isCounted: return .uniform(bounds)
        case .logNormal(let median, let sigma, _):
            // A distribution whose center is beyond its bounds has almost no values between them, so a uniform one is
            // used.
            return bounds.minimum <= median && median <= bounds.maximum && range.isDrawnExactly(median)
                ? .logNormal(median: median, sigma: sigma, bounds) : .uniform(bounds)
        case .normal(let mean, let deviation, _):
            return bounds.minimum <= mean && mean <= bounds.maximum && range.isDrawnExactly(mean)
                && range.isDrawnExactly(deviation)
                ? .normal(mean: mean, deviation: deviation, bounds) : .uniform(bounds)
        default: return nil
        }
    }

    // MARK: - Dates

    /// Returns the candidates for generators of dates and days.
    func dates(_ ideas: [FixtureGenerator]) -> [FixtureGenerator] {
        guard let range = SecondRange(attribute, form.room), !range.isEmpty else { return [] }
        let usual = FixtureGenerator.dates(from: CivilDay.beginning(2010), to: nil, weekdays: nil, precision: .second)
        let wide = FixtureGenerator.dates(
            from: CivilDay.beginning(1), to: CivilDay.beginning(2_500), weekdays: nil, precision: .second)
        let plans = ideas + [usual, wide]
        return plans.compactMap(range.clamped) + (range.near.map { [$0] } ?? [])
    }

    /// Returns the candidates for generators of times of day.
    func times(_ ideas: [FixtureGenerator]) -> [FixtureGenerator] {
        guard let range = SecondRange(attribute, form.room), !range.isEmpty else { return [] }
        let (day, least) = (CivilDay.secondsInDay, range.step)
        let first = max(0, range.least).roundedUp(to: range.step)
        let behind = min(day, range.greatest == .max ? day : range.greatest + 1)
        guard first < behind, let from = TimeOfDay(nanosecondsSinceMidnight: first * 1_000_000_000) else { return [] }
        let to = behind == day ? nil : TimeOfDay(nanosecondsSinceMidnight: behind * 1_000_000_000)
        var generators: [FixtureGenerator] = []
        if ideas.isEmpty == false, first == 0, behind == day { generators += ideas }
        for step in [900, 60, 1] as [Int64] where step <= behind - first && first % step == 0 && step % least == 0 {
            generators.append(.times(from: from, to: to, step: Int(step)))
        }
        if generators.isEmpty { generators.append(.times(from: from, to: to, step: Int(least))) }
        return generators
    }
}

/// The range of an attribute's valid values in seconds: since 2001 for dates and days, since midnight for times of day.
struct SecondRange {
    private(set) var least = Int64.min
    private(set) var greatest = Int64.max
    private let precision: FixtureGenerator.Precision
    private let room: DateFormatPrecision?

    var isEmpty: Bool { least > greatest }
    /// The distance in seconds between two adjacent values.
    var step: Int64 { precision.seconds }

    /// Creates the range of an attribute, or returns `nil` if the attribute has no dates or times.
    ///
    /// - Parameters:
    ///   - attribute: The attribute.
    ///   - room: The dates that the attribute's files can represent, or `nil` if they can represent all dates.
    init?(_ attribute: AttributeDescription, _ room: DateFormatPrecision?) {
        guard [.date, .day, .timeOfDay].contains(attribute.type) else { return nil }
        precision = attribute.type == .day ? .day : room?.precision ?? .second
        self.room = room
        for rule in attribute.rules {
            switch rule {
            case .minimum(let value): raise(value, isOpen: false)
            case .greaterThan(let value): raise(value, isOpen: true)
            case .maximum(let value): lower(value, isOpen: false)
            case .lessThan(let value): lower(value, isOpen: true)
            default: break
            }
        }
    }

    private mutating func raise(_ value: StoredValue, isOpen: Bool) {
        guard let (floor, isWhole, step) = Self.seconds(value) else { return }
        least = max(least, isWhole && !isOpen ? floor : floor + step)
    }

    private mutating func lower(_ value: StoredValue, isOpen: Bool) {
        guard let (floor, isWhole, step) = Self.seconds(value) else { return }
        greatest = min(greatest, isWhole && isOpen ? floor - step : floor)
    }

    /// Returns a value in seconds, rounded down; whether it is a whole second; and the distance between adjacent
    /// values.
    private static func seconds(_ value: StoredValue) -> (floor: Int64, isWhole: Bool, step: Int64)? {
        switch value {
        case .date(let date):
            let floor = date.timeIntervalSinceReferenceDate.rounded(.down)
            guard floor.magnitude < 1e15 else { return nil }
            return (Int64(floor), floor == date.timeIntervalSinceReferenceDate, 1)
        case .day(let day):
            return (Int64(day.daysSinceReferenceDay) * CivilDay.secondsInDay, true, CivilDay.secondsInDay)
        case .timeOfDay(let time):
            let (floor, rest) = time.nanosecondsSinceMidnight.quotientAndRemainder(dividingBy: 1_000_000_000)
            return (floor, rest == 0, 1)
        default: return nil
        }
    }

    /// Returns a date generator that is limited to this range, or `nil` if the range contains none of its dates.
    func clamped(_ generator: FixtureGenerator) -> FixtureGenerator? {
        guard case .dates(let from, let to, let weekdays, let precision) = generator else { return nil }
        // Dates without an end are before the reference date, which a description can change. The attribute's rules
        // cannot change, so they limit the end here.
        let usualEnd = to ?? CivilDay.beginning(2025)
        let isBound = greatest != .max
        let greatest = min(greatest, room?.seconds?.upperBound ?? .max)
        let end = greatest < usualEnd.seconds - 1 ? FixtureInstant(seconds: greatest + 1) : to
        guard let start = FixtureInstant(seconds: max(least, from.seconds, room?.seconds?.lowerBound ?? .min)) else {
            return nil
        }
        let behind = end ?? usualEnd
        let coarser = precision.seconds > step ? precision : self.precision
        guard start.seconds.roundedUp(to: coarser.seconds) < behind.seconds else { return nil }
        return .dates(from: start, to: isBound ? behind : end, weekdays: weekdays, precision: coarser)
    }

    /// A generator of dates that are less than ten years from the bounds of the range.
    var near: FixtureGenerator? {
        let years = 3_653 * CivilDay.secondsInDay
        let range = FixtureInstant.range
        let (earliest, latest) = (room?.seconds?.lowerBound ?? .min, room?.seconds?.upperBound ?? .max)
        let lower = least != .min ? least : max(range.lowerBound.seconds, greatest == .max ? 0 : greatest - years)
        let first = max(lower, earliest).roundedUp(to: step)
        let last = min(
            greatest, latest, range.upperBound.seconds - 1, first.addingReportingOverflow(years).partialValue)
        guard first <= last, let from = FixtureInstant(seconds: first), let to = FixtureInstant(seconds: last + 1)
        else { return nil }
        return .dates(from: from, to: to, weekdays: nil, precision: precision)
    }
}
