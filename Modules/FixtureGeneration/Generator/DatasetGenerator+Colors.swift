public import Domain

extension DatasetGenerator {
    /// The colour at an index from 0; its id is index + 1, and about one in ten has no name.
    ///
    /// - Throws: `DomainError` with the code `outOfRange` where the index is none.
    public func color(at index: Int) throws -> Color {
        let row = try row(.color, at: index)
        let bits = row.bits(ColorField.hex)
        return Color(
            id: try Color.ID(index + 1),
            hex: HexColor(
                red: UInt8(truncatingIfNeeded: bits >> 16),
                green: UInt8(truncatingIfNeeded: bits >> 8),
                blue: UInt8(truncatingIfNeeded: bits)
            ),
            name: row.value(ColorField.hasName, below: 10) == 0 ? nil : ColorWords.name(row),
            dateCreated: row.date(ColorField.dateCreated, in: DateRanges.recorded)
        )
    }
}

/// The addresses of a colour's fields; part of the dataset, never reused.
enum ColorField {
    static let hex: UInt64 = 1
    static let hasName: UInt64 = 2
    static let flavour: UInt64 = 3
    static let adjective: UInt64 = 4
    static let noun: UInt64 = 5
    static let dateCreated: UInt64 = 6
}
