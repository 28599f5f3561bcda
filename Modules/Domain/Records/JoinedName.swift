/// Returns the given name and family name with a space between them, or only one of them if the other is empty.
func joinedName(_ firstName: String, _ lastName: String) -> String {
    [firstName, lastName].filter { !$0.isEmpty }.joined(separator: " ")
}
