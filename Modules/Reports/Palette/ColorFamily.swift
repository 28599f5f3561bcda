/// A part of the circle of hues, or the greys, which have none to speak of.
enum ColorFamily: Int, CaseIterable {
    case reds, oranges, yellows, limes, greens, teals, cyans, azures, blues, violets, magentas, pinks, greys

    /// Below so much chroma the eye sees no hue.
    private static let leastChroma = 20
    private static let width = 500_000

    init(_ color: RGBColor) {
        guard color.chroma >= Self.leastChroma else {
            self = .greys
            return
        }
        // Each family reaches as far on either side of its own hue.
        let place = (color.hue + Self.width / 2) / Self.width % 12
        self = Self(rawValue: place) ?? .greys
    }

    /// The name with a capital, as in `Reds`.
    var name: String {
        let name = "\(self)"
        return name.prefix(1).uppercased() + name.dropFirst()
    }

    /// The order of a palette: by hue in steps of a family, light to dark inside it; greys last.
    static func precedes(_ left: RGBColor, _ right: RGBColor) -> Bool {
        let (leftFamily, rightFamily) = (left.family.rawValue, right.family.rawValue)
        if leftFamily != rightFamily { return leftFamily < rightFamily }
        return left.luma == right.luma ? left.code < right.code : left.luma > right.luma
    }
}
