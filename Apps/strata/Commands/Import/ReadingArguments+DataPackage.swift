import Foundation
import StrataInterchange
import StrataModelFiles
import StrataPersistence

extension ReadingArguments {
    /// Opens the tables of a data package and returns them.
    ///
    /// - Throws: ``ModelFailure`` with all locations in the descriptor that name a missing or unreadable file.
    func sources(of package: DataPackage) throws -> [ImportSource] {
        var findings: [ModelFileFinding] = []
        var sources: [ImportSource] = []
        for resource in package.resources {
            do throws(ResourceFailure) {
                sources += try self.sources(of: resource, in: package)
            } catch {
                switch error {
                case .finding(let finding): findings.append(finding)
                case .other(let error): throw error
                }
            }
        }
        guard findings.isEmpty else { throw ModelFailure(path: package.path, findings: findings) }
        guard !sources.isEmpty else {
            throw ModelFailure(
                path: package.path,
                findings: [ModelFileFinding(.error, at: "/resources", "no resource is a table that can be read")])
        }
        return sources
    }

    /// The error that keeps a resource from being read.
    private enum ResourceFailure: Error {
        case finding(ModelFileFinding)
        case other(any Error)

        init(_ place: String, _ message: String) { self = .finding(ModelFileFinding(.error, at: place, message)) }
    }

    private func sources(of resource: DataResource, in package: DataPackage) throws(ResourceFailure) -> [ImportSource] {
        let entity = try entity(of: resource)
        let reading = try reading(of: resource)
        switch resource.content {
        case .inline(let bytes):
            let name = "\(package.path)#\(resource.place)/data"
            return [ImportSource(entity: entity, input: ByteInput(bytes: bytes, name: name), reading: reading)]
        case .files(let paths):
            var reading = reading
            var sources: [ImportSource] = []
            for (index, path) in paths.enumerated() {
                let place = resource.place + "/path" + (paths.count > 1 ? "/\(index)" : "")
                guard !Models.leadsOut(path, of: package.path) else {
                    throw ResourceFailure(
                        place, "“\(path)” is a link to a location outside the descriptor's directory and is not read")
                }
                let file = Models.nextTo(package.path, path)
                let kind = PathKind(file)
                guard kind == .file, Models.isExisting(file) else {
                    throw ResourceFailure(
                        place, kind == .directory ? "“\(path)” is a directory" : "there is no file “\(path)”")
                }
                do {
                    sources.append(
                        ImportSource(entity: entity, input: try ByteInput.file(at: file), reading: reading))
                    // The other parts can repeat the column names of the first part.
                    if index == 0, paths.count > 1, reading.format.isTable, reading.dialect.hasHeader {
                        reading.dialect = try dialectOfParts(behind: file, reading)
                    }
                } catch {
                    throw .other(error)
                }
            }
            return sources
        }
    }

    /// Returns the dialect of the parts after the first: they use its column names, and can repeat them as a header.
    private func dialectOfParts(behind first: String, _ reading: ReadingOptions) throws -> CSVDialect {
        var dialect = reading.dialect
        dialect.columns =
            try CSVReader(
                try ByteInput.file(at: first), dialect: dialect, recordLimit: reading.maximumRecordBytes
            ).header
        (dialect.hasHeader, dialect.mayHaveHeader) = (false, true)
        dialect.headerRows = []
        return dialect
    }

    /// Returns the entity or join table of a resource, by its name in files or else by a similar name.
    private func entity(of resource: DataResource) throws(ResourceFailure) -> String {
        let external =
            model.entities.map { ($0.external.name ?? $0.name, $0.name) }
            + model.joins.filter(\.hasDataset).map { ($0.externalName, $0.name) }
        if let found = external.first(where: { $0.0.utf8.elementsEqual(resource.name.utf8) }) { return found.1 }
        if let found = DatasetDirectory.entity(ofFile: resource.name, in: model) { return found }
        let nearest = NameMatching.nearest(to: resource.name, among: external.map(\.0))
        throw ResourceFailure(
            resource.place + "/name",
            "the model has no entity or join table “\(resource.name)”" + (nearest.map { "; did you mean \($0)?" } ?? "")
        )
    }

    private func reading(of resource: DataResource) throws(ResourceFailure) -> ReadingOptions {
        var reading: ReadingOptions
        do {
            reading = try self.reading(DatasetFormat(resource.format), refusesOthers: false)
        } catch {
            throw .other(error)
        }
        if let name = resource.encoding { reading.encoding = try encoding(name, resource.place) }
        reading.declaredColumns = DeclaredColumns(
            resource.fields, DeclaredColumns.Agreement(resource.fieldsMatch),
            ignoresCase: resource.dialect.ignoresCaseOfHeader)
        reading.root = resource.dialect.property
        guard reading.format.isTable else { return reading }
        do throws(InterchangeError) {
            try reading.dialect.take(resource.dialect, fields: resource.fields)
        } catch {
            throw ResourceFailure(resource.place + "/dialect", error.message)
        }
        return reading
    }

    /// Returns the encoding with a name that IANA or data packages use.
    private func encoding(_ name: String, _ place: String) throws(ResourceFailure) -> TextEncoding {
        if name.lowercased() == "utf-8-sig" { return .utf8 }
        if let encoding = TextEncoding(name: name) { return encoding }
        throw ResourceFailure(
            place + "/encoding",
            "the encoding “\(name)” is not supported; convert the file to utf-8, utf-16, utf-16le, utf-16be, "
                + "iso-8859-1 or windows-1252"
        )
    }
}

extension DatasetFormat {
    fileprivate init(_ format: DataResource.Format) {
        switch format {
        case .csv: self = .csv
        case .tsv: self = .tsv
        case .json: self = .json
        case .ndjson: self = .ndjson
        }
    }
}

extension DeclaredColumns.Agreement {
    fileprivate init(_ match: DataResource.FieldsMatch) {
        switch match {
        case .exact: self = .exact
        case .equal: self = .equal
        case .subset: self = .subset
        case .superset: self = .superset
        case .partial: self = .partial
        }
    }
}

extension CSVDialect {
    /// Applies the dialect of a descriptor.
    fileprivate mutating func take(_ said: ResourceDialect, fields: [String]) throws(InterchangeError) {
        separator = try CSVSeparator(said.delimiter)
        quote = said.quote
        comment = said.comment
        if let null = said.nullSequence { nullTokens.append(null) }
        hasHeader = !said.headerRows.isEmpty
        if !hasHeader { columns = fields }
        (escape, doublesQuotes, skipsInitialSpace) = (said.escape, said.doublesQuotes, said.skipsInitialSpace)
        commentRows = said.commentRows
        headerJoin = said.headerJoin
        // Without explicit header rows, the header is the first row that is not a comment.
        if said.headerRows != [1] { headerRows = said.headerRows }
    }
}
