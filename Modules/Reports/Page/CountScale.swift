/// A scale that begins at zero and has few, round numbers.
///
/// The numbers are multiples of 1, 2 or 5 times a power of ten, and there are at most five of them, including zero.
struct CountScale: Equatable {
    private static let mostSteps = 4

    /// The round numbers, from 0 to ``top``.
    let ticks: [Int]
    /// The greatest round number, which is at least the greatest count and at least 1.
    let top: Int

    /// Creates a scale for counts.
    ///
    /// - Parameter greatest: The greatest count, at least 0.
    init(_ greatest: Int) {
        var step = 1
        var factors = [2, 5, 10]
        var power = 1
        while (greatest + step - 1) / step > Self.mostSteps {
            step = factors.removeFirst() * power
            if factors.isEmpty {
                factors = [2, 5, 10]
                power *= 10
            }
        }
        let count = max(1, (greatest + step - 1) / step)
        ticks = (0...count).map { $0 * step }
        top = count * step
    }

    /// Returns the height of a count in the coordinates of the chart.
    func height(of count: Int) -> Int {
        Int((Double(count) / Double(top) * Double(Share.height)).rounded())
    }
}
