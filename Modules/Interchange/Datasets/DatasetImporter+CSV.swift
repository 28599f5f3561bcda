import Persistence

extension DatasetImporter {
    /// Reads the records of a CSV file.
    ///
    /// - Returns: The columns that were dropped.
    func readCSV(
        _ input: ByteInput, separator: CSVSeparator = .comma, _ builder: inout RowBuilder, _ places: PlaceNames
    ) throws -> [String] {
        var reader = try CSVReader(input, separator: separator)
        let targets = try headerTargets(reader.header, line: reader.headerLine, input.name)
        for (name, target) in zip(reader.header, targets) { places.note(name, for: plan.name(of: target)) }
        while try reader.next() {
            try checkCancellation(reader.record)
            try reader.checkFieldCount()
            builder.begin()
            for field in 0..<targets.count {
                do throws(InvalidText) {
                    try set(field, targets[field], of: reader, &builder)
                } catch {
                    let message = reader.withField(field) { TextValue.message($0, error) }
                    throw reader.error(.invalidValue, field: field, message: message)
                }
            }
            try builder.insert(RowPlace(line: reader.line, record: reader.record))
        }
        return zip(reader.header, targets).filter { $0.1 == .ignored }.map(\.0)
    }

    private func set(
        _ field: Int, _ target: ColumnPlan.Target, of reader: borrowing CSVReader, _ builder: inout RowBuilder
    ) throws(InvalidText) {
        switch target {
        case .ignored: return
        case .id:
            try builder.setID(
                reader.withField(field) { bytes throws(InvalidText) in try TextValue.parse(bytes, as: .integer64) })
        case .column(let index):
            guard !reader.isNull(field: field) else { return builder.set(.null, index) }
            let type = builder.types[index]
            builder.set(
                try reader.withField(field) { bytes throws(InvalidText) in try TextValue.parse(bytes, as: type) }, index
            )
        }
    }

    /// What each column is.
    ///
    /// - Throws: ``InterchangeError/Code/columns`` with everything that is wrong.
    private func headerTargets(
        _ header: [String], line: Int, _ source: String
    ) throws(InterchangeError) -> [ColumnPlan.Target] {
        var problems = plan.problems(header, ignoringUnknown: options.ignoresUnknownColumns)
        for name in options.mapping.keys.sorted() where !header.contains(name) {
            let nearest = NameMatching.nearest(to: name, among: header).map { " (did you mean \"\($0)\"?)" } ?? ""
            problems.insert("there is no column \(PrintableText.quoted(name)) to be renamed\(nearest)", at: 0)
        }
        guard problems.isEmpty else {
            throw InterchangeError(.columns, source: source, line: line, message: PrintableText.listed(problems))
        }
        return header.map { plan.target(of: $0) ?? .ignored }
    }
}
