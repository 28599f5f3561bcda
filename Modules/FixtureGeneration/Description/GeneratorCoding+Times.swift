import StrataCore

/// The format of time-of-day generators in a description: `{"from": "08:00", "to": "18:00", "step": 900}`.
extension FixtureGenerator {
    static func times(
        _ object: DescriptionObject, _ usual: FixtureGenerator?
    ) throws(FixtureError) -> FixtureGenerator {
        var (from, to, step): (TimeOfDay?, TimeOfDay?, Int?) = (nil, nil, nil)
        if case .times(let usualFrom, let usualTo, let usualStep) = usual {
            (from, to, step) = (usualFrom, usualTo, usualStep)
        }
        func time(_ name: String) throws(FixtureError) -> TimeOfDay? {
            guard let text = try object.text(name) else { return nil }
            guard let time = TimeOfDay(text) else {
                throw object.error(at: name, "\"\(name)\" must be a time of day such as 08:30")
            }
            return time
        }
        guard let from = try time("from") ?? from else { throw object.error("\"times\" requires \"from\"") }
        return .times(
            from: from, to: try object.optional("to", usual: to, time),
            step: try object.integer("step", in: 1...86_400) ?? step ?? 1)
    }

    static func times(_ from: TimeOfDay, _ to: TimeOfDay?, _ step: Int, _ usual: FixtureGenerator) -> JSONValue {
        var members: [(String, JSONValue)] = [("from", .init(.string("\(from)")))]
        var usualTo: TimeOfDay?
        if case .times(_, let to, _) = usual { usualTo = to }
        if to != nil || usualTo != nil { members.append(("to", .init(to.map { .string("\($0)") } ?? .null))) }
        return .object(members + [("step", .number(step))])
    }
}
