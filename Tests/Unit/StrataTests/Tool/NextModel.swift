/// A later version of the reference model, as a model file.
enum NextModel {
    /// Returns a model with another name and type for salaries and a telephone number of employees, whose table is
    /// rebuilt.
    ///
    /// - Parameter file: The reference model's file, as `strata model show` prints it.
    /// - Returns: The later model.
    static func text(of file: String) -> String {
        file.replacing(
            #"{"name": "salary", "type": "integer", "constraints": {"required": true, "minimum": 0}}"#,
            with: #"{"name": "pay", "type": "string", "constraints": {"required": true}, "#
                + #""strata:renamedFrom": "salary"}, {"name": "phone", "type": "string"}"#)
    }
}
