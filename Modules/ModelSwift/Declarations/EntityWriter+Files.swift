import StrataCore

extension EntityWriter {
    /// The files of the entity.
    var files: [SwiftFile] {
        switch options.layers {
        case .one: oneLayer
        case .two: twoLayers
        }
    }

    private func file(
        _ folder: String, _ name: String, _ write: (EntityWriter, inout SwiftFile) -> Void
    ) -> SwiftFile {
        var file = SwiftFile(folder: folder, name)
        if folder == SwiftFile.persistence { file.needs(options.domainModule, isExposed: true) }
        var writer = self
        writer.folder = folder
        write(writer, &file)
        return file
    }

    private var oneLayer: [SwiftFile] {
        var files = [file("", names.type) { $0.writeRecord(&$1, withEntity: true) }]
        if options.hasRepositories {
            files.append(
                file("", names.repository) { writer, file in
                    writer.writeRepository(&file)
                    guard options.parts.contains(.repositories) else { return }
                    file.text.add()
                    writer.writeStoredRepository(&file)
                })
        }
        if options.parts.contains(.doubles) { files.append(file("", names.double) { $0.writeDouble(&$1) }) }
        if options.parts.contains(.fixtures) {
            files.append(file("", "\(names.type)+Fixtures") { $0.writeFixtures(&$1) })
        }
        return files
    }

    private var twoLayers: [SwiftFile] {
        let (domain, persistence) = (SwiftFile.domain, SwiftFile.persistence)
        var files = [file(domain, names.type) { $0.writeRecord(&$1, withEntity: false) }]
        if options.hasRepositories { files.append(file(domain, names.repository) { $0.writeRepository(&$1) }) }
        if options.parts.contains(.doubles) { files.append(file(domain, names.double) { $0.writeDouble(&$1) }) }
        files.append(file(persistence, "\(names.type)+Persistence") { $0.writePersistence(&$1) })
        if options.parts.contains(.repositories) {
            files.append(file(persistence, names.storedRepository) { $0.writeStoredRepository(&$1) })
        }
        if options.parts.contains(.fixtures) {
            files.append(file(persistence, "\(names.type)+Fixtures") { $0.writeFixtures(&$1) })
        }
        return files
    }
}
