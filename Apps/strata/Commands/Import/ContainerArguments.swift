import StrataContainers
import StrataInterchange

/// The workbooks and ZIP archives among the arguments of a command, which are replaced by their sheets and files.
enum ContainerArguments {
    private static let workbooks = "Reading workbooks"

    static let options: [OptionSpecification] = [
        .option(
            "sheet", placeholder: "NAME|N",
            help: "Read the sheet NAME or number N (default: all visible sheets).",
            details: "The option has the same effect as the argument book.xlsx:NAME.", group: workbooks),
        .option(
            "range", placeholder: "RANGE",
            help: "Read the cells RANGE of the sheet, as in A6:C900 (default: all).",
            details:
                "The first row of the range is the header. If the whole sheet is read, --header-rows names the row "
                + "of the header.", group: workbooks),
    ]

    /// Returns the arguments, in which the paths of workbooks and archives are replaced by those of their members.
    ///
    /// - Throws: ``UsageError`` if an option for workbooks is given without a workbook, and the errors of opening the
    ///   containers.
    static func expanded(_ given: ParsedArguments) throws -> ParsedArguments {
        guard given.command.option(named: "sheet") != nil,
            given.command.name != "model" || given.positionals.first == "infer"
        else { return given }
        var arguments = given
        var hasSheet = false
        arguments.positionals = try given.positionals.flatMap { path in
            guard path != "-", let member = try MemberPath(argument: path) else { return [path] }
            switch try Container(path: member.container) {
            case .workbook(let workbook):
                hasSheet = true
                return try sheets(of: workbook, member, given)
            case .archive(let archive): return try files(of: archive, member, given)
            }
        }
        if !hasSheet, let option = options.first(where: { given.value($0.name) != nil }) {
            throw given.usageError("--\(option.name) requires a workbook (.xlsx), but none of the arguments is one")
        }
        // Further checks name only the datasets.
        for option in options { arguments.values[option.name] = nil }
        return arguments
    }

    private static func sheets(
        of workbook: Workbook, _ path: MemberPath, _ arguments: ParsedArguments
    ) throws -> [String] {
        if let format = arguments.value("format"), hasDatasetFormat(arguments) {
            throw arguments.usageError("--format \(format) cannot be combined with a workbook, which is read as it is")
        }
        let range = try arguments.value("range").map { text in
            guard CellRange(text) != nil else {
                throw arguments.usageError("option --range: \"\(text)\" is not a range of cells, as in A6:C900")
            }
            return "!" + text
        }
        if path.member != nil, range == nil, arguments.value("sheet") == nil {
            return [path.container + ":" + (path.member ?? "")]
        }
        guard path.member == nil else {
            throw arguments.usageError(
                "\(path.container):\(path.member ?? "") already names a sheet; omit --sheet and --range")
        }
        if let wanted = arguments.value("sheet") {
            let sheets = workbook.sheets
            let named = sheets.contains { $0.name.lowercased() == wanted.lowercased() }
            if !named, let number = Int(wanted), sheets.indices.contains(number - 1) {
                return [path.container + ":" + sheets[number - 1].name + (range ?? "")]
            }
            let (sheet, _) = try Container.sheet(wanted, of: workbook, at: path.container)
            return [path.container + ":" + sheet.name + (range ?? "")]
        }
        let (visible, hidden) = try Container.sheets(of: workbook, at: path.container)
        // Commands that read files without a store print notes about them only on request.
        if !hidden.isEmpty, hasDatasetFormat(arguments) ? !arguments.has("quiet") : arguments.has("verbose") {
            note(hidden: hidden, of: path.container, advice: "--sheet NAME")
        }
        guard !visible.isEmpty else {
            throw InterchangeError(
                .header, source: path.container, message: "the workbook has no visible sheet with cells")
        }
        if range != nil, visible.count > 1 {
            throw arguments.usageError("--range requires one sheet; name it with --sheet")
        }
        return visible.map { path.container + ":" + $0.name + (range ?? "") }
    }

    /// Prints a note about the hidden sheets of a workbook, which are skipped.
    ///
    /// - Parameters:
    ///   - sheets: The names of the sheets.
    ///   - workbook: The path of the workbook.
    ///   - advice: The argument that names a hidden sheet.
    static func note(hidden sheets: [String], of workbook: String, advice: String) {
        Console.note(
            "\(workbook): skipped hidden sheets: \(sheets.prefix(20).joined(separator: ", ")); read one with \(advice)")
    }

    /// Returns a Boolean value that indicates whether `--format` is the format of the files to read.
    private static func hasDatasetFormat(_ arguments: ParsedArguments) -> Bool {
        arguments.command.option(named: "input-format") == nil
    }

    private static func files(
        of archive: ZipArchive, _ path: MemberPath, _ arguments: ParsedArguments
    ) throws -> [String] {
        if let member = path.member { return [path.container + ":" + member] }
        let files = Container.dataFiles(of: archive)
        // Inference reads the data files of a data package, also those of a directory.
        if arguments.command.name != "model",
            let name = try Container.descriptor(of: archive, at: path.container)
        {
            let descriptor = path.container + ":" + name
            if try files.isEmpty || DataPackage.namesRows(descriptor) { return [descriptor] }
        }
        guard !files.isEmpty else {
            throw InterchangeError(
                .malformed, source: path.container,
                message: "the archive contains no CSV, TSV, JSON or NDJSON file")
        }
        return files.map { path.container + ":" + $0 }
    }
}
