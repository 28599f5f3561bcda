extension EntityPlan {
    /// Throws an error if the row with an index cannot be generated, for example because a unique field has too few
    /// values.
    func check(_ index: Int) throws(FixtureError) {
        guard (0..<EntityFixtures.counts.upperBound).contains(index) else {
            throw FixtureError(
                .outOfRange, entity: entity.name,
                "\(index) is not a row number from 0 to \(EntityFixtures.counts.upperBound - 1)")
        }
        guard index >= count else { return }
        for (field, plan) in zip(entity.fields, fields) {
            guard let permutation = plan.permutation else { continue }
            if case .slots = plan.draw {
                throw FixtureError(
                    .unsatisfiable, entity: entity.name, attribute: field.name,
                    "row \(index) is beyond the \(count) rows that \"perTarget\" distributes")
            }
            guard UInt64(index) >= permutation.count else { continue }
            throw FixtureError(
                .unsatisfiable, entity: entity.name, attribute: field.name,
                "row \(index) requires one more value than the \(permutation.count) possible values")
        }
    }

    /// Returns the validated values that the caller passed for some fields, in the order of the fields.
    ///
    /// A text is represented by null, because no other field is derived from a text.
    func cells(of given: [String: FixtureValue]) throws(FixtureError) -> [FixtureCell?] {
        guard !given.isEmpty else { return [] }
        for name in given.keys.sorted() where entity.field(name) == nil {
            throw FixtureError(
                .unknown, entity: entity.name, attribute: name,
                "the attribute does not exist; the attributes are \(entity.fields.map(\.name).joined(separator: ", "))")
        }
        var cells: [FixtureCell?] = []
        for field in entity.fields {
            guard let value = given[field.name] else {
                cells.append(nil)
                continue
            }
            do throws(FixtureError) {
                switch try FixedCell(value, field) {
                case .text, .bytes: cells.append(.null)
                case .cell(let cell): cells.append(cell)
                }
            } catch {
                throw FixtureError(error.code, entity: entity.name, attribute: field.name, error.message)
            }
        }
        return cells
    }
}
