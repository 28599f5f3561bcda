import Foundation
package import StrataContainers
import StrataFiles

/// The path of a file in a ZIP archive or of a sheet in a workbook, such as `book.xlsx:Sheet1` or
/// `data.zip:folder/people.csv`.
///
/// A range of cells can follow the name of a sheet: `book.xlsx:Sheet1!A6:C900`. A file with the whole path as its name
/// has precedence.
package struct MemberPath {
    /// The path of the archive or workbook.
    package let container: String
    /// The name of the file or sheet; `nil` if the path names the container.
    package let member: String?

    /// Divides a path; returns `nil` if it is the path of an existing file, or does not name a member.
    ///
    /// An existing file is not read.
    package init?(_ path: String) {
        guard path.utf8.contains(UInt8(ascii: ":")), FileStatus(path: path) == nil else { return nil }
        var start = path.startIndex
        while let colon = path[start...].firstIndex(of: ":") {
            let (file, rest) = (String(path[..<colon]), String(path[path.index(after: colon)...]))
            if !rest.isEmpty, Self.beginning(of: file).starts(with: ZipArchive.signature) {
                (container, member) = (file, rest)
                return
            }
            start = path.index(after: colon)
        }
        return nil
    }

    /// Creates the path of an archive or workbook itself, or divides a path; returns `nil` if it does not name either.
    ///
    /// A file with the name of a dataset, such as `people.csv`, is not read.
    ///
    /// - Parameter path: A path in the arguments of a command.
    /// - Throws: ``InterchangeError`` if the file is a workbook that cannot be read.
    package init?(argument path: String) throws(InterchangeError) {
        if let member = MemberPath(path) {
            self = member
            return
        }
        guard DatasetFormat(fileName: path) == nil else { return nil }
        let beginning = Self.beginning(of: path)
        try Self.checkBeginning(beginning, of: path)
        guard beginning.starts(with: ZipArchive.signature) else { return nil }
        self.init(container: path)
    }

    /// Creates the path of an archive or workbook.
    init(container: String) { (self.container, member) = (container, nil) }

    /// Returns the first bytes of a regular file; there are none if it cannot be read, which its reader reports.
    private static func beginning(of path: String) -> [UInt8] {
        guard !path.isEmpty, FileStatus(path: path)?.isRegular == true, let file = OpenFile(path: path, O_RDONLY)
        else { return [] }
        do throws(FileError) { return try file.bytes(compoundFile.count) } catch { return [] }
    }

    /// The first bytes of workbooks in the format `.xls`, and of encrypted workbooks.
    private static let compoundFile: [UInt8] = [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]

    /// Throws an error if the first bytes of a file are those of a workbook that cannot be read.
    static func checkBeginning(_ bytes: [UInt8], of path: String) throws(InterchangeError) {
        guard bytes.starts(with: compoundFile) else { return }
        throw InterchangeError(
            .malformed, source: path,
            message: "the file is an old workbook (.xls) or has a password; save it as .xlsx without a password")
    }

    /// A Boolean value that indicates whether the path names a sheet of a workbook.
    ///
    /// If the container cannot be read, the value is `false`, because opening the dataset reports the error.
    package var isSheet: Bool { workbook != nil }

    /// A Boolean value that indicates whether the container has the sheet or file.
    ///
    /// If the container cannot be read, the value is `true`, because opening the dataset reports the error.
    package var exists: Bool {
        do throws(InterchangeError) {
            guard let member else { return true }
            switch try Container(path: container) {
            case .workbook(let workbook): _ = try Container.sheet(member, of: workbook, at: container)
            case .archive(let archive): return archive.entry(named: member) != nil
            }
            return true
        } catch { return error.code != .inputNotFound }
    }

    private var workbook: Workbook? {
        do throws(InterchangeError) {
            if case .workbook(let workbook) = try Container(path: container) { return workbook }
        } catch {}
        return nil
    }

    /// The name of the dataset: that of the sheet, or of the file without its extension.
    ///
    /// If a sheet is the only visible one with cells, the dataset has the name of the workbook.
    package var datasetName: String? {
        guard let workbook else { return member.map(Self.stem) }
        do throws(InterchangeError) {
            let sheet = try Container.sheet(member, of: workbook, at: container).sheet
            let sheets = try Container.sheets(of: workbook, at: container).visible
            return sheets.count == 1 && sheets[0].name == sheet.name ? Self.stem(container) : sheet.name
        } catch { return nil }
    }

    /// Returns the name of a file without its folders, up to the first point.
    private static func stem(_ path: String) -> String { FilePath.name(of: path).prefix { $0 != "." }.description }
}

/// The content of a ZIP archive: the sheets of a workbook, or files.
package enum Container {
    case workbook(Workbook)
    case archive(ZipArchive)

    /// Opens an archive.
    package init(path: String) throws(InterchangeError) { self = try Container.opened(path).container }

    /// Opens an archive, and returns it with its file.
    fileprivate static func opened(
        _ path: String
    ) throws(InterchangeError) -> (container: Container, file: ContainerFile) {
        guard let file = OpenFile(path: path, O_RDONLY) else { throw InterchangeError.input(path, failedWith: errno) }
        return (try Container(file, path: path), ContainerFile(file, path: path))
    }

    private init(_ file: OpenFile, path: String) throws(InterchangeError) {
        do throws(ContainerError) {
            let archive = try ZipArchive(file)
            self = Workbook.isWorkbook(archive) ? .workbook(try Workbook(archive)) : .archive(archive)
        } catch { throw InterchangeError(error, source: path) }
    }

    /// Returns the visible sheets of a workbook that have cells, and the names of the hidden sheets with cells.
    package static func sheets(
        of workbook: Workbook, at path: String
    ) throws(InterchangeError) -> (visible: [Workbook.Sheet], hidden: [String]) {
        do throws(ContainerError) {
            var visible: [Workbook.Sheet] = []
            var hidden: [String] = []
            for sheet in workbook.sheets where try workbook.hasCells(sheet) {
                if sheet.isHidden { hidden.append(sheet.name) } else { visible.append(sheet) }
            }
            return (visible, hidden)
        } catch { throw InterchangeError(error, source: path) }
    }

    /// Returns the only visible sheet with cells; several sheets are an error.
    private static func onlySheet(of workbook: Workbook, at path: String) throws(InterchangeError) -> Workbook.Sheet {
        let sheets = try sheets(of: workbook, at: path).visible
        guard let sheet = sheets.first else {
            throw InterchangeError(.header, source: path, message: "the workbook has no visible sheet with cells")
        }
        guard sheets.count == 1 else {
            let names = sheets.map(\.name).joined(separator: ", ")
            throw InterchangeError(
                .unsupported, source: path,
                message: "the workbook has several sheets (\(names)); name one, as in \(path):\(sheet.name)")
        }
        return sheet
    }

    /// Returns the sheet and the range that the member part of a path names.
    package static func sheet(
        _ member: String?, of workbook: Workbook, at path: String
    ) throws(InterchangeError) -> (sheet: Workbook.Sheet, range: CellRange?) {
        guard let member else { return (try onlySheet(of: workbook, at: path), nil) }
        func sheet(_ name: some StringProtocol) -> Workbook.Sheet? {
            // Spreadsheets do not distinguish upper and lower case in the names of sheets.
            workbook.sheets.first { $0.name == name }
                ?? workbook.sheets.first { $0.name.lowercased() == name.lowercased() }
        }
        if let found = sheet(member) { return (found, nil) }
        if let mark = member.lastIndex(of: "!"), let found = sheet(member[..<mark]),
            let range = CellRange(String(member[member.index(after: mark)...]))
        {
            return (found, range)
        }
        let names = workbook.sheets.map(\.name)
        let nearest = NameMatching.nearest(to: member, among: names).map { " (did you mean \($0)?)" } ?? ""
        throw InterchangeError(
            .inputNotFound, source: path,
            message: "there is no sheet \(PrintableText.quoted(member))\(nearest); the sheets are "
                + names.prefix(20).joined(separator: ", "))
    }

    /// Returns the paths of the visible sheets with cells, and the names of the hidden sheets, of a workbook in a
    /// directory of datasets; `nil` if the file does not have the name of a workbook.
    package static func sheets(
        ofFile path: String
    ) throws(InterchangeError) -> (visible: [String], hidden: [String])? {
        // A spreadsheet that has a workbook open adds a file whose name begins with “~$”.
        guard path.lowercased().hasSuffix(".xlsx"), !FilePath.name(of: path).hasPrefix("~$"),
            let member = try MemberPath(argument: path), member.member == nil,
            case .workbook(let workbook) = try Container(path: path)
        else { return nil }
        let (visible, hidden) = try sheets(of: workbook, at: path)
        return (visible.map { "\(path):\($0.name)" }, hidden)
    }

    /// The names of the descriptors of directories, which are not datasets.
    private static let descriptors = ["datapackage.json", "manifest.json"]

    /// Returns the names of the visible files of an archive in order.
    private static func files(of archive: ZipArchive) -> [String] {
        // Hidden files, and the folder that macOS adds to archives.
        archive.entries.map(\.name).filter { name in
            !name.split(separator: "/").contains { $0.hasPrefix(".") || $0 == "__MACOSX" }
        }.sorted()
    }

    /// Returns the data files of an archive in the order of their paths.
    package static func dataFiles(of archive: ZipArchive) -> [String] {
        files(of: archive).filter { !descriptors.contains(FilePath.name(of: $0)) && DatasetFormat(fileName: $0) != nil }
    }

    /// Returns the descriptor of the data package in an archive; `nil` if there is none, or a manifest lists the files.
    ///
    /// The descriptor is at the top of the archive, or in a folder that contains all data files.
    ///
    /// - Throws: ``InterchangeError`` if the archive contains several data packages, or data files in other folders.
    package static func descriptor(of archive: ZipArchive, at path: String) throws(InterchangeError) -> String? {
        let found = files(of: archive).filter { FilePath.name(of: $0) == descriptors[0] }
        guard let descriptor = found.first(where: { $0 == descriptors[0] }) ?? found.first else { return nil }
        let folder = descriptor.dropLast(descriptors[0].count)
        guard archive.entry(named: folder + descriptors[1]) == nil else { return nil }
        guard folder.isEmpty || (found.count == 1 && dataFiles(of: archive).allSatisfy { $0.hasPrefix(folder) }) else {
            throw InterchangeError(
                .malformed, source: path,
                message: (found.count > 1
                    ? "the archive contains several data packages"
                    : "the archive contains a data package and data files in other folders")
                    + "; name the descriptor, as in \(path):\(descriptor)")
        }
        return descriptor
    }
}

extension InterchangeError {
    /// Creates the error of an archive at a path.
    init(_ error: ContainerError, source: String) {
        let code: Code =
            switch error.code {
            // The file must be saved in another form.
            case .malformed, .unsupported: .malformed
            case .unreadable: .unreadable
            }
        let reason = error.errorNumber.map { ": " + String(cString: strerror($0)) } ?? ""
        self.init(
            code, source: source,
            message: (error.entry.map { "\($0): " } ?? "")
                + (error.offset.map { "invalid XML after \($0) bytes: " } ?? "") + error.message + reason,
            errorNumber: error.errorNumber)
    }
}

extension ByteInput {
    /// Opens a member of a container: a sheet as CSV, or a file.
    static func member(_ path: MemberPath, blockSize: Int) throws(InterchangeError) -> ByteInput {
        let (container, file) = try Container.opened(path.container)
        switch container {
        case .workbook(let workbook):
            let (sheet, range) = try Container.sheet(path.member, of: workbook, at: path.container)
            let name = "\(path.container):\(sheet.name)"
            do throws(ContainerError) {
                let filter = SheetFilter(
                    try workbook.reader(of: sheet), range: range, name: name, file: file)
                let input = ByteInput(filter, name: name, byteCount: nil, blockSize: blockSize)
                input.sheet = filter
                return input
            } catch { throw InterchangeError(error, source: name) }
        case .archive(let archive):
            guard let member = path.member else {
                let names = Container.dataFiles(of: archive)
                throw InterchangeError(
                    .malformed, source: path.container,
                    message: names.first.map { "name a file of the archive, as in \(path.container):\($0)" }
                        ?? "the archive contains no CSV, TSV, JSON or NDJSON file")
            }
            let name = "\(path.container):\(member)"
            guard let entry = archive.entry(named: member) else {
                throw InterchangeError(
                    .inputNotFound, source: path.container,
                    message: "the archive contains no file \(PrintableText.quoted(member))")
            }
            do throws(ContainerError) {
                let filter = EntryFilter(try archive.source(of: entry), name: name, file)
                return ByteInput(filter, name: name, byteCount: entry.byteCount, blockSize: blockSize)
            } catch { throw InterchangeError(error, source: path.container) }
        }
    }
}

/// The file of a container, whose changes are detected.
struct ContainerFile {
    private let path: String
    private let file: OpenFile
    private let stamp: [Int64]?

    init(_ file: OpenFile, path: String) {
        (self.file, self.path) = (file, path)
        stamp = FileStatus(descriptor: file.descriptor)?.stamp
    }

    func checkUnchanged() throws(InterchangeError) {
        guard FileStatus(descriptor: file.descriptor)?.stamp != stamp else { return }
        throw InterchangeError(
            .changed, source: path,
            message: "the file changed while it was read; import the file again when no process writes to it")
    }
}

/// A filter that reads a file of an archive.
private final class EntryFilter: ByteFilter {
    private let source: any ByteSource
    private let name: String
    private let file: ContainerFile
    private var block: [UInt8] = []
    private var position = 0
    /// The error of the archive; every later read throws it again, because the bytes that were read are incomplete.
    private var failure: InterchangeError?

    init(_ source: any ByteSource, name: String, _ file: ContainerFile) {
        (self.source, self.name, self.file) = (source, name, file)
    }

    func read(
        into buffer: inout [UInt8], at offset: Int, _ room: Int, isCancelled: (@Sendable () -> Bool)?
    ) throws(InterchangeError) -> Int {
        if let failure { throw failure }
        if position == block.count {
            if isCancelled?() == true {
                throw InterchangeError(.cancelled, source: name, message: "the reading was canceled")
            }
            do throws(ContainerError) { block = try source.next() } catch {
                let error = InterchangeError(error, source: name)
                failure = error
                throw error
            }
            position = 0
        }
        let count = min(room, block.count - position)
        buffer.replaceSubrange(offset..<offset + count, with: block[position..<position + count])
        position += count
        return count
    }

    func checkUnchanged() throws(InterchangeError) { try file.checkUnchanged() }
}
