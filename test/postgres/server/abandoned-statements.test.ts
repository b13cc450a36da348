// A statement that waits for a lock when its connection is given up ends on the server too.
import { expect, it } from 'vitest'
import { connect } from '../../../snapshots/postgres/connection.ts'
import { NoAnswer } from '../../../snapshots/postgres/errors.ts'
import { until } from '../nodes-fixture.ts'
import { addressOf, ownPostgres, sql } from '../postgres.ts'

it('leaves no server process behind when it gets no answer in time', async () => {
  await using postgres = await ownPostgres()
  const address = addressOf(postgres)
  await sql(address, 'CREATE TABLE locked AS SELECT 1 AS n')
  const holder = await connect(address, { boundMs: 30_000 })
  await holder.script('BEGIN; UPDATE locked SET n = 2', 30_000)
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const connection = await connect(address, { boundMs: 30_000 })
    const waiting = connection.query({ text: 'UPDATE locked SET n = 3' }, [], 200)
    await expect(waiting).rejects.toBeInstanceOf(NoAnswer)
  }
  const waits = "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
  // The lock is still held.
  await until('no statement waits on the server', async () => (await sql(address, waits)).length === 0)
  await holder.script('COMMIT', 30_000)
  holder.destroy()
  expect(await sql(address, 'SELECT n::text FROM locked')).toEqual([['2']])
})
