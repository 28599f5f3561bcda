public import Foundation
public import StrataCore

/// An attribute or to-one relationship for which fixtures are generated.
///
/// A field has a type, rules, and a default generator.
///
/// A description can replace the generator, the share of nulls and the uniqueness within the limits of the field: a
/// mandatory field has no nulls, and ``mustBeUnique`` cannot be changed. The type, the minimum and the rules are fixed.
///
/// The bits from which a value is generated depend on the name of the field, not on its position. A renamed field has
/// other values.
///
/// ## Topics
///
/// ### Creating fields
///
/// - ``init(_:type:generator:nulls:isOptional:isUnique:mustBeUnique:least:rules:)``
/// - ``reference(_:to:isOptional:without:perTarget:)``
///
/// ### Values
///
/// - ``name``
/// - ``type``
/// - ``ValueType``
/// - ``generator``
///
/// ### Nulls
///
/// - ``isOptional``
/// - ``nulls``
///
/// ### Rules
///
/// - ``isUnique``
/// - ``mustBeUnique``
/// - ``least``
/// - ``rules``
public struct FixtureField: Sendable, Hashable {
    /// The name in the entity.
    public var name: String
    /// The type.
    public var type: ValueType
    /// A Boolean value that indicates whether the field can be null.
    ///
    /// It is a limit for descriptions. The actual share of nulls is ``nulls``, or a part of the generator of a
    /// reference.
    public var isOptional: Bool
    /// A Boolean value that indicates whether the entity requires unique values, which a description cannot change.
    ///
    /// A field of a unique attribute of a model has this value.
    public var mustBeUnique: Bool
    /// The minimum number that the entity allows, or `nil` for the minimum of the type.
    ///
    /// A generator with a lower minimum is rejected, and so are fixed values below it.
    public var least: Decimal?
    /// The rules of the entity's attribute; a generator that is set explicitly must comply with them.
    ///
    /// Texts of patterns have the lengths that the rules allow. Hostile values that violate a rule are not used. Other
    /// generators are not checked against the rules here; a dataset validates each row by the rules of its model.
    public var rules: [AttributeRule]
    /// The attribute of the model from which the field was created, or `nil` if there is none.
    ///
    /// It contains rules that ``rules`` cannot express, such as a Swift type of the attribute, or a date format of its
    /// files.
    var origin: FieldOrigin?
    /// Alternative generators with increasing numbers of values, for counts that exceed the values of the default one.
    ///
    /// A description for a model selects the next one if unique values are too few for a row count.
    package var alternatives: [FixtureGenerator] = []
    /// The default generator.
    ///
    /// It must match ``type``. References use `reference` or `earlier`, with their own share of nulls.
    public var generator: FixtureGenerator
    /// The share of rows in which the field is null.
    ///
    /// References use the share of their generator instead; for them, this share must be ``FixtureShare/none``.
    public var nulls: FixtureShare
    /// A Boolean value that indicates whether the values are unique.
    ///
    /// Unique values are a permutation of all values of the generator, which must be equally likely: those of normal
    /// and log-normal distributions, of weighted lists and of weighted days cannot be unique. Null can repeat.
    public var isUnique: Bool

    /// Creates a field.
    ///
    /// - Parameters:
    ///   - name: The name in the entity.
    ///   - type: The type.
    ///   - generator: The generator. It must match the type, which is checked before rows are generated.
    ///   - nulls: The share of rows in which the field is null. If it is greater than zero, the field is optional.
    ///   - isOptional: A Boolean value that indicates whether a description can request nulls.
    ///   - isUnique: A Boolean value that indicates whether the values are unique.
    ///   - mustBeUnique: A Boolean value that indicates whether a description cannot change the uniqueness.
    ///   - least: The minimum number that the entity allows.
    ///   - rules: The rules that all values satisfy, including hostile values.
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

    /// The allowed numbers of fraction digits of a decimal.
    static let scales = 0...18

    /// Returns the minimum in units of 10 to the power of -scale, or the minimum of `Int64` if there is none.
    ///
    /// - Parameter scale: The number of fraction digits of the unit.
    /// - Returns: The smallest allowed multiple of the unit, clamped to the range of `Int64`.
    func leastUnits(scale: Int) -> Int64 {
        guard let least else { return Int64.min }
        if let units = least.units(scale: scale) { return units }
        // If the minimum is between two units, or out of range, the result is the next greater unit.
        let scaled = least * Decimal(sign: .plus, exponent: Self.scales.contains(scale) ? scale : 0, significand: 1)
        guard let whole = Int64(scaled.description.prefix { $0 != "." }) else {
            return least < 0 ? Int64.min : Int64.max
        }
        return least > 0 && whole < Int64.max ? whole + 1 : whole
    }

    /// Creates a to-one relationship.
    ///
    /// The values are identifiers from 1 to the row count of the target, which must be in the same description. If a
    /// mandatory reference has no targets, creating ``Fixtures`` throws an error.
    ///
    /// - Parameters:
    ///   - name: The name in the entity.
    ///   - entity: The destination entity.
    ///   - isOptional: A Boolean value that indicates whether the reference can be null.
    ///   - without: The share of rows whose reference is null.
    ///   - perTarget: The allowed numbers of references to each target. The default is any number.
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
