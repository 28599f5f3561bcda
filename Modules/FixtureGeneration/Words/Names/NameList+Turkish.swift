extension NameList {
    /// Turkish names.
    ///
    /// The names contain the dotted and the dotless i, in uppercase and lowercase.
    static let turkish = NameList(
        code: "tr",
        givenNames: [
            "Ahmet", "Ali", "Aslı", "Ayşe", "Aylin", "Aysel", "Barış", "Begüm", "Berk", "Burak", "Büşra",
            "Can", "Cem", "Cemile", "Çağla", "Çağrı", "Çiğdem", "Deniz", "Derya", "Doğan", "Duygu", "Ebru",
            "Ece", "Elif", "Emine", "Emre", "Engin", "Erdem", "Esra", "Fatma", "Ferhat", "Figen", "Furkan",
            "Gizem", "Gökhan", "Gül", "Gülşen", "Hakan", "Halil", "Hande", "Hasan", "Hatice", "Hüseyin",
            "İbrahim", "İlker", "İpek", "İrem", "Işıl", "İsmail", "Kaan", "Kadir", "Kemal", "Kübra", "Levent",
            "Leyla", "Mehmet", "Melek", "Meltem", "Merve", "Mert", "Murat", "Mustafa", "Nazlı", "Nesrin",
            "Nihat", "Nilüfer", "Oğuz", "Onur", "Orhan", "Osman", "Ömer", "Özge", "Özgür", "Pelin", "Pınar",
            "Ramazan", "Recep", "Sedat", "Selin", "Selim", "Serkan", "Sevgi", "Sibel", "Sinan", "Songül",
            "Süleyman", "Şebnem", "Şeyma", "Şule", "Tolga", "Tuğba", "Tülay", "Umut", "Ümit", "Volkan",
            "Yasemin", "Yasin", "Yiğit", "Yusuf", "Zehra", "Zeynep",
        ],
        familyNames: [
            "Acar", "Akar", "Akbaş", "Akbulut", "Akgül", "Akın", "Aksoy", "Aktaş", "Albayrak", "Altun",
            "Arslan", "Aslan", "Ateş", "Avcı", "Aydın", "Aydoğan", "Ayhan", "Balcı", "Başaran", "Bayraktar",
            "Bayram", "Bilgin", "Bingöl", "Boz", "Bozkurt", "Bulut", "Can", "Ceylan", "Coşkun", "Çakır",
            "Çelik", "Çetin", "Çetinkaya", "Çiftçi", "Çınar", "Çoban", "Çolak", "Dağ", "Demir", "Demirci",
            "Demirel", "Deniz", "Dinçer", "Doğan", "Doğru", "Duman", "Duran", "Durmaz", "Ekinci", "Er", "Eren",
            "Ergün", "Erkan", "Erol", "Güler", "Gül", "Güneş", "Gündüz", "Güngör", "Gürbüz", "Işık",
            "Kahraman", "Kaplan", "Kara", "Karaca", "Karadağ", "Karakaya", "Karakuş", "Karataş", "Kaya",
            "Keskin", "Kılıç", "Koç", "Koçak", "Korkmaz", "Köse", "Kurt", "Kurtuluş", "Kuş", "Mutlu", "Oğuz",
            "Önal", "Öz", "Özcan", "Özdemir", "Özer", "Özkan", "Öztürk", "Polat", "Sağlam", "Sarı", "Sezer",
            "Sönmez", "Şahin", "Şen", "Şener", "Şimşek", "Taş", "Taşkın", "Tekin", "Toprak", "Tosun", "Tunç",
            "Türk", "Turan", "Uçar", "Uysal", "Ünal", "Ünlü", "Yalçın", "Yavuz", "Yıldırım", "Yıldız",
            "Yılmaz", "Yiğit", "Yüce", "Yüksel", "Zengin",
        ]
    )
}
