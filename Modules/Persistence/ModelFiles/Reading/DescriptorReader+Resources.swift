import StrataCore

/// Where the rows of the tables are.
extension DescriptorReader {
    /// The rows of one table; `nil` where there are none that are read, which is then said.
    func rows(_ resource: ObjectView, _ name: String, _ schema: ObjectView, of package: ObjectView) -> DataResource? {
        let isFirstVersion = Self.isFirstVersion(package)
        return ResourceReader(findings: findings, isFirstVersion: isFirstVersion).resource(
            resource, name, schema: schema
        ) { format in
            let view: ObjectView?
            if case .string(let path) = resource.value("dialect")?.content {
                view = object(at: path, resource.place["dialect"], "dialect", known: DescriptorWords.dialect)
            } else {
                view = resource.object("dialect", known: DescriptorWords.dialect)
            }
            // What is said of nothing is what is usual.
            guard let view = view ?? ObjectView(.object([JSONValue.Member]()), at: resource.place, known: [], findings)
            else {
                return ResourceDialect()
            }
            return DialectReader(view: view, findings: findings, format: format, isFirstVersion: isFirstVersion)
                .dialect()
        }
    }

    /// Whether the standard's first version is meant: where the descriptor does not name the second.
    private static func isFirstVersion(_ package: ObjectView) -> Bool {
        guard let schema = package.text("$schema") else { return true }
        return schema.firstRange(of: "/profiles/1.") != nil || schema.firstRange(of: "/profiles/") == nil
    }
}
