/// A sector of the hue circle, or the grays, which have no visible hue.
///
/// The twelve sectors are equally wide. The order of the cases is the order in which a palette shows the families.
enum ColorFamily: Int, CaseIterable {
    case reds, oranges, yellows, limes, greens, teals, cyans, azures, blues, violets, magentas, pinks, greys

    /// The minimum chroma at which a hue is visible.
    private static let leastChroma = 20
    /// The width of a sector, in the unit of `RGBColor.hue`.
    private static let width = 500_000

    /// Creates the family of a color.
    init(_ color: RGBColor) {
        guard color.chroma >= Self.leastChroma else {
            self = .greys
            return
        }
        // Each family extends equally far on both sides of its hue.
        let place = (color.hue + Self.width / 2) / Self.width % 12
        self = Self(rawValue: place) ?? .greys
    }

    /// The capitalized name, such as `Reds`.
    var name: String {
        let name = "\(self)"
        return name.prefix(1).uppercased() + name.dropFirst()
    }

    /// Returns a Boolean value that indicates whether a color precedes another color in a palette.
    ///
    /// Colors are ordered by hue family, and from light to dark inside a family. Grays are last.
    static func precedes(_ left: RGBColor, _ right: RGBColor) -> Bool {
        let (leftFamily, rightFamily) = (left.family.rawValue, right.family.rawValue)
        if leftFamily != rightFamily { return leftFamily < rightFamily }
        return left.luma == right.luma ? left.code < right.code : left.luma > right.luma
    }
}
