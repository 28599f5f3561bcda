/// Shares in CSS and SVG, written with integers so that rounding is the same on every machine.
enum Share {
    /// The width and the height of the charts' coordinate system.
    static let width = 10_000
    static let height = 1000

    /// Returns a share from 0 to 1 as a CSS percentage, such as `12.34%`.
    static func percent(_ fraction: Double) -> String {
        let hundredths = Int((min(max(fraction, 0), 1) * 10_000).rounded())
        let rest = hundredths % 100
        return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)%"
    }

    /// Returns a part of a whole as a CSS percentage; 0 % if the whole is 0.
    static func percent(_ part: Int, of whole: Int) -> String {
        percent(whole > 0 ? Double(part) / Double(whole) : 0)
    }
}
