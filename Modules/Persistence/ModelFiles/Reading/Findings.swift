import StrataCore

/// The findings of a reader, which collects them so that a report contains all problems of a file.
///
/// It is a class, because all parts of a reader add to the same findings. It is not safe for use from several threads.
///
/// A value may be read several times, for example by two steps. An equal finding at the same location is therefore
/// stored only once.
final class Findings {
    /// The maximum count of errors and warnings in a report, and also the maximum count of notes.
    ///
    /// An invalid file could otherwise have a finding for each of its values.
    private static let most = 100

    /// The errors and warnings in the order in which they were found, at most ``most`` of them.
    private(set) var all: [ModelFileFinding] = []
    private(set) var hasErrors = false
    /// The count of errors and warnings that were omitted because there were too many.
    private var leftOut = 0
    /// The findings with severity `note`, which are not problems.
    private var notes: [ModelFileFinding] = []
    /// The locations of properties that the Data Package standard does not define, by the properties' names.
    private var customProperties: [String: Set<String>] = [:]

    /// Adds an error, after which no model is created.
    func error(_ place: JSONPointer, _ message: @autoclosure () -> String) { add(.error, place, message) }
    /// Adds a warning.
    func warning(_ place: JSONPointer, _ message: @autoclosure () -> String) { add(.warning, place, message) }

    /// Adds a note, unless there are too many notes or an equal one.
    func note(_ place: JSONPointer, _ message: @autoclosure () -> String) {
        let finding = ModelFileFinding(.note, at: place.description, message())
        if notes.count < Self.most, !notes.contains(finding) { notes.append(finding) }
    }

    /// Adds the location of a property that the Data Package standard does not define.
    func custom(_ place: JSONPointer, _ name: String) { customProperties[name, default: []].insert("\(place)") }

    /// Adds a finding.
    ///
    /// The message is created only if the finding is stored, because it may include a slow search for a similar name.
    private func add(_ severity: ModelFileFinding.Severity, _ place: JSONPointer, _ message: () -> String) {
        if severity == .error { hasErrors = true }
        // A value that is read twice is reported once. Locations are compared by their bytes, as names of members are.
        let here = all.filter { $0.severity == severity && $0.place.utf8.elementsEqual(place.description.utf8) }
        guard all.count < Self.most else {
            if here.isEmpty { leftOut += 1 }
            return
        }
        let finding = ModelFileFinding(severity, at: place.description, message())
        if !here.contains(finding) { all.append(finding) }
    }

    /// The warnings and notes of a file without errors.
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

    /// All findings of a file, with a note on the count of omitted ones.
    var complete: [ModelFileFinding] {
        guard leftOut > 0 else { return all }
        return all + [ModelFileFinding(hasErrors ? .error : .warning, at: "", "and \(leftOut) more")]
    }
}
