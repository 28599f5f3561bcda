#ifndef CSTRATAPOSTGRESQL_SHIM_H
#define CSTRATAPOSTGRESQL_SHIM_H

#include <libpq-fe.h>

#endif
