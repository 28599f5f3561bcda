/// A color in the form that terminals use.
struct RGB: Sendable, Hashable {
    let red: Int
    let green: Int
    let blue: Int

    /// Creates the color that a text of the form `#RRGGBB` represents, or returns `nil` for another text.
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 7, bytes[0] == UInt8(ascii: "#"), bytes[1] != UInt8(ascii: "+"),
            bytes[1] != UInt8(ascii: "-"), let number = Int(text.dropFirst(), radix: 16)
        else { return nil }
        (red, green, blue) = (number >> 16, number >> 8 & 255, number & 255)
    }

    /// The index of the nearest of xterm's 256 colors, in its cube of 6 by 6 by 6 or in its grays.
    var index: Int {
        let levels = [0, 95, 135, 175, 215, 255]
        func nearest(_ value: Int) -> Int {
            levels.indices.min { abs(levels[$0] - value) < abs(levels[$1] - value) } ?? 0
        }
        func distance(red: Int, green: Int, blue: Int) -> Int {
            let parts = [red - self.red, green - self.green, blue - self.blue]
            return parts.reduce(0) { $0 + $1 * $1 }
        }
        let cube = (nearest(red), nearest(green), nearest(blue))
        let grey = min(23, max(0, ((red + green + blue) / 3 - 3) / 10))
        let greyLevel = 8 + 10 * grey
        let isGrey =
            distance(red: greyLevel, green: greyLevel, blue: greyLevel)
            < distance(red: levels[cube.0], green: levels[cube.1], blue: levels[cube.2])
        return isGrey ? 232 + grey : 16 + 36 * cube.0 + 6 * cube.1 + cube.2
    }
}
