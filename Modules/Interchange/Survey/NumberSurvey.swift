public import StrataCore

/// Reads whole datasets to find out what the numbers in some columns need, so that every one of them is kept as it is written.
///
/// ```swift
/// var survey = NumberSurvey(of: entity, ["price"])
/// try survey.read(input, ReadingOptions(format: .csv))
/// print(survey.finding("price"))
/// ```
///
/// Constant memory.
public struct NumberSurvey {
    /// What numbers were found to be.
    public enum Finding: Sendable, Hashable {
        /// There was none.
        case nothing
        /// Decimals with so many digits after the point at most; all of them fit 64 bits.
        case decimals(scale: UInt8)
        /// Each is the shortest text of a double.
        case doubles
        /// Neither: some have more digits than either holds.
        case texts
    }

    private let entity: EntityDescription
    private var columns: [String: ColumnOfNumbers]
    private let names: [String]
    private let spelling: [String: ExternalSpelling]

    /// Prepares for columns of an entity's datasets.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - attributes: The names of the attributes.
    public init(of entity: EntityDescription, _ attributes: [String]) {
        names = attributes
        spelling = Dictionary(entity.attributes.map { ($0.name, $0.spelling) }, uniquingKeysWith: { first, _ in first })
        columns = Dictionary(attributes.map { ($0, ColumnOfNumbers()) }, uniquingKeysWith: { first, _ in first })
        // As texts, and nothing else: what else is wrong with the file the import says.
        self.entity = EntityDescription(
            entity.name,
            entity.attributes.filter { attributes.contains($0.name) }.map { attribute in
                .attribute(
                    AttributeDescription(
                        attribute.name, .string, isOptional: true, externalName: attribute.externalName))
            }, external: ExternalForm(name: entity.external.name, identifiers: .own))
    }

    /// What the numbers of an attribute were found to be in all that was read.
    public func finding(_ attribute: String) -> Finding { columns[attribute]?.finding ?? .nothing }

    /// Reads a dataset to its end.
    ///
    /// A cell that is no number is passed over: the import refuses it.
    ///
    /// - Parameters:
    ///   - input: The dataset.
    ///   - reading: How it is read; its other columns are passed over.
    ///   - isCancelled: Asked every thousand records; true ends the reading with `CancellationError`.
    /// - Throws: ``InterchangeError`` when the file cannot be read, `CancellationError`.
    public mutating func read(
        _ input: ByteInput, _ reading: ReadingOptions, isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws {
        var reading = reading
        reading.ignoresUnknownColumns = true
        reading.readsNumbersAsTexts = true
        // What is said of other columns is not known here.
        let known = Set((names + entity.columns.map(\.externalName)).map(NameMatching.folded))
        reading.mapping = reading.mapping.filter { known.contains(NameMatching.folded($0.value)) }
        let spellings = try self.spellings(reading)
        reading.columnSpellings = [:]
        reading.spellingOptions = []
        reading.keyAttribute = nil
        reading.valueAttribute = nil
        var options = ImportOptions(format: reading.format)
        options.onError = .reject
        options.isCancelled = isCancelled
        let shape = DatasetShape(entity, in: try ManagedObjectModel([entity]))
        let plan = try ColumnPlan(shape, reading: reading)
        let decoding = RowDecoding(0, plan: plan, options: options, reading: reading)
        let decoder: any RowDecoder =
            try reading.format.isTable
            ? RecordDecoder(CSVRecords(input, decoding: decoding, reading: reading), input: input)
            : RecordDecoder(JSONRecords(input, decoding: decoding, reading: reading), input: input)
        let batch = RowBatch(of: entity)
        repeat {
            batch.reuse()
            try decoder.fill(batch)
            for (place, column) in entity.columns.enumerated() {
                for row in 0..<batch.block.count {
                    guard case .string(let text) = batch.block.value(row: row, column: place) else { continue }
                    columns[column.name]?.note(Self.plain(text, spellings[place]))
                }
            }
        } while !batch.isLast
    }

    /// How the columns' numbers are spelled, by the model and by who reads.
    private func spellings(_ reading: ReadingOptions) throws -> [NumberSpelling?] {
        let numbers = EntityDescription(
            entity.name,
            entity.attributes.map { attribute in
                var number = attribute
                (number.type, number.spelling) = (.double, spelling[attribute.name] ?? ExternalSpelling())
                return .attribute(number)
            }, external: entity.external)
        let plan = try ColumnPlan(DatasetShape(numbers, in: try ManagedObjectModel([numbers])), reading: reading)
        let columns = (plan.names + reading.mapping.keys.sorted()).compactMap { name in
            plan.target(of: name).map { (name: name, target: $0) }
        }
        // What is wrong with it the import says.
        let spelled = SpellingPlan(reading, plan: plan, columns: columns, isCertain: false)
        return spelled.values.map { if case .number(let spelling, _) = $0 { spelling } else { nil } }
    }

    /// A number with a point and without groups; a text that is none stays as it is.
    private static func plain(_ text: String, _ spelling: NumberSpelling?) -> String {
        guard let spelling else { return text }
        do throws(InvalidText) {
            return String(decoding: try spelling.plain(Array(text.utf8).span), as: UTF8.self)
        } catch {
            return text
        }
    }
}
