// Rows as running services wrote them, read as those releases read them. Store layout 2: payloads by position, all
// others with the names of their members, one row for each event. Layout 3: accounts, positions and transactions by
// position too, each written whole, and one row for the events of a unit of work. Layout 4: changes of a record in a
// row beside it.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { changeKey } from '../../../snapshots/keys.ts'
import { recordDecoder } from '../../../snapshots/rows.ts'
import { fromStoredRow } from '../../../src/engine/audit/audit-row.ts'
import { eventsOfRow } from '../../../src/engine/events/event-row.ts'
import { PlainRows } from '../../../src/engine/index/plain-rows.ts'
import { fromEnvelope, toEnvelope, type TransactionPayload } from '../../../src/engine/records/codec.ts'
import { payloadOfRow } from '../../../src/engine/records/payload-row.ts'
import { eventOf } from '../../../src/operations/events/log.ts'

interface Fixture {
  readonly key: string
  readonly text: string
  readonly read: object
}

const LAYOUTS = [2, 3, 4]
const tenantOf = (key: string): string => key.split('!')[1]!

describe.each(LAYOUTS)('rows of layout %i', (layout) => {
  const file = new URL(`fixtures/rows-${String(layout)}.json`, import.meta.url)
  const rows = JSON.parse(readFileSync(file, 'utf8')) as readonly Fixture[]
  const under = (prefix: string): readonly Fixture[] => rows.filter(({ key }) => key.startsWith(prefix))
  /** Each row, and each with the changes since. */
  const records = (): readonly Fixture[] =>
    under('r!').map((row, at, all) => {
      const fullRow = all[at - 1]
      if (fullRow === undefined || row.key !== changeKey(fullRow.key)) return row
      return { ...row, key: fullRow.key, text: `${fullRow.text.slice(0, -1)},${row.text}]` }
    })
  const payload = (): TransactionPayload => payloadOfRow(JSON.parse(under('p!')[0]!.text))

  it('contain records equal to those in rows of the present version', () => {
    const kinds = new Set<string>()
    for (const { key, text, read } of records()) {
      const state = fromEnvelope(recordDecoder(tenantOf(key))(key, text), payload)
      const { fixed: _, ...context } = state.context as unknown as Record<string, unknown>
      expect({ value: state.value, revision: state.revision, context }).toStrictEqual(read)
      expect(fromEnvelope(JSON.parse(JSON.stringify(toEnvelope(state))) as never, payload)).toStrictEqual(state)
      kinds.add(state.kind)
    }
    for (const kind of ['account', 'position', 'transaction']) expect(kinds).toContain(kind)
  })

  it('are left unparsed at a start if they are plain', () => {
    const plain = records().filter(({ key, text }) => new PlainRows().take(tenantOf(key), key, text))
    expect(plain.map(({ text }) => text.slice(0, 11))).toContain('["position"')
  })

  it('contain the payload of a transaction', () => {
    expect(payload()).toStrictEqual(under('p!')[0]!.read)
  })

  it('contain the events of units of work', () => {
    const events = under('e!')
    expect(events.length).toBeGreaterThan(2)
    for (const { key, text, read } of events) {
      const row = { sequence: Number(key.split('!')[2]), row: JSON.parse(text) as unknown }
      const shownEvents = eventsOfRow(row).map((each) => eventOf(tenantOf(key), each.sequence, each.row))
      expect(shownEvents).toStrictEqual(layout === 2 ? [read] : read)
    }
  })

  it('contain audit entries', () => {
    for (const { key, text, read } of under('a!'))
      expect(fromStoredRow(Number(key.split('!')[2]), JSON.parse(text))).toStrictEqual(read)
  })
})
