import StrataCore

/// The part of the reader that reads the locations of rows.
extension DescriptorReader {
    /// Returns the location and format of a table's rows; if they cannot be read, reports a finding and returns `nil`.
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

    /// Returns a Boolean value that indicates whether a descriptor uses version 1 of the Data Package standard.
    ///
    /// This is the case if the descriptor does not refer to version 2.
    private static func isFirstVersion(_ package: ObjectView) -> Bool {
        guard let schema = package.text("$schema") else { return true }
        return schema.firstRange(of: "/profiles/1.") != nil || schema.firstRange(of: "/profiles/") == nil
    }
}
