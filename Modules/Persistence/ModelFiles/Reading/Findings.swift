import StrataCore

/// What a reading finds, gathered: a file is told of all that is wrong with it at once.
final class Findings {
    /// More than this helps nobody.
    private static let most = 100

    private(set) var all: [ModelFileFinding] = []
    private(set) var hasErrors = false
    private var leftOut = 0
    /// Notes, which are no errors.
    private var notes: [ModelFileFinding] = []
    /// The places of properties that the standard leaves to its user, by their names.
    private var customProperties: [String: Set<String>] = [:]

    func error(_ place: JSONPointer, _ message: @autoclosure () -> String) { add(.error, place, message) }
    func warning(_ place: JSONPointer, _ message: @autoclosure () -> String) { add(.warning, place, message) }

    func note(_ place: JSONPointer, _ message: @autoclosure () -> String) {
        let finding = ModelFileFinding(.note, at: place.description, message())
        if notes.count < Self.most, !notes.contains(finding) { notes.append(finding) }
    }

    /// Notes a property that the standard leaves to its user.
    func custom(_ place: JSONPointer, _ name: String) { customProperties[name, default: []].insert("\(place)") }

    /// Adds a finding; the message, with the nearest of many names in it, is made up only where it is kept.
    private func add(_ severity: ModelFileFinding.Severity, _ place: JSONPointer, _ message: () -> String) {
        if severity == .error { hasErrors = true }
        // What is looked at twice is said once; places are compared by their bytes, as names of members are.
        let here = all.filter { $0.severity == severity && $0.place.utf8.elementsEqual(place.description.utf8) }
        guard all.count < Self.most else {
            if here.isEmpty { leftOut += 1 }
            return
        }
        let finding = ModelFileFinding(severity, at: place.description, message())
        if !here.contains(finding) { all.append(finding) }
    }

    /// The warnings and the notes of a file without an error.
    var remarks: [ModelFileFinding] {
        var remarks = complete + notes
        guard !customProperties.isEmpty else { return remarks }
        let names = customProperties.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
        let shown = names.prefix(8).map { $0.value.count > 1 ? "\($0.key) (\($0.value.count) times)" : $0.key }
        let more = names.count > 8 ? " and \(names.count - 8) more" : ""
        let what = names.count == 1 ? "a property" : "properties"
        remarks.append(
            ModelFileFinding(
                .note, at: "", "\(what) that the standard does not define: \(shown.joined(separator: ", "))\(more)"))
        return remarks
    }

    /// All of them, and how many more there are.
    var complete: [ModelFileFinding] {
        guard leftOut > 0 else { return all }
        return all + [ModelFileFinding(hasErrors ? .error : .warning, at: "", "and \(leftOut) more")]
    }
}
