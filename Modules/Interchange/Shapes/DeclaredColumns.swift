/// The columns that a separate description declares for a file.
public struct DeclaredColumns: Sendable, Hashable {
    /// The ways in which a file's header has to match the names.
    public enum Agreement: String, Sendable, Hashable, CaseIterable {
        /// The same names in the same order.
        case exact
        /// The same names in any order.
        case equal
        /// All names, and possibly others, which are skipped and reported.
        case subset
        /// Some of the names and no others.
        case superset
        /// At least one of the names; others are skipped and reported.
        case partial

        /// A Boolean value that indicates whether a file may have columns that are not among the names.
        var allowsOthers: Bool { self == .subset || self == .partial }
    }

    /// The names, in order.
    public var names: [String]
    /// The way in which the header has to match the names.
    public var agreement: Agreement
    /// A Boolean value that indicates whether uppercase and lowercase letters are equal.
    public var ignoresCase: Bool

    /// Creates declared columns.
    public init(_ names: [String], _ agreement: Agreement, ignoresCase: Bool = false) {
        (self.names, self.agreement, self.ignoresCase) = (names, agreement, ignoresCase)
    }

    /// Returns the problem of a header; `nil` if it matches.
    func problem(of header: [String]) -> String? {
        let fold = { (name: String) in Array((ignoresCase ? name.lowercased() : name).utf8) }
        let (found, said) = (header.map(fold), names.map(fold))
        let missing = names.filter { !found.contains(fold($0)) }
        let others = header.filter { !said.contains(fold($0)) }
        switch agreement {
        case .exact:
            guard found != said else { return nil }
            guard let place = zip(found, said).enumerated().first(where: { $1.0 != $1.1 })?.offset else {
                return
                    "the header has \(header.count.counted("column")), but the schema has "
                    + "\(names.count.counted("field"))\(rule)"
            }
            return
                "column \(place + 1) is \(PrintableText.quoted(header[place])), but field \(place + 1) of the schema "
                + "\(PrintableText.quoted(names[place]))\(rule)"
        case .equal: return absent(missing) ?? surplus(others)
        case .subset: return absent(missing)
        case .superset: return surplus(others)
        case .partial:
            return missing.count == names.count && !names.isEmpty
                ? "no column of the header is a field of the schema\(rule)" : nil
        }
    }

    private var rule: String {
        agreement == .exact
            ? "; without fieldsMatch the columns must have the names and positions of the fields"
            : "; fieldsMatch is \(agreement.rawValue)"
    }

    private func absent(_ names: [String]) -> String? {
        names.first.map { "there is no column \(PrintableText.quoted($0)), which is a field of the schema\(rule)" }
    }

    private func surplus(_ names: [String]) -> String? {
        names.first.map { "the column \(PrintableText.quoted($0)) is not a field of the schema\(rule)" }
    }
}
