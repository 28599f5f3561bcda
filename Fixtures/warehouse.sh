#!/bin/sh
# Generates the data of the warehouse. A generator in this file makes the output identical on every machine.
#
#     sh Fixtures/warehouse.sh Fixtures/warehouse
set -eu
LC_ALL=C awk -v directory="${1:?the directory to write to}" '
function draw(count) {
    state = (state * 48271) % 2147483647
    return int(state / 65536) % count
}
function write(file, line) { print line > (directory "/" file) }
BEGIN {
    state = 20260214
    write("category.csv", "code,title,parent code")
    # Children precede their parents as often as they follow them.
    split("Chairs Tables Shelves Lamps Rugs Beds Desks Stools Mirrors Plants Garden Office", titles, " ")
    for (number = 1; number <= 12; number++) {
        parent = draw(12) + 1
        write("category.csv", sprintf("c-%02d,%s,%s", number, titles[number], number == 7 || draw(5) == 0 ? "" : sprintf("c-%02d", parent)))
    }
    write("product.csv", "sku,name,price (EUR)")
    write("product_category.csv", "product,category,place")
    for (number = 1; number <= 60; number++) {
        sku = sprintf("%c%c-%03d", 65 + draw(26), 65 + draw(26), number)
        skus[number] = sku
        name = titles[draw(12) + 1]
        sub(/s$/, "", name)
        if (draw(4) == 0) name = "\"" name ", \"\"No. " number "\"\"\""
        write("product.csv", sprintf("%s,%s,%d.%02d", sku, name, draw(900) + 1, draw(100)))
        first = draw(12)
        places = draw(4)
        for (place = 0; place < places; place++) {
            write("product_category.csv", sprintf("%s,c-%02d,%d", sku, (first + 5 * place) % 12 + 1, place))
        }
    }
    write("order_line.csv", "order no.,line,product,quantity")
    write("return.csv", "reason,order,line,on")
    split("broken,late", reasons, ",")
    reasons[3] = "\"wrong, or not ordered\""
    for (order = 1; order <= 50; order++) {
        lines = draw(5) + 1
        for (line = 1; line <= lines; line++) {
            write("order_line.csv", sprintf("2026/%04d,%d,%s,%d", order, line, skus[draw(60) + 1], draw(9) + 1))
            if (draw(8) == 0) {
                write("return.csv", sprintf("%s,2026/%04d,%d,%s", draw(3) == 0 ? "" : reasons[draw(3) + 1], order, line, draw(4) == 0 ? "" : sprintf("2026-%02d-%02d", draw(12) + 1, draw(28) + 1)))
            }
        }
    }
}'
