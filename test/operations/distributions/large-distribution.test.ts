// A distribution with more parts than a batch has items: two batches, every part paid once, and a responsive process
// meanwhile.
import { randomUUID } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import type { DistributionContext } from '../../../machines/distribution.ts'
import { ofKind, type RecordState } from '../../../src/engine/records/record.ts'
import { storeParts } from '../../../src/operations/distributions/record.ts'
import { createInstrument } from '../../../src/operations/instruments/create.ts'
import type { JsonObject } from '../../../src/contract/call.ts'
import { addressBytes, addressOf } from '../../../src/solana/address.ts'
import { CLUSTER, SOL, Station, type Wallet } from '../signing/station.ts'

const PARTS = 10_050
const BATCH_ITEMS = 10_000
/** Enough for a new account to exist. */
const LAMPORTS = 1_000_000n
const AT = new Date().toISOString()

let station: Station
let source: Wallet

beforeAll(async () => {
  station = await Station.open('ACME')
  await station.wallet('ACME', { canPayFees: true }, false, 1_000n * SOL)
  source = await station.wallet('ACME', { canPayFees: false, networkCurrencyDebitLimits: [] }, false, 1_000n * SOL)
})

/** A distribution whose parts are computed: every payee has its own address. */
async function createPaying(id: string, holders: readonly string[]): Promise<void> {
  const authority = { mintAuthority: { onchainId: source.onchainId } }
  const config = { mintAccount: {}, ...authority, onchainData: { decimals: 0 } }
  const { newFinancialInstrument } = await station.run('ACME', createInstrument, config)
  const instrument = newFinancialInstrument as { readonly onchainId: string; readonly offchainId: string }
  const distribution: DistributionContext = {
    organization: 'ACME',
    endpoint: 'POST /api/v1/distributions',
    requestId: 'r',
    requester: {
      keyId: 'key of ACME',
      organization: 'ACME',
      tenant: 'ACME',
      system: false,
      roles: ['POSITIONS_WRITE'],
      clusters: null,
    },
    instrument: { address: instrument.onchainId, id: instrument.offchainId },
    recordAt: '2099-01-01T00:00:00.000Z',
    source: { owner: { onchainId: source.onchainId } } satisfies JsonObject,
    payout: { instrument: null, total: '1', perUnit: null },
    excluded: [],
    minimum: null,
    config: null,
    externalReference: null,
    parts: null,
    batches: [],
    problem: null,
    createdAt: AT,
    endedAt: null,
  }
  await station.commit((unit) => {
    unit.openFor('ACME')
    const entry = unit.create('distribution', { tenant: 'ACME', cluster: CLUSTER, id }, { distribution })
    const total = LAMPORTS * BigInt(PARTS)
    const parts = { holders: PARTS, paid: PARTS, total: String(total), remainder: '0', computedAt: AT }
    unit.send<'distribution'>(entry, { type: 'command.compute', parts })
    storeParts(
      unit,
      entry.head,
      holders.map((holder) => ({ holder, amount: LAMPORTS })),
    )
  })
}

const distributionOf = (id: string): RecordState<'distribution'> => ofKind(station.record(id), 'distribution')!

it('pays more than 10,000 parts in two batches, each once', async () => {
  const holders = Array.from({ length: PARTS }, (_, index) => {
    const bytes = Buffer.alloc(32, 9)
    bytes.writeUInt32LE(index)
    return addressOf(bytes)
  })
  const id = randomUUID()
  await createPaying(id, holders)
  await expect.poll(() => distributionOf(id).value, { timeout: 1_700_000, interval: 500 }).not.toBe('paying')
  expect(distributionOf(id)).toMatchObject({ value: 'done', context: { problem: null } })
  const batches = distributionOf(id).context.batches.map((each) => ofKind(station.record(each), 'batch')!)
  expect(batches.map(({ context }) => context.counts.done)).toEqual([BATCH_ITEMS, PARTS - BATCH_ITEMS])
  const balances = holders.map((holder) => station.chain.bank.account(addressBytes(holder))?.lamports ?? 0n)
  expect(new Set(balances)).toEqual(new Set([LAMPORTS]))
}, 1_800_000)
