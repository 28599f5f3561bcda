public import StrataCore

/// A reader of whole datasets that finds the types that preserve every number in some columns exactly as it is written.
///
/// ```swift
/// var survey = NumberSurvey(of: entity, ["price"])
/// try survey.read(input, ReadingOptions(format: .csv))
/// print(survey.finding("price"))
/// ```
///
/// The required memory is constant.
///
/// Use a survey to choose attribute types for a file whose numbers must not change. It can read several datasets; the
/// findings apply to all of them.
///
/// ## Topics
///
/// ### Creating a survey
///
/// - ``init(of:_:)``
///
/// ### Reading datasets
///
/// - ``read(_:_:isCancelled:)``
///
/// ### The results
///
/// - ``finding(_:)``
/// - ``Finding``
public struct NumberSurvey {
    /// A type that preserves all numbers of a column.
    public enum Finding: Sendable, Hashable {
        /// The column has no numbers.
        ///
        /// Each cell is null or a text that is not a number.
        case nothing
        /// A decimal type with `scale` digits after the point preserves all numbers, which fit in 64 bits.
        ///
        /// The scale is the greatest count of digits after the point in the column.
        case decimals(scale: UInt8)
        /// A double preserves all numbers, each of which is the shortest text of a double.
        case doubles
        /// Only a text preserves all numbers; some numbers have more digits than a decimal or a double stores.
        case texts
    }

    private let entity: EntityDescription
    private var columns: [String: NumericColumnStatistics]
    private let texts: ColumnTexts

    /// Creates a survey of columns of an entity's datasets.
    ///
    /// Attributes that the entity does not have are ignored.
    ///
    /// - Parameters:
    ///   - entity: The entity of the datasets.
    ///   - attributes: The names of the attributes whose columns are read.
    public init(of entity: EntityDescription, _ attributes: [String]) {
        columns = Dictionary(
            attributes.map { ($0, NumericColumnStatistics()) }, uniquingKeysWith: { first, _ in first })
        texts = ColumnTexts(
            entity.external.name ?? entity.name,
            entity.attributes.filter { attributes.contains($0.name) }.map { ($0.name, $0.externalName ?? $0.name) })
        self.entity = entity
    }

    /// Returns the type that preserves the numbers of an attribute in all datasets that were read.
    ///
    /// - Parameter attribute: The name of an attribute that was passed to the initializer.
    /// - Returns: The finding; ``Finding/nothing`` before the first dataset is read, and for other attributes.
    public func finding(_ attribute: String) -> Finding { columns[attribute]?.finding ?? .nothing }

    /// Reads a dataset to its end.
    ///
    /// A cell that is not a number is ignored: the import rejects it.
    ///
    /// The call blocks until the whole dataset was read.
    ///
    /// - Parameters:
    ///   - input: The dataset.
    ///   - reading: The options for reading the dataset; its other columns are ignored.
    ///   - isCancelled: A closure that is called every thousand records; if it returns `true`, this method throws
    ///     `CancellationError`.
    /// - Throws: ``InterchangeError`` if the file cannot be read, `CancellationError`.
    /// - Complexity: O(*n*) in the bytes of the dataset.
    public mutating func read(
        _ input: ByteInput, _ reading: ReadingOptions, isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws {
        let spellings = try self.spellings(texts.known(reading))
        try texts.read(input, reading, isCancelled: isCancelled) { place, text in
            columns[texts.names[place]]?.note(Self.plain(text, spellings[place]))
        }
    }

    /// Returns the spellings of the columns' numbers, from the model and from the reading options.
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
        // The import reports errors in the spellings.
        let spelled = SpellingPlan(reading, plan: plan, columns: columns, isCertain: false)
        return spelled.values.map { if case .number(let spelling, _) = $0 { spelling } else { nil } }
    }

    /// Returns a number with a point and without groups; a text that is not a number is returned unchanged.
    private static func plain(_ text: String, _ spelling: NumberSpelling?) -> String {
        guard let spelling else { return text }
        do throws(InvalidText) {
            return String(decoding: try spelling.plain(Array(text.utf8).span), as: UTF8.self)
        } catch {
            return text
        }
    }
}
