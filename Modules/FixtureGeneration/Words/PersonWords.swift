/// The names of people.
///
/// The lists and their order are part of the dataset: a change to them is a new version.
enum PersonWords {
    /// A given and a family name; of the unusual ones, the given or the family name is.
    static func name(_ row: RowSource) -> (first: String, last: String) {
        let first = row.pick(PersonField.firstName, from: firstNames)
        let last = row.pick(PersonField.lastName, from: lastNames)
        switch row.flavour(PersonField.flavour) {
        case .plain:
            return (first, last)
        case .nonASCII:
            let number = row.value(PersonField.unusual, below: nonASCIIFirstNames.count + nonASCIILastNames.count)
            return number < nonASCIIFirstNames.count
                ? (nonASCIIFirstNames[number], last)
                : (first, nonASCIILastNames[number - nonASCIIFirstNames.count])
        case .quoted:
            return (first, last + row.pick(PersonField.unusual, from: quotedSuffixes))
        }
    }

    private static let firstNames = [
        "Ada", "Aisha", "Alan", "Alice", "Amara", "Anna", "Antonio", "Arjun", "Barbara", "Ben", "Bianca", "Carlos",
        "Caroline", "Chen", "Clara", "Daniel", "David", "Diana", "Edward", "Elena", "Emeka", "Emma", "Erik", "Fatima",
        "Felix", "Fiona", "Frank", "George", "Grace", "Hana", "Hannah", "Henry", "Hiro", "Ian", "Ingrid", "Isaac",
        "Ivan", "Jack", "James", "Jasmine", "Jin", "Joan", "John", "Julia", "Karen", "Karim", "Kenji", "Kwame",
        "Laura", "Leila", "Leo", "Linda", "Lucia", "Marco", "Maria", "Martin", "Mary", "Mei", "Michael", "Mina",
        "Mohammed", "Nadia", "Nina", "Noah", "Olga", "Oliver", "Omar", "Pablo", "Paul", "Peter", "Priya", "Quinn",
        "Rachel", "Rahul", "Robert", "Rosa", "Ruth", "Samuel", "Sara", "Sofia", "Stefan", "Susan", "Tara", "Thomas",
        "Tina", "Uma", "Vera", "Victor", "Walter", "Wei", "William", "Xavier", "Yara", "Yusuf", "Zain", "Zara",
    ]

    private static let lastNames = [
        "Abbott", "Adams", "Ahmed", "Andersen", "Baker", "Bauer", "Bell", "Bianchi", "Brown", "Campbell", "Carter",
        "Chen", "Clark", "Cohen", "Cooper", "Costa", "Davis", "De Vries", "Diaz", "Edwards", "Evans", "Ferrari",
        "Fischer", "Fleming", "Foster", "Fraser", "Garcia", "Gomez", "Green", "Gupta", "Hall", "Hansen", "Harris",
        "Hassan", "Hill", "Hughes", "Ibrahim", "Ito", "Jackson", "Jansen", "Johnson", "Jones", "Kaur", "Kelly",
        "Khan", "Kim", "King", "Kowalski", "Kumar", "Larsen", "Lee", "Lewis", "Lopez", "Lovelace", "Martin",
        "McDonald", "Meyer", "Miller", "Moore", "Morales", "Morgan", "Murphy", "Nakamura", "Nelson", "Novak",
        "O'Brien", "O'Neill", "Okafor", "Olsen", "Park", "Patel", "Petrov", "Price", "Reed", "Rivera", "Robinson",
        "Rossi", "Sato", "Schmidt", "Scott", "Shah", "Silva", "Singh", "Smith", "Smith-Jones", "Tanaka", "Taylor",
        "Thompson", "Turner", "Van Dijk", "Wagner", "Walker", "Wang", "Weber", "White", "Wilson", "Wong", "Wright",
        "Yamamoto", "Young", "Zhang", "Zimmerman",
    ]

    private static let nonASCIIFirstNames = [
        "André", "Björn", "Chloé", "François", "Günther", "Inès", "José", "Jürgen", "Łukasz", "Noël", "Renée", "Søren",
        "Šárka", "Zoë", "Αθηνά", "Мария", "太郎",
    ]

    private static let nonASCIILastNames = [
        "Bjørnstad", "Çelik", "Dvořák", "Fernández", "Gonçalves", "Kovačević", "Lefèvre", "Muñoz", "Müller", "Nguyễn",
        "Nuñez", "Öztürk", "Pérez", "Strauß", "Wójcik", "Þórsdóttir", "Παππάς", "Иванов", "山田",
    ]

    private static let quotedSuffixes = [", Jr.", ", Sr.", ", III", ", PhD", " \"Ace\""]
}
