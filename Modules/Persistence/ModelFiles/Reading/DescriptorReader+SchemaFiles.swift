import StrataCore

/// The reading of schemas and dialects in separate files.
extension DescriptorReader {
    /// Returns the object in a file; reports an error and returns `nil` if the file cannot be read.
    ///
    /// - Parameters:
    ///   - path: The path of the file in the descriptor.
    ///   - place: The location of the path.
    ///   - what: The kind of the contents, for messages.
    ///   - known: The known members of the object.
    /// - Returns: The object, with the locations in its file.
    func object(at path: String, _ place: JSONPointer, _ what: String, known: [String]) -> ObjectView? {
        if let refusal = SafePath.refusal(of: path) {
            findings.error(place, refusal)
            return nil
        }
        guard let readSchema else {
            findings.error(place, "the \(what) is in another file, and the descriptor has no directory; put it here")
            return nil
        }
        let bytes: [UInt8]
        do { bytes = try readSchema(SafePath.plain(path)) } catch {
            findings.error(place, "the \(what) “\(path)” cannot be read: \(error)")
            return nil
        }
        guard bytes.count <= DescriptorText.maximumByteCount else {
            findings.error(place, "the \(what) “\(path)” has more than \(DescriptorText.maximumByteCount) bytes")
            return nil
        }
        let root = JSONPointer(file: path)
        do throws(JSONSyntaxError) {
            return ObjectView(try DescriptorText.tree(bytes), at: root, known: known, findings)
        } catch {
            let finding = ModelFileFinding(error, in: bytes)
            findings.error(root, "\(finding.place), \(finding.message)")
            return nil
        }
    }
}
