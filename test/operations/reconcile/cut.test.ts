// A read of the chain compared with the books while transactions are open: the conclusions, and what stays undecided.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { AccountCut } from '../../../src/rpc/account-cut.ts'
import type { Commitment, SignatureStatus } from '../../../src/rpc/rpc.ts'
import type { TransactionEvent } from '../../../machines/transactions/transaction-events.ts'
import type { HoldingState } from '../../../src/engine/records/record.ts'
import { Cut, type Comparison } from '../../../src/operations/reconcile/cut.ts'
import { isInFlight } from '../../../src/operations/reconcile/moving.ts'
import type { PlatformCluster, Platform } from '../../../src/operations/context/platform.ts'
import { reconcile } from '../../../src/operations/reconcile/reconcile.ts'
import { SYSTEM_PROGRAM } from '../../../src/solana/address.ts'
import { account, AT, countersignature, fixed } from '../../machines/records.ts'
import { CLUSTER, EngineFixture, newAccount, place, sign, TENANT } from '../../engine/engine-fixture.ts'
import { readingPlatform } from './platform.ts'

/** The slot of the read. */
const SLOT = 30
const CREDIT = 300n
const BALANCE = 1_000n

let fixture: EngineFixture
let platform: Platform
/** The answer of the chain, and the requests to it. */
let answer: Partial<AccountCut>
let requests: { readonly leastSlot: number }[]
const open: Cut[] = []

const access = {
  id: CLUSTER,
  confirmsOnDisk: false,
  state: () => null,
  cut: (addresses: readonly string[], signatures: readonly string[], leastSlot: number): Promise<AccountCut> => {
    requests.push({ leastSlot })
    const noStatuses = new Map(signatures.map((signature) => [signature, null]))
    const accountView = { lamports: BALANCE, owner: account.ownerProgram, data: new Uint8Array(), executable: false }
    return Promise.resolve({
      slot: SLOT,
      afterSlot: SLOT,
      before: noStatuses,
      after: noStatuses,
      accounts: addresses.map(() => accountView),
      ...answer,
    })
  },
} as unknown as PlatformCluster

beforeEach(async () => {
  fixture = await EngineFixture.open()
  platform = readingPlatform(fixture, access)
  answer = {}
  requests = []
  await fixture.commit((unit) => newAccount(unit, 'a', String(BALANCE)))
})
afterEach(() => {
  for (const cut of open.splice(0)) cut.end()
})

const head = (): HoldingState => fixture.entry('a').head as HoldingState
const status = (commitment: Commitment, slot: number): SignatureStatus => ({ commitment, slot, error: null })
const seenEvent = (commitment: Commitment, slot: number): TransactionEvent => ({
  type: 'chain.seen',
  commitment,
  slot,
  blockTime: null,
  error: null,
  computeUnits: null,
  at: AT,
})

/** A signed transaction that pays `CREDIT` into the account; a credit has no reservation. */
async function credit(id: string, nonceAccount: string | null = null, blockhash = fixed.blockhash): Promise<void> {
  const movement = { asset: 'lamports', released: '0', debited: '0', credited: String(CREDIT) } as const
  const entries = [{ tenant: TENANT, record: 'a', movements: [movement], charge: [], facts: [] }]
  await createSigned(id, {
    ...{ ...fixed, blockhash },
    entries,
    nonceAccount: nonceAccount === null ? null : { address: nonceAccount, id: null },
  })
}

async function createSigned(id: string, completeFixed: typeof fixed): Promise<void> {
  await fixture.commit((unit) => {
    unit.also(TENANT, { type: 'payload', ...place(id), payload: { fixed: completeFixed, signedBytes: 'AA==' } })
    sign(unit, unit.create('transaction', place(id), { fixed: completeFixed }))
  })
}

const deliver = (id: string, event: TransactionEvent): Promise<void> => fixture.settle(id, event)

async function reading(): Promise<Cut> {
  const cut = await Cut.read(platform, access, [fixture.entry('a')], { leastSlot: 0, maxStatuses: 10 })
  open.push(cut)
  return cut
}

const compared = async (): Promise<Comparison | null> => (await reading()).compare(fixture.entry('a'))

describe('a transaction that is open when the read is sent', () => {
  const showStatuses = (before: SignatureStatus | null, after: SignatureStatus | null): void => {
    answer = { before: new Map([['signature of t', before]]), after: new Map([['signature of t', after]]) }
  }

  beforeEach(() => credit('t'))

  it('counts if the read certainly includes it, not if it certainly does not, else is undecided', async () => {
    showStatuses(null, null)
    expect(await compared()).toEqual({ ahead: {}, isSettled: true })
    showStatuses(status('confirmed', SLOT), status('confirmed', SLOT))
    expect(await compared()).toEqual({ ahead: { lamports: CREDIT }, isSettled: true })
    showStatuses(null, status('confirmed', SLOT + 1))
    expect(await compared()).toEqual({ ahead: {}, isSettled: true })
    for (const [before, after] of [
      [null, status('confirmed', SLOT)],
      [null, status('processed', SLOT)],
      [status('processed', SLOT), status('processed', SLOT)],
      [status('confirmed', SLOT), status('confirmed', SLOT - 1)],
      [status('confirmed', SLOT), null],
    ] as const) {
      showStatuses(before, after)
      expect(await compared()).toBeNull()
    }
  })

  it('is subtracted from the books if the read does not include it', async () => {
    await deliver('t', seenEvent('confirmed', SLOT + 5))
    showStatuses(null, null)
    expect(await compared()).toEqual({ ahead: { lamports: -CREDIT }, isSettled: false })
  })
})

it('is decided however many transactions under unused nonces name the account', async () => {
  const nonce = Buffer.alloc(80)
  nonce.writeUInt32LE(1, 0)
  nonce.writeUInt32LE(1, 4)
  // Its value is of zero bytes.
  const nonceAccount = { lamports: 1n, owner: SYSTEM_PROGRAM, data: nonce, executable: false }
  const wallet = { lamports: BALANCE, owner: account.ownerProgram, data: new Uint8Array(), executable: false }
  const names = Array.from({ length: 250 }, (_, index) => `nonce ${index}`)
  for (const name of names) await credit(name, name, SYSTEM_PROGRAM)
  const read: string[] = []
  const shown = (addresses: readonly string[]) => {
    expect(addresses.length).toBeLessThanOrEqual(100)
    read.push(...addresses)
    return addresses.map((address) => (address === 'a' ? wallet : nonceAccount))
  }
  const nonces = {
    ...access,
    cut: async (addresses: readonly string[], ...rest: [readonly string[], number]) => ({
      ...(await access.cut(addresses, ...rest)),
      accounts: shown(addresses),
    }),
    accountsAsOf: (addresses: readonly string[], leastSlot: number) =>
      Promise.resolve({ slot: leastSlot, accounts: shown(addresses) }),
  } as unknown as PlatformCluster
  const cut = await Cut.read(platform, nonces, [fixture.entry('a')], { leastSlot: 0, maxStatuses: 10 })
  open.push(cut)
  expect(cut.compare(fixture.entry('a'))).toEqual({ ahead: {}, isSettled: true })
  expect(read).toEqual(['a', ...names])
})

describe('a transaction that closes the record', () => {
  /** The lamports of the record move to another record of the same address, as when an account becomes a mint. */
  async function handOver(id: string): Promise<void> {
    const movement = { asset: 'lamports', released: '0', debited: String(BALANCE), credited: '0' } as const
    const closing = { event: { type: 'chain.closed' }, undo: { type: 'chain.reopened', as: 'active' } } as const
    const entries = [{ tenant: TENANT, record: 'a', movements: [movement], charge: [], facts: [closing] }]
    await createSigned(id, { ...fixed, entries, nonceAccount: null })
  }

  it('is undecided while the read shows the account and the books still have it open', async () => {
    await handOver('t')
    const landed = status('confirmed', SLOT)
    answer = { before: new Map([['signature of t', landed]]), after: new Map([['signature of t', landed]]) }
    expect(await compared()).toBeNull()
    await reconcile(platform, CLUSTER, [head()], { patient: true })
    await deliver('t', seenEvent('confirmed', SLOT))
    expect(head()).toMatchObject({ value: 'closed', context: { lamports: { balance: '0' } } })
  })

  it('is compared as usual once the account is gone', async () => {
    await handOver('t')
    const landed = status('confirmed', SLOT)
    answer = {
      before: new Map([['signature of t', landed]]),
      after: new Map([['signature of t', landed]]),
      accounts: [null],
    }
    expect(await compared()).toEqual({ ahead: { lamports: -BALANCE }, isSettled: true })
  })
})

describe('a transaction that arrives during the read', () => {
  it('does not count before it can have been sent, and is undecided afterwards', async () => {
    const cut = await reading()
    await credit('t')
    expect(cut.compare(fixture.entry('a'))).toEqual({ ahead: {}, isSettled: true })
    await deliver('t', { type: 'chain.sent', at: AT, endpoint: 'node' })
    expect(cut.compare(fixture.entry('a'))).toBeNull()
  })

  it('is not included if it landed later, and is undecided if it landed earlier, final or not', async () => {
    for (const commitment of ['confirmed', 'finalized'] as const) {
      const [later, before] = [await reading(), await reading()]
      await credit(`later ${commitment}`)
      await deliver(`later ${commitment}`, seenEvent(commitment, SLOT + 1))
      expect(later.compare(fixture.entry('a'))).toEqual({ ahead: { lamports: -CREDIT }, isSettled: false })
      await credit(`before ${commitment}`)
      await deliver(`before ${commitment}`, seenEvent(commitment, SLOT))
      expect(before.compare(fixture.entry('a'))).toBeNull()
      if (commitment === 'confirmed')
        for (const id of ['later', 'before']) await deliver(`${id} ${commitment}`, seenEvent('finalized', SLOT))
    }
  })
})

describe('a payment by a tenant of another cell, whose outcome is a message', () => {
  const paid = { asset: 'lamports', released: '0', debited: '0', credited: String(CREDIT) } as const
  const receive = async (slot: number): Promise<void> => {
    const outcome = {
      kind: 'outcome',
      consequence: 'apply',
      ...{ transactionId: 't', messageHash: 'hash', signature: 'signature' },
      entries: [{ tenant: TENANT, record: 'a', movements: [paid], charge: [], facts: [] }],
      ...{ slot, final: false, at: AT, proof: null },
    } as const
    await fixture.engine.outbox.receiveAll([{ to: TENANT, sender: 'BANK', sequence: 1, notices: [outcome] }])
  }
  const balance = (): string => head().context.lamports.balance
  const readWith = async (lamports: bigint): Promise<void> => {
    const accountView = { lamports, owner: account.ownerProgram, data: new Uint8Array(), executable: false }
    answer = { accounts: [accountView] }
    await reconcile(platform, CLUSTER, [head()])
  }

  beforeEach(async () => {
    const remoteDelivery = { owns: (tenant: string) => tenant === TENANT, deliver: () => Promise.resolve() }
    fixture = await EngineFixture.open(undefined, { remoteDelivery })
    platform = { ...platform, engine: fixture.engine }
    await fixture.commit((unit) => newAccount(unit, 'a', String(BALANCE)))
  })

  it('counts once if a read has shown it before the message came', async () => {
    await readWith(BALANCE + CREDIT)
    expect(balance()).toBe(String(BALANCE + CREDIT))
    await receive(SLOT)
    expect(balance()).toBe(String(BALANCE + CREDIT))
    expect(head().context.lastOfOthers).toBe('signature')
  })

  it('counts once if it landed after the read', async () => {
    await readWith(BALANCE)
    await receive(SLOT + 1)
    expect(balance()).toBe(String(BALANCE + CREDIT))
  })
})

describe('a read of an account', () => {
  it('is not used after an equally recent read that began later', async () => {
    const [older, younger] = [await reading(), await reading()]
    expect(younger.compare(fixture.entry('a'))).not.toBeNull()
    expect(older.compare(fixture.entry('a'))).toBeNull()
  })

  it('does not change the state of a record after a read that began later', async () => {
    const data = { old: new Uint8Array(8), young: new Uint8Array(0) }
    const answers: Record<keyof typeof data, () => void> = { old: () => undefined, young: () => undefined }
    const reads = (['old', 'young'] as const).map((name) => {
      const account = { lamports: BALANCE, owner: head().context.address, data: data[name], executable: false }
      const lateAnswer = new Promise<AccountCut>((resolve) => {
        answers[name] = () =>
          resolve({ slot: SLOT, afterSlot: SLOT, before: new Map(), after: new Map(), accounts: [account] })
      })
      const cluster = { ...access, cut: () => lateAnswer } as unknown as PlatformCluster
      return reconcile({ ...platform, clusters: new Map([[CLUSTER, cluster]]) }, CLUSTER, [head()], { patient: true })
    })
    answers.young()
    expect(await reads[1]).toMatchObject({ undecided: [] })
    answers.old()
    expect(await reads[0]).toMatchObject({ undecided: [fixture.entry('a')] })
    expect(head().context).toMatchObject({ ownerProgram: head().context.address, dataLength: 0 })
  })

  it('is not used while a message of another tenant about the record is pending', async () => {
    const cut = await reading()
    const isWaitingSpy = vi.spyOn(fixture.engine.outbox, 'isWaitingFor').mockReturnValue(true)
    expect(cut.compare(fixture.entry('a'))).toBeNull()
    expect(isWaitingSpy).toHaveBeenCalledWith(TENANT)
    isWaitingSpy.mockReturnValue(false)
    expect(cut.compare(fixture.entry('a'))).not.toBeNull()
  })

  it('is never older than the state in the books', async () => {
    await credit('t')
    await deliver('t', seenEvent('finalized', 25))
    await reconcile(platform, CLUSTER, [head()])
    expect(requests.map(({ leastSlot }) => leastSlot)).toEqual([25])
  })

  it('books outside deposits, without counting pending transactions twice', async () => {
    await credit('t')
    answer = {
      before: new Map([['signature of t', status('confirmed', SLOT)]]),
      after: new Map([['signature of t', status('confirmed', SLOT)]]),
    }
    // The credit in the read is ours: the rest is a hundred less than before, although the sum has grown.
    const accountView = {
      lamports: BALANCE + CREDIT - 100n,
      owner: account.ownerProgram,
      data: new Uint8Array(),
      executable: false,
    }
    answer = { ...answer, accounts: [accountView] }
    await reconcile(platform, CLUSTER, [head()])
    expect(head().context.lamports.balance).toBe(String(BALANCE - 100n))
    await deliver('t', seenEvent('finalized', SLOT))
    expect(head().context.lamports.balance).toBe(String(BALANCE + CREDIT - 100n))
  })
})

describe('a record under reconciliation', () => {
  it('may be about to open or close while a transaction can land, except one that waits under a nonce', async () => {
    expect(isInFlight(platform, head())).toBe(false)
    await credit('waiting', 'Nonce111')
    expect(isInFlight(platform, head())).toBe(false)
    await deliver('waiting', seenEvent('processed', SLOT))
    expect(isInFlight(platform, head())).toBe(true)
    await deliver('waiting', seenEvent('finalized', SLOT))
    expect(isInFlight(platform, head())).toBe(false)
    await credit('t')
    expect(isInFlight(platform, head())).toBe(true)
    await deliver('t', seenEvent('finalized', SLOT))
    const entries = [{ tenant: TENANT, record: 'a', movements: [], charge: [], facts: [] }]
    for (const nonceAccount of ['Nonce111', null]) {
      const contents = { ...countersignature, entries, nonceAccount }
      await fixture.commit((unit) =>
        unit.create('countersignature', place(`given ${nonceAccount ?? ''}`), { countersignature: contents }),
      )
      expect(isInFlight(platform, head())).toBe(nonceAccount === null)
    }
  })
})

describe('a transaction that is found with another signature', () => {
  const found = (commitment: Commitment): TransactionEvent => {
    const event = seenEvent(commitment, SLOT - 5)
    return event.type === 'chain.seen' ? { ...event, signature: 'another' } : event
  }

  beforeEach(async () => {
    await credit('t')
    answer = { before: new Map([['signature of t', null]]), after: new Map([['signature of t', null]]) }
  })

  it('is undecided if it is found during the read', async () => {
    const cut = await reading()
    await deliver('t', found('confirmed'))
    expect(cut.compare(fixture.entry('a'))).toBeNull()
  })

  it.each([[['confirmed']], [['processed', 'confirmed']], [['processed', 'flush', 'confirmed']]] as const)(
    'does not count again what a read showed before (%j)',
    async (steps) => {
      expect(await compared()).toEqual({ ahead: {}, isSettled: true })
      for (const step of steps) await (step === 'flush' ? fixture.engine.flush() : deliver('t', found(step)))
      expect(head().context.lamports.balance).toBe(String(BALANCE))
      expect(fixture.engine.outOfBalance.has(fixture.entry('a'))).toBe(true)
    },
  )

  it('counts again what was undone with an abandoned fork', async () => {
    await compared()
    await deliver('t', found('confirmed'))
    await deliver('t', { type: 'chain.forgotten', at: AT })
    expect(head().context.lamports.balance).toBe(String(BALANCE - CREDIT))
    await deliver('t', found('confirmed'))
    expect(head().context.lamports.balance).toBe(String(BALANCE))
  })
})
