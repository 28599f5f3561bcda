import StrataInterchange
import Synchronization

/// A line on a terminal that shows the progress of a command: share, rate and remaining time.
///
/// If standard error is not a terminal, nothing is shown.
final class ProgressBar: Sendable {
    private static let millisecondsBetween = 100
    private static let width = 24
    private static let spinner = ["|", "/", "-", "\\"]
    /// A Boolean value that indicates whether the line is currently on the terminal.
    private static let isShown = Mutex(false)

    private let names: [String]?
    /// A Boolean value that indicates whether anything is shown; if not, callers need not count the total.
    let isEnabled: Bool
    /// The count so far, over all threads.
    private let counted = Mutex(0)
    private let start = ContinuousClock.now
    private let last = Mutex(ContinuousClock.now)

    /// Creates a progress bar for one file or several files.
    init(_ names: [String]?, isQuiet: Bool) {
        self.names = names
        isEnabled = !isQuiet && isatty(STDERR_FILENO) == 1
    }

    /// Shows the progress of an import, at most ten times a second.
    func show(_ progress: ImportProgress) {
        let share = progress.totalBytes.flatMap { $0 > 0 ? Double(progress.bytes) / Double($0) : nil }
        show(
            share: share, count: progress.records, unit: "records", prefix: names.map { "\($0[progress.source]) " })
    }

    /// Shows the count of completed items, at most ten times a second.
    func show(_ count: Int, of total: Int, _ unit: String) {
        show(share: total > 0 ? Double(count) / Double(total) : nil, count: count, unit: unit, prefix: nil)
    }

    /// Adds to the count of completed items, and shows it.
    func add(_ count: Int, of total: Int, _ unit: String) {
        guard isEnabled else { return }
        let sum = counted.withLock { counted in
            counted += count
            return counted
        }
        show(min(sum, total), of: total, unit)
    }

    /// Shows a spinner and the elapsed time, for a single statement of a store, which does not report its progress.
    func showElapsedTime() {
        guard let seconds = secondsToShow() else { return }
        let frame = Int(seconds * 1000) / Self.millisecondsBetween % Self.spinner.count
        write("\(Self.spinner[frame]) \(Self.time(seconds.rounded(.down)))")
    }

    /// Returns the elapsed time if the line is due to be written again, and `nil` otherwise.
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

    /// Removes the line.
    func end() { Self.clear() }

    /// Removes the line so that a message can be printed in its place.
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
