extension NameList {
    /// English names.
    ///
    /// Some family names contain an apostrophe, a hyphen or an inner capital.
    static let english = NameList(
        code: "en",
        givenNames: [
            "Abigail", "Adam", "Alexander", "Alice", "Amelia", "Amy", "Andrew", "Anthony", "Arthur", "Ava",
            "Barbara", "Benjamin", "Beth", "Brandon", "Brian", "Caroline", "Catherine", "Charles", "Charlotte",
            "Chloe", "Christopher", "Claire", "Connor", "Daisy", "Daniel", "David", "Deborah", "Dennis",
            "Dominic", "Dorothy", "Dylan", "Edward", "Eleanor", "Elizabeth", "Ella", "Ellen", "Emily", "Emma",
            "Ethan", "Evelyn", "Florence", "Frances", "Freya", "George", "Grace", "Gregory", "Hannah",
            "Harold", "Harriet", "Harry", "Hazel", "Heather", "Helen", "Henry", "Holly", "Hugh", "Isaac",
            "Isabel", "Ivy", "Jack", "Jacob", "James", "Jane", "Jasmine", "Jason", "Jennifer", "Jessica",
            "Joan", "Joseph", "Joshua", "Joyce", "Julian", "Justin", "Karen", "Katherine", "Kenneth", "Kevin",
            "Laura", "Lauren", "Leonard", "Liam", "Lily", "Linda", "Louise", "Lucy", "Luke", "Madison",
            "Margaret", "Mark", "Martha", "Mary", "Matthew", "Megan", "Michael", "Natalie", "Nathan",
            "Nicholas", "Nicole", "Noah", "Nora", "Oliver", "Olivia", "Oscar", "Patrick", "Paul", "Peter",
            "Philip", "Phoebe", "Poppy", "Rachel", "Ralph", "Rebecca", "Richard", "Robert", "Rosemary", "Ruby",
            "Russell", "Ruth", "Ryan", "Samuel", "Sarah", "Scott", "Sean", "Sophie", "Stephen", "Stuart",
            "Susan", "Theodore", "Thomas", "Timothy", "Victoria", "Vincent", "Violet", "Walter", "William",
            "Zoe",
        ],
        familyNames: [
            "Abbott", "Adams", "Alexander", "Allen", "Anderson", "Andrews", "Armstrong", "Atkinson", "Bailey",
            "Baker", "Ball", "Barker", "Barnes", "Barrett", "Baxter", "Bell", "Bennett", "Berry", "Booth",
            "Bradley", "Brooks", "Brown", "Burke", "Burns", "Burton", "Butler", "Byrne", "Cameron", "Campbell",
            "Carpenter", "Carr", "Carter", "Chambers", "Chapman", "Clark", "Clarke", "Cole", "Coleman",
            "Collins", "Cook", "Cooper", "Cox", "Crawford", "Cunningham", "Davies", "Davis", "Dawson", "Day",
            "Dixon", "Doyle", "Duncan", "Edwards", "Elliott", "Ellis", "Evans", "Ferguson", "Fisher",
            "Fleming", "Fletcher", "Foster", "Fowler", "Fox", "Francis", "Fraser", "Gardner", "Gibson", "Gill",
            "Gordon", "Graham", "Grant", "Gray", "Green", "Griffiths", "Hall", "Hamilton", "Harper", "Harris",
            "Harrison", "Hart", "Harvey", "Hawkins", "Henderson", "Higgins", "Hill", "Holmes", "Howard",
            "Hudson", "Hughes", "Hunt", "Hunter", "Jackson", "James", "Jenkins", "Johnson", "Johnston",
            "Jones", "Kelly", "Kennedy", "King", "Knight", "Lawson", "Lee", "Lewis", "Lloyd", "MacLeod",
            "Marsh", "Marshall", "Martin", "Mason", "Matthews", "McCarthy", "McDonald", "McKenzie", "Miller",
            "Mills", "Mitchell", "Moore", "Morgan", "Morris", "Morrison", "Murphy", "Murray", "Nelson",
            "Newman", "O'Brien", "O'Connor", "O'Neill", "Owen", "Palmer", "Parker", "Parsons", "Patterson",
            "Payne", "Pearce", "Pearson", "Perry", "Phillips", "Porter", "Powell", "Price", "Reid", "Reynolds",
            "Richards", "Richardson", "Roberts", "Robertson", "Robinson", "Rogers", "Rose", "Ross", "Russell",
            "Ryan", "Saunders", "Scott", "Sharp", "Shaw", "Simpson", "Smith", "Smith-Jones", "Spencer",
            "Stevens", "Stewart", "Stone", "Sullivan", "Taylor", "Thompson", "Thomson", "Turner", "Walker",
            "Wallace", "Walsh", "Ward", "Watkins", "Watson", "Webb", "Wells", "West", "Wheeler", "White",
            "Wilkinson", "Williams", "Williamson", "Wilson", "Wood", "Wright", "Young",
        ]
    )
}
