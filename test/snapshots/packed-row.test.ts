// Rows in LevelDB: shorter than their texts, and read as exactly these.
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { Level } from 'level'
import { describe, expect, it } from 'vitest'
import { CorruptRow } from '../../snapshots/errors.ts'
import { CHANGES_KEY, fenceKey, isChangeKey, keyOf, recordKey, SCHEMA_KEY } from '../../snapshots/keys.ts'
import { openStore } from '../../snapshots/level-store.ts'
import { isPacked, packRow, unpackRow } from '../../snapshots/packed-row.ts'
import { packedText, textOf } from '../../snapshots/rows.ts'
import type { Store, StoreOp } from '../../snapshots/store.ts'
import { scratch } from './scratch.ts'
import { all, CLUSTER, envelope, part, record, TENANT } from './units.ts'

const fatal = (error: Error): never => {
  throw error
}
const base = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz+/'
const textFrom = (characters: string, size: fc.StringConstraints): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...Array.from(characters)), ...size })

/** The shapes with a form of their own, texts that look like them, and all others. */
const TEXT = fc.oneof(
  fc.uuid(),
  textFrom('0123456789abcdef', { minLength: 63, maxLength: 65 }),
  textFrom('0123456789abcdefG-', { minLength: 36, maxLength: 36 }),
  textFrom('0-', { minLength: 36, maxLength: 36 }),
  textFrom(base, { maxLength: 700 }),
  fc
    .tuple(textFrom(base, { maxLength: 100 }), fc.constantFrom('=', '==', '===', '=a'))
    .map(([text, end]) => text + end),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  fc
    .tuple(fc.integer({ min: 0, max: 99 }), fc.constantFrom('Z', 'z', '1'))
    .map(([n, end]) => `2026-11-26T08:28:${String(n).padStart(2, '0')}.581${end}`),
  textFrom('-0123456789.', { maxLength: 18 }),
  fc.constantFrom('', '0', '00', 'null', 'true', 'transaction', 'POST /api/v1/positions/transfer', '\u0001', '"', '\\'),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
)
const NUMBER = fc.oneof(
  fc.integer(),
  fc.maxSafeInteger(),
  fc.nat(200),
  fc.double(),
  fc.constantFrom(-0, 31, 32, 63, 64, 2 ** 31, 2 ** 53),
)
const { value: ROW } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    TEXT,
    NUMBER,
    fc.constantFrom(null, true, false),
    fc.array(tie('value'), { maxLength: 40 }),
    fc.dictionary(TEXT, fc.option(tie('value'), { nil: undefined }), { maxKeys: 5 }),
  ),
}))

describe('a packed row', () => {
  it('is read as the text of which it was made, for any row', () => {
    let count = 0
    fc.assert(
      fc.property(ROW, (row) => {
        const text = JSON.stringify(row)
        const packed = packRow(row)
        count += packed === undefined ? 0 : 1
        expect(unpackRow(packed ?? text)).toBe(text)
        if (packed !== undefined) expect(packed).toMatch(/^[\u0000-\u007f]*$/)
      }),
      { numRuns: 3_000 },
    )
    expect(count).toBeGreaterThan(500)
  })

  it.each([1, 70_000, 1_000_000])('may have %i characters, and as many again', (length) => {
    for (const text of ['.', 'a', '\u00e9'].map((unit) => unit.repeat(length)))
      for (const row of [text, { [text]: [text] }])
        expect(unpackRow(packRow(row) ?? JSON.stringify(row))).toBe(JSON.stringify(row))
  })

  it('has less than two thirds of the text of the rows of a transfer', () => {
    const [text, packed] = [0, 1].map((at) =>
      fixture
        .filter(({ key }) => !key.startsWith('r!') || isChangeKey(key))
        .reduce((sum, row) => sum + lengths(row.text)[at]!, 0),
    )
    expect(packed! / text!).toBeLessThan(2 / 3)
  })

  it('is none for what JSON has no form of, or another form', () => {
    const cycle: unknown[] = []
    cycle.push(cycle)
    for (const row of [undefined, [undefined], 1n, [() => 1], Symbol('s'), cycle, new Date(0), [Number.NaN], 1.5, -0])
      expect(packRow(row)).toBeUndefined()
  })

  it('which is cut or changed is not JSON, or another row of the same form, but never fails', () => {
    fc.assert(
      fc.property(ROW, fc.nat(), fc.option(fc.nat(127)), (row, at, unit) => {
        const packed = packRow(row)
        if (packed === undefined) return
        const place = 1 + (at % (packed.length - 1))
        const damaged =
          packed.slice(0, place) + (unit === null ? '' : String.fromCharCode(unit) + packed.slice(place + 1))
        const text = unpackRow(damaged)
        if (unit === null) expect(() => void JSON.parse(text)).toThrow(SyntaxError)
        else if (text !== damaged) expect(packable(text)).toBe(true)
      }),
      { numRuns: 2_000 },
    )
    for (const rest of [
      '',
      '\u007f',
      '\u0075',
      `\u0075${'\u0000'.repeat(18)}\u0001`,
      '\u0077\u007f\u007f\u007f',
      '\u007c\u007f\u007f\u003f',
      '\u0010\u0010',
    ])
      expect(unpackRow(`\u0001${rest}`)).toBe(`\u0001${rest}`)
  })

  it('of a release is read by all later ones', () => {
    const words = Array.from({ length: 35 }, (_, at) => unpackRow(`\u0001${String.fromCharCode(0x50 + at)}`)).join(' ')
    expect(words).toMatchInlineSnapshot(
      `"null true false "transaction" "signed" "confirmed" "finalized" "CHAIN_DEVNET" "CHAIN_MAINNET" "POST /api/v1/positions/transfer" "+positions/transfer" "2 of 2 signatures" "1 of 1 signatures" "DONE" "SET_COMPUTE_UNIT_LIMIT" "TRANSFER_CHECKED" "TRANSFER" "MANAGED" "FEES" "lamports" "tokens" "judged" "maxFee" "digest" "outcome" "members" "transactions" "shape" "bare" "awaited" "externalReference" "itemReferences" "account" "position" "instrument""`,
    )
    const id = '1f58f958-f983-476e-aa27-e4516a9493be'
    const row = [
      id,
      '0f'.repeat(32),
      '36NXQUNKj1PZ6vyYboNFmtJsRoAiSKuscSR11Yp9LaYuUumk2mkzuq9FD6LY4AJGp5uLHV9p7N3TdbCZvcMZki4Z',
    ]
    const others = ['2026-11-26T08:28:11.581Z', '499727756160', '-10000', 77, -77, { a: `${'A'.repeat(37)}==` }, 'x y']
    expect(Buffer.from(packRow([...row, ...others])!).toString('base64')).toMatchInlineSnapshot(
      `"ASp1D1YfFUdmBkc3KkR+IkVVFElvQHYHQ2FweDweDwdDYXB4PB4PB0NhcHg8Hg8HQ2FweDweDwdDYXB4d0gEb2hqdAoNFQ8pdj0vZGFdAyJmWiZiGgAiJCp1RwkRa1VFHyVaMTklaVI2TRMdal5FB2hbDgAJDSdNYmNVeydZXWldNglNdwYZSQtDEHh9XkJ+VkgaeUBuRkZaUQc2LTEwMDAwek0Be00BfgExYXdxAQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAM3ggeQ=="`,
    )
  })
})

interface Fixture {
  readonly key: string
  readonly text: string
}
const fixture = JSON.parse(
  readFileSync(new URL('../engine/records/fixtures/rows-4.json', import.meta.url), 'utf8'),
) as readonly Fixture[]
const lengths = (text: string): [number, number] => [text.length, packRow(JSON.parse(text))!.length]

/** The text of some row. */
function packable(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    return error instanceof SyntaxError
  }
}

describe('LevelDB', () => {
  /** One operation of each type that has a row, with the content of the rows of a transfer. */
  const row = { id: '1f58f958-f983-476e-aa27-e4516a9493be', at: '2026-11-26T08:28:11.581Z', list: [1, -1, null, 'Zü'] }
  const at = { tenant: TENANT, cluster: CLUSTER, id: row.id }
  const plain = { ...row, list: [1, -1, null, 'Z'] }
  const OPS: readonly StoreOp[] = [
    { type: 'record', envelope: envelope('transaction', { kind: 'transaction', context: [plain] }) },
    record('account', { context: [plain] }),
    { type: 'old', envelope: envelope('old', { context: plain }) },
    { type: 'alias', ...at, name: 'name' },
    { type: 'listed', tenant: TENANT, list: 'list', atMs: 5, id: row.id, row: plain },
    { type: 'payload', ...at, payload: plain },
    { type: 'idempotency', tenant: TENANT, cluster: CLUSTER, scope: 'scope', row: plain },
    { type: 'message', cluster: CLUSTER, hash: 'hash', transactionId: row.id, tenant: TENANT },
    { type: 'movement', tenant: TENANT, record: 'a', asset: 'l', stamp: 1, row: plain },
    { type: 'reversal', tenant: TENANT, record: 'a', asset: 'l', stamp: 1, row: plain },
    { type: 'secret', ...at, row: plain },
    { type: 'file', ...at, row: plain },
    { type: 'event', tenant: TENANT, sequence: 1, row: plain },
    { type: 'audit', tenant: TENANT, sequence: 1, row: plain },
    { type: 'outbox', tenant: TENANT, sequence: 1, row: plain },
    { type: 'inbox', tenant: TENANT, sender: 'x', sequence: 70 },
    { type: 'meta', name: 'fact', value: plain },
    { type: 'change', ...at, id: 'transaction', change: [2, 1, null, 0, row] },
  ]

  async function rawRows(path: string): Promise<Map<string, string>> {
    const level = new Level<string, string>(path)
    const rows = new Map<string, string>()
    for await (const [key, value] of level.iterator()) rows.set(key, value)
    await level.close()
    return rows
  }

  async function put(path: string, rows: readonly (readonly [key: string, value: string])[]): Promise<void> {
    const level = new Level<string, string>(path)
    await level.batch(rows.map(([key, value]) => ({ type: 'put', key, value })))
    await level.close()
  }

  async function everything(store: Store): Promise<Map<string, string>> {
    const view = store.view()
    const rows = new Map<string, string>()
    for await (const page of view.everything()) for (const [key, text] of page) rows.set(key, text)
    await view.close()
    return rows
  }

  it('has every type of row packed but whole records, and gives its text to every reader', async () => {
    const path = scratch()
    const store = await openStore({ path, onFatal: fatal })
    await store.commit([part(OPS)])
    await store.close()
    const raw = await rawRows(path)
    for (const op of OPS) {
      const isText = (op.type === 'record' && op.envelope.kind === 'account') || op.type === 'change'
      expect([op.type, isPacked(raw.get(keyOf(op))!)]).toEqual([op.type, !isText])
      expect(raw.get(keyOf(op))).toBe(packedText(op))
    }
    const reopened = await openStore({ path, onFatal: fatal })
    const rows = await everything(reopened)
    for (const op of OPS.filter(({ type }) => type !== 'change' && type !== 'record'))
      expect(rows.get(keyOf(op))).toBe(textOf(op))
    expect((await all(reopened)).map(({ context }) => context)).toEqual([[plain], [row]])
    expect(reopened.payload(TENANT, CLUSTER, row.id)).toEqual(plain)
    expect(reopened.alias(CLUSTER, 'name')).toBe(row.id)
    expect(reopened.transactionOfMessage(CLUSTER, 'hash')).toBe(row.id)
    expect(reopened.inbox(TENANT, 'x')).toBe(70)
    expect(await reopened.events(TENANT, 0, 9)).toEqual([{ sequence: 1, row: plain }])
    expect(await reopened.payloadMany([at])).toEqual([plain])
    expect((await reopened.oldMany(['old']))[0]?.context).toEqual(plain)
    const balance = { tenant: TENANT, record: 'a', asset: 'l' }
    expect(await reopened.lastMovement(balance, 9)).toEqual({ stamp: 1, row: plain })
    const walk = reopened.movementWalk('movement', TENANT)
    expect(await walk.take(balance, 0, 9, 9)).toEqual([{ stamp: 1, row: plain }])
    await walk.close()
    await reopened.close()
  })

  it('reads rows of the layout before, beside those that are written since', async () => {
    const path = scratch()
    const own = [
      [SCHEMA_KEY, '4'],
      [CHANGES_KEY, '1'],
      [fenceKey('BENCH'), '1'],
      [fenceKey('SYSTEM'), '1'],
    ] as const
    await put(path, [...own, ...fixture.map(({ key, text }) => [key, text] as const)])
    let store = await openStore({ path, onFatal: fatal })
    const before = await everything(store)
    const records = await all(store, 'BENCH')
    expect(records.map(({ kind }) => kind).sort()).toEqual(['account', 'instrument', 'position', 'transaction'])
    for (const { key, text } of fixture) if (!key.startsWith('r!')) expect(before.get(key)).toBe(text)
    const { id, cluster, revision } = records.find(({ kind }) => kind === 'transaction')!
    const payload = store.payload('BENCH', cluster, id)
    const since = revision - 2
    const ops: StoreOp[] = [
      { type: 'payload', tenant: 'BENCH', cluster, id, payload },
      { type: 'change', tenant: 'BENCH', cluster, id, change: [revision + 1, since, 'failed'] },
    ]
    await store.commit([part(ops, 'BENCH')])
    await store.close()
    const raw = await rawRows(path)
    expect(raw.get(SCHEMA_KEY)).toBe('5')
    for (const op of ops) expect(isPacked(raw.get(keyOf(op))!)).toBe(true)
    store = await openStore({ path, onFatal: fatal })
    expect(store.payload('BENCH', cluster, id)).toEqual(payload)
    const changedRecord = (await all(store, 'BENCH')).find((each) => each.id === id)!
    expect([changedRecord.revision, changedRecord.value]).toEqual([revision + 1, 'failed'])
    expect((await everything(store)).get(keyOf(ops[0]!))).toBe(before.get(keyOf(ops[0]!)))
    await store.close()
  })

  it('names a damaged row, wherever it is cut', async () => {
    const path = scratch()
    const ops = OPS.filter(({ type }) => type === 'payload' || type === 'event' || type === 'record')
    const payload = packedText(ops.find(({ type }) => type === 'payload')!)!
    for (let length = 0; length < payload.length; length += 3) {
      const store = await openStore({ path, onFatal: fatal })
      await store.commit([part(ops)])
      await store.close()
      await put(
        path,
        ops
          .filter((op) => op.type !== 'record' || op.envelope.kind === 'transaction')
          .map((op) => [keyOf(op), packedText(op)!.slice(0, Math.max(1, length % packedText(op)!.length))] as const),
      )
      const damaged = await openStore({ path, onFatal: fatal })
      const failures = await Promise.allSettled([
        Promise.resolve().then(() => damaged.payload(TENANT, CLUSTER, row.id)),
        damaged.events(TENANT, 0, 9),
        all(damaged),
      ])
      const keys = [
        keyOf(ops.find(({ type }) => type === 'payload')!),
        'e!first!',
        recordKey(TENANT, CLUSTER, 'transaction'),
      ]
      for (const [place, failure] of failures.entries()) {
        expect(failure).toMatchObject({ status: 'rejected', reason: expect.any(CorruptRow) as unknown })
        expect(String((failure as PromiseRejectedResult).reason)).toContain(keys[place])
      }
      await damaged.close()
    }
  })
})
