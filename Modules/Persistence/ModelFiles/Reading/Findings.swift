import StrataCore

/// What a reading finds, gathered: a file is told of all that is wrong with it at once.
final class Findings {
    /// More than this helps nobody.
    private static let most = 100

    private(set) var all: [ModelFileFinding] = []
    private(set) var hasErrors = false
    private var leftOut = 0

    func error(_ place: JSONPointer, _ message: @autoclosure () -> String) { add(.error, place, message) }
    func warning(_ place: JSONPointer, _ message: @autoclosure () -> String) { add(.warning, place, message) }

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

    /// All of them, and how many more there are.
    var complete: [ModelFileFinding] {
        guard leftOut > 0 else { return all }
        return all + [ModelFileFinding(hasErrors ? .error : .warning, at: "", "and \(leftOut) more")]
    }
}
