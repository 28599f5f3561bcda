import StrataCore

/// Schemas that stand in files of their own.
extension DescriptorReader {
    /// The schema of a file; `nil` where it cannot be read, which is then said.
    ///
    /// - Parameters:
    ///   - path: The file, as the descriptor names it.
    ///   - place: Where it is named.
    /// - Returns: The schema, whose places are those in its file.
    func schema(at path: String, _ place: JSONPointer) -> ObjectView? {
        if let refusal = Self.refusal(of: path) {
            findings.error(place, refusal)
            return nil
        }
        guard let readSchema else {
            findings.error(place, "the schema is in another file, and there are none beside this one; put it here")
            return nil
        }
        let bytes: [UInt8]
        do { bytes = try readSchema(path) } catch {
            findings.error(place, "the schema “\(path)” cannot be read: \(error)")
            return nil
        }
        guard bytes.count <= DescriptorText.maximumByteCount else {
            findings.error(place, "the schema “\(path)” has more than \(DescriptorText.maximumByteCount) bytes")
            return nil
        }
        let root = JSONPointer(file: path)
        do throws(JSONSyntaxError) {
            return ObjectView(
                try DescriptorText.tree(bytes), at: root, known: DescriptorWords.schemaProperties, findings)
        } catch {
            let finding = ModelFileFinding(error, in: bytes)
            findings.error(root, "\(finding.place), \(finding.message)")
            return nil
        }
    }

    /// Why a path is none that is read: the standard has only such as lie beside or below the descriptor, since who sends a descriptor is not to read
    /// other files with it; `nil` where it is one.
    private static func refusal(of path: String) -> String? {
        if path.firstRange(of: "://") != nil {
            return "“\(path)” is remote, which is not fetched; download it and name the file"
        }
        let steps = path.split(separator: "/", omittingEmptySubsequences: false)
        let isSafe =
            !path.isEmpty && !path.utf8.contains { $0 == UInt8(ascii: "\\") || $0 < 0x20 }
            && steps.allSatisfy { !$0.isEmpty && !$0.hasPrefix(".") && !$0.hasPrefix("~") }
        return isSafe
            ? nil : "“\(path)” is no path below the descriptor's directory; hidden files, “..” and “~” are none either"
    }
}
