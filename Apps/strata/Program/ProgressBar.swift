import StrataInterchange
import Synchronization

/// A line on a terminal that says how far a command has come: share, rate and remaining time.
///
/// Elsewhere nothing.
final class ProgressBar: Sendable {
    private static let millisecondsBetween = 100
    private static let width = 24
    /// Whether a line stands on the terminal now.
    private static let isShown = Mutex(false)

    private let names: [String]?
    private let isEnabled: Bool
    private let start = ContinuousClock.now
    private let last = Mutex(ContinuousClock.now)

    /// A bar over one file or several.
    init(_ names: [String]?, isQuiet: Bool) {
        self.names = names
        isEnabled = !isQuiet && isatty(STDERR_FILENO) == 1
    }

    /// Shows how far it is, ten times a second at most.
    func show(_ progress: ImportProgress) {
        guard isEnabled else { return }
        let now = ContinuousClock.now
        let isTime = last.withLock { last in
            guard now - last >= .milliseconds(Self.millisecondsBetween) else { return false }
            last = now
            return true
        }
        guard isTime else { return }
        let seconds = Self.seconds(now - start)
        var line = names.map { "\($0[progress.source]) " } ?? ""
        if let total = progress.totalBytes, total > 0 {
            let share = min(1, Double(progress.bytes) / Double(total))
            let filled = Int(share * Double(Self.width))
            line += "[" + String(repeating: "#", count: filled) + String(repeating: "-", count: Self.width - filled)
            line += "] \(Int(share * 100)) %, "
            line += Self.rate(progress.records, seconds)
            if share > 0.01 { line += ", \(Self.time(seconds * (1 - share) / share)) left" }
        } else {
            line += Self.rate(progress.records, seconds)
        }
        Self.isShown.withLock { $0 = true }
        Console.write("\r\u{1B}[K" + line)
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

    private static func rate(_ records: Int, _ seconds: Double) -> String {
        "\(records) records, \(Int(Double(records) / max(seconds, 0.001))) a second"
    }

    private static func time(_ seconds: Double) -> String {
        let whole = Int(seconds.rounded(.up))
        return whole < 60 ? "\(whole) s" : "\(whole / 60) min \(whole % 60) s"
    }
}
