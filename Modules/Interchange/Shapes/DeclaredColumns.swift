/// The columns that a separate description declares for a file.
///
/// A description such as the schema of a data package lists the columns of a file. An import compares them with the
/// header, in addition to the comparison with the model.
///
/// ## Topics
///
/// ### Creating declared columns
///
/// - ``init(_:_:ignoresCase:)``
///
/// ### The declaration
///
/// - ``names``
/// - ``agreement``
/// - ``Agreement``
/// - ``ignoresCase``
public struct DeclaredColumns: Sendable, Hashable {
    /// A requirement on the names in a file's header, compared with the declared names.
    ///
    /// The cases are those of `fieldsMatch` of the Data Package standard, and have the same raw values.
    public enum Agreement: String, Sendable, Hashable, CaseIterable {
        /// The header has the declared names in the same order.
        case exact
        /// The header has exactly the declared names, in any order.
        case equal
        /// The header has all declared names; other names are allowed, and their columns are skipped and reported.
        case subset
        /// The header has at least one declared name, and no other names.
        case superset
        /// The header has at least one declared name; other names are allowed, and their columns are skipped and
        /// reported.
        case partial

        /// A Boolean value that indicates whether the header may have names that are not declared.
        var allowsOthers: Bool { self == .subset || self == .partial }
    }

    /// The declared names of the columns, in the declared order.
    public var names: [String]
    /// The requirement on the names in the header.
    public var agreement: Agreement
    /// A Boolean value that indicates whether names that differ only in case are equal.
    public var ignoresCase: Bool

    /// Creates declared columns.
    ///
    /// - Parameters:
    ///   - names: The declared names, in the declared order.
    ///   - agreement: The requirement on the names in the header.
    ///   - ignoresCase: A Boolean value that indicates whether names that differ only in case are equal.
    public init(_ names: [String], _ agreement: Agreement, ignoresCase: Bool = false) {
        (self.names, self.agreement, self.ignoresCase) = (names, agreement, ignoresCase)
    }

    /// Returns the reason why a header violates the requirement; `nil` if it does not.
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
