import Foundation
import StrataModelFiles

/// The findings in a model file as a JSON report.
struct ModelReport: Encodable {
    struct Finding: Encodable {
        let severity: String
        let pointer: String
        let message: String
    }

    let file: String
    let ok: Bool
    let findings: [Finding]

    init(file: String, ok: Bool, findings: [ModelFileFinding]) {
        self.file = file
        self.ok = ok
        self.findings = findings.map {
            Finding(severity: $0.severity.rawValue, pointer: $0.place, message: $0.message)
        }
    }

    func json() throws -> String { try JSONObject.text(of: self) }
}
