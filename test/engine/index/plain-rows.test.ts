// A start leaves the rows of plain records unparsed. For any records, each is found under exactly its keys and equals
// its row, and a row that no parser accepts is not left unparsed.
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { recordIn } from '../../../snapshots/rows.ts'
import { Directory } from '../../../src/engine/index/directory.ts'
import { PlainRows } from '../../../src/engine/index/plain-rows.ts'
import { keysOf } from '../../../src/engine/index/record-keys.ts'
import { textHash, TextIndex } from '../../../src/engine/index/text-index.ts'
import { fromEnvelope } from '../../../src/engine/records/codec.ts'
import { Entry } from '../../../src/engine/records/entry.ts'
import type { RecordState } from '../../../src/engine/records/record.ts'
import { expectIdentical, expectSame } from '../../same.ts'
import { account, position } from '../../machines/records.ts'
import { namedRowOf, PLAIN, plainState, rowOf, states, UNUSED, WRITERS } from '../plain-states.ts'

const ref = (address: string) => ({ address, id: null })

function noPayload(): never {
  throw new Error('there is no transaction here')
}

/** All keys that were put into the lists, as hashes, in order. */
function hashesIn(rows: PlainRows): number[] {
  const types = rows.types.flatMap(({ key, numbers }) => numbers.map(() => textHash(key)))
  return [...rows.keys.hashes.subarray(0, rows.keys.count), ...types].sort((a, b) => a - b)
}

const hashesOf = (state: RecordState): number[] =>
  keysOf(state)
    .map(textHash)
    .sort((a, b) => a - b)

const isUnusual = ({ context, kind }: RecordState): boolean => {
  const { canPayFees, shared, subscribeToNetworkEvents, lamports, ...more } = context as typeof account
  const { globalFeePayerForOrgs, orgsAllowedToSignWithPrivateKey } = more
  const tokens = kind === 'position' ? (context as typeof position).tokens.reserved : '0'
  const isGranted = globalFeePayerForOrgs !== null || orgsAllowedToSignWithPrivateKey !== null
  return canPayFees || shared || subscribeToNetworkEvents || isGranted || lamports.reserved !== '0' || tokens !== '0'
}

describe('a plain row', () => {
  it.each(WRITERS)('%s gives the same record and index keys as a parser', (_, rowOf) => {
    let takenCount = 0
    fc.assert(
      fc.property(plainState, fc.uuid(), (without, id) => {
        const state = { ...without, id } as RecordState
        const rows = new PlainRows()
        const { key, text } = rowOf(state)
        if (!rows.take(state.tenant, key, text)) return
        takenCount += 1
        const storedRecord = rows.records[0]!
        expect(storedRecord.restore()).toEqual(state)
        const { kind, tenant, cluster, value } = storedRecord
        expect({
          kind,
          tenant,
          cluster,
          value,
          id: storedRecord.id,
          revision: state.revision,
          context: state.context,
        }).toEqual(state)
        expectSame(hashesIn(rows), hashesOf(state))
        expectSame([...rows.ids.hashes.subarray(0, rows.ids.count)], [textHash(id)])
        expectIdentical(isUnusual(state), false)
      }),
      { numRuns: 3_000 },
    )
    expect(takenCount).toBeGreaterThan(300)
  })

  it.each(WRITERS)('%s is plain for nearly every account and position', (_, rowOf) => {
    const rows = new PlainRows()
    const references = { ...account.references, accountNumber: null }
    const usual = [
      { kind: 'account', value: 'active', context: { ...account, ...UNUSED } },
      { kind: 'position', value: 'initialized', context: { ...position, ...UNUSED } },
      { kind: 'account', value: 'active', context: { ...account, ...UNUSED, references } },
      { kind: 'position', value: 'initialized', context: { ...position, ...UNUSED, references } },
    ]
    for (const each of usual) {
      const { key, text } = rowOf({ ...PLAIN, ...each } as unknown as RecordState)
      expect([each.kind, rows.take('ACME', key, text)]).toEqual([each.kind, true])
    }
  })

  it.each(WRITERS)('%s that is damaged is left to the parser, unless it is still valid', (_, rowOf) => {
    const change = fc.record({
      at: fc.nat(),
      length: fc.nat(3),
      put: fc.constantFrom('', '"', '{', '}', ',', '0', 'x', '\\', '\u0001', ':', ']'),
    })
    let takenCount = 0
    fc.assert(
      fc.property(plainState, fc.array(change, { minLength: 1, maxLength: 2 }), (state, changes) => {
        const { key, text: original } = rowOf({ ...state, tenant: 'ACME', id: 'r' })
        let text = original
        for (const { at, length, put } of changes) {
          const from = at % (text.length + 1)
          text = text.slice(0, from) + put + text.slice(from + length)
        }
        const rows = new PlainRows()
        if (!rows.take('ACME', key, text)) return
        takenCount += 1
        const parsed = fromEnvelope(recordIn({ tenant: 'ACME', cluster: state.cluster, id: 'r' }, text), noPayload)
        expect(rows.records[0]!.restore()).toEqual(parsed)
        expect(hashesIn(rows)).toEqual(hashesOf(parsed))
      }),
      { numRuns: 10_000 },
    )
    expect(takenCount).toBeGreaterThan(100)
  })

  it.each([
    ['', 'nothing'],
    ['["account",1,', 'an end after the version'],
    ['["account",1,1,"active",', 'an end before the context'],
    ['["account",1,01,"active",{}]', 'a revision with a zero before it'],
    ['["account",1,,"active",{}]', 'no revision'],
    ['["account",1,1,"active",{}]', 'no members'],
    [namedRowOf(PLAIN).text.replace('"address":', '"address":"other","address":'), 'a member twice'],
    [namedRowOf(PLAIN).text.replace('"organization":', '"unheardOf":1,"organization":'), 'an unknown member'],
    ['["account",1,1,"active",[]]', 'no places'],
    [rowOf(PLAIN).text.replace('[1,"Addr', '[2,"Addr'), 'an unknown layout'],
    [rowOf(PLAIN).text.replace(']]', ',{"shared":true}]]'), 'a right of others'],
    [rowOf(PLAIN).text.replace(']]', ',{"address":"other"}]]'), 'a member with a place'],
    [rowOf(PLAIN).text.replace(']]', ',{},{}]]'), 'one place too many'],
    [rowOf(PLAIN).text.replace(',null]]', ']]'), 'one place too few'],
  ])('is not %s: %s', (text) => {
    expect(new PlainRows().take('ACME', 'r!ACME!C!id', text)).toBe(false)
  })
})

/** The same records, each added on its own, and the plain ones all at once. */
function directories(records: readonly RecordState[]): { one: Directory; other: Directory } {
  const [one, other] = [new Directory(), new Directory()]
  const rows = new PlainRows()
  const laterStates: RecordState[] = []
  for (const [at, state] of records.entries()) {
    one.moved(new Entry(state, state, undefined), undefined, state)
    const { key, text } = WRITERS[at % WRITERS.length]![1](state)
    if (!rows.take(state.tenant, key, text)) laterStates.push(state)
  }
  for (const _ of other.fill(rows));
  for (const state of laterStates) other.moved(new Entry(state, state, undefined), undefined, state)
  return { one, other }
}

const idsOf = (entries: Iterable<Entry>): string[] => [...entries].map(({ head }) => head.id).sort()

function expectSameDirectories(one: Directory, other: Directory, keys: Iterable<string>): void {
  for (const key of keys) expectSame(idsOf(other.find(key)), idsOf(one.find(key)), key)
  expect(idsOf(other.entries())).toEqual(idsOf(one.entries()))
  expect(idsOf(other.holdings())).toEqual(idsOf(one.holdings()))
  for (const kind of ['account', 'position', 'nonce'] as const)
    expect(idsOf(other.entries(kind))).toEqual(idsOf(one.entries(kind)))
}

describe('a directory loaded from plain rows', () => {
  it('finds the same as one built from records, before and after changes', () => {
    fc.assert(
      fc.property(states, states, (records, next) => {
        const { one, other } = directories(records)
        const keys = new Set([...records, ...next].flatMap(keysOf))
        expectSameDirectories(one, other, keys)
        for (const [at, state] of records.entries()) {
          const entries = [one, other].map((each) => each.byId(state.id)!)
          expect(entries[1]!.head).toEqual(state)
          expectIdentical(entries[1]!.committed, entries[1]!.head)
          const changedState = {
            ...state,
            value: next[at]?.value ?? 'closed',
            context: next[at]?.context ?? state.context,
          }
          // A record never changes its kind.
          if (next[at] !== undefined && next[at].kind !== state.kind) continue
          for (const entry of entries) {
            ;[one, other][entries.indexOf(entry)]!.moved(entry, entry.head, changedState)
            entry.head = changedState
          }
        }
        expectSameDirectories(one, other, keys)
      }),
      { numRuns: 150 },
    )
  })

  it('finds all records that share a key', () => {
    const sharedMembers = (number: number) => ({
      address: `Addr${number}`,
      references: { ...account.references, name: `name ${number % 7}`, code: `code ${number % 3}` },
      owner: ref(`Owner${number % 5}`),
    })
    const records = Array.from({ length: 60 }, (_, number) => {
      const context = { ...position, ...UNUSED, ...sharedMembers(number) }
      return { ...PLAIN, kind: 'position', id: `r${number}`, value: 'initialized', context } as unknown as RecordState
    })
    const { one, other } = directories(records)
    expect([...other.entries()].every(({ isStored }) => isStored)).toBe(true)
    expectSameDirectories(one, other, new Set(records.flatMap(keysOf)))
  })

  it('keeps rows unparsed until they are used', () => {
    const state = { ...PLAIN, id: 'idle' }
    const { other } = directories([state, { ...state, id: 'used', context: { ...state.context, address: 'Addr9' } }])
    const [idleEntry, usedEntry] = ['idle', 'used'].map((id) => other.byId(id)!)
    expect([idleEntry!.isStored, usedEntry!.isStored, idleEntry!.outline.value, idleEntry!.glimpse().id]).toEqual([
      true,
      true,
      'active',
      'idle',
    ])
    expect(usedEntry!.head.context).toMatchObject({ address: 'Addr9' })
    expect([idleEntry!.isStored, usedEntry!.isStored]).toEqual([true, false])
    expect(usedEntry!.head).toBe(usedEntry!.committed)
    expect(idleEntry!.committed?.id).toBe('idle')
    expect(idleEntry!.head).toBe(idleEntry!.committed)
  })

  it('accepts rows only before any other record', () => {
    const { other } = directories([{ ...PLAIN, id: 'first' }])
    expect(() => [...other.fill(new PlainRows())]).toThrow('must be the first')
  })
})

describe('many texts at once', () => {
  const texts: string[] = []
  /** Different texts with the same hash. */
  const alike: string[] = []
  beforeAll(() => {
    const byHash = new Map<number, string>()
    for (let number = 0; alike.length < 4; number += 1) {
      const text = `text ${number}`
      const other = byHash.get(textHash(text))
      byHash.set(textHash(text), text)
      if (other !== undefined) alike.push(other, text)
    }
    texts.push(...Array.from({ length: 40_000 }, (_, number) => `number ${number}`), ...alike)
  })

  it.each([100, 40_000])('are found as if each of %i had been added, and hash collisions are reported', (count) => {
    const all = [...texts.slice(0, count), ...alike]
    const index = new TextIndex((number, text) => all[number] === text)
    const [hashes, numbers] = [Uint32Array.from(all, textHash), Uint32Array.from(all, (_, number) => number)]
    const filling = index.fill({ hashes, numbers, count: all.length })
    let step = filling.next()
    while (step.done !== true) step = filling.next()
    expect(step.value.map(({ number }) => all[number]).sort()).toEqual([alike[1], alike[3]].sort())
    for (const { number } of step.value) index.add(all[number]!, number)
    for (const [number, text] of all.entries()) expectIdentical(index.find(text), number)
    expect(index.find('another')).toBeUndefined()
    for (const [number, text] of all.entries()) if (number % 2 === 0) index.delete(text, number)
    for (const [number, text] of all.entries()) expectIdentical(index.find(text), number % 2 === 0 ? undefined : number)
  })
})
