/// The colors of a text attribute, all of whose values are `#RRGGBB`.
struct PaletteSummary: Sendable {
    /// A color of the palette.
    struct Swatch: Sendable {
        let color: RGBColor
        /// The first nonempty name of a row with this color, or `nil` if there is none.
        let name: String?
        /// A Boolean value that indicates whether the name is the beginning of a longer name.
        let isCut: Bool
        /// The number of rows with this color.
        let count: Int
    }

    /// The number of values.
    let count: Int
    /// The exact number of different colors.
    let distinctCount: Int
    /// The shown colors in the order of a palette: all colors, or a sample.
    let swatches: [Swatch]
}
