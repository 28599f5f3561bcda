import Foundation

extension PlanCompiler {
    /// Returns the draw that produces the values of a field's generator.
    mutating func draw(
        _ generator: FixtureGenerator, _ field: FixtureField, isUnique: Bool
    ) throws(FixtureError) -> Draw {
        switch generator {
        case .kind(let kind): return draw(kind, field, isUnique: isUnique)
        case .oneOf(let texts): return try draw(texts, field)
        case .pattern(let pattern): return try draw(pattern: pattern, field, isUnique: isUnique)
        case .bytes(let lengths): return try draw(bytes: lengths)
        case .later(let over, let days): return try later(over, days: days, field: field)
        case .earlier: return .earlier
        case .code(let prefix, let digits):
            guard (1...18).contains(digits) else {
                throw FixtureError(.invalidDescription, "a code must have 1 to 18 digits, not \(digits)")
            }
            try refuseZero(prefix)
            var count: UInt64 = 1
            for _ in 0..<digits { count *= 10 }
            return .code(prefix: texts.add(prefix), digits: Int32(digits), count: count)
        case .uniform(let bounds):
            let (minimum, maximum, step) = try units(bounds, field)
            let span = UInt64(bitPattern: maximum &- minimum) / UInt64(step)
            guard span < UInt64.max else {
                throw FixtureError(.invalidDescription, "the range contains more numbers than 64 bits can count")
            }
            return .uniform(least: minimum, count: span + 1, step: step)
        case .normal(let mean, let deviation, let bounds):
            let scale = field.type.scale
            guard let mean = parameter(mean, scale), let deviation = parameter(deviation, scale), deviation >= 0 else {
                throw FixtureError(
                    .invalidDescription,
                    "the mean and the deviation must have at most \(scale) digits after the point and be at most 2^53, "
                        + "and the deviation must not be negative")
            }
            return try quantity(.normal(mean: mean, deviation: deviation), bounds: bounds, field: field)
        case .logNormal(let median, let sigma, let bounds):
            guard let median = parameter(median, field.type.scale), median > 0 else {
                throw FixtureError(
                    .invalidDescription,
                    "a median must be above 0 and at most 2^53, and must have at most \(field.type.scale) digits after "
                        + "the point")
            }
            guard let millionths = sigma.units(scale: 6), (0...10_000_000).contains(millionths) else {
                throw FixtureError(
                    .invalidDescription,
                    "sigma must be from 0 to 10 with at most six digits after the point, not \(sigma)")
            }
            return try quantity(.logNormal(median: median, sigma: millionths), bounds: bounds, field: field)
        case .dates(let from, let to, let weekdays, let precision):
            // A day has no seconds.
            let precision = field.type == .day ? .day : precision
            return try dates(from, end: to ?? description.referenceDate, weekdays: weekdays, precision: precision)
        case .times(let from, let to, let step): return try times(from, to, step: step)
        case .markup(let over, let percent): return try markup(over, percent: percent, field: field)
        case .chance(let share): return .chance(threshold: share.threshold)
        case .reference:
            guard case .reference(let target) = field.type else { return .reference(count: 1) }
            return .reference(count: UInt64(max(1, description.entities[target]?.count ?? 0)))
        }
    }

    private mutating func draw(_ kind: FixtureGenerator.Kind, _ field: FixtureField, isUnique: Bool) -> Draw {
        func names(_ part: NamePart, _ compiler: inout PlanCompiler) -> Draw {
            let (table, _) = NameTable.add(
                compiler.description.locales, unique: isUnique ? part : nil, to: &compiler.texts, &compiler.numbers)
            return isUnique ? .allNames(table: table, part: part) : .names(table: table, part: part)
        }
        switch kind {
        case .givenName: return names(.given, &self)
        case .familyName: return names(.family, &self)
        case .fullName: return names(.full, &self)
        case .colorName: return .pairs(texts.add(ColorNames.modifiers), texts.add(ColorNames.hues))
        case .itemName: return .pairs(texts.add(ItemNames.materials + ItemNames.kinds), texts.add(ItemNames.nouns))
        case .uuid: return .uuid(key: RowBits.mixed(key &+ RowBits.address(of: field.name, .uniqueness)))
        case .hexColor: return .color
        default: return draw(KindTexts.grammar(kind))
        }
    }

    private mutating func draw(_ weighted: [WeightedText], _ field: FixtureField) throws(FixtureError) -> Draw {
        var known: Set<[UInt8]> = []
        for text in weighted {
            guard known.insert(Array(text.text.utf8)).inserted else {
                throw FixtureError(
                    .invalidDescription,
                    "\"oneOf\" contains \"\(text.text)\" twice; list the text once with a weight")
            }
            guard (1...1_000_000).contains(text.weight) else {
                throw FixtureError(.invalidDescription, "a weight must be from 1 to 1000000, not \(text.weight)")
            }
            try refuseZero(text.text)
        }
        guard let first = weighted.first else { throw FixtureError(.invalidDescription, "\"oneOf\" contains no text") }
        let isEven = weighted.allSatisfy { $0.weight == first.weight }
        guard field.type == .text else { return try draw(values: weighted, isEven: isEven, field) }
        let range = texts.add(weighted.map(\.text))
        if isEven { return .texts(range) }
        return .weightedTexts(range, sums: addSums(of: weighted))
    }

    /// Adds the cumulative weights of texts to the plan's numbers, and returns the index of the first one.
    mutating func addSums(of weighted: [WeightedText]) -> Int {
        let sums = numbers.count
        var sum: Int64 = 0
        for text in weighted {
            sum += Int64(text.weight)
            numbers.append(sum)
        }
        return sums
    }

    func refuseZero(_ text: String) throws(FixtureError) {
        guard !text.utf8.contains(0) else { throw FixtureError(.invalidDescription, "a text must not contain U+0000") }
    }

    private func dates(
        _ start: FixtureInstant, end: FixtureInstant, weekdays: [Int]?, precision: FixtureGenerator.Precision
    ) throws(FixtureError) -> Draw {
        func empty(_ what: String) -> FixtureError {
            FixtureError(
                .unsatisfiable,
                "there is \(what) from \(start) up to \(end); the end is the reference date by default")
        }
        // The first day that begins in the range, and the first day that begins after it.
        let first = start.day + (start.isMidnight ? 0 : 1)
        let beginning = end.day + (end.isMidnight ? 0 : 1)
        if let weekdays {
            guard weekdays.count == 7, weekdays.allSatisfy((0...1_000_000).contains) else {
                throw FixtureError(
                    .invalidDescription, "\"weekdays\" must have seven weights from 0 to 1000000, from Monday on")
            }
            // Only whole days are used for seconds, because a part of a day would be as likely as a whole day.
            let behind = precision == .day ? beginning : end.day
            guard first < behind, let days = WeightedDays(first..<behind, weights: weekdays) else {
                throw empty("no whole day with a weight above 0")
            }
            return precision == .day ? .weightedDays(days) : .weightedSeconds(days, step: precision.seconds)
        }
        switch precision {
        case .day:
            guard first < beginning else { throw empty("no midnight in UTC") }
            return .instants(
                first: first * CivilDay.secondsInDay, count: UInt64(beginning - first), step: CivilDay.secondsInDay)
        case .hour, .minute, .second:
            let step = precision.seconds
            let (first, behind) = (start.seconds.roundedUp(to: step), end.seconds.roundedUp(to: step))
            guard first < behind else { throw empty(step == 1 ? "no date" : "no date on a full \(precision.rawValue)") }
            return .instants(first: first, count: UInt64((behind - first) / step), step: step)
        }
    }

    private func markup(_ over: String, percent: ClosedRange<Int>, field: FixtureField) throws(FixtureError) -> Draw {
        guard let place = entity.fields.firstIndex(where: { $0.name == over }) else {
            throw FixtureError(.unknown, "\"over\" names \"\(over)\", but there is no such attribute")
        }
        let base = entity.fields[place]
        let attribute = fixtures.attributes[over] ?? AttributeFixtures(base)
        guard base.type == field.type else {
            throw FixtureError(.invalidDescription, "\"over\" names \(over), which is \(base.type.indefinite)")
        }
        if case .markup = attribute.generator {
            throw FixtureError(.invalidDescription, "\"over\" names \(over), which is itself over another attribute")
        }
        guard attribute.nulls == .none || field.isOptional else {
            throw FixtureError(
                .invalidDescription,
                "\"over\" names \(over), which may be null, but this attribute is mandatory")
        }
        if let least = field.least, base.leastUnits(scale: base.type.scale) < field.leastUnits(scale: field.type.scale)
        {
            throw FixtureError(
                .invalidDescription,
                "\"over\" names \(over), which may be less than \(least), the minimum that the model allows here")
        }
        guard (0...100_000).contains(percent.lowerBound), percent.upperBound <= 100_000 else {
            throw FixtureError(.invalidDescription, "\"percent\" must be from 0 to 100000")
        }
        return .markup(over: place, least: UInt64(percent.lowerBound), count: UInt64(percent.count))
    }

    // MARK: - Numbers

    /// The maximum of a mean, deviation or median.
    ///
    /// It is exact in a `Double` and causes no overflow.
    private static let greatestParameter: Int64 = 1 << 53

    private func parameter(_ number: Decimal, _ scale: Int) -> Int64? {
        number.units(scale: scale).flatMap { $0.magnitude <= UInt64(Self.greatestParameter) ? $0 : nil }
    }

    private func quantity(
        _ curve: Quantity.Curve, bounds: FixtureGenerator.Bounds, field: FixtureField
    ) throws(FixtureError) -> Draw {
        let (minimum, maximum, step) = try units(bounds, field)
        guard let quantity = Quantity(curve, minimum: minimum, maximum: maximum, step: step) else {
            throw FixtureError(
                .unsatisfiable,
                "the curve has no values from \(bounds.minimum) to \(bounds.maximum); move the bounds or the curve")
        }
        return .quantity(quantity)
    }

    /// Returns bounds as integer multiples of 10 to the power of minus the field's scale.
    private func units(
        _ bounds: FixtureGenerator.Bounds, _ field: FixtureField
    ) throws(FixtureError) -> (minimum: Int64, maximum: Int64, step: Int64) {
        let scale = field.type.scale
        func units(_ number: Decimal, _ what: String) throws(FixtureError) -> Int64 {
            guard let units = number.units(scale: scale) else {
                throw FixtureError(
                    .invalidDescription,
                    "the \(what) \(number) is not \(field.type.indefinite) that fits into 64 bits")
            }
            return units
        }
        let minimum = try units(bounds.minimum, "minimum")
        let maximum = try units(bounds.maximum, "maximum")
        let step = try bounds.step.map { number throws(FixtureError) in try units(number, "step") } ?? 1
        guard minimum <= maximum else {
            throw FixtureError(
                .invalidDescription, "the minimum \(bounds.minimum) is more than the maximum \(bounds.maximum)")
        }
        guard step > 0 else { throw FixtureError(.invalidDescription, "the step \(bounds.step ?? 0) is not above 0") }
        if let least = field.least, minimum < field.leastUnits(scale: scale) {
            throw FixtureError(
                .invalidDescription,
                "the minimum \(bounds.minimum) is less than \(least), the minimum that the model allows")
        }
        return (minimum, maximum, step)
    }
}
