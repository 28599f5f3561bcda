import StrataCore

/// An object in a descriptor with its location, whose methods return members as values of the expected types.
///
/// A method returns `nil` if the member is missing, and also if it has another type. In the second case, the method
/// adds an error to the findings. Therefore a caller needs no error handling of its own: it uses a default for `nil`.
struct ObjectView {
    let place: JSONPointer
    private let members: [JSONValue.Member]
    private let findings: Findings

    /// Creates a view of a value that must be an object, and reports its unknown members.
    ///
    /// The report is a warning if the name of a member is similar to a known name. Otherwise it is a note about a
    /// custom property.
    ///
    /// - Parameters:
    ///   - value: The JSON value, which must be an object.
    ///   - place: The location of the value.
    ///   - known: The names of known members, including those without effect on the model.
    ///   - findings: The object that collects the findings.
    init?(_ value: JSONValue, at place: JSONPointer, known: [String], _ findings: Findings) {
        guard case .object(let members) = value.content else {
            findings.error(place, "\(value.kind) found, but an object is expected")
            return nil
        }
        self.place = place
        self.findings = findings
        self.members = members
        // Names are compared by their bytes, as in the lookup of members.
        for member in members where !known.contains(where: { $0.utf8.elementsEqual(member.name.utf8) }) {
            let suggestion = DescriptorWords.suggestion(for: member.name, among: known)
            guard !suggestion.isEmpty || member.name.hasPrefix("strata:") else {
                findings.custom(place[member.name], member.name)
                continue
            }
            findings.warning(place[member.name], "this property is not understood\(suggestion)")
        }
    }

    /// Returns a Boolean value that indicates whether the object has a member with a name, of any type, including null.
    func has(_ name: String) -> Bool { members[name] != nil }
    /// Returns the value of a member without a check of its type, or `nil` if the member is missing.
    func value(_ name: String) -> JSONValue? { members[name] }

    /// Reports that a member has an unexpected type.
    private func refuse(_ name: String, _ value: JSONValue, _ expected: String) {
        findings.error(place[name], "\(value.kind) found, but \(expected) is expected")
    }

    /// Reports an error.
    func refuse(_ place: JSONPointer, _ message: @autoclosure () -> String) { findings.error(place, message()) }

    /// Returns the text of a member, or `nil` if the member is missing; reports an error if the member is not a text.
    func text(_ name: String) -> String? {
        guard let value = members[name] else { return nil }
        if case .string(let text) = value.content { return text }
        refuse(name, value, "a text")
        return nil
    }

    /// The value of `format`, without the prefix `fmt:` that the first drafts of the Table Schema standard required
    /// before a pattern.
    var format: String? { text("format").map { $0.hasPrefix("fmt:") ? String($0.dropFirst(4)) : $0 } }

    /// Returns the Boolean value of a member, or `nil` if the member is missing; reports an error if the member is not
    /// a Boolean value.
    func truth(_ name: String) -> Bool? {
        guard let value = members[name] else { return nil }
        if case .boolean(let isTrue) = value.content { return isTrue }
        refuse(name, value, "true or false")
        return nil
    }

    /// Returns the integer of a member; if it is not an integer in the range, reports an error and returns `nil`.
    func number(_ name: String, in range: ClosedRange<Int>) -> Int? {
        guard let value = members[name] else { return nil }
        if case .number(let text) = value.content, let number = Int(text), range.contains(number) { return number }
        let most = range.upperBound == .max ? "on" : "to \(range.upperBound)"
        refuse(name, value, "a whole number from \(range.lowerBound) \(most)")
        return nil
    }

    /// Returns the elements of a member, or `nil` if the member is missing; reports an error if the member is not a
    /// list.
    func list(_ name: String) -> [JSONValue]? {
        guard let value = members[name] else { return nil }
        if case .array(let elements) = value.content { return elements }
        refuse(name, value, "a list")
        return nil
    }

    /// Returns the texts of a member that is a list; in version 1 of the Data Package standard, it may also be a single
    /// text.
    func texts(_ name: String) -> [String]? {
        if case .string(let text) = members[name]?.content { return [text] }
        guard let elements = list(name) else { return nil }
        var texts: [String] = []
        for (index, element) in elements.enumerated() {
            guard case .string(let text) = element.content else {
                findings.error(place[name][index], "\(element.kind) found, but a text is expected")
                return nil
            }
            texts.append(text)
        }
        return texts
    }

    /// Returns the object of a member, or `nil` if the member is missing; reports an error if the member is not an
    /// object.
    func object(_ name: String, known: [String]) -> ObjectView? {
        members[name].flatMap { ObjectView($0, at: place[name], known: known, findings) }
    }

    /// Returns the objects of a member that is a list.
    func objects(_ name: String, known: [String]) -> [ObjectView] {
        (list(name) ?? []).enumerated().compactMap { index, element in
            ObjectView(element, at: place[name][index], known: known, findings)
        }
    }

    /// Returns the delete rule of a member, or `nil` if the member is missing; reports an error if there is no such
    /// rule.
    func deleteRule(_ name: String) -> DeleteRule? {
        guard let text = text(name) else { return nil }
        if let rule = DeleteRule(rawValue: text) { return rule }
        let rules = ["nullify", "cascade", "deny", "noAction"]
        findings.error(
            place[name],
            "“\(text)” is not a delete rule; the delete rules are \(rules.joined(separator: ", "))"
                + NearestName.suggestion(for: text, among: rules))
        return nil
    }
}
