#!/bin/sh
# Generates ten invented relational datasets in the style of published ones. A generator in this file makes the output
# identical on every machine. Tests/Unit/StrataTests/Commands/PublishedDataset+All.swift contains the properties of the
# datasets and the options for reading them.
#
#     sh Fixtures/datasets.sh Fixtures/datasets
set -eu
directory="${1:?the directory to write to}"
for name in airports clinic college events gallery grocer kitchen parishes trains weather; do mkdir -p "$directory/$name"; done
LC_ALL=C awk -v directory="$directory" '
function draw(count) {
    state = (state * 48271) % 2147483647
    return int(state / 65536) % count
}
function begin(name, seed) {
    dataset = name
    state = seed
}
function write(file, line) { print line > (directory "/" dataset "/" file) }
function pick(list,    parts) { return parts[draw(split(list, parts, " ")) + 1] }
function letters(count,    text) { for (text = ""; count > 0; count--) text = text sprintf("%c", 65 + draw(26)); return text }

# Text keys, references by role, \N for missing values as in database dumps, quoted names that may not need quotes.
function airports(    number, code, codes, from, count, country) {
    begin("airports", 101)
    write("countries.csv", "code,name,dst")
    count = split("AR Argentina|BO Bolivia|CL Chile|NA Namibia|NO Norway|PE Peru|ZM Zambia|IS Iceland", countries, "|")
    for (number = 1; number <= count; number++) {
        code = substr(countries[number], 1, 2)
        write("countries.csv", sprintf("%s,%s,%s", code, substr(countries[number], 4), draw(3) == 0 ? "\\N" : pick("E S U")))
    }
    write("airports.csv", "id,name,iata,country_code,altitude,utc_offset,status_id")
    for (number = 1; number <= 60; number++) {
        code = letters(2) sprintf("%c", 65 + (number * 7) % 26) 
        if (code in codes) code = "Q" sprintf("%02d", number)
        codes[code]; listed[number] = code
        country = substr(countries[draw(count) + 1], 1, 2)
        write("airports.csv", sprintf("%d,\"%s %s\",%s,%s,%d,%s,%d", 500 + number * 3, pick("New Old Port San Upper"), pick("Alto Brook Ciudad Field Haven"), code, country, draw(9000) - 20, draw(4) == 0 ? "\\N" : draw(11) - 5, draw(5) + 1))
    }
    write("routes.csv", "airline,origin,destination,stops,codeshare")
    for (number = 1; number <= 120; number++) {
        from = draw(60) + 1
        write("routes.csv", sprintf("%s%d,%s,%s,%d,%s", letters(1), draw(9), listed[from], listed[(from + draw(58)) % 60 + 1], draw(3), draw(5) == 0 ? "Y" : "\\N"))
    }
}

# A preamble, NA for missing values, codes with leading zeros, instants with offsets, line breaks in quotes.
function clinic(    number, file, files, count, code, codes, icd) {
    begin("clinic", 202)
    count = split("diagnoses wards patients insurances stays", files, " ")
    for (number = 1; number <= count; number++) {
        file = files[number] ".csv"
        write(file, "# Clinic of Nowhere, invented; table " number " of " count ": " files[number])
        write(file, "# \"NA\" is not known")
        write(file, "#")
    }
    write("diagnoses.csv", "icd_code,title,chapter")
    icd = split("007.1 007.2 038.0 250.00 250.01 401.9 428.0 486 518.81 584.9 599.0 V30.00", codes, " ")
    for (number = 1; number <= icd; number++) {
        write("diagnoses.csv", sprintf("%s,%s,%d", codes[number], pick("Giardiasis Sepsis Diabetes Hypertension Failure Pneumonia"), draw(17) + 1))
    }
    write("wards.csv", "ward_no,name,beds")
    for (number = 1; number <= 6; number++) write("wards.csv", sprintf("%02d,%s,%d", number, pick("North South East West"), draw(30) + 4))
    write("patients.csv", "patient_id,sex,birth_year,zip,note")
    for (number = 1; number <= 50; number++) {
        write("patients.csv", sprintf("%d,%s,%d,%05d,%s", 10000 + number, pick("f m"), 1930 + draw(80), draw(99999), draw(9) == 0 ? "\"asked twice,\nno \"\"answer\"\"\"" : draw(3) == 0 ? "NA" : "came " pick("alone late early")))
    }
    write("insurances.csv", "patient_id,insurer,member")
    for (number = 1; number <= 50; number++) {
        if (number % 4 > 0) write("insurances.csv", sprintf("%d,%s,%s%06d", 10000 + number, pick("Alpha Beta Gamma"), letters(2), draw(1000000)))
    }
    write("stays.csv", "stay_id,patient_id,ward_no,icd_code,admitted_at,month,rating,weight")
    for (number = 1; number <= 90; number++) {
        code = draw(12) + 1
        write("stays.csv", sprintf("%d,%d,%02d,%s,2025-%02d-%02dT%02d:%02d:00+0%d:00,%d,%d,%s", number, 10001 + draw(50), draw(6) + 1, draw(10) == 0 ? "NA" : codes[draw(icd) + 1], code, draw(28) + 1, draw(24), draw(60), 1 + (code > 3 && code < 11), code, draw(5) + 1, draw(6) == 0 ? "NA" : sprintf("%d.%d", 40 + draw(60), draw(10))))
    }
}

# Keys of two columns and references to them, words for Booleans, a table that refers to itself by name, lists with a
# position.
function college(    number, subject, count, subjects, place, terms) {
    begin("college", 303)
    write("departments.csv", "department_code,title,parent_department_code")
    count = split("ART BIO CHE HIS MAT PHY SCI HUM", subjects, " ")
    for (number = 1; number <= count; number++) {
        write("departments.csv", sprintf("%s,%s,%s", subjects[number], pick("School Chair Institute") " of " subjects[number], number > 6 ? "" : number % 2 ? "HUM" : "SCI"))
    }
    write("courses.csv", "department_code,course_no,title,credits,open")
    for (number = 1; number <= count; number++) for (place = 1; place <= 4; place++) {
        write("courses.csv", sprintf("%s,%03d,\"%s, part %d\",%s,%s", subjects[number], place * 10 + 1, pick("Basics Methods Topics"), place, pick("1.5 3 4.5 6"), pick("yes no")))
    }
    write("students.csv", "student_id,full name,entered")
    for (number = 1; number <= 40; number++) write("students.csv", sprintf("%d,%s %s,20%02d", 20250000 + number * 11, pick("Ada Ben Cem Dia Eva"), pick("Ng Ode Poe Ray Sun"), 19 + draw(7)))
    write("enrolments.csv", "student_id,department_code,course_no,preference,grade")
    for (number = 1; number <= 40; number++) {
        subject = draw(count)
        place = draw(4) + 1
        for (terms = 1; terms <= place; terms++) {
            write("enrolments.csv", sprintf("%d,%s,%03d,%d,%s", 20250000 + number * 11, subjects[(subject + terms) % count + 1], (draw(4) + 1) * 10 + 1, terms, draw(4) == 0 ? "" : draw(6) + 1))
        }
    }
}

# JSON: an array and lines of records, with numbers beyond 2^53, instants, objects and lists.
function events(    number, line, parent) {
    begin("events", 404)
    write("users.json", "[")
    for (number = 1; number <= 30; number++) {
        line = sprintf("{\"login\":\"%s%d\",\"id\":\"%s\",\"verified\":%s,\"karma\":%d,\"home\":%s}", pick("ann bob cat dan"), number, number * 37 "00719925474099" (300 + draw(600)), pick("true false"), draw(5), draw(3) == 0 ? "null" : "{\"zip\":\"0" draw(9000) + 1000 "\",\"lat\":" draw(80) ".5}")
        write("users.json", line (number == 30 ? "" : ","))
        logins[number] = substr(line, 11, index(line, "\",") - 11)
    }
    write("users.json", "]")
    for (number = 1; number <= 80; number++) {
        parent = number > 9 && draw(3) ? 5 + draw(number - 9) * 4 : 0
        write("posts.ndjson", sprintf("{\"post_id\":%s,\"user_login\":\"%s\",\"parent_post_id\":%s,\"created_at\":\"2026-02-%02dT%02d:%02d:%02dZ\",\"score\":%d,\"tags\":[%s],\"hash\":%s}", post(number), logins[draw(30) + 1], parent ? post(int(parent / 4)) : "null", 1 + int(number / 4), draw(24), draw(60), draw(60), draw(30), draw(2) ? "\"a\",\"b\"" : "", "18446744073709" (551616 + draw(400000))))
    }
    for (number = 1; number <= 100; number++) {
        write("votes.ndjson", sprintf("{\"post_id\":%s,\"user_login\":\"%s\",\"value\":%d,\"at\":\"2026-03-%02dT10:00:00+0%d:30\"}", post(draw(80) + 1), logins[draw(30) + 1], draw(2) * 2 - 1, draw(28) + 1, draw(9)))
    }
}
function post(number) { return sprintf("90071992547%05d", 40990 + number * 3) }

# Tables that refer to themselves, a join table with a position, years and durations, unusual column names.
function gallery(    number, count, place, first) {
    begin("gallery", 505)
    write("categories.csv", "code,name,parent_category_code")
    count = split("p-oil p-water p s-wood s-stone s f-still f-moving f x", kinds, " ")
    for (number = 1; number <= count; number++) {
        write("categories.csv", sprintf("%s,%s,%s", kinds[number], toupper(substr(kinds[number], 1, 1)) " " number, length(kinds[number]) > 1 ? substr(kinds[number], 1, 1) : ""))
    }
    write("artists.csv", "id,Name,name,born,taught by")
    for (number = 1; number <= 40; number++) {
        write("artists.csv", sprintf("%d,%s %s,%s,%s,%s", number, pick("Ilse Juan Kofi Lena"), pick("Abt Bár Çelik Düx"), pick("I.A. J.B. K.C."), draw(5) == 0 ? "" : 1850 + draw(120), draw(3) == 0 ? draw(40) + 1 : ""))
    }
    write("works.csv", "inventory no.,title,category_code,made,length,rooms")
    for (number = 1; number <= 80; number++) {
        works[number] = sprintf("%04d-%s", number * 9, pick("a b c"))
        write("works.csv", sprintf("%s,\"%s\",%s,%s,%s,%d", works[number], pick("Dawn Noon Dusk") (draw(6) ? " " number : ",\nor Night"), kinds[draw(count) + 1], 1880 + draw(140), draw(4) ? "" : sprintf("PT%dM%dS", draw(90) + 1, draw(60)), draw(12) + 1))
    }
    write("work_artists.csv", "inventory no.,artist_id,position")
    for (number = 1; number <= 80; number++) {
        first = draw(40)
        for (place = 1; place <= 1 + draw(3); place++) write("work_artists.csv", sprintf("%s,%d,%d", works[number], (first + place * 7) % 40 + 1, place))
    }
}

# SQL keywords as names, columns whose names differ only in case, money, a key of two columns, CRLF and quotes in all
# lines.
function grocer(    number, place, lines, weight) {
    begin("grocer", 606)
    write("group.csv", quoted("id|order|select"))
    for (number = 1; number <= 9; number++) write("group.csv", quoted(number "|" 10 - number "|" pick("fresh dry frozen")))
    write("product.csv", quoted("ean|group_id|Name|NAME|price|from"))
    for (number = 1; number <= 50; number++) {
        eans[number] = sprintf("0400%04d%05d", 1234 + int(number / 9), (number * 7919) % 100000)
        write("product.csv", quoted(eans[number] "|" draw(9) + 1 "|" pick("Rice Oats Peas Milk") " " number "|" letters(3) "|" draw(30) "." sprintf("%02d", draw(100)) "|" pick("ES FR IT")))
    }
    write("order.csv", quoted("order_no|where|on|paid|status_id"))
    write("order_line.csv", quoted("order_no|line|product|quantity"))
    write("return.csv", quoted("return_no|order_no|line|reason"))
    for (number = 1; number <= 40; number++) {
        write("order.csv", quoted(sprintf("B-%04d", number) "|" pick("web shop fair") "|" sprintf("%02d.%02d.2025", draw(28) + 1, draw(12) + 1) "|" pick("ja nein") "|" draw(4) + 1))
        lines = draw(4) + 1
        for (place = 1; place <= lines; place++) {
            write("order_line.csv", quoted(sprintf("B-%04d", number) "|" place "|" eans[draw(50) + 1] "|" draw(9) + 1))
            if (draw(6) == 0) write("return.csv", quoted(++returns "|" sprintf("B-%04d", number) "|" place "|" pick("broken late wrong")))
        }
    }
}
function quoted(line) {
    gsub(/[|]/, "\",\"", line)
    return "\"" line "\"\r"
}

# Tabs, a table with only join rows, numbers that are in the range of identifiers but are not references, NULL for
# missing values.
function kitchen(    number, place, first) {
    begin("kitchen", 707)
    write("recipes.tsv", "recipe_key\ttitle\tserves\tingredients\tpage_no\tminutes\tvegan")
    for (number = 1; number <= 40; number++) {
        recipes[number] = tolower(letters(3)) "-" number
        write("recipes.tsv", sprintf("%s\t%s %s\t%d\t%d\t%d\t%s\t%s", recipes[number], pick("Red Green Hot Cold"), pick("Soup Stew Salad Pie"), draw(6) + 1, draw(9) + 1, draw(48) + 1, draw(5) ? 5 * (draw(20) + 1) : "NULL", pick("t f")))
    }
    write("ingredients.tsv", "ingredient_id\tname\tkcal\trating")
    for (number = 1; number <= 60; number++) {
        write("ingredients.tsv", sprintf("%d\t%s%s\t%s\t%d", number, pick("pep tom pot gar"), tolower(letters(4)), draw(8) ? draw(400) "." (draw(3) ? draw(10) : "") draw(9) + 1 : "NULL", draw(5) + 1))
    }
    write("recipe_ingredients.tsv", "recipe_key\tingredient_id")
    for (number = 1; number <= 40; number++) {
        first = draw(60)
        for (place = 0; place <= draw(5); place++) write("recipe_ingredients.tsv", recipes[number] "\t" (first + place * 11) % 60 + 1)
    }
    write("diary.tsv", "page_no\tday\trecipe_key\trating\tquantity\tcooked")
    for (number = 1; number <= 50; number++) {
        write("diary.tsv", sprintf("%d\t2026-%02d-%02d\t%s\t%d\t%d\t2026-0%d-1%d 1%d:30:00", number, draw(12) + 1, draw(28) + 1, recipes[draw(40) + 1], draw(5) + 1, draw(40) + 1, draw(9) + 1, draw(10), draw(10)))
    }
}

# Semicolons, decimal commas, points as group separators, days as %d.%m.%Y, ISO-8859-1, keys with leading zeros.
function parishes(    number, street) {
    begin("parishes", 808)
    write("land.csv", "Nr;Name;Fl\344che (km\262);Einwohner;Gr\374ndung")
    split("H\374gelland Seeland Moosland Waldm\344rk Nord\366d", names, " ")
    for (number = 1; number <= 5; number++) {
        write("land.csv", sprintf("%02d;%s;%d,%02d;%d.%03d.%03d;%02d.%02d.%d", number, names[number], draw(90000) + 400, draw(100), draw(12) + 1, draw(1000), draw(1000), draw(28) + 1, draw(12) + 1, 1815 + draw(150)))
    }
    write("gemeinde.csv", "Schl\374ssel;Name;Land-Nr;Steuersatz;Partner;besucht")
    for (number = 1; number <= 70; number++) {
        keys[number] = sprintf("%02d%06d", number % 5 + 1, number * 1371)
    }
    for (number = 1; number <= 70; number++) {
        write("gemeinde.csv", sprintf("%s;%s%s;%02d;%s;%s;%s", keys[number], pick("Ober Unter Alt Neu"), pick("b\374hl gr\374n stra\337 \366d bach"), number % 5 + 1, draw(7) ? sprintf("%d,%d", draw(40), draw(10)) : "", draw(4) ? "" : keys[draw(70) + 1], draw(3) ? sprintf("%02d.%02d.20%02d", draw(28) + 1, draw(12) + 1, draw(26)) : ""))
    }
    write("amt.csv", "Amt-Nr;Gemeinde;Stra\337e;PLZ;Telefon;ge\366ffnet")
    for (number = 1; number <= 60; number++) {
        street = pick("Hauptstra\337e Gasse S\374dring") " " draw(90) + 1
        if (draw(6) == 0) street = "\"" street "; hinten\""
        write("amt.csv", sprintf("%d;%s;%s;%05d;+4%d %d;%s", number, keys[draw(70) + 1], street, draw(99999), draw(10), draw(900000), pick("ja nein")))
    }
}

# A timetable: times after midnight, columns with the suffix id but no table, a composite key, stations that refer to
# stations.
function trains(    number, place, count, minute) {
    begin("trains", 909)
    write("stops.csv", "stop_id,stop_name,stop_lat,stop_lon,parent_station,platform")
    for (number = 1; number <= 30; number++) {
        write("stops.csv", sprintf("%s,%s %s,%d.%06d,%d.%06d,%s,%s", stop(number), pick("Upper Lower Mid"), pick("Mill Bridge Cross"), 47 + draw(3), draw(1000000), 7 + draw(4), draw(1000000), number % 3 == 1 ? "" : stop(number - (number + 2) % 3), number % 3 == 1 ? "" : draw(12) + 1))
    }
    write("routes.csv", "route_id,route_short_name,route_type,direction_id,since")
    for (number = 1; number <= 8; number++) write("routes.csv", sprintf("R%02d,%s%d,%d,%d,%d", number, pick("S RE IC"), number, draw(3), draw(2), 1990 + draw(35)))
    write("trips.csv", "trip_id,route_id,service_id,bikes,duration")
    write("stop_times.csv", "trip_id,stop_sequence,stop_id,arrival_time")
    write("alerts.csv", "alert_id,trip_id,stop_sequence,sent")
    for (number = 1; number <= 30; number++) {
        minute = 1200 + draw(240)
        write("trips.csv", sprintf("%d,R%02d,%s,%s,PT%dH%dM", 700 + number, draw(8) + 1, pick("weekday weekend"), pick("true false"), draw(3) + 1, draw(60)))
        count = draw(4) + 2
        for (place = 1; place <= count; place++) {
            write("stop_times.csv", sprintf("%d,%d,%s,%02d:%02d:00", 700 + number, place, stop((number * 7 + place) % 30 + 1), int(minute / 60), minute % 60))
            minute += draw(40) + 3
            if (draw(5) == 0) write("alerts.csv", sprintf("%d,%d,%d,2026-0%d-1%dT0%d:00:00+0%d:00", ++alerts, 700 + number, place, draw(9) + 1, draw(10), draw(10), draw(3)))
        }
    }
}
function stop(number) { return sprintf("de:0%d:%d", 8000 + int((number - 1) / 3) * 11, (number + 2) % 3) }

# Column names in two rows, with units in the second; -999 for missing values, years and months.
function weather(    number, month, station) {
    begin("weather", 1010)
    write("station.csv", "code;place;height;rain gauge")
    write("station.csv", ";;m;mm")
    for (number = 1; number <= 12; number++) {
        write("station.csv", sprintf("%s;%s %d;%d;%s", station_code(number), pick("Hill Coast Vale"), number, draw(2500), draw(3) ? pick("0.1 0.2") : -999))
    }
    write("reading.csv", "station code;year;month;temperature;temperature;rain")
    write("reading.csv", ";;;mean;greatest;mm")
    for (number = 1; number <= 12; number++) for (month = 1; month <= 12; month++) {
        write("reading.csv", sprintf("%s;2025;%d;%s;%d;%s", station_code(number), month, draw(20) ? sprintf("%.1f", (draw(400) - 100) / 10) : -999, draw(45), draw(9) ? draw(90) "." draw(10) : -999))
    }
    write("visit.csv", "no;station code;when;sensor;hours")
    write("visit.csv", ";;;id;h")
    for (number = 1; number <= 40; number++) {
        write("visit.csv", sprintf("%d;%s;2025-%02d-%02d;%d;%s", number, station_code(draw(12) + 1), draw(12) + 1, draw(28) + 1, draw(12) + 1, draw(5) + 1 ".5"))
    }
}
function station_code(number) { return sprintf("%c%03d", 65 + number % 3, number * 83) 
}

BEGIN {
    airports(); clinic(); college(); events(); gallery(); grocer(); kitchen(); parishes(); trains(); weather()
}'
