extension NameList {
    /// Polish names.
    ///
    /// Family names have the same form for women and men.
    static let polish = NameList(
        code: "pl",
        givenNames: [
            "Adam", "Agata", "Agnieszka", "Aleksandra", "Alicja", "Andrzej", "Anna", "Antoni", "Barbara",
            "Bartosz", "Beata", "Błażej", "Bogdan", "Bożena", "Damian", "Danuta", "Dariusz", "Dominika",
            "Dorota", "Edyta", "Elżbieta", "Ewa", "Filip", "Franciszek", "Gabriela", "Grażyna", "Grzegorz",
            "Halina", "Hanna", "Henryk", "Hubert", "Irena", "Iwona", "Izabela", "Jacek", "Jadwiga", "Jakub",
            "Jan", "Janina", "Jarosław", "Jerzy", "Joanna", "Józef", "Julia", "Justyna", "Kacper", "Kamil",
            "Karolina", "Katarzyna", "Kazimierz", "Krystyna", "Krzysztof", "Łucja", "Łukasz", "Maciej",
            "Magdalena", "Małgorzata", "Marcin", "Marek", "Maria", "Mariusz", "Marta", "Mateusz", "Michał",
            "Mikołaj", "Monika", "Natalia", "Oliwia", "Patryk", "Paweł", "Piotr", "Radosław", "Rafał",
            "Renata", "Robert", "Roman", "Ryszard", "Sebastian", "Sławomir", "Stanisław", "Stefan", "Sylwia",
            "Szymon", "Tadeusz", "Teresa", "Tomasz", "Urszula", "Wiesława", "Wiktoria", "Wojciech", "Zbigniew",
            "Zofia", "Zuzanna",
        ],
        familyNames: [
            "Adamczyk", "Baran", "Bąk", "Bednarek", "Bielak", "Błaszczyk", "Borek", "Chmiel", "Czapla",
            "Czech", "Duda", "Dudek", "Dziedzic", "Filipek", "Fijałek", "Gajda", "Gołąb", "Góra", "Górka",
            "Grabarczyk", "Grzelak", "Grzyb", "Gruszka", "Jarosz", "Jasiak", "Jurek", "Kaczmarek", "Kaczor",
            "Kasprzak", "Kania", "Kasperek", "Kaźmierczak", "Klimek", "Kmieć", "Kołodziej", "Kopeć", "Kos",
            "Kosiba", "Kowal", "Kowalczyk", "Kozieł", "Kozioł", "Król", "Kruk", "Krawczyk", "Krawiec",
            "Kubiak", "Kubik", "Kuczek", "Kurek", "Lis", "Łuczak", "Łukasik", "Madej", "Maj", "Majewicz",
            "Marciniak", "Marczak", "Marek", "Mazur", "Mazurek", "Michalak", "Mikołajczyk", "Mróz", "Mucha",
            "Musiał", "Nowak", "Olejniczak", "Olejnik", "Pająk", "Pawlak", "Pawlik", "Piątek", "Pietrzak",
            "Polak", "Przybysz", "Ratajczak", "Rak", "Rogala", "Rybak", "Sikora", "Skiba", "Skowron",
            "Sobczak", "Sowa", "Stachowiak", "Stasiak", "Stępień", "Szczepaniak", "Szulc", "Szymczak",
            "Tomaszek", "Tomczak", "Urban", "Urbaniak", "Wawrzyniak", "Wieczorek", "Wilk", "Wójcik", "Woźniak",
            "Wrona", "Wróbel", "Zając", "Zięba", "Żak", "Żuk",
        ]
    )
}
