import StrataCore

/// Schemas and dialects that stand in files of their own.
extension DescriptorReader {
    /// The object of a file; `nil` where it cannot be read, which is then said.
    ///
    /// - Parameters:
    ///   - path: The file, as the descriptor names it.
    ///   - place: Where it is named.
    ///   - what: What it holds, for messages.
    ///   - known: The members that are understood.
    /// - Returns: The object, whose places are those in its file.
    func object(at path: String, _ place: JSONPointer, _ what: String, known: [String]) -> ObjectView? {
        if let refusal = SafePath.refusal(of: path) {
            findings.error(place, refusal)
            return nil
        }
        guard let readSchema else {
            findings.error(place, "the \(what) is in another file, and there are none beside this one; put it here")
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
