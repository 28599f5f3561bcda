import StrataCore

/// The part of the reader that reads schemas and dialects in separate files.
extension DescriptorReader {
    /// Returns the object in a separate file; if the file cannot be read, reports an error and returns `nil`.
    ///
    /// - Parameters:
    ///   - path: The path of the file, as the descriptor contains it.
    ///   - place: The location of the path in the descriptor.
    ///   - what: A noun for the object, for error messages.
    ///   - known: The names of the members that the object may have.
    /// - Returns: The object, whose locations refer to the separate file.
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
