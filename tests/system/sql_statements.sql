SELECT 1
SELECT 1 + 1 AS two, 'it''s' AS quoted, NULL AS nothing
SELECT 7 / 2 AS whole, 7 / 2.0 AS part, 7 % 3 AS rest, -7 / 2 AS negative
SELECT 1 / 0 AS division
SELECT 'a' || 'b' || 1 AS joined
SELECT 1 = 1 AS yes, 1 = 2 AS no, NULL = NULL AS unknown, NULL IS NULL AS really
SELECT x'00ff41' AS blob, length(x'00ff41') AS bytes, hex(x'0aff') AS hexed
SELECT 9223372036854775807 AS most, -9223372036854775808 AS least
SELECT 9223372036854775807 + 1 AS beyond
SELECT 0x1F AS hexadecimal, 1e3 AS thousand, .5 AS half
SELECT CAST('12abc' AS INTEGER) AS prefix, CAST('x' AS REAL) AS none, CAST(3.9 AS INTEGER) AS cut
SELECT typeof(1) AS a, typeof(1.0) AS b, typeof('1') AS c, typeof(x'31') AS d, typeof(NULL) AS e
SELECT abs(-3) AS a, max(1, 5, 3) AS b, min('b', 'a') AS c, round(2.567, 2) AS d, sign(-4) AS e
SELECT upper('ärger abc') AS up, lower('ABC') AS low, length('äöü') AS long, unicode('é') AS code
SELECT substr('abcdef', 2, 3) AS mid, substr('abcdef', -2) AS tail, instr('abcdef', 'cd') AS place
SELECT trim('  x  ') AS both, ltrim('xxa', 'x') AS l, rtrim('axx', 'x') AS r, replace('aXbX', 'X', '-') AS s
SELECT printf('%05d|%.2f|%s|%x', 42, 3.14159, 'text', 255) AS formatted
SELECT coalesce(NULL, NULL, 3) AS c, ifnull(NULL, 'x') AS i, nullif(1, 1) AS n, iif(1 > 2, 'a', 'b') AS ii
SELECT CASE 3 WHEN 1 THEN 'one' WHEN 3 THEN 'three' ELSE 'many' END AS word
SELECT CASE WHEN 1 > 2 THEN 'no' END AS nothing
SELECT 5 BETWEEN 1 AND 10 AS inside, 5 IN (1, 2, 3) AS listed, 5 NOT IN (1, 2) AS outside
SELECT 'abc' LIKE 'A%' AS liked, 'abc' GLOB 'a*' AS globbed, 'a_c' LIKE 'a\_c' ESCAPE '\' AS escaped
SELECT 'abc' REGEXP '^a.c$' AS matched, 'abc' REGEXP 'x' AS not_matched
SELECT 6 & 3 AS conj, 6 | 3 AS disj, ~5 AS inverse, 1 << 4 AS moved, 256 >> 2 AS back
SELECT date('2024-02-28', '+2 days') AS day, strftime('%Y/%m/%d %H', '2024-01-02 03:04:05') AS text
SELECT julianday('2000-01-01 12:00:00') AS jd, unixepoch('1970-01-02') AS seconds
SELECT date('2024-01-31', 'start of month', '+1 month', '-1 day') AS last, time('12:30', '+45 minutes') AS later
SELECT date('no date') AS nothing
VALUES (1, 'a'), (2, 'b'), (3, NULL)
SELECT * FROM (VALUES (1, 2), (3, 4))
SELECT quote('it''s') AS q, quote(x'01') AS b, quote(NULL) AS n
SELECT char(72, 105) AS hi, zeroblob(3) AS zeros
SELECT group_concat(column1, '-') AS g FROM (VALUES ('a'), ('b'), ('c'))
CREATE TABLE region (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)
CREATE TABLE sale (id INTEGER PRIMARY KEY, region_id INTEGER REFERENCES region(id), amount REAL CHECK (amount > 0), day TEXT DEFAULT '2024-01-01')
INSERT INTO region VALUES (1, 'North'), (2, 'South'), (3, 'East')
INSERT INTO sale (region_id, amount, day) VALUES (1, 10.5, '2024-01-01'), (1, 20, '2024-01-02'), (2, 5.25, '2024-01-02'), (2, 7, '2024-02-01'), (NULL, 3, '2024-02-03')
INSERT INTO sale (region_id, amount) VALUES (1, 1.5)
SELECT * FROM region
SELECT * FROM sale ORDER BY id
SELECT count(*) AS n, count(region_id) AS known, sum(amount) AS total, avg(amount) AS mean, min(day) AS first FROM sale
SELECT total(amount) AS t, sum(amount) AS s FROM sale WHERE amount > 1000
SELECT r.name, sum(s.amount) AS total FROM sale AS s JOIN region AS r ON r.id = s.region_id GROUP BY r.name ORDER BY total DESC
SELECT r.name, count(s.id) AS n FROM region r LEFT JOIN sale s ON s.region_id = r.id GROUP BY r.id ORDER BY r.id
SELECT name FROM region WHERE id NOT IN (SELECT region_id FROM sale WHERE region_id IS NOT NULL)
SELECT day, sum(amount) AS total FROM sale GROUP BY day HAVING total > 6 ORDER BY day
SELECT DISTINCT region_id FROM sale ORDER BY region_id
SELECT name FROM region ORDER BY name DESC LIMIT 2 OFFSET 1
SELECT id FROM region UNION SELECT region_id FROM sale ORDER BY 1
SELECT id FROM region INTERSECT SELECT region_id FROM sale
SELECT id FROM region EXCEPT SELECT region_id FROM sale
SELECT id FROM region UNION ALL SELECT 99
SELECT a.name AS a, b.name AS b FROM region a CROSS JOIN region b WHERE a.id < b.id ORDER BY 1, 2
SELECT * FROM region NATURAL JOIN (SELECT 1 AS id, 'x' AS other)
SELECT s.id, r.name FROM sale s FULL OUTER JOIN region r ON r.id = s.region_id ORDER BY s.id, r.name
SELECT s.id, r.name FROM sale s RIGHT JOIN region r ON r.id = s.region_id ORDER BY r.id, s.id
SELECT name, (SELECT max(amount) FROM sale WHERE region_id = region.id) AS best FROM region ORDER BY id
SELECT EXISTS (SELECT 1 FROM sale WHERE amount > 15) AS yes
SELECT id, amount, sum(amount) OVER (ORDER BY id) AS running FROM sale ORDER BY id
SELECT id, row_number() OVER (PARTITION BY region_id ORDER BY amount DESC) AS place FROM sale ORDER BY id
SELECT id, rank() OVER w AS r, dense_rank() OVER w AS d FROM sale WINDOW w AS (ORDER BY region_id) ORDER BY id
SELECT id, lag(amount) OVER (ORDER BY id) AS before, lead(amount, 1, 0) OVER (ORDER BY id) AS after FROM sale
SELECT id, ntile(2) OVER (ORDER BY id) AS half, first_value(amount) OVER (ORDER BY id) AS f FROM sale
SELECT id, avg(amount) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) AS smooth FROM sale
SELECT count(*) FILTER (WHERE amount > 6) AS large FROM sale
WITH t AS (SELECT region_id, sum(amount) AS a FROM sale GROUP BY 1) SELECT * FROM t WHERE a > 10 ORDER BY 1
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10) SELECT sum(i) AS s, group_concat(i) AS all_of_them FROM n
WITH RECURSIVE f(a, b) AS (VALUES (0, 1) UNION ALL SELECT b, a + b FROM f LIMIT 10) SELECT a FROM f
WITH a AS (SELECT 1 AS x), b AS (SELECT x + 1 AS y FROM a) SELECT * FROM a, b
UPDATE sale SET amount = amount * 2 WHERE region_id = 2
SELECT sum(amount) AS s FROM sale WHERE region_id = 2
UPDATE sale SET day = '2024-03-01' WHERE id = 1 RETURNING id, day
UPDATE sale SET amount = amount + 1 FROM region WHERE region.id = sale.region_id AND region.name = 'North'
DELETE FROM sale WHERE region_id IS NULL RETURNING *
DELETE FROM sale WHERE id = 4711
INSERT INTO region (name) VALUES ('West') RETURNING id, name
INSERT OR IGNORE INTO region VALUES (1, 'North again')
INSERT OR REPLACE INTO region VALUES (3, 'Orient')
INSERT INTO region VALUES (2, 'Other') ON CONFLICT (id) DO UPDATE SET name = excluded.name || '!'
SELECT * FROM region ORDER BY id
REPLACE INTO region VALUES (2, 'South')
SELECT changes() AS c
CREATE VIEW by_region AS SELECT r.name, sum(s.amount) AS total FROM sale s JOIN region r ON r.id = s.region_id GROUP BY 1
SELECT * FROM by_region ORDER BY total
CREATE INDEX sale_day ON sale (day)
CREATE UNIQUE INDEX sale_both ON sale (region_id, day, amount)
CREATE TRIGGER log_region AFTER INSERT ON region BEGIN INSERT INTO logged VALUES (new.id, new.name); END
CREATE TABLE logged (id INTEGER, name TEXT)
INSERT INTO region (name) VALUES ('Centre')
SELECT * FROM logged
ALTER TABLE logged ADD COLUMN stamp TEXT DEFAULT 'none'
ALTER TABLE logged RENAME COLUMN stamp TO mark
SELECT * FROM logged
ALTER TABLE logged RENAME TO history
ALTER TABLE history DROP COLUMN mark
SELECT name, type FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY name
SELECT name, type, pk FROM pragma_table_info('sale')
PRAGMA table_info(region)
PRAGMA foreign_key_list(sale)
PRAGMA user_version
PRAGMA user_version = 7
PRAGMA user_version
PRAGMA foreign_keys
PRAGMA integrity_check
CREATE TABLE generated (a INTEGER, b INTEGER GENERATED ALWAYS AS (a * 2) VIRTUAL, c TEXT AS (a || '!') STORED)
INSERT INTO generated (a) VALUES (1), (2)
SELECT * FROM generated
CREATE TABLE strict_one (a INTEGER, b TEXT) STRICT
INSERT INTO strict_one VALUES ('12', 5)
SELECT a, typeof(a) AS ta, b, typeof(b) AS tb FROM strict_one
CREATE TABLE keyed (k TEXT PRIMARY KEY, v) WITHOUT ROWID
INSERT INTO keyed VALUES ('b', 1), ('a', 2.5), ('c', 'three'), ('d', x'04'), ('e', NULL)
SELECT * FROM keyed
SELECT k FROM keyed ORDER BY v
SELECT k FROM keyed ORDER BY v DESC NULLS LAST
CREATE TABLE words (w TEXT COLLATE NOCASE)
INSERT INTO words VALUES ('b'), ('A'), ('B'), ('a')
SELECT count(DISTINCT w) AS n FROM words
SELECT w FROM words WHERE w = 'B' ORDER BY rowid
SELECT w COLLATE BINARY AS b FROM words ORDER BY 1
SELECT rowid, w FROM words LIMIT 2
CREATE TABLE copied AS SELECT id, amount * 2 AS double FROM sale
SELECT * FROM copied ORDER BY id
CREATE TABLE IF NOT EXISTS copied (x)
DROP TABLE copied
DROP TABLE IF EXISTS copied
SELECT json('{"a": [1, 2]}') AS j, json_extract('{"a": [1, 2]}', '$.a[1]') AS second
SELECT json_object('a', 1, 'b', NULL) AS o, json_array(1, 'x', 2.5) AS a, json_type('[1]') AS t
SELECT key, value, type FROM json_each('{"a": 1, "b": "x", "c": null}')
SELECT '{"a": {"b": 5}}' -> '$.a' AS j, '{"a": {"b": 5}}' ->> '$.a.b' AS v
SELECT json_group_array(name) AS names FROM (SELECT name FROM region ORDER BY id)
SELECT json_set('{"a": 1}', '$.b', 2) AS s, json_remove('[1, 2, 3]', '$[1]') AS r, json_valid('{') AS v
SELECT "region"."name" FROM "region" WHERE [region].[id] = 1 AND `region`.`name` IS NOT NULL
SELECT 'semi;colon' AS s -- a comment; with one
SELECT /* a comment; */ 1 AS one
SELECT name AS "a column with spaces; and more" FROM region WHERE id = 1
SELECT '日本' AS text, '𝄞' AS clef, length('𝄞') AS n
SELECT sum(v) AS s FROM (SELECT 0.1 AS v UNION ALL SELECT 0.2 UNION ALL SELECT 0.3)
SELECT 1.0 AS a, 100.0 AS b, 1e15 AS c, 1e16 AS d, 0.1 AS e, 1.0 / 3 AS f, 1e-7 AS g
SELECT max(NULL) AS m, sum(NULL) AS s, count(NULL) AS c
SELECT likelihood(1, 0.5) AS l, sqlite_version() = sqlite_version() AS same
SELECT (1, 2) < (1, 3) AS pairs, (1, 2) = (1, 2) AS equal
SELECT id FROM region WHERE (id, name) IN (VALUES (1, 'North'), (2, 'x'))
SELECT 1 WHERE 0
SELECT * FROM sale WHERE 0
CREATE TEMP TABLE passing (x)
SELECT * FROM passing
ANALYZE
REINDEX
VACUUM
BEGIN
COMMIT
ROLLBACK
SAVEPOINT one
RELEASE one
SELECT * FROM nowhere
SELECT nothing FROM region
SELECT region.nothing FROM region
SELECT r.nme FROM region AS r JOIN sale AS s ON s.region_id = r.id
SELECT name FROM region WHERE nmae = 'x'
SELECT name FROM region ORDER BY nmae
SELECT id FROM region JOIN sale ON sale.region_id = region.id
SELEC 1
SELECT * FORM region
SELECT * FROM region WHERE
SELECT name, FROM region
SELECT FROM region
SELECT (1 + 2
SELECT 1 + + * 2
SELECT 'never ends
SELECT "never ends
SELECT 1 AS a b
SELECT # FROM region
SELECT name FROM region GROUP id
SELECT name FROM region LIMIT 1 WHERE id = 1
SELECT count(*) FROM region HAVING
INSERT region VALUES (1)
INSERT INTO region VALUES (1)
INSERT INTO region (id, title) VALUES (9, 'x')
INSERT INTO region VALUES (1, 'Twice')
INSERT INTO region VALUES (50, 'North')
INSERT INTO region VALUES (51, NULL)
INSERT INTO sale (amount) VALUES (-1)
INSERT INTO strict_one VALUES ('text', 1)
INSERT INTO by_region VALUES (1, 2)
INSERT INTO generated (a, b) VALUES (1, 2)
INSERT INTO nowhere VALUES (1)
UPDATE region SET nothing = 1
UPDATE region SET name = 'North'
UPDATE nowhere SET x = 1
DELETE FROM nowhere
DELETE region WHERE id = 1
CREATE TABLE region (x)
CREATE TABLE twice (a, a)
CREATE TABLE unfinished (a INTEGER
CREATE INDEX sale_day ON sale (day)
CREATE INDEX other ON sale (nothing)
CREATE VIEW by_region AS SELECT 1
DROP TABLE nowhere
DROP VIEW region
DROP INDEX nowhere
ALTER TABLE nowhere RENAME TO x
ALTER TABLE region RENAME COLUMN nothing TO x
SELECT nofunction(1)
SELECT abs()
SELECT abs(1, 2)
SELECT sum(sum(amount)) FROM sale
SELECT name FROM region WHERE sum(id) > 1
SELECT row_number() FROM region
SELECT 1 UNION SELECT 1, 2
SELECT id FROM region ORDER BY 5
SELECT * FROM region, WHERE 1
SELECT (SELECT 1, 2)
SELECT 1 IN (SELECT 1, 2)
SELECT abs(-9223372036854775808)
SELECT json('{')
SELECT name COLLATE nothing FROM region
SELECT * FROM region r JOIN sale s USING (nothing)
SELECT x.* FROM region
WITH t AS (SELECT 1) SELECT * FROM u
WITH t(a, b) AS (SELECT 1) SELECT * FROM t
SELECT CAST(1 AS)
SELECT CASE WHEN 1 THEN 2
ROLLBACK TO nowhere
DETACH nowhere
DROP TRIGGER log_region
DROP VIEW by_region
SELECT * FROM by_region
SELECT count(*) AS tables FROM sqlite_schema WHERE type = 'table'
