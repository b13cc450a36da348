// Rows of events return the written events, for any content, with the members in the same order. The interface shows an
// event from its row.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { DomainEvent } from '../../../src/engine/events/domain-events.ts'
import { eventsOfRow, rowOfEvents } from '../../../src/engine/events/event-row.ts'
import { Journal } from '../../../src/engine/events/journal.ts'
import type { StoreOp } from '../../../snapshots/store.ts'

const AT_MS = Date.parse('2026-11-26T01:43:14.194Z')
const SIGNATURE = 'the signature'
const time = fc.constantFrom(
  '2026-11-26T01:43:14.191Z',
  '2026-11-26T01:42:59.999Z',
  '2026-11-26T01:43:14.191',
  '2026-11-26T01:43:60.191Z',
  '',
)
const micros = fc.constantFrom(
  '2026-11-26T01:43:14.191000Z',
  '2026-11-26T01:42:14.191000Z',
  '2026-11-26T01:43:14.191001Z',
  '000Z',
  '',
)
const strange = fc.constantFrom<unknown>(null, 0, '', [], {}, 'FINALIZED', SIGNATURE, true)
const mostly = <T>(usual: fc.Arbitrary<T>): fc.Arbitrary<unknown> =>
  fc.oneof({ arbitrary: usual, weight: 12 }, { arbitrary: strange, weight: 1 })

/** Mostly in the order of the interface. */
function members(usual: Readonly<Record<string, fc.Arbitrary<unknown>>>, required: readonly string[]) {
  const each = Object.fromEntries(Object.entries(usual).map(([name, arbitrary]) => [name, mostly(arbitrary)]))
  return fc
    .record(each, { requiredKeys: [...required], noNullPrototype: true })
    .chain((value) =>
      fc.oneof(
        { arbitrary: fc.constant(value), weight: 10 },
        { arbitrary: fc.constant(Object.fromEntries(Object.entries(value).reverse())), weight: 1 },
        { arbitrary: fc.constant({ ...value, unheardOf: 1 }), weight: 1 },
      ),
    )
}

const ofTransaction = members(
  {
    success: fc.constant(true),
    status: fc.constantFrom('FINALIZED', 'CONFIRMED'),
    endpoint: fc.constantFrom('POST /api/v1/positions/transfer', 'PATCH /api/v1/accounts', '+positions/transfer'),
    externalReference: fc.string(),
    confirmationsCount: fc.constantFrom(0, 1, 32),
    slot: fc.nat(),
    txnTimestamp: micros,
  },
  ['success', 'status', 'endpoint', 'confirmationsCount', 'txnTimestamp'],
)
const amount = fc.oneof(fc.nat(), fc.constant('12345678901234567890'))
const ofHolding = members(
  {
    onchain: members({ lastTransactionId: fc.constantFrom(SIGNATURE, 'other'), lastTransactionAt: time }, [
      'lastTransactionId',
      'lastTransactionAt',
    ]),
    offchain: members(
      {
        lamportsBalance: amount,
        lastTransactionId: fc.constantFrom('id', 'other'),
        tokenBalance: amount,
        tokenDecimals: fc.nat(9),
      },
      ['lastTransactionId'],
    ),
  },
  ['onchain', 'offchain'],
)
const event = fc
  .record(
    {
      cluster: fc.constantFrom('C', 'C', 'C', 'D'),
      organization: fc.constantFrom('ACME', 'ACME', 'ACME', 'OTHER'),
      about: fc.oneof(
        fc.record({
          type: fc.constantFrom('transaction.finalized', 'transaction.confirmed', 'transaction.cancelled'),
          data: ofTransaction,
        }),
        fc.record({ type: fc.constantFrom('account.updated', 'position.updated'), data: ofHolding }),
        fc.record({ type: fc.constant('batch.created'), data: fc.constantFrom<object>({ any: 1 }, [1, 2], [3]) }),
      ),
      onchainId: fc.constantFrom(null, SIGNATURE, 'Addr1111'),
      offchainId: fc.constantFrom('id', 'record'),
      seenBy: fc.constantFrom('shared' as const, ['OTHER'], []),
    },
    { requiredKeys: ['cluster', 'organization', 'about', 'onchainId', 'offchainId'], noNullPrototype: true },
  )
  .map(({ about, ...others }) => JSON.parse(JSON.stringify({ tenant: 'T', ...others, ...about })) as DomainEvent)

function completeRow({ type, cluster, organization, onchainId, offchainId, data, seenBy }: DomainEvent): unknown[] {
  const row = [type, AT_MS, cluster, organization, onchainId, offchainId, data]
  return seenBy === undefined ? row : [...row, seenBy]
}

it('return the events as written, in order', () => {
  fc.assert(
    fc.property(fc.array(event, { minLength: 1, maxLength: 6 }), (events) => {
      const row: unknown = JSON.parse(JSON.stringify(rowOfEvents(events, AT_MS)))
      const read = eventsOfRow({ sequence: 20, row })
      expect(read.map(({ sequence }) => sequence)).toEqual(events.map((_, at) => 20 - events.length + 1 + at))
      expect(read.map(({ row: each }) => JSON.stringify(each))).toEqual(
        events.map((each) => JSON.stringify(completeRow(each))),
      )
    }),
    { numRuns: 2_000 },
  )
})

it('store the common members of the events of a unit of work once', () => {
  const endpoint = 'POST /api/v1/positions/transfer'
  const txnTimestamp = '2026-11-26T01:43:14.191000Z'
  const common = { tenant: 'T', cluster: 'C', organization: 'ACME' }
  const last = { lastTransactionId: SIGNATURE, lastTransactionAt: '2026-11-26T01:43:14.191Z' }
  const events = [
    {
      ...common,
      ...{ type: 'transaction.confirmed', onchainId: SIGNATURE, offchainId: 'id' },
      data: { success: true, status: 'CONFIRMED', endpoint, confirmationsCount: 1, slot: 46, txnTimestamp },
    },
    {
      ...common,
      ...{ type: 'position.updated', onchainId: 'Addr1111', offchainId: 'record' },
      data: { onchain: last, offchain: { lastTransactionId: 'id', tokenBalance: 7, tokenDecimals: 2 } },
    },
  ]
  expect(JSON.stringify(rowOfEvents(events, AT_MS))).toBe(
    `[3,${AT_MS},"C","ACME",[3,"${SIGNATURE}","id",["+positions/transfer",1,46,14191]],` +
      '[6,"Addr1111","record",[0,14191,0,null,7,2]]]',
  )
})

it('of earlier releases contain one event each', () => {
  const row = ['account.closed', AT_MS, 'C', 'ACME', 'Addr1111', 'id', {}, 'shared']
  expect(eventsOfRow({ sequence: 7, row })).toEqual([{ sequence: 7, row }])
  expect(() => eventsOfRow({ sequence: 7, row: [4, AT_MS] })).toThrow('layout 4')
})

it('are several if a unit has many events, separate by tenant, without gaps', () => {
  const journal = new Journal({ now: () => AT_MS })
  const events = Array.from({ length: 40 }, (_, at) => ({
    tenant: at % 4 === 0 ? 'U' : 'T',
    ...{ cluster: 'C', organization: 'ACME', type: 'account.updated', onchainId: null, offchainId: `${at}`, data: {} },
  }))
  const rows: StoreOp[] = []
  const append = (_: string, op: StoreOp): void => void rows.push(op)
  const { reached } = journal.write([], { events, auditEntries: [] }, append, () => true)
  expect(reached).toEqual(new Map([['U', 10], ['T', 30]])) // prettier-ignore
  for (const tenant of ['T', 'U']) {
    const own = rows.flatMap((op) => (op.type === 'event' && op.tenant === tenant ? [op] : []))
    const read = own.flatMap(eventsOfRow)
    expect(read.map(({ sequence }) => sequence)).toEqual(read.map((_, at) => at + 1))
    const expected = events.filter((each) => each.tenant === tenant).map(({ offchainId }) => offchainId)
    expect(read.map(({ row }) => row[5])).toEqual(expected)
  }
  expect(rows).toHaveLength(3)
})
