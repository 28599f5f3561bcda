import StrataCore

/// What a reading finds, gathered: a file is told of all that is wrong with it at once.
final class Findings {
    /// More than this helps nobody.
    private static let most = 100

    private(set) var all: [ModelFileFinding] = []
    private(set) var hasErrors = false
    private var leftOut = 0

    func error(_ place: JSONPointer, _ message: String) { add(.error, place, message) }
    func warning(_ place: JSONPointer, _ message: String) { add(.warning, place, message) }

    private func add(_ severity: ModelFileFinding.Severity, _ place: JSONPointer, _ message: String) {
        if severity == .error { hasErrors = true }
        let finding = ModelFileFinding(severity, at: place.description, message)
        // What is looked at twice is said once.
        guard !all.contains(finding) else { return }
        guard all.count < Self.most else {
            leftOut += 1
            return
        }
        all.append(finding)
    }

    /// All of them, and how many more there are.
    var complete: [ModelFileFinding] {
        guard leftOut > 0 else { return all }
        return all + [ModelFileFinding(hasErrors ? .error : .warning, at: "", "and \(leftOut) more")]
    }
}
