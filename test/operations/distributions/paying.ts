// A distribution of lamports whose parts are computed, for tests of its driver.
import type { DistributionContext } from '../../../machines/distribution.ts'
import { storeParts } from '../../../src/operations/distributions/record.ts'
import { createInstrument } from '../../../src/operations/instruments/create.ts'
import type { JsonObject } from '../../../src/contract/call.ts'
import { addressOf } from '../../../src/solana/address.ts'
import { CLUSTER, SOL, Station, type Wallet } from '../signing/station.ts'

/** Part of each holder: enough for a new account to exist. */
export const LAMPORTS = 1_000_000n
const AT = new Date().toISOString()

export interface Payer {
  readonly station: Station
  readonly source: Wallet
}

/** @param batchItems the most that a batch pays; absent: as in the service */
export async function openPayer(batchItems?: number): Promise<Payer> {
  const station = await Station.on(batchItems === undefined ? {} : { batchItems }, 'ACME')
  await station.wallet('ACME', { canPayFees: true }, false, 1_000n * SOL)
  const source = await station.wallet(
    'ACME',
    { canPayFees: false, networkCurrencyDebitLimits: [] },
    false,
    1_000n * SOL,
  )
  return { station, source }
}

export function newHolders(count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const bytes = Buffer.alloc(32, 9)
    bytes.writeUInt32LE(index)
    return addressOf(bytes)
  })
}

/** Every payee has its own address. */
export async function createPaying({ station, source }: Payer, id: string, holders: readonly string[]): Promise<void> {
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
    const total = LAMPORTS * BigInt(holders.length)
    const parts = {
      holders: holders.length,
      paid: holders.length,
      total: String(total),
      remainder: '0',
      computedAt: AT,
    }
    unit.send<'distribution'>(entry, { type: 'command.compute', parts })
    storeParts(
      unit,
      entry.head,
      holders.map((holder) => ({ holder, amount: LAMPORTS })),
    )
  })
}
