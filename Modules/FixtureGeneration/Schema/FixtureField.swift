public import Foundation
public import StrataCore

/// One attribute or to-one relationship for which fixtures are made: its type, what it may hold, and how it is made unless a
/// description says otherwise.
public struct FixtureField: Sendable, Hashable {
    /// The name, as the entity has it.
    public var name: String
    /// The type.
    public var type: ValueType
    /// Whether it may be null.
    public var isOptional: Bool
    /// Whether the entity says that no two rows have the same value; a description cannot take that back.
    public var mustBeUnique: Bool
    /// The least value of a number that the entity allows; `nil` is the type's own.
    public var least: Decimal?
    /// The rules of the entity's attribute that values obey; whoever gives a generator sees to it that its values do.
    public var rules: [AttributeRule]
    /// The attribute of the model that it is made for; `nil` where there is none.
    var origin: FieldOrigin?
    /// Generators that would do as well, for rows that need more different values than the usual one has; each has more than the one before.
    package var alternatives: [FixtureGenerator] = []
    /// How it is made.
    public var generator: FixtureGenerator
    /// The share of rows in which it is null.
    public var nulls: FixtureShare
    /// Whether no two rows get the same value.
    public var isUnique: Bool

    /// A field.
    ///
    /// - Parameters:
    ///   - name: The name, as the entity has it.
    ///   - type: The type.
    ///   - generator: How it is made; it has to fit the type, which is looked at when rows are made.
    ///   - nulls: The share of rows in which it is null; with more than none the field is optional.
    ///   - isOptional: Whether a description may ask for nulls.
    ///   - isUnique: Whether no two rows get the same value.
    ///   - mustBeUnique: Whether a description may not take that back.
    ///   - least: The least value of a number that the entity allows.
    ///   - rules: The rules that values obey, hostile ones among them.
    public init(
        _ name: String, type: ValueType, generator: FixtureGenerator, nulls: FixtureShare = .none,
        isOptional: Bool = false, isUnique: Bool = false, mustBeUnique: Bool = false, least: Decimal? = nil,
        rules: [AttributeRule] = []
    ) {
        self.name = name
        self.type = type
        self.generator = generator
        self.nulls = nulls
        self.isOptional = isOptional || nulls.millionths > 0
        self.isUnique = isUnique || mustBeUnique
        self.mustBeUnique = mustBeUnique
        self.least = least
        self.rules = rules
    }

    /// The digits behind the point that a decimal can have.
    static let scales = 0...18

    /// The least value in units of 10 to the power of -scale; that of the type where there is none.
    func leastUnits(scale: Int) -> Int64 {
        guard let least else { return Int64.min }
        if let units = least.units(scale: scale) { return units }
        // Between two units, or beyond all of them: the next one that is not less.
        let scaled = least * Decimal(sign: .plus, exponent: Self.scales.contains(scale) ? scale : 0, significand: 1)
        guard let whole = Int64(scaled.description.prefix { $0 != "." }) else {
            return least < 0 ? Int64.min : Int64.max
        }
        return least > 0 && whole < Int64.max ? whole + 1 : whole
    }

    /// A to-one relationship.
    ///
    /// - Parameters:
    ///   - name: The name, as the entity has it.
    ///   - entity: The entity that it leads to.
    ///   - isOptional: Whether it may lead nowhere.
    ///   - without: The share of rows that refer to none.
    ///   - perTarget: How many rows refer to each; any number unless given.
    /// - Returns: The field.
    public static func reference(
        _ name: String, to entity: String, isOptional: Bool = true, without: FixtureShare = .none,
        perTarget: ClosedRange<Int>? = nil
    ) -> Self {
        Self(
            name, type: .reference(to: entity), generator: .reference(without: without, perTarget: perTarget),
            isOptional: isOptional)
    }
}
