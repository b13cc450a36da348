// The tables of the service on PostgreSQL, and their comparison with the acknowledged transfers.
import { countedUuid } from '../load/traffic.ts'
import type { PostgresConnection } from '../postgres/connection.ts'
import type { TransferTally } from '../transfers/traffic.ts'

const START = 1_000_000_000_000n
const TABLES = `
  CREATE TABLE positions (id uuid PRIMARY KEY, balance bigint NOT NULL CHECK (balance >= 0)) WITH (fillfactor = 50);
  CREATE TABLE transactions (id uuid PRIMARY KEY, signature text NOT NULL UNIQUE, source uuid NOT NULL REFERENCES positions,
    destination uuid NOT NULL REFERENCES positions, amount bigint NOT NULL, status text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now());
  CREATE TABLE idempotency (key uuid PRIMARY KEY, transaction uuid NOT NULL, created_at timestamptz NOT NULL DEFAULT now());
  CREATE TABLE events (sequence bigserial PRIMARY KEY, type text NOT NULL, resource uuid NOT NULL, at timestamptz NOT NULL DEFAULT now());`

export const positionId = (place: number): string => countedUuid('000000e5', place)

export async function createTables(connection: PostgresConnection, positions: number): Promise<void> {
  await connection.run(TABLES)
  const rows = Array.from({ length: positions }, (_, place) => `('${positionId(place)}', ${START})`)
  await connection.run(`INSERT INTO positions VALUES ${rows.join(', ')}`)
}

/** Throws if a balance or a count differs from the acknowledged one. */
export async function checkBooks(
  connection: PostgresConnection,
  { acknowledged, moved }: TransferTally,
): Promise<void> {
  const balances = new Map(
    (await connection.run('SELECT id, balance FROM positions')).map(([id, balance]) => [id, BigInt(balance ?? '-1')]),
  )
  moved.forEach((change, place) => {
    const expected = START + BigInt(change)
    const found = balances.get(positionId(place))
    if (found !== expected)
      throw new Error(`position ${place} holds ${found ?? 'nothing'} in PostgreSQL, not ${expected} as acknowledged`)
  })
  for (const table of ['transactions', 'idempotency', 'events']) {
    const [[count] = []] = await connection.run(`SELECT count(*) FROM ${table}`)
    if (Number(count) !== acknowledged)
      throw new Error(`PostgreSQL holds ${count ?? 'no'} ${table}, ${acknowledged} transfers were acknowledged`)
  }
}
