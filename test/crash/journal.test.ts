// SIGKILL under load: afterwards the event log and the audit log have each acknowledged change, once, without gaps; the
// verification command finds the chain intact, and finds a changed row.
import { expect, it } from 'vitest'
import { eventsOfRow } from '../../src/engine/events/event-row.ts'
import { fromStoredRow } from '../../src/engine/audit/audit-row.ts'
import { dataLayout } from '../../src/config/data-layout.ts'
import { logKey } from '../../snapshots/keys.ts'
import { openLevelDisk } from '../../snapshots/level-disk.ts'
import { openStore } from '../../snapshots/level-store.ts'
import { startCommand } from '../config/command-line.ts'
import { randomOf } from './random.ts'
import { newDataDir, startService } from './service.ts'
import { settle } from './setup.ts'
import { anyTransfer, burst, insistAll, pause, transactionOf, findUnsure } from './transfer.ts'

const ROUNDS = 2
const SIZE = 120
const TENANT = 'SYSTEM'
const TRANSFER = 'POST /api/v1/positions/transfer'

async function logsOf(dataDir: string) {
  const store = await openStore({
    path: dataLayout(dataDir).store,
    onFatal: (error) => {
      throw error
    },
  })
  try {
    const all = Number.MAX_SAFE_INTEGER
    const events = (await store.events(TENANT, -1, all)).flatMap(eventsOfRow)
    const audit = (await store.audit(TENANT, -1, all)).map(({ sequence, row }) => fromStoredRow(sequence, row))
    return { events, audit }
  } finally {
    await store.close()
  }
}

async function verify(
  dataDir: string,
): Promise<{ code: number | null; report: { ok: boolean; tenants: { problems: { sequence: number }[] }[] } }> {
  const { code, stdout, stderr } = await startCommand(['audit', 'verify', '--data-dir', dataDir, '--json'], {}).ended
  expect(stderr).toBe('')
  return { code, report: JSON.parse(stdout) as never }
}

it('publishes each acknowledged change once, and the chain of the audit log stays intact', async () => {
  const random = randomOf(7)
  const dataDir = newDataDir()
  let service = await startService({ dataDir })
  const setup = await settle(service)
  const transfers = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const newTransfers = Array.from({ length: SIZE }, (_, index) =>
      anyTransfer(setup, random, `round ${round}, ${index}`),
    )
    const bursting = burst(service, newTransfers)
    await pause(100 + random(400))
    await service.kill()
    await bursting
    service = await startService({ dataDir })
    await insistAll(service, findUnsure(newTransfers))
    transfers.push(...newTransfers)
  }
  expect(await service.stop()).toBe(0)

  const { events, audit } = await logsOf(dataDir)
  for (const log of [events, audit])
    expect(log.map(({ sequence }) => sequence)).toEqual(log.map((_, index) => index + 1))
  const count = (ids: readonly string[]): Map<string, number> =>
    ids.reduce((sum, id) => sum.set(id, (sum.get(id) ?? 0) + 1), new Map<string, number>())
  const audited = count(audit.filter(({ action }) => action === TRANSFER).map(({ resource }) => resource.offchainId!))
  const countEvents = (...types: string[]): Map<string, number> =>
    count(events.filter(({ row }) => types.includes(row[0])).map(({ row }) => row[5]))
  const landed = countEvents('transaction.confirmed', 'transaction.finalized', 'transaction.blockchain_error')
  for (const transfer of transfers) {
    const { offchainId } = transactionOf(transfer)
    expect({ offchainId, audited: audited.get(offchainId) }).toEqual({ offchainId, audited: 1 })
    // A transaction that was first seen as final has no other event.
    expect([1, 2]).toContain(landed.get(offchainId))
  }
  const eventCounts = ['transaction.signed', 'transaction.confirmed', 'account.created', 'position.created'].map(
    (type) => countEvents(type),
  )
  for (const counts of [
    audited,
    countEvents('transaction.finalized', 'transaction.blockchain_error'),
    ...eventCounts,
  ]) {
    expect(Math.max(...counts.values())).toBe(1)
  }

  expect(await verify(dataDir)).toMatchObject({ code: 0, report: { ok: true } })
  const disk = await openLevelDisk(dataLayout(dataDir).store)
  const key = logKey('audit', TENANT, 20)
  const text = disk.get(key)!
  await disk.write([{ type: 'put', key, value: text.replace('"DONE"', '"REFUSED"') }], { sync: true })
  await disk.close()
  const { code, report } = await verify(dataDir)
  expect(code).toBe(1)
  expect(report.tenants.flatMap(({ problems }) => problems.map(({ sequence }) => sequence))).toEqual([20])
})
