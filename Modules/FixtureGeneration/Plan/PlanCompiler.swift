import Foundation
import StrataCore

/// A compiler that validates all parts of a description that concern an entity, so that generating rows cannot fail.
///
/// The compiler processes one entity. It reads only the row counts of other entities. Each field adds its texts and
/// numbers to the lists of the plan, in the order of the fields; positions in these lists are not part of the dataset.
///
/// The steps are: names and counts, one plan for each field, fields that are unique together, and fixed rows. Fixed
/// rows are last, because they exchange unique values with other rows.
struct PlanCompiler {
    /// The complete description, for the row counts of other entities, the locales and the reference date.
    let description: FixtureDescription
    let entity: FixtureEntity
    /// The part of the description that concerns the entity.
    let fixtures: EntityFixtures
    let key: UInt64
    var texts = TextPool()
    var numbers: [Int64] = []
    var values: [FixtureCell] = []
    /// The exchanged numbers of unique values, for each field that has any.
    var overrides: [[UInt64: UInt64]] = []
    /// The maximum length in bytes of the texts that the plan's grammars generate.
    var longestMade = 0

    /// Returns the plan for generating the rows of an entity.
    ///
    /// - Throws: ``FixtureError`` with the code `unknown` if the description does not contain the entity, and
    ///   `invalidDescription` or `unsatisfiable` if the entity's rows cannot be generated.
    static func plan(_ name: String, of description: FixtureDescription) throws(FixtureError) -> EntityPlan {
        guard let entity = description.schema.first(where: { $0.name == name }),
            let fixtures = description.entities[name]
        else {
            throw FixtureError(.unknown, entity: name, "the description does not contain this entity")
        }
        var compiler = PlanCompiler(description, entity: entity, fixtures: fixtures)
        return try compiler.plan()
    }

    private init(_ description: FixtureDescription, entity: FixtureEntity, fixtures: EntityFixtures) {
        self.description = description
        self.entity = entity
        self.fixtures = fixtures
        key = RowBits.key(
            seed: description.seed, version: UInt64(description.datasetVersion), entity: entity.name)
    }

    private mutating func plan() throws(FixtureError) -> EntityPlan {
        try checkNames()
        guard EntityFixtures.counts.contains(fixtures.count) else {
            throw FixtureError(
                .outOfRange, entity: entity.name,
                "\(fixtures.count) rows were requested, but the count must be from 0 to "
                    + "\(EntityFixtures.counts.upperBound)")
        }
        guard fixtures.fixed.count <= fixtures.count else {
            throw FixtureError(
                .unsatisfiable, entity: entity.name,
                "\(fixtures.fixed.count) fixed rows do not fit into a count of \(fixtures.count)")
        }
        var fields: [FieldPlan] = []
        for field in entity.fields {
            do throws(FixtureError) {
                fields.append(try plan(field))
            } catch {
                throw located(error, field)
            }
        }
        try makeUniqueTogether(&fields)
        let order =
            fields.indices.filter { !fields[$0].isDerived } + fields.indices.filter { fields[$0].isDerived }
        let fixed = try fixedRows(&fields)
        return EntityPlan(
            entity: entity, count: fixtures.count, key: key, fields: fields, order: order, texts: texts,
            numbers: numbers, values: values, fixed: fixed, overrides: overrides, longestText: longestText())
    }

    /// Returns an error with the names of the entity and the field.
    func located(_ error: FixtureError, _ field: FixtureField) -> FixtureError {
        var error = error
        error.entity = entity.name
        error.attribute = field.name
        return error
    }

    private func checkNames() throws(FixtureError) {
        var names: Set<String> = ["id"]
        for field in entity.fields where !names.insert(field.name).inserted {
            throw FixtureError(
                .invalidDescription, entity: entity.name, attribute: field.name,
                field.name == "id"
                    ? "the identifier is the row's number and not a field" : "the field is declared twice")
        }
        for field in entity.fields {
            if !FixtureField.scales.contains(field.type.scale) {
                throw FixtureError(
                    .invalidDescription, entity: entity.name, attribute: field.name,
                    "a decimal must have 0 to \(FixtureField.scales.upperBound) digits after the point, not "
                        + "\(field.type.scale)"
                )
            }
        }
        for name in fixtures.attributes.keys.sorted() + fixtures.fixed.flatMap({ $0.keys.sorted() })
        where entity.field(name) == nil {
            throw FixtureError(
                .unknown, entity: entity.name, attribute: name,
                "the attribute does not exist; the attributes are \(entity.fields.map(\.name).joined(separator: ", "))")
        }
    }

    /// Returns the maximum length of a text in bytes.
    ///
    /// A composed text consists of at most two texts of the pool and a number.
    private func longestText() -> Int {
        var longest = 0
        for place in 0..<Int(texts.count) { longest = max(longest, texts.ends[place + 1] - texts.ends[place]) }
        return max(2 * longest + BorrowedRow.longestNumber, longestMade)
    }

    // MARK: - One field

    private mutating func plan(_ field: FixtureField) throws(FixtureError) -> FieldPlan {
        let attribute = fixtures.attributes[field.name] ?? AttributeFixtures(field)
        guard field.type.takes(attribute.generator) else {
            throw FixtureError(
                .invalidDescription, "\(attribute.generator.mention) cannot generate \(field.type.indefinite)")
        }
        guard field.isOptional || attribute.nulls == .none else {
            throw FixtureError(.invalidDescription, "the attribute is mandatory in the model")
        }
        if case .reference = field.type, attribute.nulls != .none {
            throw FixtureError(
                .invalidDescription, "use \"without\" in \"reference\" for the share of rows without a reference")
        }
        let isUnique = isUnique(field)
        var plan = FieldPlan(field.name, try draw(attribute.generator, field, isUnique: isUnique))
        plan.isUnique = isUnique
        plan.nullThreshold = attribute.nulls.threshold
        if case .reference(let target) = field.type, case .reference(let without, let perTarget) = attribute.generator {
            try refer(to: target, without: without, perTarget: perTarget, field: field, isUnique: isUnique, into: &plan)
        } else if case .earlier(let without) = attribute.generator {
            try refer(earlier: field, without: without, isUnique: isUnique, into: &plan)
        } else if isUnique {
            try makeUnique(&plan)
        }
        if !isUnique { makeHostile(&plan, field) }
        return plan
    }

    /// Returns a Boolean value that indicates whether the values of a field are unique in the description.
    func isUnique(_ field: FixtureField) -> Bool {
        field.mustBeUnique || fixtures.attributes[field.name]?.isUnique ?? field.isUnique
    }

    /// Adds a permutation of all values of a field, which must be at least as many as there are rows.
    ///
    /// UUIDs need no permutation, because the number of the row is a part of them.
    mutating func makeUnique(_ plan: inout FieldPlan) throws(FixtureError) {
        if case .uuid = plan.draw { return }
        guard let count = plan.draw.valueCount(numbers) else {
            throw FixtureError(
                .unsatisfiable,
                "only values with equal probability can be unique: those of \"uniform\", \"code\" and \"kind\", and of "
                    + "\"dates\" and \"oneOf\" without weights"
            )
        }
        guard count >= fixtures.count else {
            var error = FixtureError(
                .unsatisfiable,
                "\(fixtures.count) different values were requested, but there are only \(count); request fewer rows, "
                    + "or more values"
            )
            error.possible = Int(clamping: count)
            throw error
        }
        plan.permutation = Permutation(of: count, key: key &+ RowBits.mixed(plan.address))
    }

    // MARK: - Hostile values

    /// Adds the hostile values that the rules of a field allow; there are none for unique fields.
    private mutating func makeHostile(_ plan: inout FieldPlan, _ field: FixtureField) {
        guard description.hostile != .none else { return }
        plan.hostileThreshold = description.hostile.threshold
        switch field.type.hostileValues {
        case .texts: plan.hostile = hostileTexts(field)
        case .numbers: plan.hostile = hostileIntegers(field)
        case .dates:
            let first = numbers.count
            let check = RuleCheck(field)
            let allowed = HostileDates.seconds.filter { seconds, nanoseconds in
                check.allows(
                    .date(Date(timeIntervalSinceReferenceDate: FixtureCell.interval(seconds, Int32(nanoseconds)))))
            }
            for (seconds, nanoseconds) in allowed { numbers += [seconds, Int64(nanoseconds)] }
            plan.hostile = .dates(first: first, count: allowed.count)
        case .none: plan.hostileThreshold = 0
        }
        if plan.hostile.isEmpty { plan.hostileThreshold = 0 }
    }

    private mutating func hostileTexts(_ field: FixtureField) -> FieldPlan.Hostile {
        let check = RuleCheck(field)
        return .texts(texts.add(HostileTexts.all.filter { check.allows(.string($0)) }))
    }

    private mutating func hostileIntegers(_ field: FixtureField) -> FieldPlan.Hostile {
        let least = field.leastUnits(scale: field.type.scale)
        let check = RuleCheck(field)
        let allowed = HostileNumbers.integers.filter { number in
            number >= least && check.allows(field.type.stored(units: number))
        }
        defer { numbers += allowed }
        return .integers(first: numbers.count, count: allowed.count)
    }
}
