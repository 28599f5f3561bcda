import StrataCore

/// The column names of a header, in which missing and repeated names are replaced by generated ones.
///
/// A column without a name is named by its position (`column3`). The second column with the same name gets a number
/// (`name_2`). The names depend only on the header, so that an inferred model matches every file with the same header.
struct HeaderNames {
    private(set) var names: [String] = []
    /// Notes about the names that were generated.
    private(set) var notes: [String] = []

    /// Creates the column names for the names in a header.
    ///
    /// - Parameter header: The names in the header of the file.
    /// - Complexity: O(*n*) in the count of names.
    init(_ header: [String]) {
        var taken = Set(header)
        var seen: Set<String> = []
        var numbers: [String: Int] = [:]
        func free(_ base: String, from first: Int) -> String {
            var number = numbers[base] ?? first
            while taken.contains("\(base)_\(number)") { number += 1 }
            numbers[base] = number + 1
            return "\(base)_\(number)"
        }
        for (place, name) in header.enumerated() {
            guard name.isEmpty || !seen.insert(name).inserted else {
                names.append(name)
                continue
            }
            let base = name.isEmpty ? "column\(place + 1)" : name
            let given = taken.contains(base) ? free(base, from: 2) : base
            taken.insert(given)
            names.append(given)
            let problem = name.isEmpty ? "has no name" : "has the name \(PrintableText.quoted(name)) again"
            notes.append("column \(place + 1) \(problem); it gets the name \(given)")
        }
    }
}
