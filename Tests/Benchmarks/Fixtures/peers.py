"""Writes employees as CSV with Faker or mimesis, one value after the other as in their documentation.

Usage: peers.py faker|mimesis ROWS > employees.csv
"""
import csv
import sys

peer, rows = sys.argv[1], int(sys.argv[2])
writer = csv.writer(sys.stdout, lineterminator="\n")
writer.writerow(["id", "firstName", "lastName", "salary", "dateHired", "boss"])
if peer == "faker":
    import faker

    fake = faker.Faker()
    faker.Faker.seed(42)
    for row in range(1, rows + 1):
        writer.writerow([
            row, fake.first_name(), fake.last_name(), fake.random_int(18_000, 400_000, 100),
            fake.date_between("-30y").isoformat(), fake.random_int(1, 1000),
        ])
else:
    import mimesis

    generic = mimesis.Generic(seed=42)
    for row in range(1, rows + 1):
        writer.writerow([
            row, generic.person.first_name(), generic.person.last_name(), generic.numeric.integer_number(18_000, 400_000),
            generic.datetime.date(start=1995, end=2024).isoformat(), generic.numeric.integer_number(1, 1000),
        ])
