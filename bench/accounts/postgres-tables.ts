// The tables of the service on PostgreSQL for accounts, and their count.
import type { PostgresConnection } from '../postgres/connection.ts'

const TABLES = `
  CREATE TABLE accounts (id uuid PRIMARY KEY, address text NOT NULL UNIQUE, sealed_key text NOT NULL, managed boolean NOT NULL,
    status text NOT NULL, type text NOT NULL, code text UNIQUE, account_number text, name text, comments text,
    created_at timestamptz NOT NULL DEFAULT now());
  CREATE TABLE requests (id uuid PRIMARY KEY, answer uuid NOT NULL, created_at timestamptz NOT NULL DEFAULT now());
  CREATE TABLE events (sequence bigserial PRIMARY KEY, type text NOT NULL, resource uuid NOT NULL, at timestamptz NOT NULL DEFAULT now());`

export async function createTables(connection: PostgresConnection): Promise<void> {
  await connection.run(TABLES)
}

/** Throws if the accounts, requests or events differ in number from the acknowledged ones. */
export async function checkCounts(connection: PostgresConnection, acknowledged: number): Promise<void> {
  for (const table of ['accounts', 'requests', 'events']) {
    const [[count] = []] = await connection.run(`SELECT count(*) FROM ${table}`)
    if (Number(count) !== acknowledged)
      throw new Error(`PostgreSQL holds ${count ?? 'no'} ${table}, ${acknowledged} accounts were acknowledged`)
  }
}
