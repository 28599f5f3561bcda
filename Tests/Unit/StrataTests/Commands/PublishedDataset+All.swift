import Foundation

extension PublishedDataset {
    static let all: [PublishedDataset] = [
        // The ends of a route are airports, which the column names do not show. The column status_id has no table, and
        // NA is Namibia.
        PublishedDataset(
            name: "airports", reading: ["--null", #"\N"#],
            given: ["--key", "airports.iata"],
            edits: [
                .schema(
                    "routes",
                    """
                    "foreignKeys": [{"fields": ["origin"], "reference": {"resource": "airports", "fields": ["iata"]}},
                        {"fields": ["destination"], "reference": {"resource": "airports", "fields": ["iata"]}}]
                    """)
            ],
            references: ["airports(country_code) → countries(code)"],
            corrected: [
                "airports(country_code) → countries(code)", "routes(destination) → airports(iata)",
                "routes(origin) → airports(iata)",
            ],
            quotesFreely: ["airports.csv"]),
        // Two tables have the same key. The values of month, rating and chapter are also keys of other tables.
        PublishedDataset(
            name: "clinic", reading: ["--comment", "#", "--null", "NA"],
            edits: [.type("patients", "birth_year", "integer", is: "year")],
            references: [
                "insurances(patient_id) → patients(patient_id)", "stays(icd_code) → diagnoses(icd_code)",
                "stays(patient_id) → patients(patient_id)", "stays(ward_no) → wards(ward_no)",
            ],
            preamble: "#"),
        // Inference adopts no composite key. A reference to one becomes a reference to the target of its first column.
        PublishedDataset(
            name: "college",
            edits: [
                .schema("courses", #""primaryKey": ["department_code", "course_no"]"#),
                Edit(
                    "enrolments",
                    """
                    "fields": ["department_code"],
                                "reference": {"resource": "departments", "fields": ["department_code"]},
                                "strata:name": "department",
                    """,
                    """
                    "fields": ["department_code", "course_no"],
                                "reference": {"resource": "courses", "fields": ["department_code", "course_no"]},
                                "strata:name": "course",
                    """),
            ],
            references: [
                "courses(department_code) → departments(department_code)",
                "departments(parent_department_code) → departments(department_code)",
                "enrolments(department_code) → departments(department_code)",
                "enrolments(student_id) → students(student_id)",
            ],
            corrected: [
                "courses(department_code) → departments(department_code)",
                "departments(parent_department_code) → departments(department_code)",
                "enrolments(department_code, course_no) → courses(department_code, course_no)",
                "enrolments(student_id) → students(student_id)",
            ]),
        // The login identifies the author although there is an id. Numbers beyond 64 bits are exported as numbers.
        PublishedDataset(
            name: "events", given: ["--key", "users.login"],
            references: [
                "posts(parent_post_id) → posts(post_id)", "posts(user_login) → users(login)",
                "votes(post_id) → posts(post_id)", "votes(user_login) → users(login)",
            ]),
        // Artists refer to their teachers, which no name shows. Room numbers and positions are also identifiers.
        PublishedDataset(
            name: "gallery",
            edits: [
                .schema("artists", #""foreignKeys": [{"fields": ["taught by"], "reference": {"fields": ["id"]}}]"#),
                .type("works", "made", "integer", is: "year"), .type("works", "length", "string", is: "duration"),
            ],
            references: [
                "categories(parent_category_code) → categories(code)", "work_artists(artist_id) → artists(id)",
                "work_artists(inventory no.) → works(inventory no.)", "works(category_code) → categories(code)",
            ],
            corrected: [
                "artists(taught by) → artists(id)",
                "categories(parent_category_code) → categories(code)", "work_artists(artist_id) → artists(id)",
                "work_artists(inventory no.) → works(inventory no.)", "works(category_code) → categories(code)",
            ],
            quotesFreely: ["works.csv"]),
        // A return refers to a line of an order. A group's column "order" is a position and not a reference.
        PublishedDataset(
            name: "grocer", given: ["--key", "product.ean"],
            edits: [
                .schema("order_line", #""primaryKey": ["order_no", "line"]"#),
                Edit(
                    "return",
                    """
                    "fields": ["order_no"],
                                "reference": {"resource": "order", "fields": ["order_no"]},
                                "strata:name": "order",
                    """,
                    """
                    "fields": ["order_no", "line"],
                                "reference": {"resource": "order_line", "fields": ["order_no", "line"]},
                    """),
            ],
            references: [
                "order_line(order_no) → order(order_no)", "order_line(product) → product(ean)",
                "product(group_id) → group(id)", "return(order_no) → order(order_no)",
            ],
            corrected: [
                "order_line(order_no) → order(order_no)", "order_line(product) → product(ean)",
                "product(group_id) → group(id)", "return(order_no, line) → order_line(order_no, line)",
            ]),
        // The join rows of recipes and ingredients are a link. The count of ingredients and the page number are not
        // references.
        PublishedDataset(
            name: "kitchen", reading: ["--null", "NULL"],
            given: ["--type", "diary.cooked=date:%Y-%m-%d %H:%M:%S"],
            references: [
                "diary(recipe_key) → recipes(recipe_key)",
                "recipe_ingredients(ingredient_id) → ingredients(ingredient_id)",
                "recipe_ingredients(recipe_key) → recipes(recipe_key)",
            ],
            unordered: ["recipe_ingredients.tsv"]),
        // The file is in Latin-1, and a municipality refers to its partner municipality.
        PublishedDataset(
            name: "parishes", reading: ["--encoding", "latin-1"], given: ["--key", "gemeinde.Schlüssel"],
            edits: [
                Edit(
                    "gemeinde", #""foreignKeys": ["#,
                    #""foreignKeys": [{"fields": ["Partner"], "reference": {"fields": ["Schlüssel"]}},"#)
            ],
            references: ["amt(Gemeinde) → gemeinde(Schlüssel)", "gemeinde(Land-Nr) → land(Nr)"],
            corrected: [
                "amt(Gemeinde) → gemeinde(Schlüssel)", "gemeinde(Land-Nr) → land(Nr)",
                "gemeinde(Partner) → gemeinde(Schlüssel)",
            ],
            encoding: .isoLatin1),
        // Alerts refer to a stop of a trip. Services and directions have no table.
        PublishedDataset(
            name: "trains",
            edits: [
                .schema("stop_times", #""primaryKey": ["trip_id", "stop_sequence"]"#),
                .schema(
                    "stops", #""foreignKeys": [{"fields": ["parent_station"], "reference": {"fields": ["stop_id"]}}]"#),
                Edit(
                    "alerts",
                    """
                    "fields": ["trip_id"],
                                "reference": {"resource": "trips", "fields": ["trip_id"]},
                                "strata:name": "trip",
                    """,
                    """
                    "fields": ["trip_id", "stop_sequence"],
                                "reference": {"resource": "stop_times", "fields": ["trip_id", "stop_sequence"]},
                    """),
                .type("trips", "duration", "string", is: "duration"), .type("routes", "since", "integer", is: "year"),
            ],
            references: [
                "alerts(trip_id) → trips(trip_id)", "stop_times(stop_id) → stops(stop_id)",
                "stop_times(trip_id) → trips(trip_id)", "trips(route_id) → routes(route_id)",
            ],
            corrected: [
                "alerts(trip_id, stop_sequence) → stop_times(trip_id, stop_sequence)",
                "stop_times(stop_id) → stops(stop_id)", "stop_times(trip_id) → trips(trip_id)",
                "stops(parent_station) → stops(stop_id)", "trips(route_id) → routes(route_id)",
            ]),
        // Two rows contain the column names. Months and sensor numbers are also numbers of visits.
        PublishedDataset(
            name: "weather", reading: ["--header-rows", "1,2", "--null=-999"],
            edits: [
                .schema("reading", #""primaryKey": ["station code", "year", "month"]"#),
                .type("reading", "year", "integer", is: "year"),
            ],
            references: ["reading(station code) → station(code)", "visit(station code) → station(code)"],
            headerRows: 2),
    ]
}
