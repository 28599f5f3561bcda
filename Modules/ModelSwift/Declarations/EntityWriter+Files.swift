import StrataCore

extension EntityWriter {
    /// The files of the entity.
    var files: [SwiftFile] {
        switch options.layers {
        case .one: oneLayer
        case .two: twoLayers
        }
    }

    private func file(_ folder: String, _ name: String, _ write: (inout SwiftFile) -> Void) -> SwiftFile {
        var file = SwiftFile(folder: folder, name)
        if folder == SwiftFile.persistence { file.needs(options.domainModule, isExposed: true) }
        write(&file)
        return file
    }

    private var oneLayer: [SwiftFile] {
        var files = [file("", names.type) { writeRecord(&$0, withEntity: true) }]
        if options.hasRepositories {
            files.append(
                file("", names.repository) { file in
                    writeRepository(&file)
                    guard options.parts.contains(.repositories) else { return }
                    file.text.add()
                    writeStoredRepository(&file)
                })
        }
        if options.parts.contains(.doubles) { files.append(file("", names.double) { writeDouble(&$0) }) }
        if options.parts.contains(.fixtures) {
            files.append(file("", "\(names.type)+Fixtures") { writeFixtures(&$0) })
        }
        return files
    }

    private var twoLayers: [SwiftFile] {
        let (domain, persistence) = (SwiftFile.domain, SwiftFile.persistence)
        var files = [file(domain, names.type) { writeRecord(&$0, withEntity: false) }]
        if options.hasRepositories { files.append(file(domain, names.repository) { writeRepository(&$0) }) }
        if options.parts.contains(.doubles) { files.append(file(domain, names.double) { writeDouble(&$0) }) }
        files.append(file(persistence, "\(names.type)+Persistence") { writePersistence(&$0) })
        if options.parts.contains(.repositories) {
            files.append(file(persistence, names.storedRepository) { writeStoredRepository(&$0) })
        }
        if options.parts.contains(.fixtures) {
            files.append(file(persistence, "\(names.type)+Fixtures") { writeFixtures(&$0) })
        }
        return files
    }
}
