// A reservation of tokens from a frozen position is possible only if the same transaction thaws that position.
import { expect, it } from 'vitest'
import type { BookEntry } from '../../../machines/transactions/transaction-record.ts'
import { Refusal } from '../../../src/contract/refusal.ts'
import { reserveBooks } from '../../../src/operations/transactions/submit.ts'
import { fixed } from '../../machines/records.ts'
import { EngineFixture, newPosition, TENANT } from '../../engine/engine-fixture.ts'

const thawFact = { event: { type: 'chain.thawed' }, undo: { type: 'chain.frozen' } } as const
const buildEntry = (record: string, facts: BookEntry['facts'] = []): BookEntry => ({
  tenant: TENANT,
  record,
  movements: [{ asset: 'tokens', released: '5', debited: '5', credited: '0' }],
  charge: [],
  facts,
})

it('takes nothing from a frozen position that the transaction does not thaw', async () => {
  const fixture = await EngineFixture.open()
  await fixture.commit((unit) => {
    for (const id of ['frozen', 'other']) newPosition(unit, id, 'frozen')
    newPosition(unit, 'open', 'initialized')
  })
  const tokens = (id: string): unknown =>
    (fixture.entry(id).head.context as unknown as { tokens: { reserved: string } }).tokens.reserved
  const take = (...entries: BookEntry[]): Promise<void> =>
    fixture.commit((unit) => reserveBooks(fixture.engine.directory, unit, { ...fixed, entries }, true))
  await expect(take(buildEntry('open'), buildEntry('frozen'))).rejects.toThrow(Refusal)
  // Thawing one position does not thaw the other.
  await expect(take(buildEntry('other', [thawFact]), buildEntry('frozen'))).rejects.toThrow(/POSITION_FROZEN/)
  expect(['open', 'other', 'frozen'].map(tokens)).toEqual(['0', '0', '0'])
  await take(buildEntry('open'), buildEntry('frozen', [thawFact]))
  expect(['open', 'other', 'frozen'].map(tokens)).toEqual(['5', '0', '5'])
})
