import StrataCore

/// Which column of a file is which attribute.
///
/// What the model says that files call a column comes first, byte for byte. Other names are matched whatever their case, `_`, `-` and spaces;
/// `boss`, `bossId` and `boss_id` are the relationship `boss`.
struct ColumnPlan {
    /// What becomes of a column's values.
    enum Target: Hashable {
        case id
        /// The place among the entity's columns.
        case column(Int)
        case ignored
    }

    let shape: DatasetShape
    /// The records' own.
    let entity: EntityDescription
    private let mapping: [String: String]
    private let omitted: Set<String>
    /// The columns that are mapped, by what they are: the names of others only look alike.
    private let mapped: [Target: String]
    /// Whether a record may lack mandatory values, because it may update a row that has them.
    private let isPartial: Bool
    /// The values that each record has in addition to those of the file.
    let constants: [(column: Int, text: [UInt8])]
    /// What the names are that files have by the model.
    private let external: [String: Target]
    private let targets: [String: Target]
    /// For each column how the model says that files spell it; empty where no column is spelled in its own way.
    let spellings: [ValueSpelling?]
    /// For each column the texts that mean null by the model; empty where there are none.
    let missingValues: [[[UInt8]]?]

    /// Prepares for an entity.
    ///
    /// - Throws: ``InterchangeError/Code/columns`` when the mapping names attributes that there are not.
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
        // An attribute that happens to be called bossId keeps its name.
        for (index, column) in columns
        where column.destination != nil || keyed.contains(column.name) {
            let name = NameMatching.folded(column.name) + "id"
            if targets[name] == nil { targets[name] = .column(index) }
        }
        // What files call a column, in another spelling, where that is nothing else's name.
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
        // An identifier is a number of the row, and no text that all rows share.
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

    /// Whether anything is said of how values are spelled, by the model or by who reads.
    func isSpelled(_ reading: ReadingOptions) -> Bool { reading.hasSpellings || !spellings.isEmpty }

    /// What a column is, by its name in the file; `nil` when it matches nothing.
    func target(of name: String) -> Target? {
        if omitted.contains(name) { return .ignored }
        if let attribute = mapping[name] { return targets[NameMatching.folded(attribute)] ?? external[attribute] }
        guard let target = targetOfAttribute(name), mapped[target] == nil else { return nil }
        return target
    }

    /// What an attribute's own name is, whatever is mapped to it.
    func targetOfAttribute(_ name: String) -> Target? { external[name] ?? targets[NameMatching.folded(name)] }

    /// What is wrong with a name that matches nothing.
    private func unknown(_ part: NamedPart, _ name: String) -> String {
        let unknown = "unknown \(part) \(PrintableText.quoted(name))"
        guard let target = targetOfAttribute(name), let other = mapped[target] else {
            return unknown + suggestion(for: name)
        }
        return "\(unknown), as \(PrintableText.quoted(other)) is mapped to \(self.name(of: target))"
    }

    /// The attributes' names, as an export writes them.
    var names: [String] {
        (entity.external.idColumn.map { [$0] } ?? []) + entity.shownColumns.map { entity.columns[$0].externalName }
    }

    /// What the model calls a target, as the errors of a validation do.
    func attribute(of target: Target) -> String {
        if case .column(let index) = target { entity.columns[index].name } else { name(of: target) }
    }

    /// What files call a target, by the model.
    func name(of target: Target) -> String {
        switch target {
        case .id: entity.external.idColumn ?? "id"
        case .column(let index): entity.columns[index].externalName
        case .ignored: ""
        }
    }

    /// Whether a row needs a value: mandatory, and nothing to take its place.
    private func isRequired(_ column: ColumnDescription) -> Bool {
        !isPartial && !column.isOptional && column.attribute?.defaultValue == nil
    }

    private func isConstant(_ index: Int) -> Bool { constants.contains { $0.column == index } }

    /// The columns without which there is no row.
    var requiredColumns: [Int] { entity.columns.indices.filter { isRequired(entity.columns[$0]) } }

    /// What is wrong with a set of names, all of it; empty when nothing is.
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
                                "the \(part) \(PrintableText.quoted(name)) is in the file, and was given for each record"
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
                            + "\(names.joined(separator: ", ")) name one object together"))
            }
        }
        return problems
    }

    func suggestion(for name: String) -> String {
        NameMatching.nearest(to: name, among: names).map { " (did you mean \"\($0)\"?)" } ?? ""
    }
}
