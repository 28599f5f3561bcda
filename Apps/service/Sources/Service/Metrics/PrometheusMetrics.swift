import Metrics
import Synchronization

/// A metrics factory whose values are rendered in the text format of Prometheus.
///
/// Counters end in `_total`, timers are histograms that end in `_seconds`, and recorders are histograms or gauges.
final class PrometheusMetrics: MetricsFactory {
    private struct Key: Hashable {
        let name: String
        let labels: String
    }

    private let series = Mutex<[Key: any PrometheusSeries]>([:])

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        series(label, dimensions) { CounterSeries() }
    }

    func makeFloatingPointCounter(label: String, dimensions: [(String, String)]) -> any FloatingPointCounterHandler {
        series(label, dimensions) { CounterSeries() }
    }

    func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        series(label, dimensions) { GaugeSeries() }
    }

    func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        if aggregate {
            series(label, dimensions) { HistogramSeries(bounds: HistogramSeries.sizes) }
        } else {
            series(label, dimensions) { GaugeSeries() }
        }
    }

    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        series(label + ".seconds", dimensions) { HistogramSeries(bounds: HistogramSeries.seconds) }
    }

    // The values remain, because Prometheus expects that counters do not disappear.
    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
    func destroyMeter(_ handler: any MeterHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}

    private func series<Series: PrometheusSeries>(
        _ label: String, _ dimensions: [(String, String)], make: () -> Series
    ) -> Series {
        let labels = dimensions.map { "\(Self.name($0.0))=\"\(Self.escaped($0.1))\"" }.joined(separator: ",")
        let key = Key(name: Self.name(label), labels: labels)
        return series.withLock { series in
            if let known = series[key] as? Series { return known }
            let made = make()
            series[key] = made
            return made
        }
    }

    /// Returns a name in which other characters than letters, digits and `_` are replaced.
    private static func name(_ label: String) -> String {
        String(label.unicodeScalars.map { $0.isASCII && $0.properties.isIDContinue ? Character($0) : "_" })
    }

    private static func escaped(_ value: String) -> String {
        value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }

    /// Returns all values in the text format, version 0.0.4.
    func text() -> String {
        let all = series.withLock { $0 }.sorted { ($0.key.name, $0.key.labels) < ($1.key.name, $1.key.labels) }
        var (text, last) = ("", "")
        for (key, series) in all {
            let name = key.name + series.suffix
            if name != last {
                text += "# TYPE \(name) \(series.type)\n"
                last = name
            }
            for (suffix, label, value) in series.samples() {
                let labels = [key.labels, label].filter { !$0.isEmpty }.joined(separator: ",")
                text += name + suffix + (labels.isEmpty ? "" : "{\(labels)}") + " \(value)\n"
            }
        }
        return text
    }
}

/// The values of one name with the same labels.
private protocol PrometheusSeries: AnyObject, Sendable {
    var type: String { get }
    var suffix: String { get }
    func samples() -> [(suffix: String, label: String, value: Double)]
}

private final class CounterSeries: PrometheusSeries, CounterHandler, FloatingPointCounterHandler {
    private let value = Mutex(0.0)
    let (type, suffix) = ("counter", "_total")

    func increment(by amount: Int64) { value.withLock { $0 += Double(amount) } }
    func increment(by amount: Double) { value.withLock { $0 += max(0, amount) } }
    func reset() { value.withLock { $0 = 0 } }
    func samples() -> [(suffix: String, label: String, value: Double)] { [("", "", value.withLock { $0 })] }
}

private final class GaugeSeries: PrometheusSeries, MeterHandler, RecorderHandler {
    private let value = Mutex(0.0)
    let (type, suffix) = ("gauge", "")

    func set(_ value: Int64) { self.value.withLock { $0 = Double(value) } }
    func set(_ value: Double) { self.value.withLock { $0 = value } }
    func increment(by amount: Double) { value.withLock { $0 += amount } }
    func decrement(by amount: Double) { value.withLock { $0 -= amount } }
    func record(_ value: Int64) { set(value) }
    func record(_ value: Double) { set(value) }
    func samples() -> [(suffix: String, label: String, value: Double)] { [("", "", value.withLock { $0 })] }
}

private final class HistogramSeries: PrometheusSeries, TimerHandler, RecorderHandler {
    static let seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
    static let sizes: [Double] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000]

    private struct State {
        var counts: [Int]
        var count = 0
        var sum = 0.0
    }

    private let bounds: [Double]
    private let state: Mutex<State>
    let (type, suffix) = ("histogram", "")

    init(bounds: [Double]) {
        self.bounds = bounds
        state = Mutex(State(counts: Array(repeating: 0, count: bounds.count)))
    }

    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1_000_000_000) }
    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) {
        let index = bounds.firstIndex { value <= $0 }
        state.withLock { state in
            if let index { state.counts[index] += 1 }
            state.count += 1
            state.sum += value
        }
    }

    func samples() -> [(suffix: String, label: String, value: Double)] {
        state.withLock { state in
            var total = 0
            let buckets = zip(bounds, state.counts).map { bound, count in
                total += count
                return ("_bucket", "le=\"\(bound)\"", Double(total))
            }
            return buckets + [
                ("_bucket", "le=\"+Inf\"", Double(state.count)), ("_sum", "", state.sum),
                ("_count", "", Double(state.count)),
            ]
        }
    }
}
