import StrataCore

extension PlanCompiler {
    /// The maximum count of value combinations; larger counts are treated as this count.
    private static let mostValues: UInt64 = 1 << 60

    /// Makes the combinations of values unique for fields that are unique together.
    ///
    /// The fields of a constraint use parts of one permuted number. If a field of the constraint, or a subset of its
    /// fields, is already unique, the constraint needs no other field.
    mutating func makeUniqueTogether(_ fields: inout [FieldPlan]) throws(FixtureError) {
        let constraints = entity.uniquenessConstraints.map { names in
            names.compactMap { name in entity.fields.firstIndex { $0.name == name } }
        }.filter { places in !places.contains { fields[$0].isUnique || fields[$0].nullThreshold == .max } }
        guard !constraints.isEmpty else { return }
        let groups = try groups(constraints, fields)
        for group in groups {
            guard !fixtures.fixed.contains(where: { row in group.contains { row[entity.fields[$0].name] != nil } })
            else {
                throw together(group, "fixed rows cannot have values that are unique together; omit the fixed rows")
            }
            share(group, &fields)
        }
    }

    /// Returns the groups of fields that share a permuted number.
    ///
    /// The constraints are processed in their order, or in another order if a group would have too few values.
    private func groups(_ constraints: [[Int]], _ fields: [FieldPlan]) throws(FixtureError) -> [[Int]] {
        let few = constraints.sorted { values($0, fields) < values($1, fields) }
        var failure: FixtureError?
        // First, all possible fields participate, so that the values do not depend on the number of rows. With the
        // smallest sufficient groups, more constraints can be satisfied.
        for isShort in [false, true] {
            for order in [constraints, few, constraints.reversed(), few.reversed()] {
                do throws(FixtureError) {
                    return try groups(inOrder: order, isShort: isShort, fields)
                } catch {
                    failure = failure ?? error
                }
            }
        }
        throw failure ?? FixtureError(.unsatisfiable, entity: entity.name, "nothing is unique together")
    }

    private func groups(
        inOrder constraints: [[Int]], isShort: Bool, _ fields: [FieldPlan]
    ) throws(FixtureError) -> [[Int]] {
        var groups: [[Int]] = []
        for constraint in constraints {
            if groups.contains(where: { Set($0).isSubset(of: constraint) }) { continue }
            let free = constraint.filter { place in !groups.contains { $0.contains(place) } }
            let most = free.sorted { (count(fields[$0]), $1) > (count(fields[$1]), $0) }
            var group: [Int] = []
            for place in most where count(fields[place]) > 1 {
                if isShort, values(group, fields) >= UInt64(fixtures.count) { break }
                group.append(place)
            }
            let possible = values(group, fields)
            guard possible >= UInt64(fixtures.count) else {
                var error = together(
                    constraint,
                    "\(fixtures.count) rows with different values were requested, but there are only \(possible) "
                        + "different values; request fewer rows, or more values")
                error.possible = Int(clamping: possible)
                throw error
            }
            groups.append(group.sorted())
        }
        return groups
    }

    /// Returns an error for fields that must be unique together; the error names the first field.
    private func together(_ places: [Int], _ message: String) -> FixtureError {
        let names = places.map { entity.fields[$0].name }
        return FixtureError(
            .unsatisfiable, entity: entity.name, attribute: names.first,
            "\(names.joined(separator: ", ")) are unique together: \(message)")
    }

    /// Returns the count of values that a field contributes to combinations, or 1 if the count is unknown.
    private func count(_ field: FieldPlan) -> UInt64 {
        guard !field.isUnique, field.permutation == nil else { return 1 }
        return max(1, field.draw.valueCount(numbers) ?? 1)
    }

    private func values(_ places: [Int], _ fields: [FieldPlan]) -> UInt64 {
        places.reduce(1) { product, place in
            let (next, overflow) = product.multipliedReportingOverflow(by: count(fields[place]))
            return overflow ? Self.mostValues : min(next, Self.mostValues)
        }
    }

    private func share(_ group: [Int], _ fields: inout [FieldPlan]) {
        var product: UInt64 = 1
        var divisors: [(divisor: UInt64, modulus: UInt64)] = []
        for place in group {
            let modulus = min(count(fields[place]), Self.mostValues / product)
            divisors.append((product, modulus))
            product *= modulus
        }
        let names = group.map { entity.fields[$0].name }.joined(separator: ",")
        let permutation = Permutation(
            of: product, key: key &+ RowBits.mixed(RowBits.address(of: names, .uniqueness)))
        for (place, part) in zip(group, divisors) {
            fields[place].permutation = permutation
            fields[place].part = part
            fields[place].hostileThreshold = 0
        }
    }
}
