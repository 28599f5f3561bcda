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
    private let texts: ColumnTexts

    /// Prepares for columns of an entity's datasets.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - attributes: The names of the attributes.
    public init(of entity: EntityDescription, _ attributes: [String]) {
        columns = Dictionary(attributes.map { ($0, ColumnOfNumbers()) }, uniquingKeysWith: { first, _ in first })
        texts = ColumnTexts(
            entity.external.name ?? entity.name,
            entity.attributes.filter { attributes.contains($0.name) }.map { ($0.name, $0.externalName ?? $0.name) })
        self.entity = entity
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
        let spellings = try self.spellings(texts.known(reading))
        try texts.read(input, reading, isCancelled: isCancelled) { place, text in
            columns[texts.names[place]]?.note(Self.plain(text, spellings[place]))
        }
    }

    /// How the columns' numbers are spelled, by the model and by who reads.
    private func spellings(_ reading: ReadingOptions) throws -> [NumberSpelling?] {
        let numbers = EntityDescription(
            entity.name,
            entity.attributes.filter { texts.names.contains($0.name) }.map { attribute in
                .attribute(
                    AttributeDescription(
                        attribute.name, .double, isOptional: true, externalName: attribute.externalName,
                        spelling: attribute.spelling))
            }, external: ExternalForm(name: entity.external.name, identifiers: .own))
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
