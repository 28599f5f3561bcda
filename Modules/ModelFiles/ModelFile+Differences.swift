public import StrataCore

extension ModelFile {
    /// What differs between two models, one sentence a difference; empty when nothing does.
    ///
    /// Everything that a model file says, what files call things included.
    ///
    /// - Parameters:
    ///   - old: The earlier model.
    ///   - new: The later one.
    /// - Returns: The sentences.
    public static func differences(from old: ManagedObjectModel, to new: ManagedObjectModel) -> [String] {
        var found = new.differences(from: old)
        for entity in new.entities {
            guard let earlier = old[entity.name] else { continue }
            if (earlier.external.name ?? earlier.name) != (entity.external.name ?? entity.name) {
                found.append(
                    "\(entity.name) is “\(earlier.external.name ?? earlier.name)” in files of the old model, "
                        + "“\(entity.external.name ?? entity.name)” in those of the new one")
            }
            if earlier.external.identifiers != entity.external.identifiers {
                found.append(
                    "\(entity.name) has \(words(earlier.external)) in files of the old model, \(words(entity.external)) in those of the new one"
                )
            }
            for column in entity.columns {
                guard let index = earlier.columnIndex(column.name) else { continue }
                let name = earlier.columns[index].externalName
                if name != column.externalName {
                    found.append(
                        "\(entity.name).\(column.name) is “\(name)” in files of the old model, “\(column.externalName)” in those of the new one"
                    )
                }
            }
        }
        return found
    }

    private static func words(_ form: ExternalForm) -> String {
        form.idColumn.map { "identifiers in “\($0)”" } ?? "no identifiers"
    }
}
