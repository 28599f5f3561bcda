import StrataCore

/// The mapping from columns of a file to attributes.
///
/// The external names in the model take precedence and are compared byte by byte. Other names are matched without case,
/// `_`, `-` and spaces; `boss`, `bossId` and `boss_id` match the relationship `boss`.
///
/// The plan depends on the model and the reading options only, so one plan applies to all files with the same options.
/// These rules determine the target of a name, in this order: omitted, mapped, external name, folded name. A name that
/// matches an attribute to which another column is mapped matches nothing.
struct ColumnPlan {
    /// The destination of the values in a column of a file.
    ///
    /// Columns are those of ``DatasetShape/external``, so the parts of a key are separate targets.
    enum Target: Hashable {
        case id
        /// The column with an index among the entity's columns.
        case column(Int)
        case ignored
    }

    let shape: DatasetShape
    /// The entity of the records.
    let entity: EntityDescription
    private let mapping: [String: String]
    private let omitted: Set<String>
    /// The names of the mapped columns, by target; another column with a similar name does not match such a target.
    private let mapped: [Target: String]
    /// A Boolean value that indicates whether records may lack mandatory values, because they update existing rows.
    private let isPartial: Bool
    /// The values that each record has in addition to those of the file.
    let constants: [(column: Int, text: [UInt8])]
    /// The targets by their external names in the model.
    private let external: [String: Target]
    private let targets: [String: Target]
    /// For each column, the spelling in files according to the model; empty if no column has its own spelling.
    let spellings: [ValueSpelling?]
    /// For each column, the texts that mean null according to the model; empty if there are none.
    let missingValues: [[[UInt8]]?]

    /// Creates the plan of an entity.
    ///
    /// - Throws: ``InterchangeError/Code/columns`` if the mapping names unknown attributes.
    init(_ shape: DatasetShape, reading: ReadingOptions, isPartial: Bool = false) throws(InterchangeError) {
        let entity = shape.external
        spellings = try Self.spellings(entity)
        missingValues = Self.missingValues(entity)
        self.isPartial = isPartial
        self.shape = shape
        self.entity = entity
        mapping = reading.mapping
        omitted = reading.omittedColumns
        var targets: [String: Target] = [:]
        var external: [String: Target] = [:]
        if let name = entity.external.idColumn {
            targets["id"] = .id
            external[name] = .id
        }
        let columns = entity.shownColumns.map { ($0, entity.columns[$0]) }
        for (index, column) in columns { external[column.externalName] = .column(index) }
        self.external = external
        for (index, column) in columns {
            targets[NameMatching.folded(column.name)] = .column(index)
        }
        let keyed = Set(shape.entity.relationships.filter { $0.externalKey != nil }.map(\.name))
        // An attribute that is named bossId keeps its name.
        for (index, column) in columns
        where column.destination != nil || keyed.contains(column.name) {
            let name = NameMatching.folded(column.name) + "id"
            if targets[name] == nil { targets[name] = .column(index) }
        }
        // Other spellings of external names match too, if no other column has that name.
        for (name, target) in external.sorted(by: { $0.key < $1.key }) where targets[NameMatching.folded(name)] == nil {
            targets[NameMatching.folded(name)] = target
        }
        self.targets = targets
        var mapped: [Target: String] = [:]
        func find(_ name: String) -> Target? { targets[NameMatching.folded(name)] ?? external[name] }
        for (name, attribute) in mapping.sorted(by: { $0.key < $1.key }) {
            if let target = find(attribute) { mapped[target] = name }
        }
        self.mapped = mapped
        constants = reading.constants.sorted { $0.key < $1.key }.compactMap { name, text in
            if case .column(let column) = find(name) { (column, Array(text.utf8)) } else { nil }
        }
        // An identifier is unique for each row, so it cannot be a constant.
        let wrong =
            mapping.values.sorted().filter { find($0) == nil }
            + reading.constants.keys.sorted().filter { if case .column = find($0) { false } else { true } }
        guard wrong.isEmpty else {
            let problems = wrong.map {
                "\(entity.name) has no attribute \(PrintableText.quoted($0))\(suggestion(for: $0))"
            }
            throw InterchangeError(.columns, message: PrintableText.listed(problems))
        }
    }

    private static func spellings(_ entity: EntityDescription) throws(InterchangeError) -> [ValueSpelling?] {
        var spellings: [ValueSpelling?] = []
        for column in entity.columns {
            guard let said = column.attribute?.spelling else {
                spellings.append(nil)
                continue
            }
            do throws(InterchangeError) {
                let spelling = try ValueSpelling(said)
                spellings.append(spelling == ValueSpelling() ? nil : spelling)
            } catch {
                throw InterchangeError(
                    error.code, message: "the model's spelling of \(entity.name).\(column.name): \(error.message)")
            }
        }
        return spellings.contains { $0 != nil } ? spellings : []
    }

    private static func missingValues(_ entity: EntityDescription) -> [[[UInt8]]?] {
        let general = entity.external.missingValues
        let texts = entity.columns.map { $0.attribute?.spelling.missingValues ?? general }
        return texts.contains { $0 != nil } ? texts.map { $0?.map { Array($0.utf8) } } : []
    }

    /// Returns a Boolean value that indicates whether the model or the reading options declare spellings.
    func isSpelled(_ reading: ReadingOptions) -> Bool { reading.hasSpellings || !spellings.isEmpty }

    /// Returns the target of a column with a name in the file; `nil` if the name matches no attribute.
    func target(of name: String) -> Target? {
        if omitted.contains(name) { return .ignored }
        if let attribute = mapping[name] { return targets[NameMatching.folded(attribute)] ?? external[attribute] }
        guard let target = targetOfAttribute(name), mapped[target] == nil else { return nil }
        return target
    }

    /// Returns the target of an attribute's own name, ignoring the mapping.
    func targetOfAttribute(_ name: String) -> Target? { external[name] ?? targets[NameMatching.folded(name)] }

    /// Returns the problem for a name in the file that matches no attribute.
    private func unknown(_ part: NamedPart, _ name: String) -> String {
        let unknown = "unknown \(part) \(PrintableText.quoted(name))"
        guard let target = targetOfAttribute(name), let other = mapped[target] else {
            return unknown + suggestion(for: name)
        }
        return "\(unknown), because \(PrintableText.quoted(other)) is mapped to \(self.name(of: target))"
    }

    /// The external names of the attributes, as an export writes them.
    var names: [String] {
        (entity.external.idColumn.map { [$0] } ?? []) + entity.shownColumns.map { entity.columns[$0].externalName }
    }

    /// Returns the name of a target in the model, as it occurs in validation errors.
    func attribute(of target: Target) -> String {
        if case .column(let index) = target { entity.columns[index].name } else { name(of: target) }
    }

    /// Returns the external name of a target according to the model.
    func name(of target: Target) -> String {
        switch target {
        case .id: entity.external.idColumn ?? "id"
        case .column(let index): entity.columns[index].externalName
        case .ignored: ""
        }
    }

    /// Returns a Boolean value that indicates whether a column is mandatory and has no default value.
    private func isRequired(_ column: ColumnDescription) -> Bool {
        !isPartial && !column.isOptional && column.attribute?.defaultValue == nil
    }

    private func isConstant(_ index: Int) -> Bool { constants.contains { $0.column == index } }

    /// The indices of the columns that every row must have.
    var requiredColumns: [Int] { entity.columns.indices.filter { isRequired(entity.columns[$0]) } }

    /// Returns all problems of the names in a file; empty if there are none.
    ///
    /// A name is unknown, or several names match one attribute, or a mandatory attribute has no name, or only some
    /// parts of a composite key have one.
    ///
    /// - Complexity: O(*n*) in the names and the columns; unknown names cost a search for similar names.
    func problems(of part: NamedPart, _ names: [String], ignoringUnknown: Bool) -> [NameProblem] {
        var problems: [NameProblem] = []
        var found: [Target: [String]] = [:]
        for name in names {
            if let target = target(of: name) {
                if case .column(let index) = target, isConstant(index) {
                    problems.append(
                        NameProblem(
                            fault: .repeated,
                            text:
                                "the \(part) \(PrintableText.quoted(name)) is in the file, but was also given for each "
                                + "record"
                        ))
                }
                found[target, default: []].append(name)
            } else if !ignoringUnknown {
                problems.append(NameProblem(fault: .unknown, text: unknown(part, name)))
            }
        }
        for target in [.id] + entity.columns.indices.map(Target.column) {
            guard let sources = found[target], sources.count > 1 else { continue }
            let list = sources.prefix(PrintableText.mostProblems).map(PrintableText.quoted).joined(separator: ", ")
            problems.append(
                NameProblem(
                    fault: .repeated, text: "\(sources.count) \(part)s for \(self.name(of: target)): \(list)"))
        }
        for (index, column) in entity.columns.enumerated()
        where isRequired(column) && found[.column(index)] == nil && !isConstant(index) {
            problems.append(
                NameProblem(
                    fault: .missing,
                    text: "missing \(part) \(PrintableText.quoted(column.externalName)), which is mandatory"))
        }
        for reference in shape.references where reference.sources.count > 1 {
            let missing = reference.sources.filter { found[.column($0)] == nil }
            guard !missing.isEmpty, missing.count < reference.sources.count else { continue }
            let names = reference.sources.map { PrintableText.quoted(entity.columns[$0].externalName) }
            for index in missing where !isRequired(entity.columns[index]) {
                problems.append(
                    NameProblem(
                        fault: .missing,
                        text: "missing \(part) \(PrintableText.quoted(entity.columns[index].externalName)): "
                            + "\(names.joined(separator: ", ")) identify one object together"))
            }
        }
        return problems
    }

    /// Returns a hint with the most similar name, or the empty text.
    func suggestion(for name: String) -> String {
        NameMatching.nearest(to: name, among: names).map { " (did you mean \"\($0)\"?)" } ?? ""
    }
}
