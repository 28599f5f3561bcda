/// Returns the given name and family name with a space between them, or the one that is not empty.
func joinedName(_ firstName: String, _ lastName: String) -> String {
    [firstName, lastName].filter { !$0.isEmpty }.joined(separator: " ")
}
