// The tables. The first process creates them in one idempotent transaction, which may run concurrently.

import { UnknownSchema } from '../errors.ts'
import { SCHEMA_KEY } from '../keys.ts'
import { TEXTS_VERSION } from '../schema.ts'
import { addressText, type PostgresAddress } from './address.ts'
import type { Connection } from './connection.ts'
import { NoAnswer, NoTables, StatementRefused, UnfitDatabase } from './errors.ts'

/** Fails while a node of an earlier release is running, because that node could not read the rows of this release. */
const rowsStep = (tables: number, rows: number): string => `DO $$ BEGIN
  IF EXISTS (SELECT 1 FROM holdfast.node WHERE expires_at > now() AND reads < ${String(tables)}) THEN
    RAISE EXCEPTION 'a node of an earlier release runs, which cannot read the rows of this one: stop it first';
  END IF;
END $$;
UPDATE holdfast.row SET value = '${String(rows)}' WHERE key = '${SCHEMA_KEY}' AND value = '${String(rows - 1)}';`

/**
 * `STEPS[n]` migrates the tables from version n + 1 to n + 2. A step is idempotent, and processes of earlier releases
 * can still write.
 * Version 2: names. Version 3: holds of cells. Version 4: claims. Version 5: idle cells. Version 6: rows of
 * version 3, which no node of an earlier release reads. Version 7: rows of version 4, likewise. Version 8: clusters of
 * nodes. Version 9: tags of the secrets of nodes. Version 10: lengths of leases.
 */
const STEPS: readonly string[] = [
  `ALTER TABLE holdfast.tenant ADD COLUMN IF NOT EXISTS names int NOT NULL DEFAULT 0;
CREATE TABLE IF NOT EXISTS holdfast.name (
  key text COLLATE "C", tenant text COLLATE "C", id text COLLATE "C", held boolean NOT NULL,
  PRIMARY KEY (key, tenant, id));
CREATE INDEX IF NOT EXISTS name_left ON holdfast.name (tenant) WHERE NOT held;`,
  `ALTER TABLE holdfast.cell ADD COLUMN IF NOT EXISTS held_by text, ADD COLUMN IF NOT EXISTS held_until timestamptz;`,
  `CREATE TABLE IF NOT EXISTS holdfast.claim (
  name text COLLATE "C" PRIMARY KEY, cell text COLLATE "C" NOT NULL, epoch bigint NOT NULL, token uuid NOT NULL);
CREATE INDEX IF NOT EXISTS claim_token ON holdfast.claim (token);`,
  `ALTER TABLE holdfast.cell ADD COLUMN IF NOT EXISTS idle_epoch bigint, ADD COLUMN IF NOT EXISTS due_at timestamptz;`,
  rowsStep(6, 3),
  rowsStep(7, 4),
  `ALTER TABLE holdfast.node ADD COLUMN IF NOT EXISTS clusters text;`,
  `ALTER TABLE holdfast.node ADD COLUMN IF NOT EXISTS secret_tag text;`,
  `ALTER TABLE holdfast.node ADD COLUMN IF NOT EXISTS lease_ms int;`,
]

/** Version of the tables. The row texts have a separate version, in the row of `keys.SCHEMA_KEY`. */
export const TABLES_VERSION = STEPS.length + 1

/**
 * Version of the set of names that records have. `tenant.names` is the version that all records of the tenant have.
 * Version 2 added payment requests; version 3 added names that only other cells look up; version 4 added feeds in use;
 * version 5 added the tenant to grants of fee payers.
 */
export const NAMES_VERSION = 5

/** The cell that holds every tenant unless set otherwise. */
export const MAIN_CELL = 'main'

/**
 * - `step`: one row per commit. Rows are only inserted: a counter in one row would pile up dead versions during a long
 *   snapshot. The first row is inserted with the tables.
 * - `row.value`: null for a deleted row until its removal. `row` has no index except its primary key, because an index
 *   on a changing column would prevent HOT updates.
 * - `node.clusters`: ids of the clusters of its settings, sorted; null for a node of an earlier release.
 * - `node.secret_tag`: equal for nodes with the same secret, and useless without the master key; null as before.
 * - `node.lease_ms`: for how long the node acts as an owner after a renewal or a poll, at most; null as before.
 * - `cell.wanted`: the node to which an operator wants to hand the cell over.
 * - `cell.lost_history`: why no node may claim the cell: commits are lost, or a restore has not finished.
 * - `cell.held_by`: the move that holds the cell. No node may claim the cell before `cell.held_until`.
 * - `cell.idle_epoch`: the epoch under which the owner released the idle cell. No work is due before `cell.due_at`.
 * - `claim`: belongs to the owner of `claim.cell` under `claim.epoch`, and is void once the cell has another epoch.
 * - `name.id`: the part of the record's key after the tenant. A name with `held` = false is removed later.
 */
const TABLES = `
CREATE SCHEMA IF NOT EXISTS holdfast;
CREATE TABLE IF NOT EXISTS holdfast.schema_version (one boolean PRIMARY KEY CHECK (one), version int NOT NULL);
CREATE TABLE IF NOT EXISTS holdfast.node (
  id text COLLATE "C" PRIMARY KEY, incarnation uuid NOT NULL, url text, release text NOT NULL, reads int NOT NULL,
  draining boolean NOT NULL DEFAULT false, expires_at timestamptz NOT NULL);
CREATE TABLE IF NOT EXISTS holdfast.cell (
  cell text COLLATE "C" PRIMARY KEY, epoch bigint NOT NULL, node text, incarnation uuid, writes int NOT NULL DEFAULT 0,
  wanted text, lost_history text) WITH (fillfactor = 50);
CREATE TABLE IF NOT EXISTS holdfast.tenant (tenant text COLLATE "C" PRIMARY KEY, cell text COLLATE "C" NOT NULL);
CREATE TABLE IF NOT EXISTS holdfast.step (
  cell text COLLATE "C", head bigint, commit_id uuid NOT NULL, PRIMARY KEY (cell, head));
CREATE TABLE IF NOT EXISTS holdfast.row (
  key text COLLATE "C" PRIMARY KEY, value text, head bigint NOT NULL) WITH (fillfactor = 90);
${STEPS.join('\n')}
INSERT INTO holdfast.cell (cell, epoch) VALUES ('${MAIN_CELL}', 0) ON CONFLICT DO NOTHING;
INSERT INTO holdfast.step SELECT '${MAIN_CELL}', 0, '00000000-0000-0000-0000-000000000000'
  WHERE NOT EXISTS (SELECT 1 FROM holdfast.step WHERE cell = '${MAIN_CELL}') ON CONFLICT DO NOTHING;
INSERT INTO holdfast.row VALUES ('${SCHEMA_KEY}', '${String(TEXTS_VERSION)}', 0) ON CONFLICT DO NOTHING;
INSERT INTO holdfast.schema_version VALUES (true, ${String(TABLES_VERSION)}) ON CONFLICT DO NOTHING;
`

const FOUND = `SELECT to_regclass('holdfast.schema_version')::text,
  (SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
   WHERE n.nspname = 'holdfast' AND c.relkind IN ('r', 'p'))`

const VERSION = `SELECT version, (SELECT value FROM holdfast.row WHERE key = '${SCHEMA_KEY}')
  FROM holdfast.schema_version`

/** Tables that the user of the connection may not change. */
const READ_ONLY = `SELECT string_agg(DISTINCT c.relname::text, ', ')
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace,
    unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS needed
  WHERE n.nspname = 'holdfast' AND c.relkind IN ('r', 'p') AND NOT has_table_privilege(c.oid, needed)`

/** Errors that occur when another process creates the same objects concurrently. */
const CREATED_MEANWHILE = /^(?:23505|42P06|42P07|42710|XX000)$/

/**
 * Creates missing tables and migrates older ones, unless `readsOnly`. Rejects with `UnknownSchema` for tables of a
 * newer release, of other software, or that are not to be migrated, with `NoTables` if there are none and none are to
 * be made, and with `UnfitDatabase` if they are to be made, but the user may not change them.
 */
export async function settleTables(
  connection: Connection,
  address: PostgresAddress,
  boundMs: number,
  {
    makes = true,
    readsOnly = false,
  }: { readonly makes?: boolean | undefined; readonly readsOnly?: boolean | undefined } = {},
): Promise<void> {
  const place = addressText(address)
  const [found = []] = await connection.query({ text: FOUND }, [], boundMs)
  if (found[0] === null) {
    if (found[1] !== '0')
      throw new UnknownSchema(place, 'tables in schema holdfast but no schema version', TABLES_VERSION)
    if (!makes) throw new NoTables(place)
    await create(connection, TABLES, boundMs)
  }
  let [row] = await connection.query({ text: VERSION }, [], boundMs)
  for (let known = Number(row?.[0] ?? 0); !readsOnly && known >= 1 && known < TABLES_VERSION; known += 1) {
    await create(connection, step(known), boundMs)
    row = (await connection.query({ text: VERSION }, [], boundMs))[0]
  }
  const version = row?.[0] ?? 'none'
  if (version !== String(TABLES_VERSION)) throw new UnknownSchema(place, `tables of version ${version}`, TABLES_VERSION)
  const rows = row?.[1] ?? 'none'
  if (rows !== String(TEXTS_VERSION)) throw new UnknownSchema(place, `rows of version ${rows}`, TEXTS_VERSION)
  // Tools that only read need no more rights.
  const readOnly = makes ? (await connection.query({ text: READ_ONLY }, [], boundMs))[0]?.[0] : null
  if (readOnly != null) throw new UnfitDatabase(`its user may not change the tables ${readOnly}`)
}

/** Migrates the tables from one version to the next. */
const step = (version: number): string => `${STEPS[version - 1] ?? ''}
UPDATE holdfast.schema_version SET version = ${String(version + 1)} WHERE version = ${String(version)};`

async function create(connection: Connection, tables: string, boundMs: number): Promise<void> {
  try {
    await connection.script(tables, boundMs)
  } catch (error) {
    if (!(error instanceof StatementRefused && CREATED_MEANWHILE.test(error.code))) throw error
    throw new NoAnswer('another process was creating the tables', { code: error.code })
  }
}
