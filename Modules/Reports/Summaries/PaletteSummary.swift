/// The colours of a text attribute, all of whose values are `#RRGGBB`.
struct PaletteSummary: Sendable {
    struct Swatch: Sendable {
        let color: RGBColor
        /// The first name that a row with this colour has and that is not empty, where there is one.
        let name: String?
        /// Whether the name is the beginning of a longer one.
        let isCut: Bool
        let count: Int
    }

    /// How many values there are.
    let count: Int
    /// How many different colours, exactly.
    let distinctCount: Int
    /// The colours shown, in the order of a palette: all, or a sample.
    let swatches: [Swatch]
}
