/// A color with red, green and blue components from 0 to 255.
struct RGBColor: Hashable {
    /// The color as the number `0xRRGGBB`.
    let code: UInt32

    init(code: UInt32) { self.code = code }

    /// Creates a color from `#RRGGBB` in either case, or returns `nil` for other texts.
    ///
    /// Short forms such as `#RGB` and names of colors are not accepted.
    init?(_ text: String) {
        var text = text
        let code: UInt32? = text.withUTF8 { bytes in
            guard bytes.count == 7, bytes[0] == UInt8(ascii: "#") else { return nil }
            var code: UInt32 = 0
            for byte in bytes.dropFirst() {
                let digit: UInt8
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
                case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
                case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
                default: return nil
                }
                code = code << 4 | UInt32(digit)
            }
            return code
        }
        guard let code else { return nil }
        self.code = code
    }

    /// The red component, from 0 to 255.
    var red: Int { Int(code >> 16) }
    /// The green component, from 0 to 255.
    var green: Int { Int(code >> 8 & 0xFF) }
    /// The blue component, from 0 to 255.
    var blue: Int { Int(code & 0xFF) }

    /// The text of the form `#RRGGBB`.
    var hex: String {
        let digits = String(code, radix: 16, uppercase: true)
        return "#" + String(repeating: "0", count: 6 - digits.utf8.count) + digits
    }

    /// The difference of the greatest and the smallest component, which is 0 for gray.
    var chroma: Int { max(red, green, blue) - min(red, green, blue) }

    /// The perceived lightness of the color, from 0 to 255,000, with the weights of BT.601 in thousandths.
    var luma: Int { 299 * red + 587 * green + 114 * blue }

    /// The hue in millionths of a sixth of the circle, from 0 to below 6,000,000, beginning at red toward yellow.
    ///
    /// The hue of gray is 0.
    var hue: Int {
        guard chroma > 0 else { return 0 }
        let sixth: Int
        let place: Int
        if max(red, green, blue) == red {
            (sixth, place) = (0, green - blue)
        } else if max(green, blue) == green {
            (sixth, place) = (2, blue - red)
        } else {
            (sixth, place) = (4, red - green)
        }
        let hue = sixth * 1_000_000 + place * 1_000_000 / chroma
        return hue < 0 ? hue + 6_000_000 : hue
    }

    /// The family in which the color is shown.
    var family: ColorFamily { ColorFamily(self) }
}
