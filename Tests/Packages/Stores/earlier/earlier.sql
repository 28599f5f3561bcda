--
-- PostgreSQL database dump
--


-- Dumped from database version 15.18 (Debian 15.18-0+deb12u1)
-- Dumped by pg_dump version 15.18 (Debian 15.18-0+deb12u1)

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

--
-- Name: earlier; Type: SCHEMA; Schema: -; Owner: -
--

CREATE SCHEMA earlier;


--
-- Name: strata_count(bigint); Type: FUNCTION; Schema: earlier; Owner: -
--

CREATE FUNCTION earlier.strata_count(number bigint) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
DECLARE
    rows bigint := coalesce(nullif(current_setting('strata.rows', true), ''), '0')::bigint + 1;
    kept text := set_config('strata.rows', rows::text, true);
BEGIN
    IF rows % 4096 = 0 THEN RAISE INFO USING MESSAGE = kept || ' rows', ERRCODE = 'ST001'; END IF;
    RETURN number;
END $$;


--
-- Name: strata_exact(double precision); Type: FUNCTION; Schema: earlier; Owner: -
--

CREATE FUNCTION earlier.strata_exact(x double precision) RETURNS numeric
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS $$ SELECT sign(x)::numeric * CASE WHEN p >= 0 THEN m * power(2::numeric, p) ELSE m * power(5::numeric, -p) * ('1e' || p)::numeric END FROM (SELECT (b & 4503599627370495) + CASE WHEN e > 0 THEN 4503599627370496 ELSE 0 END AS m, greatest(e, 1) - 1075 AS p FROM (SELECT b, (b >> 52) & 2047 AS e FROM (SELECT ('x' || encode(float8send(x), 'hex'))::bit(64)::bigint AS b) AS bits) AS parts) AS number $$;


--
-- Name: strata_number_key(text); Type: FUNCTION; Schema: earlier; Owner: -
--

CREATE FUNCTION earlier.strata_number_key(x text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    AS $_$
DECLARE
    m text[] := regexp_match(x, '^([+-]?)([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?)([0-9]+))?$');
    digits text := rtrim(m[2] || coalesce(m[3], ''), '0');
    furthest numeric := 1000000000000000;
    place numeric;
    power numeric;
BEGIN
    IF ltrim(digits, '0') = '' THEN RETURN '1'; END IF;
    power := least(coalesce(m[5], '0')::numeric, 2 * furthest);
    IF m[4] = '-' THEN power := -power; END IF;
    place := length(m[2]) - (length(digits) - length(ltrim(digits, '0'))) + power;
    place := least(greatest(-furthest, place), furthest) + furthest;
    digits := ltrim(digits, '0');
    IF m[1] <> '-' THEN RETURN '2' || lpad(place::text, 16, '0') || digits; END IF;
    RETURN '0' || lpad((2 * furthest - place)::text, 16, '0') || translate(digits, '0123456789', '9876543210') || '~';
END $_$;


--
-- Name: strata_order(text, text); Type: FUNCTION; Schema: earlier; Owner: -
--

CREATE FUNCTION earlier.strata_order(x text, format text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    AS $_$
DECLARE
    pattern text;
    m text[];
    n integer[];
    leap integer;
    rest integer;
    cycle integer;
    days integer;
    zone integer := 0;
BEGIN
    pattern := CASE format WHEN 'year' THEN '^-?([0-9]{4}|[1-9][0-9]{4,})$' WHEN 'bigInteger' THEN '^[+-]?[0-9]+$'
        WHEN 'number' THEN '^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$' END;
    IF x ~ pattern THEN RETURN strata_number_key(x); END IF;
    IF pattern IS NOT NULL THEN RETURN '~' || x; END IF;
    IF format = 'yearMonth' THEN
        m := regexp_match(x, '^(-?(?:[0-9]{4}|[1-9][0-9]{4,}))-(0[1-9]|1[0-2])$');
        IF m IS NULL THEN RETURN '~' || x; END IF;
        RETURN strata_number_key(m[1]) || ' ' || m[2];
    END IF;
    IF format NOT IN ('localDateTime', 'offsetDateTime', 'dateTime') THEN RETURN x; END IF;
    m := regexp_match(x, '^([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})'
        '(?:\.([0-9]{1,9}))?(Z|[+-]([0-9]{2}):([0-9]{2}))?$');
    IF m IS NULL OR format = 'localDateTime' AND m[8] IS NOT NULL OR format = 'offsetDateTime' AND m[8] IS NULL THEN
        RETURN '~' || x;
    END IF;
    n := m[1:6]::integer[];
    leap := CASE WHEN n[1] % 4 = 0 AND (n[1] % 100 <> 0 OR n[1] % 400 = 0) THEN 1 ELSE 0 END;
    IF n[2] NOT BETWEEN 1 AND 12 OR n[4] > 23 OR n[5] > 59 OR n[6] > 59 OR n[3] NOT BETWEEN 1
        AND (ARRAY[31, 28 + leap, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31])[n[2]] THEN RETURN '~' || x; END IF;
    IF m[9] IS NOT NULL THEN
        IF m[10]::integer > 59 OR m[9]::integer * 60 + m[10]::integer > 840 THEN RETURN '~' || x; END IF;
        zone := (m[9]::integer * 3600 + m[10]::integer * 60) * CASE WHEN m[8] LIKE '-%' THEN -1 ELSE 1 END;
    END IF;
    cycle := floor((n[1] - 2001) / 400.0);
    rest := n[1] - 2001 - cycle * 400;
    days := cycle * 146097 + rest * 365 + rest / 4 - rest / 100 + n[3] - 1
        + (ARRAY[0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334])[n[2]] + CASE WHEN n[2] > 2 THEN leap ELSE 0 END;
    RETURN lpad((days::bigint * 86400 + n[4] * 3600 + n[5] * 60 + n[6] - zone + 1000000000000)::text, 13, '0')
        || rpad(coalesce(m[7], ''), 9, '0');
END $_$;


--
-- Name: strata_product(double precision, double precision); Type: FUNCTION; Schema: earlier; Owner: -
--

CREATE FUNCTION earlier.strata_product(a double precision, b double precision) RETURNS double precision
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$ SELECT CASE WHEN least(abs(a), abs(b)) < CAST('1e-161' AS double precision) THEN CASE WHEN strata_vanishes(a, b) THEN 0 ELSE a * b + 0 END ELSE a * b + 0 END $$;


--
-- Name: strata_quotient(double precision, double precision); Type: FUNCTION; Schema: earlier; Owner: -
--

CREATE FUNCTION earlier.strata_quotient(a double precision, b double precision) RETURNS double precision
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$ SELECT CASE WHEN abs(a) < CAST('1e-15' AS double precision) AND abs(b) > 1 THEN CASE WHEN abs(a) * CAST('8.997827589086393e+161' AS double precision) <= abs(b) * CAST('2.2227587494850775e-162' AS double precision) THEN 0 ELSE a / b + 0 END ELSE a / b + 0 END $$;


--
-- Name: strata_remainder(double precision, double precision); Type: FUNCTION; Schema: earlier; Owner: -
--

CREATE FUNCTION earlier.strata_remainder(a double precision, b double precision) RETURNS double precision
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS $$ SELECT CAST(mod(strata_exact(a), strata_exact(b)) AS double precision) $$;


--
-- Name: strata_remainder(bigint, bigint); Type: FUNCTION; Schema: earlier; Owner: -
--

CREATE FUNCTION earlier.strata_remainder(a bigint, b bigint) RETURNS bigint
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS $$ SELECT a % b $$;


--
-- Name: strata_vanishes(double precision, double precision); Type: FUNCTION; Schema: earlier; Owner: -
--

CREATE FUNCTION earlier.strata_vanishes(a double precision, b double precision) RETURNS boolean
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    AS $$ BEGIN RETURN a <> 0 AND b <> 0 AND 2 * abs(strata_exact(a) * strata_exact(b)) <= strata_exact('5e-324'); END $$;


SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: City; Type: TABLE; Schema: earlier; Owner: -
--

CREATE TABLE earlier."City" (
    id bigint NOT NULL,
    _version bigint NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    country bigint NOT NULL
);


--
-- Name: Country; Type: TABLE; Schema: earlier; Owner: -
--

CREATE TABLE earlier."Country" (
    id bigint NOT NULL,
    _version bigint NOT NULL,
    code text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C"
);


--
-- Name: Invoice; Type: TABLE; Schema: earlier; Owner: -
--

CREATE TABLE earlier."Invoice" (
    id bigint NOT NULL,
    _version bigint NOT NULL,
    year bigint NOT NULL,
    no bigint NOT NULL,
    total bigint NOT NULL
);


--
-- Name: Line; Type: TABLE; Schema: earlier; Owner: -
--

CREATE TABLE earlier."Line" (
    id bigint NOT NULL,
    _version bigint NOT NULL,
    invoice bigint NOT NULL,
    text text NOT NULL COLLATE pg_catalog."C"
);


--
-- Name: Member; Type: TABLE; Schema: earlier; Owner: -
--

CREATE TABLE earlier."Member" (
    id bigint NOT NULL,
    _version bigint NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    team bigint,
    joined text COLLATE pg_catalog."C"
);


--
-- Name: Person; Type: TABLE; Schema: earlier; Owner: -
--

CREATE TABLE earlier."Person" (
    id bigint NOT NULL,
    _version bigint NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C"
);


--
-- Name: Pet; Type: TABLE; Schema: earlier; Owner: -
--

CREATE TABLE earlier."Pet" (
    id bigint NOT NULL,
    _version bigint NOT NULL,
    id2 bigint NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    person bigint
);


--
-- Name: Team; Type: TABLE; Schema: earlier; Owner: -
--

CREATE TABLE earlier."Team" (
    id bigint NOT NULL,
    _version bigint NOT NULL,
    id2 bigint NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    budget bigint,
    founded text COLLATE pg_catalog."C"
);


--
-- Name: strata_metadata; Type: TABLE; Schema: earlier; Owner: -
--

CREATE TABLE earlier.strata_metadata (
    key text NOT NULL COLLATE pg_catalog."C",
    value text NOT NULL COLLATE pg_catalog."C",
    "generation 0" boolean
);


--
-- Name: strata_sequence; Type: TABLE; Schema: earlier; Owner: -
--

CREATE TABLE earlier.strata_sequence (
    entity text NOT NULL COLLATE pg_catalog."C",
    next bigint NOT NULL
);


--
-- Data for Name: City; Type: TABLE DATA; Schema: earlier; Owner: -
--

INSERT INTO earlier."City" VALUES (1, 5600846, 'Wien', 2);
INSERT INTO earlier."City" VALUES (2, 5600846, 'Bonn', 1);
INSERT INTO earlier."City" VALUES (3, 5600846, 'Bern', 3);
INSERT INTO earlier."City" VALUES (4, 5600846, 'Graz', 2);


--
-- Data for Name: Country; Type: TABLE DATA; Schema: earlier; Owner: -
--

INSERT INTO earlier."Country" VALUES (1, 2118266, 'de', 'Germany');
INSERT INTO earlier."Country" VALUES (2, 2118266, 'at', 'Austria');
INSERT INTO earlier."Country" VALUES (3, 2118266, 'ch', 'Switzerland');


--
-- Data for Name: Invoice; Type: TABLE DATA; Schema: earlier; Owner: -
--

INSERT INTO earlier."Invoice" VALUES (1, 4186241, 2021, 1, 1050);
INSERT INTO earlier."Invoice" VALUES (2, 4186241, 2020, 7, 2025);
INSERT INTO earlier."Invoice" VALUES (3, 4186241, 2020, 1, 3000);


--
-- Data for Name: Line; Type: TABLE DATA; Schema: earlier; Owner: -
--

INSERT INTO earlier."Line" VALUES (1, 2215860, 2, 'paper');
INSERT INTO earlier."Line" VALUES (2, 2215860, 1, 'ink');
INSERT INTO earlier."Line" VALUES (3, 2215860, 3, 'pens');


--
-- Data for Name: Member; Type: TABLE DATA; Schema: earlier; Owner: -
--

INSERT INTO earlier."Member" VALUES (1, 15575973, 'Ann', 3, '2024-05-06T07:08:09.120Z');
INSERT INTO earlier."Member" VALUES (2, 15575973, 'Ben', 1, '1955-01-01T00:00:00Z');
INSERT INTO earlier."Member" VALUES (3, 15575973, 'Cas', NULL, NULL);


--
-- Data for Name: Person; Type: TABLE DATA; Schema: earlier; Owner: -
--

INSERT INTO earlier."Person" VALUES (1, 16244082, 'Ada');
INSERT INTO earlier."Person" VALUES (2, 16244082, 'Bo');
INSERT INTO earlier."Person" VALUES (5, 16244082, 'Cy');


--
-- Data for Name: Pet; Type: TABLE DATA; Schema: earlier; Owner: -
--

INSERT INTO earlier."Pet" VALUES (1, 9606082, 7, 'Rex', 5);
INSERT INTO earlier."Pet" VALUES (2, 9606082, 3, 'Tom', 1);
INSERT INTO earlier."Pet" VALUES (3, 9606082, 9, 'Kit', NULL);


--
-- Data for Name: Team; Type: TABLE DATA; Schema: earlier; Owner: -
--

INSERT INTO earlier."Team" VALUES (1, 16483175, 30, 'Red', -1250, '2001-02-03');
INSERT INTO earlier."Team" VALUES (2, 16483175, 10, 'Blue', 10000, '1969-07-20');
INSERT INTO earlier."Team" VALUES (3, 16483175, 20, 'Gold', NULL, NULL);


--
-- Data for Name: strata_metadata; Type: TABLE DATA; Schema: earlier; Owner: -
--

INSERT INTO earlier.strata_metadata VALUES ('hash.City', '2c1a8c7a2027d5fc', NULL);
INSERT INTO earlier.strata_metadata VALUES ('hash.Country', '75caa3a6600b7430', NULL);
INSERT INTO earlier.strata_metadata VALUES ('hash.Invoice', 'e35e97f4c256da6e', NULL);
INSERT INTO earlier.strata_metadata VALUES ('hash.Line', 'ed2168004786c5c5', NULL);
INSERT INTO earlier.strata_metadata VALUES ('hash.Member', '794fdda4ede51738', NULL);
INSERT INTO earlier.strata_metadata VALUES ('hash.Person', '22e69ec6b0c831f1', NULL);
INSERT INTO earlier.strata_metadata VALUES ('hash.Pet', 'd809034d150b68f2', NULL);
INSERT INTO earlier.strata_metadata VALUES ('hash.Team', '570c1de518a1ac49', NULL);
INSERT INTO earlier.strata_metadata VALUES ('model', '{"entities":[{"name":"City","properties":[{"isConstant":false,"isIndexed":false,"isOptional":false,"isUnique":false,"name":"name","rules":[],"type":"string"},{"deleteRule":"nullify","destination":"Country","inverse":"cities","isOptional":false,"name":"country","type":"toOne"}]},{"name":"Country","properties":[{"isConstant":false,"isIndexed":false,"isOptional":false,"isUnique":true,"name":"code","rules":[],"type":"string"},{"isConstant":false,"isIndexed":false,"isOptional":false,"isUnique":false,"name":"name","rules":[],"type":"string"},{"deleteRule":"deny","destination":"City","inverse":"country","isOptional":true,"name":"cities","type":"toMany"}]},{"name":"Invoice","properties":[{"isConstant":false,"isIndexed":false,"isOptional":false,"isUnique":false,"name":"year","rules":[],"type":"integer64"},{"isConstant":false,"isIndexed":false,"isOptional":false,"isUnique":false,"name":"no","rules":[],"type":"integer64"},{"isConstant":false,"isIndexed":false,"isOptional":false,"isUnique":false,"name":"total","rules":[],"type":"decimal(2)"},{"deleteRule":"deny","destination":"Line","inverse":"invoice","isOptional":true,"name":"lines","type":"toMany"}],"uniquenessConstraints":[["year","no"]]},{"name":"Line","properties":[{"deleteRule":"nullify","destination":"Invoice","inverse":"lines","isOptional":false,"name":"invoice","type":"toOne"},{"isConstant":false,"isIndexed":false,"isOptional":false,"isUnique":false,"name":"text","rules":[],"type":"string"}]},{"name":"Member","properties":[{"isConstant":false,"isIndexed":false,"isOptional":false,"isUnique":false,"name":"name","rules":[],"type":"string"},{"deleteRule":"nullify","destination":"Team","inverse":"members","isOptional":true,"name":"team","type":"toOne"},{"format":"offsetDateTime","isConstant":false,"isIndexed":false,"isOptional":true,"isUnique":false,"name":"joined","rules":[],"type":"string"}]},{"name":"Person","properties":[{"isConstant":false,"isIndexed":false,"isOptional":false,"isUnique":false,"name":"name","rules":[],"type":"string"},{"deleteRule":"nullify","destination":"Pet","inverse":"person","isOptional":true,"name":"pets","type":"toMany"}]},{"name":"Pet","properties":[{"isConstant":false,"isIndexed":false,"isOptional":false,"isUnique":true,"name":"id2","rules":[],"type":"integer64"},{"isConstant":false,"isIndexed":false,"isOptional":false,"isUnique":false,"name":"name","rules":[],"type":"string"},{"deleteRule":"nullify","destination":"Person","inverse":"pets","isOptional":true,"name":"person","type":"toOne"}]},{"name":"Team","properties":[{"isConstant":false,"isIndexed":false,"isOptional":false,"isUnique":true,"name":"id2","rules":[],"type":"integer64"},{"isConstant":false,"isIndexed":false,"isOptional":false,"isUnique":false,"name":"name","rules":[],"type":"string"},{"isConstant":false,"isIndexed":false,"isOptional":true,"isUnique":false,"name":"budget","rules":[],"type":"decimal(2)"},{"isConstant":false,"isIndexed":false,"isOptional":true,"isUnique":false,"name":"founded","rules":[],"type":"day"},{"deleteRule":"nullify","destination":"Member","inverse":"team","isOptional":true,"name":"members","type":"toMany"}]}]}', NULL);
INSERT INTO earlier.strata_metadata VALUES ('model.file', '{
  "$schema": "https://datapackage.org/profiles/2.0/datapackage.json",
  "strata:version": 1,
  "resources": [
    {
      "name": "city",
      "type": "table",
      "path": "city.csv",
      "strata:ids": "own",
      "schema": {
        "fields": [
          {"name": "name", "type": "string", "constraints": {"required": true}},
          {"name": "country_code", "type": "string", "constraints": {"required": true}}
        ],
        "foreignKeys": [
          {
            "fields": ["country_code"],
            "reference": {"resource": "country", "fields": ["code"]},
            "strata:name": "country",
            "strata:inverse": "cities"
          }
        ]
      }
    },
    {
      "name": "country",
      "type": "table",
      "path": "country.csv",
      "strata:ids": "own",
      "schema": {
        "fields": [
          {"name": "code", "type": "string", "constraints": {"required": true, "unique": true}},
          {"name": "name", "type": "string", "constraints": {"required": true}}
        ]
      }
    },
    {
      "name": "invoice",
      "type": "table",
      "path": "invoice.csv",
      "strata:ids": "own",
      "schema": {
        "fields": [
          {"name": "year", "type": "integer", "constraints": {"required": true}},
          {"name": "no", "type": "integer", "constraints": {"required": true}},
          {
            "name": "total",
            "type": "number",
            "strata:scale": 2,
            "constraints": {"required": true},
            "strata:fewestDigits": true
          }
        ],
        "uniqueKeys": [["year", "no"]]
      }
    },
    {
      "name": "line",
      "type": "table",
      "path": "line.csv",
      "schema": {
        "fields": [
          {"name": "id", "type": "integer"},
          {"name": "year", "type": "integer", "constraints": {"required": true}},
          {"name": "no", "type": "integer", "constraints": {"required": true}},
          {"name": "text", "type": "string", "constraints": {"required": true}}
        ],
        "primaryKey": ["id"],
        "foreignKeys": [
          {
            "fields": ["year", "no"],
            "reference": {"resource": "invoice", "fields": ["year", "no"]},
            "strata:name": "invoice",
            "strata:inverse": "lines"
          }
        ]
      }
    },
    {
      "name": "member",
      "type": "table",
      "path": "member.csv",
      "schema": {
        "fields": [
          {"name": "id", "type": "integer"},
          {"name": "name", "type": "string", "constraints": {"required": true}},
          {"name": "team_id", "type": "integer"},
          {"name": "joined", "type": "string", "strata:domain": "offsetDateTime"}
        ],
        "primaryKey": ["id"],
        "foreignKeys": [
          {
            "fields": ["team_id"],
            "reference": {"resource": "team", "fields": ["id"]},
            "strata:name": "team",
            "strata:inverse": "members"
          }
        ]
      }
    },
    {
      "name": "person",
      "type": "table",
      "path": "person.csv",
      "schema": {
        "fields": [
          {"name": "id", "type": "integer"},
          {"name": "name", "type": "string", "constraints": {"required": true}}
        ],
        "primaryKey": ["id"]
      }
    },
    {
      "name": "pet",
      "type": "table",
      "path": "pet.csv",
      "strata:ids": "own",
      "schema": {
        "fields": [
          {
            "name": "id",
            "strata:name": "id2",
            "type": "integer",
            "constraints": {"required": true, "unique": true}
          },
          {"name": "name", "type": "string", "constraints": {"required": true}},
          {"name": "person_id", "type": "integer"}
        ],
        "foreignKeys": [
          {
            "fields": ["person_id"],
            "reference": {"resource": "person", "fields": ["id"]},
            "strata:name": "person",
            "strata:inverse": "pets"
          }
        ]
      }
    },
    {
      "name": "team",
      "type": "table",
      "path": "team.csv",
      "strata:ids": "own",
      "schema": {
        "fields": [
          {
            "name": "id",
            "strata:name": "id2",
            "type": "integer",
            "constraints": {"required": true, "unique": true}
          },
          {"name": "name", "type": "string", "constraints": {"required": true}},
          {"name": "budget", "type": "number", "strata:scale": 2},
          {"name": "founded", "type": "date"}
        ]
      }
    }
  ]
}
', NULL);
INSERT INTO earlier.strata_metadata VALUES ('uuid', '592072A9-7871-4EBB-B33F-5F4C3E6BB6C1', NULL);


--
-- Data for Name: strata_sequence; Type: TABLE DATA; Schema: earlier; Owner: -
--

INSERT INTO earlier.strata_sequence VALUES ('Team', 4);
INSERT INTO earlier.strata_sequence VALUES ('Line', 4);
INSERT INTO earlier.strata_sequence VALUES ('Person', 6);
INSERT INTO earlier.strata_sequence VALUES ('Member', 4);
INSERT INTO earlier.strata_sequence VALUES ('Country', 4);
INSERT INTO earlier.strata_sequence VALUES ('City', 5);
INSERT INTO earlier.strata_sequence VALUES ('Pet', 4);
INSERT INTO earlier.strata_sequence VALUES ('Invoice', 4);


--
-- Name: City City_pkey; Type: CONSTRAINT; Schema: earlier; Owner: -
--

ALTER TABLE ONLY earlier."City"
    ADD CONSTRAINT "City_pkey" PRIMARY KEY (id);


--
-- Name: Country Country_code_key; Type: CONSTRAINT; Schema: earlier; Owner: -
--

ALTER TABLE ONLY earlier."Country"
    ADD CONSTRAINT "Country_code_key" UNIQUE (code);


--
-- Name: Country Country_pkey; Type: CONSTRAINT; Schema: earlier; Owner: -
--

ALTER TABLE ONLY earlier."Country"
    ADD CONSTRAINT "Country_pkey" PRIMARY KEY (id);


--
-- Name: Invoice Invoice_pkey; Type: CONSTRAINT; Schema: earlier; Owner: -
--

ALTER TABLE ONLY earlier."Invoice"
    ADD CONSTRAINT "Invoice_pkey" PRIMARY KEY (id);


--
-- Name: Line Line_pkey; Type: CONSTRAINT; Schema: earlier; Owner: -
--

ALTER TABLE ONLY earlier."Line"
    ADD CONSTRAINT "Line_pkey" PRIMARY KEY (id);


--
-- Name: Member Member_pkey; Type: CONSTRAINT; Schema: earlier; Owner: -
--

ALTER TABLE ONLY earlier."Member"
    ADD CONSTRAINT "Member_pkey" PRIMARY KEY (id);


--
-- Name: Person Person_pkey; Type: CONSTRAINT; Schema: earlier; Owner: -
--

ALTER TABLE ONLY earlier."Person"
    ADD CONSTRAINT "Person_pkey" PRIMARY KEY (id);


--
-- Name: Pet Pet_id2_key; Type: CONSTRAINT; Schema: earlier; Owner: -
--

ALTER TABLE ONLY earlier."Pet"
    ADD CONSTRAINT "Pet_id2_key" UNIQUE (id2);


--
-- Name: Pet Pet_pkey; Type: CONSTRAINT; Schema: earlier; Owner: -
--

ALTER TABLE ONLY earlier."Pet"
    ADD CONSTRAINT "Pet_pkey" PRIMARY KEY (id);


--
-- Name: Team Team_id2_key; Type: CONSTRAINT; Schema: earlier; Owner: -
--

ALTER TABLE ONLY earlier."Team"
    ADD CONSTRAINT "Team_id2_key" UNIQUE (id2);


--
-- Name: Team Team_pkey; Type: CONSTRAINT; Schema: earlier; Owner: -
--

ALTER TABLE ONLY earlier."Team"
    ADD CONSTRAINT "Team_pkey" PRIMARY KEY (id);


--
-- Name: strata_metadata strata_metadata_pkey; Type: CONSTRAINT; Schema: earlier; Owner: -
--

ALTER TABLE ONLY earlier.strata_metadata
    ADD CONSTRAINT strata_metadata_pkey PRIMARY KEY (key);


--
-- Name: strata_sequence strata_sequence_pkey; Type: CONSTRAINT; Schema: earlier; Owner: -
--

ALTER TABLE ONLY earlier.strata_sequence
    ADD CONSTRAINT strata_sequence_pkey PRIMARY KEY (entity);


--
-- Name: City_country; Type: INDEX; Schema: earlier; Owner: -
--

CREATE INDEX "City_country" ON earlier."City" USING btree (country);


--
-- Name: Invoice.year.no; Type: INDEX; Schema: earlier; Owner: -
--

CREATE UNIQUE INDEX "Invoice.year.no" ON earlier."Invoice" USING btree (year, no);


--
-- Name: Line_invoice; Type: INDEX; Schema: earlier; Owner: -
--

CREATE INDEX "Line_invoice" ON earlier."Line" USING btree (invoice);


--
-- Name: Member_team; Type: INDEX; Schema: earlier; Owner: -
--

CREATE INDEX "Member_team" ON earlier."Member" USING btree (team);


--
-- Name: Pet_person; Type: INDEX; Schema: earlier; Owner: -
--

CREATE INDEX "Pet_person" ON earlier."Pet" USING btree (person);


--
-- Name: City City_country_fkey; Type: FK CONSTRAINT; Schema: earlier; Owner: -
--

ALTER TABLE ONLY earlier."City"
    ADD CONSTRAINT "City_country_fkey" FOREIGN KEY (country) REFERENCES earlier."Country"(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: Line Line_invoice_fkey; Type: FK CONSTRAINT; Schema: earlier; Owner: -
--

ALTER TABLE ONLY earlier."Line"
    ADD CONSTRAINT "Line_invoice_fkey" FOREIGN KEY (invoice) REFERENCES earlier."Invoice"(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: Member Member_team_fkey; Type: FK CONSTRAINT; Schema: earlier; Owner: -
--

ALTER TABLE ONLY earlier."Member"
    ADD CONSTRAINT "Member_team_fkey" FOREIGN KEY (team) REFERENCES earlier."Team"(id) DEFERRABLE INITIALLY DEFERRED;


--
-- Name: Pet Pet_person_fkey; Type: FK CONSTRAINT; Schema: earlier; Owner: -
--

ALTER TABLE ONLY earlier."Pet"
    ADD CONSTRAINT "Pet_person_fkey" FOREIGN KEY (person) REFERENCES earlier."Person"(id) DEFERRABLE INITIALLY DEFERRED;


--
-- PostgreSQL database dump complete
--


