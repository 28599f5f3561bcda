import StrataInterchange

/// A printer that reports the first problems to the user, one on each line.
final class ProblemNotes {
    private static let most = 20
    private let isQuiet: Bool
    private var count = 0

    init(isQuiet: Bool) {
        self.isQuiet = isQuiet
    }

    func note(_ error: InterchangeError) {
        count += 1
        guard !isQuiet, count <= Self.most + 1 else { return }
        ProgressBar.clear()
        Console.note(count > Self.most ? "… and more; use --report FILE to list all" : "\(error)")
    }
}
