// For any changes of a record, in any number, its rows are read back equal.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { freshTransaction } from '../../../machines/transactions/transaction-record.ts'
import { changeKey, keyOf } from '../../../snapshots/keys.ts'
import { withChanges } from '../../../snapshots/record-changes.ts'
import { recordDecoder, textOf } from '../../../snapshots/rows.ts'
import { PlainRows } from '../../../src/engine/index/plain-rows.ts'
import { fromEnvelope, type TransactionPayload } from '../../../src/engine/records/codec.ts'
import { Entry } from '../../../src/engine/records/entry.ts'
import type { RecordState } from '../../../src/engine/records/record.ts'
import { WrittenRows } from '../../../src/engine/records/written-rows.ts'
import { account, fixed, position } from '../../machines/records.ts'
import { PLAIN, UNUSED } from '../plain-states.ts'

const TENANT = 'ACME'
const payload = (): TransactionPayload => ({ fixed, signedBytes: null })

const place = { tenant: TENANT, cluster: 'C' }
const touch = fc.record({
  transactionId: fc.option(fc.constantFrom('t1', 't2')),
  signature: fc.constantFrom('s1', 's2'),
  at: fc.constantFrom('2026-11-26T05:01:51.353Z', '2026-11-26T05:01:52.353Z'),
})
const book = fc.record({ balance: fc.constantFrom('0', '5', '7'), reserved: fc.constantFrom('0', '2') })
const balanceChange = fc.record(
  {
    lamports: book,
    creation: touch,
    last: fc.option(touch),
    canPayFees: fc.boolean(),
    comments: fc.option(fc.constantFrom('one', 'two')),
    rentPaid: fc.record({ by: fc.constant('payer'), lamports: fc.constantFrom('5', '7') }),
    madeAt: fc.constant('2026-11-26T05:01:51.353Z'),
    solDebitApiKeys: fc.option(fc.array(fc.constantFrom('k1', 'k2'), { maxLength: 2 })),
  },
  { requiredKeys: [] },
)
const ofPosition = fc.record({ tokens: book, otherAuthorities: fc.constantFrom(undefined, null) }, { requiredKeys: [] })
const entry = fc.record({
  status: fc.constantFrom('PREPARED', 'SIGNED', 'CONFIRMED', 'ANOTHER'),
  at: fc.constantFrom('2026-11-26T05:01:51.353Z', '2026-11-26T05:02:51.353Z'),
  detail: fc.option(fc.string()),
})
/** Added to the history, or in place of its last entry. */
const step = fc.record({ entry, replaces: fc.boolean() })
const ofTransaction = fc.record(
  {
    signature: fc.constantFrom('s1', 's2'),
    slot: fc.nat(3),
    confirmations: fc.nat(3),
    lastSentAt: fc.constantFrom('2026-11-26T05:01:51.353Z', 'later'),
    error: fc.constant({ code: 'X' }),
  },
  { requiredKeys: [] },
)

interface Change {
  readonly of: number
  readonly value: string
  readonly moved: object
  readonly tokens: object
  readonly transaction: object
  readonly step: { readonly entry: object; readonly replaces: boolean }
}
const changesOf = (members: fc.Arbitrary<object>): fc.Arbitrary<Change[]> =>
  fc.array(
    fc.record<Change>({
      of: fc.nat(),
      value: fc.constantFrom('active', 'active', 'active', 'frozen', 'finalized'),
      moved: members,
      tokens: ofPosition,
      transaction: ofTransaction,
      step,
    }),
    { maxLength: 40 },
  )
const changes = changesOf(balanceChange)
/** The members that change with a balance; all others keep their place. */
const balances = changesOf(fc.record({ lamports: book, last: fc.option(touch) }, { requiredKeys: [] }))

function applyChange(state: RecordState, change: Change): RecordState {
  const { kind, revision, context } = state
  const { history = [] } = context as { history?: readonly object[] }
  const { entry: newEntry, replaces } = change.step
  const members = {
    account: change.moved,
    position: { ...change.moved, ...change.tokens },
    transaction: { ...change.transaction, history: [...(replaces ? history.slice(0, -1) : history), newEntry] },
  }[kind as 'account' | 'position' | 'transaction']
  const next = { ...context, ...members }
  const withoutUnknown = Object.fromEntries(Object.entries(next).filter(([, value]) => value !== undefined))
  return { ...state, revision: revision + 1, value: change.value, context: withoutUnknown } as unknown as RecordState
}

const first = (kind: string, id: string, context: object): RecordState =>
  ({ kind, ...place, id, revision: 1, value: 'active', context }) as unknown as RecordState
const RECORDS = [
  first('account', 'a', { ...account, ...UNUSED }),
  first('account', 'b', { ...account, ...UNUSED }),
  first('position', 'c', { ...position, ...UNUSED }),
  first('transaction', 'd', freshTransaction(fixed)),
]

/** The rows of records as a store has them. */
class Rows {
  readonly #texts = new Map<string, string>()
  changes = 0

  write(rows: WrittenRows, entry: Entry, previous: RecordState | undefined): void {
    const op = rows.opOf(entry, previous)
    this.#texts.set(keyOf(op), textOf(op)!)
    if (op.type === 'change') this.changes += 1
    else if (op.type !== 'record' || op.isAlone !== true) this.#texts.delete(changeKey(keyOf(op)))
  }

  async read(): Promise<(readonly [key: string, text: string])[]> {
    const sorted = [...this.#texts].sort(([one], [other]) => (one < other ? -1 : 1))
    const rows: (readonly [string, string])[] = []
    // In pages of two, so that records and their changes are on different pages.
    const pages = sorted.flatMap((_, at) => (at % 2 === 0 ? [sorted.slice(at, at + 2)] : []))
    for await (const page of withChanges(ReadableStream.from(pages))) rows.push(...page)
    return rows
  }
}

const decode = recordDecoder(TENANT)
const readBack = ([key, text]: readonly [string, string]): RecordState => fromEnvelope(decode(key, text), payload)
const plainJson = (state: RecordState): unknown => JSON.parse(JSON.stringify(state))

const damage = fc.record({
  from: fc.nat(),
  length: fc.nat(3),
  put: fc.constantFrom('', '"', '{', '}', '[', ',', '0', '-', '4', '15,', ']'),
})

/** Its row has the later changes as a last part. */
const isChanged = (text: string): boolean => (JSON.parse(text) as unknown[]).length > 5

describe('the rows of records', () => {
  it.each([1, 2, 100])('are read back equal after any changes (%i remembered)', async (most) => {
    let writtenCount = 0
    await fc.assert(
      fc.asyncProperty(changes, async (all) => {
        const rows = new WrittenRows(most)
        const store = new Rows()
        const entries = RECORDS.map((state) => new Entry(state, undefined, undefined))
        for (const each of entries) store.write(rows, each, undefined)
        for (const change of all) {
          const one = entries[change.of % entries.length]!
          const previous = one.head
          one.head = applyChange(previous, change)
          store.write(rows, one, previous)
        }
        const states = (await store.read()).map(readBack)
        expect(states.map(plainJson)).toEqual(entries.map(({ head }) => plainJson(head)))
        writtenCount += store.changes
      }),
      { numRuns: 300 },
    )
    if (most > 1) expect(writtenCount).toBeGreaterThan(100)
  })

  it('are left unparsed at a start exactly if the record is plain with its changes', async () => {
    let takenCount = 0
    await fc.assert(
      fc.asyncProperty(balances, damage, async (all, { from, length, put }) => {
        const rows = new WrittenRows()
        const store = new Rows()
        const entry = new Entry(first('position', 'c', { ...position, ...UNUSED }), undefined, undefined)
        store.write(rows, entry, undefined)
        for (const change of all) {
          const previous = entry.head
          entry.head = applyChange(previous, change)
          store.write(rows, entry, previous)
        }
        const [[key, text]] = (await store.read()) as [readonly [string, string]]
        const at = text.length - 1 - (from % 60)
        const damaged = text.slice(0, at) + put + text.slice(at + length)
        const other = new PlainRows()
        if (other.take(TENANT, key, damaged))
          expect(plainJson(other.records[0]!.restore())).toEqual(plainJson(readBack([key, damaged])))
        const plain = new PlainRows()
        if (!plain.take(TENANT, key, text)) return
        if (isChanged(text)) takenCount += 1
        const { lamports, tokens, canPayFees } = entry.head.context as typeof position
        expect([lamports.reserved, tokens.reserved, canPayFees]).toEqual(['0', '0', false])
        expect(plainJson(plain.records[0]!.restore())).toEqual(plainJson(entry.head))
      }),
      { numRuns: 500 },
    )
    expect(takenCount).toBeGreaterThan(20)
  })

  it('are short after a change, and repeat no other member', () => {
    const rows = new WrittenRows()
    const entry = new Entry(PLAIN, undefined, undefined)
    const fullText = textOf(rows.opOf(entry, undefined))!
    entry.head = {
      ...PLAIN,
      revision: 2,
      context: { ...PLAIN.context, lamports: { balance: '7', reserved: '0' } },
    }
    expect(textOf(rows.opOf(entry, PLAIN))).toBe('[2,1,null,4,"7"]')
    // A later start does not know what the previous one wrote.
    const op = new WrittenRows().opOf(entry, PLAIN)
    expect(op).toMatchObject({ type: 'record', isAlone: false })
    expect(textOf(op)!.length).toBeGreaterThan(fullText.length - 2)
  })
})
