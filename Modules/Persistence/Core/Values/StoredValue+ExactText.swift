import Foundation

extension StoredValue {
    /// The exact value as a text: a letter for the type, followed by the value.
    package var exactText: String {
        switch self {
        case .null: "n"
        case .boolean(let value): value ? "b1" : "b0"
        case .integer(let number): "i\(number)"
        case .double(let number): "r\(number.bitPattern)"
        case .decimal(let number): "c\(number.unscaled)/\(number.scale)"
        case .string(let text): "s\(text)"
        case .date(let date): "t\(date.timeIntervalSinceReferenceDate.bitPattern)"
        case .day(let day): "d\(day.daysSinceReferenceDay)"
        case .timeOfDay(let time): "o\(time.nanosecondsSinceMidnight)"
        case .uuid(let uuid): "u\(uuid.uuidString)"
        case .binary(let data): "x\(data.base64EncodedString())"
        }
    }

    /// Creates a value from its exact text; `nil` if the text has another form.
    package init?(exactText: String) {
        // A text may begin with a scalar that forms one character with the letter.
        guard let letter = exactText.unicodeScalars.first else { return nil }
        let text = String(String.UnicodeScalarView(exactText.unicodeScalars.dropFirst()))
        let value: StoredValue? =
            switch letter {
            case "n": text.isEmpty ? .null : nil
            case "b": text == "1" ? .boolean(true) : text == "0" ? .boolean(false) : nil
            case "i": Int64(text).map(StoredValue.integer)
            case "r": Self.finite(text).map(StoredValue.double)
            case "c": Self.decimal(text)
            case "s": .string(text)
            case "t": Self.finite(text).map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
            case "d": Int(text).flatMap(Day.init(daysSinceReferenceDay:)).map(StoredValue.day)
            case "o": Int64(text).flatMap(TimeOfDay.init(nanosecondsSinceMidnight:)).map(StoredValue.timeOfDay)
            case "u": UUID(uuidString: text).map(StoredValue.uuid)
            case "x": Data(base64Encoded: text).map(StoredValue.binary)
            default: nil
            }
        guard let value else { return nil }
        self = value
    }

    private static func finite(_ text: String) -> Double? {
        UInt64(text).map(Double.init(bitPattern:)).flatMap { $0.isFinite ? $0 : nil }
    }

    private static func decimal(_ text: String) -> StoredValue? {
        let parts = text.split(separator: "/")
        guard parts.count == 2, let unscaled = Int64(parts[0]), let scale = UInt8(parts[1]),
            scale <= ScaledDecimal.maximumScale
        else { return nil }
        return .decimal(ScaledDecimal(unscaled: unscaled, scale: scale))
    }
}
