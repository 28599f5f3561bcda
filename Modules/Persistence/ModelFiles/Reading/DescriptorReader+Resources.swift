import StrataCore

/// The reading of the locations of rows.
extension DescriptorReader {
    /// Returns the location of a table's rows; reports a finding and returns `nil` if they cannot be read.
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
            // Without a dialect, the defaults apply.
            guard let view = view ?? ObjectView(.object([JSONValue.Member]()), at: resource.place, known: [], findings)
            else {
                return ResourceDialect()
            }
            return DialectReader(view: view, findings: findings, format: format, isFirstVersion: isFirstVersion)
                .dialect()
        }
    }

    /// Returns a Boolean value that indicates whether the first version of the standard applies.
    ///
    /// It applies if the descriptor does not refer to the second version.
    private static func isFirstVersion(_ package: ObjectView) -> Bool {
        guard let schema = package.text("$schema") else { return true }
        return schema.firstRange(of: "/profiles/1.") != nil || schema.firstRange(of: "/profiles/") == nil
    }
}
