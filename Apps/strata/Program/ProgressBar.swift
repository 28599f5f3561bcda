import StrataInterchange
import Synchronization

/// A line on a terminal that says how far a command has come: share, rate and remaining time.
///
/// Elsewhere nothing.
final class ProgressBar: Sendable {
    private static let millisecondsBetween = 100
    private static let width = 24
    private static let spinner = ["|", "/", "-", "\\"]
    /// Whether a line stands on the terminal now.
    private static let isShown = Mutex(false)

    private let names: [String]?
    /// Whether anything is shown; who would have to count first for it need not otherwise.
    let isEnabled: Bool
    /// What was counted, by any thread.
    private let counted = Mutex(0)
    private let start = ContinuousClock.now
    private let last = Mutex(ContinuousClock.now)

    /// A bar over one file or several.
    init(_ names: [String]?, isQuiet: Bool) {
        self.names = names
        isEnabled = !isQuiet && isatty(STDERR_FILENO) == 1
    }

    /// Shows how far an import is, ten times a second at most.
    func show(_ progress: ImportProgress) {
        let share = progress.totalBytes.flatMap { $0 > 0 ? Double(progress.bytes) / Double($0) : nil }
        show(
            share: share, count: progress.records, unit: "records", prefix: names.map { "\($0[progress.source]) " })
    }

    /// Shows how many of all were done, ten times a second at most.
    func show(_ count: Int, of total: Int, _ unit: String) {
        show(share: total > 0 ? Double(count) / Double(total) : nil, count: count, unit: unit, prefix: nil)
    }

    /// Counts more of all, and shows how many there are.
    func add(_ count: Int, of total: Int, _ unit: String) {
        guard isEnabled else { return }
        let sum = counted.withLock { counted in
            counted += count
            return counted
        }
        show(min(sum, total), of: total, unit)
    }

    /// Shows a spinner and the elapsed time, for one statement of a store, which does not report how far it is.
    func showElapsedTime() {
        guard let seconds = secondsToShow() else { return }
        let frame = Int(seconds * 1000) / Self.millisecondsBetween % Self.spinner.count
        write("\(Self.spinner[frame]) \(Self.time(seconds.rounded(.down)))")
    }

    /// Returns the elapsed time if the line is to be written again.
    private func secondsToShow() -> Double? {
        guard isEnabled else { return nil }
        let now = ContinuousClock.now
        let isTime = last.withLock { last in
            guard now - last >= .milliseconds(Self.millisecondsBetween) else { return false }
            last = now
            return true
        }
        return isTime ? Self.seconds(now - start) : nil
    }

    private func write(_ line: String) {
        Self.isShown.withLock { $0 = true }
        Console.write("\r\u{1B}[K" + line)
    }

    private func show(share: Double?, count: Int?, unit: String, prefix: String?) {
        guard let seconds = secondsToShow() else { return }
        var line = prefix ?? ""
        if let share = share.map({ min(1, $0) }) {
            let filled = Int(share * Double(Self.width))
            line += "[" + String(repeating: "#", count: filled) + String(repeating: "-", count: Self.width - filled)
            line += "] \(Int(share * 100)) %"
            if let count { line += ", \(Self.rate(count, unit, seconds))" }
            if share > 0.01 { line += ", \(Self.time(seconds * (1 - share) / share)) left" }
        } else if let count {
            line += Self.rate(count, unit, seconds)
        }
        write(line)
    }

    /// Takes the line away.
    func end() { Self.clear() }

    /// Takes the line away, so that a message can stand in its place.
    static func clear() {
        let wasShown = isShown.withLock { shown in
            defer { shown = false }
            return shown
        }
        if wasShown { Console.write("\r\u{1B}[K") }
    }

    private static func seconds(_ duration: Duration) -> Double {
        Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
    }

    private static func rate(_ count: Int, _ unit: String, _ seconds: Double) -> String {
        "\(count) \(unit), \(Int(Double(count) / max(seconds, 0.001))) a second"
    }

    private static func time(_ seconds: Double) -> String {
        let whole = Int(seconds.rounded(.up))
        return whole < 60 ? "\(whole) s" : "\(whole / 60) min \(whole % 60) s"
    }
}
