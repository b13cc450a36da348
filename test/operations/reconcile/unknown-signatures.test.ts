// A payment of another tenant whose fee payer signs elsewhere: its signature is unknown until it has landed, and its
// tenant can keep it open for any length of time.
import { beforeEach, expect, it, vi } from 'vitest'
import type { AccountCut } from '../../../src/rpc/account-cut.ts'
import type { Commitment } from '../../../src/rpc/rpc.ts'
import type { HoldingState } from '../../../src/engine/records/record.ts'
import type { PlatformCluster } from '../../../src/operations/context/platform.ts'
import { reconcile } from '../../../src/operations/reconcile/reconcile.ts'
import { account, AT, fixed } from '../../machines/records.ts'
import { CLUSTER, EngineFixture, newAccount, place, TENANT } from '../../engine/engine-fixture.ts'
import { readingPlatform } from './platform.ts'

/** The slot of the reading. */
const SLOT = 30
const BALANCE = 1_000n
const CREDIT = 300n
const PAYER = 'BANK'

let fixture: EngineFixture

beforeEach(async () => {
  fixture = await EngineFixture.open()
  const movement = { asset: 'lamports', released: '0', debited: '0', credited: String(CREDIT) } as const
  const entries = [{ tenant: TENANT, record: 'a', movements: [movement], charge: [], facts: [] }]
  const complete = { ...fixed, entries }
  await fixture.commit((unit) => newAccount(unit, 'a', String(BALANCE)))
  await fixture.commit((unit) => {
    unit.also(PAYER, { type: 'payload', ...place('t', PAYER), payload: { fixed: complete, signedBytes: 'AA==' } })
    const given = { signatures: 1, complete: false, ourSignature: true, signature: null, at: AT } as const
    const transaction = unit.create('transaction', place('t', PAYER), { fixed: complete })
    unit.send<'transaction'>(transaction, { type: 'command.sign', ...given })
  })
})

const head = (): HoldingState => fixture.entry('a').head as HoldingState
const balance = (): string => head().context.lamports.balance

async function readWith(lamports: bigint): Promise<void> {
  const accounts = [{ lamports, owner: account.ownerProgram, data: new Uint8Array(), executable: false }]
  const answer: AccountCut = { slot: SLOT, afterSlot: SLOT, before: new Map(), after: new Map(), accounts }
  const access = { id: CLUSTER, confirmsOnDisk: false, cut: () => Promise.resolve(answer) }
  const platform = readingPlatform(fixture, access as unknown as PlatformCluster)
  await reconcile(platform, CLUSTER, [head()], { patient: true })
}

async function lands(slot: number, commitment: Commitment): Promise<void> {
  const seen = { type: 'chain.seen', commitment, slot, blockTime: null, error: null, computeUnits: null } as const
  await fixture.settle('t', { ...seen, at: AT, signature: 'signature elsewhere' })
}

it('keeps no deposit from being counted', async () => {
  await readWith(BALANCE + 7n)
  expect(balance()).toBe(String(BALANCE + 7n))
})

it.each([
  ['before the reading', BALANCE + CREDIT, SLOT, ['confirmed']],
  ['before the reading, and is seen as processed first', BALANCE + CREDIT, SLOT, ['processed', 'confirmed']],
  ['after the reading', BALANCE, SLOT + 1, ['confirmed']],
] as const)('counts once if it landed %s', async (_, lamports, slot, commitments) => {
  await readWith(lamports)
  expect(balance()).toBe(String(lamports))
  for (const commitment of commitments) await lands(slot, commitment)
  await vi.waitFor(() => expect(head().context.lastOfOthers).toBe('signature elsewhere'))
  expect(balance()).toBe(String(BALANCE + CREDIT))
})
