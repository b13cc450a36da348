// The answers about transactions are the same in memory and after their eviction: after a restart that does not load
// them, and after a kill during the eviction of others.
import { expect, it } from 'vitest'
import { newDataDir, startService, type Service } from './service.ts'
import { settle, type Setup } from './setup.ts'
import { ask, insist, transferOf, type Transfer } from './transfer.ts'
import { until } from './until.ts'

const LEVELS = ['identifiers', 'compact', 'detailed'] as const
const ALL = '/transactions/bulk/detailed'

interface Named {
  readonly offchainId: string
  readonly onchainId: string
}

interface Page {
  readonly count: number
  readonly items: readonly (Named & { readonly status: string; readonly computeUnitsConsumed: number | null })[]
}

const QUERIES: readonly object[] = [
  {},
  { limit: 3, skip: 4 },
  { limit: 0 },
  { filter: [{ fieldName: 'success', filterValues: [{ filterType: 'EQUALS', valueBoolean: false }] }] },
  {
    filter: [{ fieldName: 'instructionType', filterValues: [{ filterType: 'CONTAINS', valueString: 'transfer' }] }],
    limit: 5,
  },
  {
    sort: [
      { fieldName: 'fee', sortDirection: 'DESC' },
      { fieldName: 'status', sortDirection: 'ASC' },
    ],
    limit: 7,
  },
  { sort: [{ fieldName: 'preparedAt', sortDirection: 'ASC' }], skip: 2, limit: 6 },
]

/** All answers of the interface about them. */
async function readAllAnswers(
  service: Service,
  subjects: readonly Named[],
  transfers: readonly Transfer[],
): Promise<unknown> {
  const { api } = service
  const bulk = await Promise.all(
    LEVELS.flatMap((level) => QUERIES.map((itemQuery) => api.query(`/transactions/bulk/${level}`, { itemQuery }))),
  )
  const each = await Promise.all(
    subjects.map(async ({ offchainId, onchainId }) => {
      const attested = { offchainId, outcome: 'EXPIRED', evidence: 'a letter' }
      const refusals = await Promise.all([
        api.send('PATCH', '/transactions/cancel', { offchainId }),
        api.send('PATCH', '/transactions/attest', attested),
        api.send('POST', '/transactions/submit', { offchainId }),
        api.send('POST', '/transactions/single', { offchainId, onchainId: 'unknown' }),
      ])
      return {
        single: [
          await api.get('/transactions/single', { offchainId }),
          await api.get('/transactions/single', { onchainId }),
        ],
        both: await api.get('/transactions/status', { offchainId, onchainId }),
        explained: await api.get('/transactions/explain', { offchainId }),
        refusals: refusals.map(({ status, body }) => ({ status, errors: body['errors'] })),
      }
    }),
  )
  const replays = await Promise.all(transfers.map((transfer) => ask(service, transfer)))
  return { bulk, each, replays }
}

function transfersOf(setup: Setup, from: number, count: number): Transfer[] {
  return Array.from({ length: count }, (_, index) =>
    transferOf(setup, {
      key: `t${from + index}`,
      from: 0,
      instrument: index % 2,
      feePayer: 0,
      to: setup.owners[1]!,
      amount: 1,
      doomed: index === 2,
    }),
  )
}

async function makeTransfers(service: Service, setup: Setup, from: number, count: number): Promise<Transfer[]> {
  const transfers = transfersOf(setup, from, count)
  await Promise.all(transfers.map((transfer) => insist(service, transfer)))
  return transfers
}

/** When they will not change any more: final, and measured, which a kill leaves to the next read. */
async function atRest({ api }: Service): Promise<readonly Named[]> {
  return await until(async () => {
    const { items } = (await api.query(ALL, { itemQuery: { limit: 1_000 } })) as unknown as Page
    const unmeasured = items.filter(({ computeUnitsConsumed }) => computeUnitsConsumed === null)
    await Promise.all(unmeasured.map(({ offchainId }) => api.get('/transactions/single', { offchainId })))
    return unmeasured.length === 0 &&
      items.every(({ status }) => status === 'FINALIZED' || status === 'BLOCKCHAIN_ERROR')
      ? items
      : undefined
  }, 'all are final and measured')
}

it('returns the same details of evicted transactions before and after a restart and a kill', async () => {
  const dataDir = newDataDir()
  let service = await startService({ dataDir })
  const setup = await settle(service, { owners: 2 })
  const transfers = await makeTransfers(service, setup, 0, 6)
  const subjects = await atRest(service)
  const inMemory = await readAllAnswers(service, subjects, transfers)
  expect(await service.stop()).toBe(0)

  // They are evicted at the start; the second start finds them evicted, and ends with a kill.
  const settings = { RESIDENT_TRANSACTIONS: '0' }
  for (const end of ['SIGTERM', 'SIGKILL'] as const) {
    service = await startService({ dataDir, settings })
    expect(await readAllAnswers(service, subjects, transfers)).toEqual(inMemory)
    if (end === 'SIGTERM') expect(await service.stop()).toBe(0)
    else await service.kill()
  }

  service = await startService({ dataDir, settings })
  const killed = service
  const underWay = Promise.allSettled(transfersOf(setup, 100, 8).map((transfer) => ask(killed, transfer)))
  await until(async () => {
    const { count } = (await service.api.query(ALL, { itemQuery: { limit: 0 } })) as unknown as Page
    return count > subjects.length + 4 || undefined
  }, 'some are on their way out of memory')
  await service.kill()
  await underWay
  service = await startService({ dataDir, settings })
  await makeTransfers(service, setup, 100, 8)
  const now = await atRest(service)
  expect(now.length).toBe(subjects.length + 8)
  const answers = await readAllAnswers(service, now, transfers)
  expect(await service.stop()).toBe(0)
  service = await startService({ dataDir, settings: { RESIDENT_TRANSACTIONS: '5' } })
  expect(await readAllAnswers(service, now, transfers)).toEqual(answers)
  await service.kill()
})
