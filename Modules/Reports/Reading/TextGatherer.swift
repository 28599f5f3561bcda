import StrataCore

/// A gatherer of the most frequent texts, or of a palette if all texts are colors.
///
/// The first pass counts the texts in bounded memory, and collects the colors until a text is not a color. The second
/// pass is needed only for a palette, whose colors get names and counts, or if there were too many different texts. In
/// the second case, it counts the candidates again, exactly.
final class TextGatherer: ColumnGatherer {
    /// The maximum number of different texts that are counted exactly; each takes at most 300 bytes.
    static let exactTexts = 4096

    private let options: ReportOptions
    /// The column whose values name the colors.
    private let nameColumn: Int?
    private var count = 0
    private var texts = FrequentItems<TextKey>(capacity: exactTexts, digest: \.digest)
    /// The colors, or `nil` after the first value that is not a color.
    private var colors: ColorSet?
    /// A Boolean value that indicates whether all texts so far are colors.
    private var isPalette = true
    /// The candidates for the most frequent texts, which are counted again if their counts may be too low.
    private var candidates: [TextKey: Int] = [:]
    /// The shown colors, each with its first name and its count.
    private var shown: [RGBColor: (name: TextKey?, count: Int)] = [:]

    init(_ options: ReportOptions, nameColumn: Int?) {
        self.options = options
        self.nameColumn = nameColumn
    }

    func look(at value: StoredValue) {
        guard case .string(let text) = value else { return }
        count += 1
        if isPalette {
            if let color = RGBColor(text) {
                if colors == nil { colors = ColorSet() }
                colors?.insert(color)
            } else {
                isPalette = false
                colors = nil
            }
        }
        texts.add(TextKey(text))
    }

    func prepareSecondReading() -> Bool {
        guard count > 0 else { return false }
        if let colors {
            for color in colors.sample(options.colors) { shown[color] = (nil, 0) }
            return true
        }
        guard !texts.isExact else { return false }
        candidates = texts.counts.mapValues { _ in 0 }
        return true
    }

    func count(_ value: StoredValue, in row: RowReader) throws {
        guard case .string(let text) = value else { return }
        if isPalette {
            guard let color = RGBColor(text), var entry = shown[color] else { return }
            entry.count += 1
            if entry.name == nil, let nameColumn, case .string(let name) = try row.value(at: nameColumn), !name.isEmpty
            {
                entry.name = TextKey(name)
            }
            shown[color] = entry
        } else {
            let key = TextKey(text)
            if let index = candidates.index(forKey: key) { candidates.values[index] += 1 }
        }
    }

    func figure(_ reading: ColumnReading) -> ColumnFigure {
        guard count > 0 else { return .none }
        if let colors {
            let swatches = shown.keys.sorted(by: ColorFamily.precedes).map { color in
                let entry = shown[color]
                return PaletteSummary.Swatch(
                    color: color, name: entry?.name?.shown, isCut: entry?.name?.isCut ?? false, count: entry?.count ?? 0
                )
            }
            return .palette(PaletteSummary(count: count, distinctCount: colors.count, swatches: swatches))
        }
        return .texts(
            TextSummary(
                count: count, distinctCount: texts.distinctCount, isExact: texts.isExact, leastListed: texts.error,
                top: top))
    }

    /// The most frequent texts; a text that was dropped cannot be one of them.
    private var top: [TextSummary.Value] {
        let counted: [(key: TextKey, value: Int)]
        if texts.isExact {
            counted = texts.top(options.frequentTexts) { $0.precedes($1) }.map { ($0.item, $0.count) }
        } else {
            counted = candidates.filter { $0.value > texts.error }.sorted { left, right in
                left.value == right.value ? left.key.precedes(right.key) : left.value > right.value
            }
        }
        return counted.prefix(options.frequentTexts).map {
            TextSummary.Value(text: $0.key.shown, isCut: $0.key.isCut, count: $0.value)
        }
    }
}
