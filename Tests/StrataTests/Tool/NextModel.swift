/// A second release of the reference model, as a model file.
enum NextModel {
    /// Another name and type for salaries, and telephone numbers, of an employee: its table is written anew.
    ///
    /// - Parameter file: The reference model's file, as `strata model show` prints it.
    /// - Returns: The later one.
    static func text(of file: String) -> String {
        file.replacing(
            #"{"name": "salary", "type": "integer", "constraints": {"required": true, "minimum": 0}}"#,
            with: #"{"name": "pay", "type": "string", "constraints": {"required": true}, "strata:renamedFrom": "salary"}, "#
                + #"{"name": "phone", "type": "string"}"#)
    }
}
