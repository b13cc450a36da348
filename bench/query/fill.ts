// The same wallets on both sides: in the store, by the codec of the service, and in a table with indexes for exactly
// these queries.
import { recordOp } from '../../src/engine/records/codec.ts'
import { openStore } from '../../snapshots/level-store.ts'
import type { Store } from '../../snapshots/store.ts'
import type { Postgres } from '../postgres/server.ts'
import { PostgresConnection } from '../postgres/connection.ts'
import { TENANT, wallet } from './records.ts'

const RECORDS_PER_COMMIT = 5_000
const COMMITS_AT_ONCE = 4

/** @param path of the store, which must be closed and have the tenant */
export async function fillStore(path: string, records: number): Promise<void> {
  const failed: Error[] = []
  const store = await openStore({ path, onFatal: (error) => failed.push(error) })
  await fill(store, records, 1)
  await store.close()
  if (failed[0] !== undefined) throw failed[0]
}

export async function fill(store: Pick<Store, 'commit'>, records: number, epoch: number): Promise<void> {
  let under: Promise<void>[] = []
  for (let from = 0; from < records; from += RECORDS_PER_COMMIT) {
    const ops = Array.from({ length: Math.min(RECORDS_PER_COMMIT, records - from) }, (_, index) =>
      recordOp(wallet(from + index)),
    )
    under.push(store.commit([{ tenant: TENANT, epoch, ops }]))
    if (under.length === COMMITS_AT_ONCE) {
      await Promise.all(under)
      under = []
    }
  }
  await Promise.all(under)
}

/** Every index serves a filter with its sort, and its counts are index-only. */
const TABLE = `
  CREATE TABLE wallets (id text COLLATE "C" NOT NULL, type text COLLATE "C" NOT NULL, managed boolean NOT NULL, status text NOT NULL,
    name text NOT NULL, balance bigint NOT NULL, address text NOT NULL, code text NOT NULL, account_number text NOT NULL,
    organization text NOT NULL);
  CREATE EXTENSION pg_trgm;`
const INDEXES = `
  ALTER TABLE wallets ADD PRIMARY KEY (id);
  CREATE INDEX ON wallets (type, managed, balance DESC, id);
  CREATE INDEX ON wallets (balance, id);
  CREATE INDEX ON wallets USING gin (name gin_trgm_ops);`

export async function fillPostgres({ socket, user }: Postgres, records: number): Promise<void> {
  const connection = await PostgresConnection.open(socket, user)
  await connection.run(TABLE)
  await connection.copy('COPY wallets FROM STDIN', lines(records))
  await connection.run(INDEXES)
  await connection.run('VACUUM ANALYZE wallets')
  connection.close()
}

function* lines(records: number): Generator<string> {
  for (let number = 0; number < records; number += 1) {
    const { id, value, context } = wallet(number)
    const { references, managed, lamports, address, organization } = context
    const status = value === 'closed' ? 'CLOSED' : 'ACTIVE'
    const { type, name, code, accountNumber } = references
    // No escaping is needed: the bench generated the values.
    yield `${[id, type, managed, status, name, lamports.balance, address, code, accountNumber, organization].join('\t')}\n`
  }
}
