extension NameList {
    /// Czech names.
    ///
    /// Family names have the masculine form.
    static let czech = NameList(
        code: "cs",
        givenNames: [
            "Adam", "Adéla", "Alena", "Aleš", "Alžběta", "Aneta", "Anna", "Antonín", "Barbora", "Blanka",
            "Bohumil", "Božena", "Dagmar", "Dana", "Daniel", "David", "Denisa", "Dominik", "Eliška", "Eva",
            "Filip", "František", "Hana", "Helena", "Iva", "Ivana", "Ivo", "Jakub", "Jan", "Jana", "Jarmila",
            "Jaromír", "Jaroslav", "Jindřich", "Jiří", "Jitka", "Josef", "Kamila", "Karel", "Karolína",
            "Kateřina", "Klára", "Kristýna", "Květa", "Ladislav", "Lenka", "Libor", "Libuše", "Luboš", "Lucie",
            "Lukáš", "Magdaléna", "Marek", "Marie", "Markéta", "Martin", "Matěj", "Michaela", "Michal",
            "Milan", "Milena", "Miloš", "Miloslav", "Miroslav", "Monika", "Naděžda", "Natálie", "Nikola",
            "Oldřich", "Ondřej", "Pavel", "Pavla", "Petr", "Petra", "Radek", "Radim", "Renata", "Richard",
            "Roman", "Růžena", "Šárka", "Šimon", "Simona", "Stanislav", "Štěpán", "Tereza", "Tomáš", "Václav",
            "Vendula", "Věra", "Veronika", "Vít", "Vladimír", "Vlasta", "Vojtěch", "Zdeněk", "Zdeňka",
            "Zuzana",
        ],
        familyNames: [
            "Bartoš", "Bárta", "Beneš", "Beran", "Bílek", "Blažek", "Brož", "Bureš", "Burian", "Čech",
            "Čermák", "Černý", "Doležal", "Dostál", "Dušek", "Dvořák", "Fiala", "Fišer", "Hájek", "Havel",
            "Havlíček", "Hladík", "Holub", "Horáček", "Horák", "Hrubý", "Hruška", "Janda", "Janoušek", "Jaroš",
            "Jelínek", "Ježek", "Kadlec", "Kašpar", "Klíma", "Kolář", "Konečný", "Kopecký", "Kovář", "Kovařík",
            "Král", "Kratochvíl", "Krejčí", "Kříž", "Kubát", "Kučera", "Kubíček", "Lacina", "Liška",
            "Macháček", "Mach", "Mareš", "Marek", "Mašek", "Matějka", "Matoušek", "Moravec", "Musil", "Müller",
            "Navrátil", "Němec", "Novák", "Novotný", "Pavlík", "Pešek", "Pokorný", "Polák", "Pospíšil",
            "Procházka", "Ptáček", "Říha", "Růžička", "Šebesta", "Sedláček", "Sedlák", "Šimek", "Sklenář",
            "Slavík", "Slezák", "Šmíd", "Soukup", "Šťastný", "Staněk", "Štěpánek", "Stejskal", "Strnad",
            "Svoboda", "Sýkora", "Tesař", "Tichý", "Toman", "Tomeš", "Tůma", "Urban", "Vacek", "Valenta",
            "Vaněk", "Vávra", "Vašek", "Veselý", "Vítek", "Vlček", "Vondráček", "Zelenka", "Zelený", "Zeman",
        ]
    )
}
