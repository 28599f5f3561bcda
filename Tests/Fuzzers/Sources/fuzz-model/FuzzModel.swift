import FuzzSupport
import StrataModelFiles
import StrataPersistence

/// Reads an input as a model file; a valid model must remain equal when it is written and read again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzModel(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let json = Array(UnsafeBufferPointer(start: bytes, count: count))
    do throws(ModelFileError) {
        let model = try ModelFile(json: json).model
        let text = ModelFile.text(of: model)
        do throws(ModelFileError) {
            let again = try ModelFile(json: Array(text.utf8)).model
            check(ModelFile.differences(from: model, to: again).isEmpty, "another model: \(text)")
            check(ModelFile.text(of: again) == text, "another text: \(text)")
        } catch {
            check(false, "the written model cannot be read: \(error)\n\(text)")
        }
    } catch {
        check(!error.findings.isEmpty, "no reason")
        for finding in error.findings { check(!finding.message.isEmpty, "\(finding)") }
    }
    return 0
}
