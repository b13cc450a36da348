// For any reports of the chain about a transaction, in any order: in the end nothing is reserved, and the balance
// equals the movements.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { TransactionEvent } from '../../../machines/transactions/transaction-events.ts'
import { settleTransaction } from '../../../src/engine/settlement/settlement.ts'
import type { BookEntry, RecordEvent } from '../../../machines/transactions/transaction-record.ts'
import { AT, instrument, loan, origination } from '../../machines/records.ts'
import {
  EngineFixture,
  newAccount,
  newPosition,
  newTransaction,
  place,
  stripRevision,
  sign,
} from '../engine-fixture.ts'

const PAID = 300n
const FEE = 5n
const START = 1000n

const movement = (released: bigint, debited: bigint, credited: bigint) =>
  ({ asset: 'lamports', released: String(released), debited: String(debited), credited: String(credited) }) as const

/** `payer` pays `PAID` to `payee`, which the landing creates, and a fee in any case. */
function payment(tenant = 'ACME'): BookEntry[] {
  return [
    {
      tenant,
      record: 'payer',
      movements: [movement(PAID + FEE, PAID + FEE, 0n)],
      charge: [movement(PAID + FEE, FEE, 0n)],
      facts: [],
    },
    {
      tenant,
      record: 'payee',
      movements: [movement(0n, 0n, PAID)],
      charge: [],
      facts: [
        {
          event: { type: 'chain.created' },
          undo: { type: 'chain.uncreated', by: 't' },
          abandon: { type: 'chain.abandoned' },
        },
      ],
    },
  ]
}

async function createSigned(): Promise<EngineFixture> {
  const fixture = await EngineFixture.open(1)
  await fixture.commit((unit) => {
    const payer = newAccount(unit, 'payer', String(START))
    newAccount(unit, 'payee', '0', 'pending')
    unit.send<'account'>(payer, {
      type: 'command.reserve',
      asset: 'lamports',
      amount: String(PAID + FEE),
      covered: true,
    })
    sign(unit, newTransaction(unit, 't', payment()))
  })
  return fixture
}

const seenEvent = (
  commitment: 'processed' | 'confirmed' | 'finalized',
  error: string | null,
  slot = 1,
): TransactionEvent => ({ type: 'chain.seen', commitment, slot, blockTime: null, error, computeUnits: null, at: AT })

const anyFact: fc.Arbitrary<TransactionEvent> = fc.oneof(
  fc
    .record({
      commitment: fc.constantFrom('processed' as const, 'confirmed' as const),
      failed: fc.boolean(),
      slot: fc.integer({ min: 1, max: 3 }),
    })
    .map(({ commitment, failed, slot }) => seenEvent(commitment, failed ? 'boom' : null, slot)),
  fc.constant<TransactionEvent>({ type: 'chain.sent', at: AT, endpoint: 'node' }),
  fc.constant<TransactionEvent>({ type: 'chain.forgotten', at: AT }),
  fc.constant<TransactionEvent>({ type: 'command.withdraw', at: AT }),
)
/** The events that end it; after `forgotten`, so that it is always allowed. */
const end = fc.constantFrom<TransactionEvent>(
  seenEvent('finalized', null, 9),
  seenEvent('finalized', 'boom', 9),
  { type: 'chain.expired', at: AT, proof: null },
  { type: 'chain.voided', at: AT, proof: null },
  { type: 'command.attest', outcome: 'FINALIZED', evidence: 'e', keyId: 'key2', at: AT },
  { type: 'command.attest', outcome: 'BLOCKCHAIN_ERROR', evidence: 'e', keyId: 'key2', at: AT },
  { type: 'command.attest', outcome: 'EXPIRED', evidence: 'e', keyId: 'key2', at: AT },
)

interface Book {
  readonly balance: string
  readonly reserved: string
}
const bookOf = (fixture: EngineFixture, id: string): Book =>
  (fixture.entry(id).head.context as unknown as { lamports: Book }).lamports

async function deliver(fixture: EngineFixture, event: TransactionEvent): Promise<void> {
  await settleTransaction(fixture.engine, fixture.entry('t'), event, AT).durable
}

/** The expected books, derived only from the state of the transaction. */
function expected(fixture: EngineFixture): readonly [payer: Book, payee: string] {
  const { value, context } = fixture.transaction('t')
  const book = (balance: bigint, reserved: bigint): Book => ({ balance: String(balance), reserved: String(reserved) })
  if ((value === 'confirmed' || value === 'finalized') && context.error === null)
    return [book(START - PAID - FEE, 0n), String(PAID)]
  if (value === 'blockchainError') return [book(START - FEE, 0n), '0']
  return [book(START, value === 'expired' || value === 'cancelled' ? 0n : PAID + FEE), '0']
}

describe('the ledger effects of a transaction', () => {
  it('follow its state at every step, and leave no reservation at the end', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyFact, { maxLength: 8 }), end, async (facts, last) => {
        const fixture = await createSigned()
        for (const event of facts) {
          await deliver(fixture, event)
          expect([bookOf(fixture, 'payer'), bookOf(fixture, 'payee').balance]).toEqual(expected(fixture))
        }
        const lands = last.type === 'chain.seen' || (last.type === 'command.attest' && last.outcome !== 'EXPIRED')
        if (!lands) await deliver(fixture, { type: 'chain.forgotten', at: AT })
        // An attestation by one key settles nothing.
        const before = bookOf(fixture, 'payer')
        if (last.type === 'command.attest') await deliver(fixture, { ...last, keyId: 'key1' })
        expect(bookOf(fixture, 'payer')).toEqual(before)
        await deliver(fixture, last)
        expect(['finalized', 'blockchainError', 'expired', 'cancelled']).toContain(fixture.transaction('t').value)
        expect([bookOf(fixture, 'payer'), bookOf(fixture, 'payee').balance]).toEqual(expected(fixture))
        expect(bookOf(fixture, 'payer').reserved).toBe('0')
        expect(fixture.entry('payee').head.value).toBe(
          fixture.transaction('t').value === 'finalized' ? 'active' : 'closed',
        )
        const heads = ['payer', 'payee', 't'].map((id) => fixture.entry(id).head)
        await fixture.restart()
        expect(['payer', 'payee', 't'].map((id) => fixture.entry(id).head)).toEqual(heads)
      }),
      { numRuns: 60 },
    )
  })

  it('are undone exactly when its fork is dropped', async () => {
    const fixture = await createSigned()
    await deliver(fixture, { type: 'chain.sent', at: AT, endpoint: 'node' })
    const before = ['payer', 'payee'].map((id) => fixture.entry(id).head)
    await deliver(fixture, seenEvent('confirmed', null))
    expect(fixture.entry('payee').head.value).toBe('active')
    await deliver(fixture, { type: 'chain.forgotten', at: AT })
    const withoutTouch = (id: string) => {
      // Its last touch is unknown by now; all else is known.
      const { context, ...rest } = stripRevision(fixture.entry(id).head) as { context: object }
      return { ...rest, context: { ...context, last: null } }
    }
    expect(['payer', 'payee'].map(withoutTouch)).toEqual(before.map(stripRevision))
  })

  it('are undone in reverse order', async () => {
    const names = fc.array(fc.constantFrom('Bond', 'Share', 'Note'), { minLength: 1, maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(names, async (steps) => {
        const fixture = await EngineFixture.open()
        const data = { name: 'First', symbol: 'BND', uri: '', simpleCustomMetadata: null }
        const renamed = (name: string): RecordEvent => ({
          type: 'chain.configured',
          changes: { onchainData: { ...data, name } },
        })
        // Each fact is undone to the state after the fact before it.
        const before = [data.name, ...steps]
        const facts = steps.map((name, index) => ({ event: renamed(name), undo: renamed(before[index]!) }))
        await fixture.commit((unit) => {
          unit.create('instrument', place('bond'), { holding: { ...instrument, onchainData: data }, state: 'active' })
          sign(unit, newTransaction(unit, 't', [{ tenant: 'ACME', record: 'bond', movements: [], charge: [], facts }]))
        })
        const name = (): unknown => (fixture.entry('bond').head.context as typeof instrument).onchainData?.name
        await deliver(fixture, seenEvent('confirmed', null))
        expect(name()).toBe(steps.at(-1))
        await deliver(fixture, { type: 'chain.forgotten', at: AT })
        expect(name()).toBe(data.name)
      }),
      { numRuns: 20 },
    )
  })

  it('are applied once for a finalized transaction, however often the chain reports it', async () => {
    const fixture = await createSigned()
    for (let time = 0; time < 3; time += 1) await deliver(fixture, seenEvent('finalized', null))
    expect(bookOf(fixture, 'payer')).toEqual({ balance: String(START - PAID - FEE), reserved: '0' })
  })

  it('of a cancelled unsigned transaction remove the records it would have created', async () => {
    const fixture = await EngineFixture.open()
    await fixture.commit((unit) => {
      newAccount(unit, 'payer', String(START))
      newAccount(unit, 'payee', '0', 'pending')
      newTransaction(unit, 't', payment())
    })
    await deliver(fixture, { type: 'command.cancel', at: AT })
    expect(bookOf(fixture, 'payer')).toEqual({ balance: String(START), reserved: '0' })
    expect(fixture.entry('payee').head.value).toBe('closed')
  })

  it('settle across tenants, each in its own unit of work', async () => {
    const fixture = await EngineFixture.open()
    await fixture.commit((unit) => newAccount(unit, 'payee', '0', 'pending', 'OTHER'))
    await fixture.commit((unit) => {
      newAccount(unit, 'payer', String(START))
      const entries = payment().map((each) => (each.record === 'payee' ? { ...each, tenant: 'OTHER' } : each))
      const payer = fixture.entry('payer')
      unit.send<'account'>(payer, {
        type: 'command.reserve',
        asset: 'lamports',
        amount: String(PAID + FEE),
        covered: true,
      })
      sign(unit, newTransaction(unit, 't', entries))
    })
    await deliver(fixture, seenEvent('finalized', null))
    await fixture.restart()
    expect(fixture.entry('payee').head).toMatchObject({
      tenant: 'OTHER',
      value: 'active',
      context: { lamports: { balance: String(PAID) } },
    })
  })
})

describe('a fact about a record that has changed since', () => {
  const switching = (record: string, tenant = 'ACME'): BookEntry => ({
    tenant,
    record,
    movements: [],
    charge: [],
    facts: [{ event: { type: 'chain.frozen' }, undo: { type: 'chain.thawed' } }],
  })

  it('settles the money even if the account is closed by now', async () => {
    const fixture = await EngineFixture.open()
    await fixture.commit((unit) => {
      newAccount(unit, 'payer', String(START))
      newAccount(unit, 'payee', '0')
      const closedPosition = newPosition(unit, 'gone', 'initialized')
      unit.send<'position'>(closedPosition, {
        type: 'chain.closed',
        touch: { transactionId: 'x', signature: 's', at: AT },
      })
      const payer = fixture.entry('payer')
      unit.send<'account'>(payer, {
        type: 'command.reserve',
        asset: 'lamports',
        amount: String(PAID + FEE),
        covered: true,
      })
      sign(unit, newTransaction(unit, 't', [switching('gone'), ...payment()]))
    })
    await fixture.settle('t', seenEvent('finalized', null))
    expect(fixture.entry('gone').head.value).toBe('closed')
    expect(bookOf(fixture, 'payer').reserved).toBe('0')
    expect(fixture.engine.outOfBalance.has(fixture.entry('gone'))).toBe(true)
  })

  it('is not blocked by a record of the same address in another tenant', async () => {
    const fixture = await EngineFixture.open()
    await fixture.commit((unit) => {
      sign(unit, newTransaction(unit, 't', [switching('theirs', 'OTHER')]))
    })
    await fixture.commit((unit) => newPosition(unit, 'theirs', 'pending', 'OTHER'))
    await fixture.settle('t', seenEvent('confirmed', null))
    expect(fixture.transaction('t').value).toBe('confirmed')
    expect(fixture.entry('theirs').head.value).toBe('pending')
  })

  it('waits for the creation that it depends on', async () => {
    const fixture = await EngineFixture.open()
    await fixture.commit((unit) => {
      newPosition(unit, 'new', 'pending')
      sign(unit, newTransaction(unit, 't', [switching('new')]))
    })
    const { result } = settleTransaction(fixture.engine, fixture.entry('t'), seenEvent('confirmed', null), AT)
    expect(result).toMatchObject({ rejection: { type: 'rejected' }, record: { id: 'new' } })
    expect(fixture.transaction('t').value).toBe('signed')
  })

  it('is undone even if the creation was in the same fork', async () => {
    const fixture = await EngineFixture.open()
    const touch = { transactionId: 'maker', signature: 's', at: AT }
    await fixture.commit((unit) => {
      const position = newPosition(unit, 'new', 'pending')
      sign(unit, newTransaction(unit, 't', [switching('new')]))
      unit.send<'position'>(position, { type: 'chain.initialized', touch, frozen: false })
    })
    await fixture.settle('t', seenEvent('confirmed', null))
    await fixture.commit((unit) =>
      unit.send<'position'>(fixture.entry('new'), { type: 'chain.uncreated', by: 'maker' }),
    )
    await fixture.settle('t', { type: 'chain.forgotten', at: AT })
    expect(fixture.transaction('t').value).toBe('submitted')
    expect(fixture.entry('new').head.value).toBe('pending')
  })
})

describe('a loan, which has no balance,', () => {
  const change = { ...origination, id: 't' }
  const before = { debts: [], pledges: [], interestTakenAt: null, lastChange: null }
  const borrowing: BookEntry = {
    tenant: 'ACME',
    record: 'loan',
    movements: [],
    charge: [],
    facts: [
      {
        event: { type: 'chain.changed', change, closes: false } as unknown as RecordEvent,
        undo: { type: 'chain.unchanged', id: 't', before } as unknown as RecordEvent,
        abandon: { type: 'chain.abandoned', id: 't' },
      },
    ],
  }

  it.each<[string, readonly TransactionEvent[]]>([
    ['expires', [{ type: 'chain.expired', at: AT, proof: null }]],
    ['fails', [seenEvent('finalized', 'boom')]],
    ['is dropped with its fork', [seenEvent('confirmed', null), { type: 'chain.forgotten', at: AT }]],
  ])('does not wait to be compared with the chain after its transaction %s', async (_how, events) => {
    const fixture = await createSigned()
    await fixture.commit((unit) => {
      unit.create('loan', place('loan'), { loan: { ...loan, open: 'u' } })
      sign(unit, newTransaction(unit, 'u', [borrowing, ...payment()]))
    })
    for (const event of events) await fixture.settle('u', event)
    expect([...fixture.engine.outOfBalance].map(({ head }) => head.id).sort()).toEqual(['payee', 'payer'])
  })
})
