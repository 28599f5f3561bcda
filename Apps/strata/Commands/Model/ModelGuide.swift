/// A guide to writing a model, for users who have data but do not know models yet.
enum ModelGuide {
    static let guide = HelpGuide(
        title: "A model of your own",
        blocks: [
            .text(
                "A model says what your data are: which tables there are, what is in each column, which values are allowed, and which column "
                    + "points at which table. With one in a file, import, check, show, update, export, report and generate work for data that strata has "
                    + "never seen. Say you have these two files:"),
            .lines(people), .lines(books),
            .text("Write what they are into library.json:"),
            .lines(model),
            .text(
                "Each resource is a table. A field has a name, which is the header of its column, and a type: string, integer, number, boolean, date, "
                    + "time or datetime. Constraints are rules: required, unique, minimum, maximum, minLength, maxLength, pattern, enum. A primary key "
                    + "identifies a row. A foreign key states that a field holds the key of a row of another table: a record cannot be imported if that row "
                    + "does not exist. Fields may be left empty unless they are required."),
            .text("Then:"),
            .lines([
                "strata model check library.json",
                "strata import people.csv books.csv --model library.json --store library.sqlite",
                "strata show --entity books --store library.sqlite --where 'lentTo.name = \"Ada\"'",
                "strata export --all --store library.sqlite --output copy",
                "strata generate --model library.json --count 100 --output made-up",
            ]),
            .text(
                "The store keeps the model: only the command that makes it needs --model. In conditions, orders and assignments a column is called by a "
                    + "word, which is its name without spaces and signs (lent to is lentTo); strata model show says which. A file that is refused is "
                    + "refused with the place and the rule, and nothing is stored."),
            .text(
                "The format is that of Data Packages (https://datapackage.org), which other tools read too. What it has no word for begins with strata: "
                    + "as \"strata:scale\": 2 for amounts of money. All properties are in the documentation of StrataModelFiles, A model in a file."
            ),
        ])

    static let people = ["people.csv:", "  card,name,born", "  A7,Ada,1815-12-10", "  A9,Alan,1912-06-23"]
    static let books = [
        "books.csv:", "  isbn,title,price,lent to", "  0451450523,Neuromancer,9.90,A7", "  0140449132,Faust,12.50,",
    ]
    static let model = [
        "{\"resources\": [",
        "  {\"name\": \"people\", \"path\": \"people.csv\", \"schema\": {",
        "    \"fields\": [",
        "      {\"name\": \"card\", \"type\": \"string\"},",
        "      {\"name\": \"name\", \"type\": \"string\", \"constraints\": {\"required\": true}},",
        "      {\"name\": \"born\", \"type\": \"date\"}],",
        "    \"primaryKey\": [\"card\"]}},",
        "  {\"name\": \"books\", \"path\": \"books.csv\", \"schema\": {",
        "    \"fields\": [",
        "      {\"name\": \"isbn\", \"type\": \"string\", \"constraints\": {\"pattern\": \"[0-9]{9}[0-9X]\"}},",
        "      {\"name\": \"title\", \"type\": \"string\", \"constraints\": {\"required\": true}},",
        "      {\"name\": \"price\", \"type\": \"number\", \"strata:scale\": 2},",
        "      {\"name\": \"lent to\", \"type\": \"string\"}],",
        "    \"primaryKey\": [\"isbn\"],",
        "    \"foreignKeys\": [{\"fields\": [\"lent to\"],",
        "      \"reference\": {\"resource\": \"people\", \"fields\": [\"card\"]}}]}}",
        "]}",
    ]
}
