import Foundation

extension PlanCompiler {
    /// Compiles the plan of a relationship, whose number of references per target may be bounded.
    mutating func refer(
        to target: String, without: FixtureShare, perTarget: ClosedRange<Int>?, field: FixtureField,
        isUnique: Bool, into plan: inout FieldPlan
    ) throws(FixtureError) {
        guard description.schema.contains(where: { $0.name == target }) else {
            throw FixtureError(.unknown, "the relationship refers to \"\(target)\", but there is no such entity")
        }
        let targets = description.entities[target]?.count ?? 0
        guard without == .none || field.isOptional else {
            throw FixtureError(.invalidDescription, "the relationship is mandatory in the model")
        }
        if let perTarget {
            guard !isUnique else {
                throw FixtureError(
                    .invalidDescription, "\"perTarget\" and \"unique\" cannot be combined; [0, 1] has the same effect")
            }
            return try bound(
                field, perTarget: perTarget, targets: targets, target: target, without: without, into: &plan)
        }
        guard targets > 0 else {
            guard field.isOptional || fixtures.count == 0 else {
                throw FixtureError(
                    .unsatisfiable,
                    "the reference is mandatory, but there are no \(target) rows; give \(target) a count"
                )
            }
            plan.nullThreshold = UInt64.max
            return
        }
        plan.nullThreshold = without.threshold
        if isUnique { try makeUnique(&plan) }
    }

    /// Compiles the plan of a relationship that references earlier rows of the same entity.
    mutating func refer(
        earlier field: FixtureField, without: FixtureShare, isUnique: Bool, into plan: inout FieldPlan
    ) throws(FixtureError) {
        guard case .reference(let target) = field.type, target == entity.name else {
            throw FixtureError(
                .invalidDescription,
                "\"earlier\" can be used only for relationships of an entity to itself")
        }
        guard without == .none || field.isOptional else {
            throw FixtureError(.invalidDescription, "the relationship is mandatory in the model")
        }
        guard !isUnique else {
            throw FixtureError(.invalidDescription, "\"earlier\" and \"unique\" cannot be combined; use \"reference\"")
        }
        plan.nullThreshold = without.threshold
    }

    private mutating func bound(
        _ field: FixtureField, perTarget: ClosedRange<Int>, targets: Int, target: String, without: FixtureShare,
        into plan: inout FieldPlan
    ) throws(FixtureError) {
        guard FixtureGenerator.targetBounds.contains(perTarget.lowerBound),
            perTarget.upperBound <= FixtureGenerator.targetBounds.upperBound
        else {
            throw FixtureError(
                .invalidDescription, "\"perTarget\" must be from 0 to \(FixtureGenerator.targetBounds.upperBound)")
        }
        guard targets <= BoundedReferences.mostTargets else {
            throw FixtureError(
                .unsatisfiable,
                "\"perTarget\" supports at most \(BoundedReferences.mostTargets) rows of \(target), but there are "
                    + "\(targets); omit \"perTarget\", or reduce the count")
        }
        let count = fixtures.count
        let referring = count - without.count(of: count)
        let fixed = try fixedTargets(field, targets: targets, most: perTarget.upperBound, without: count - referring)
        let references = BoundedReferences(
            targets: targets, referring: referring, perTarget: perTarget, fixed: fixed)
        guard references.least <= referring, referring <= references.most else {
            throw FixtureError(
                .unsatisfiable,
                "\(targets) \(target) rows with \(perTarget.lowerBound) to \(perTarget.upperBound) each require "
                    + "\(references.least) to "
                    + "\(references.most) \(entity.name) rows, but the description gives "
                    + "a reference to \(referring); change a count, "
                    + "\"without\" or \"perTarget\"")
        }
        plan.isUnique = perTarget.upperBound <= 1
        let starts = numbers.count
        numbers += references.starts(
            RowBits(key: key, index: RowBits.address(of: entity.name, .degree) &+ plan.address))
        plan.draw = .slots(starts: starts, targets: targets, referring: UInt64(referring))
        plan.permutation = Permutation(
            of: UInt64(max(1, count)), key: key &+ RowBits.mixed(plan.address &+ RowBits.Purpose.slot.rawValue))
    }

    /// Returns the number of fixed rows that reference a target, by the target's index from 0.
    private func fixedTargets(
        _ field: FixtureField, targets: Int, most: Int, without: Int
    ) throws(FixtureError) -> [Int: Int] {
        var counts: [Int: Int] = [:]
        var none = 0
        for row in fixtures.fixed {
            switch row[field.name] {
            case .integer(let id) where id > 0 && id <= targets: counts[Int(id) - 1, default: 0] += 1
            case .null: none += 1
            default: break
            }
        }
        guard none <= without else {
            throw FixtureError(
                .unsatisfiable,
                "\(none) fixed rows have no reference, but only \(without) of all rows may have none; give \"without\" "
                    + "a larger share")
        }
        for (target, count) in counts.sorted(by: { $0.key < $1.key }) where count > most {
            throw FixtureError(
                .unsatisfiable, "\(count) fixed rows refer to row \(target + 1), but \"perTarget\" allows \(most)")
        }
        return counts
    }
}
