// The changes of a mint by a message, and their reversal when its fork is dropped: the record is then as it was before.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { configureRule } from '../../../machines/instrument-rules.ts'
import type { InstrumentContext } from '../../../machines/instrument-record.ts'
import type { Effect } from '../../../src/solana/table/effect.ts'
import { MintChanges } from '../../../src/operations/transactions/mint-changes.ts'

const context = {
  authorities: {
    transferHookProgram: null,
    mintAuthority: { address: 'M', id: 'm' },
    updateAuthority: { address: 'U', id: null },
    freezeAuthority: null,
    permanentDelegateAuthority: null,
    closingAuthority: { address: 'C', id: null },
    pausableAuthority: { address: 'P', id: null },
    scaledUiAmountAuthority: { address: 'S', id: null },
    transferHookAuthority: { address: 'H', id: null },
    confidentialTransferAuthority: null,
    confidentialMintBurnAuthority: null,
    metadataPointerAuthority: { address: 'L', id: null },
  },
  onchainData: { name: 'Name', symbol: 'SYM', uri: null, simpleCustomMetadata: { a: '1', b: '2' } },
  defaultPositionState: 'INITIALIZED',
  scaledUiAmountMultiplier: '2',
  extensions: ['METADATA_POINTER'],
} as unknown as InstrumentContext

const place = { index: 0, type: '', programId: '', foreign: 'allowed', signers: [] } as const
const text = fc.constantFrom('', '1', 'two', 'Ω')
const address = fc.option(fc.constantFrom('A', 'B', 'M'), { nil: null })
const effect = fc.oneof(
  fc
    .record({
      which: fc.constantFrom(
        'MINT_TOKENS',
        'CLOSE_MINT',
        'PAUSE',
        'SCALED_UI_AMOUNT',
        'METADATA_UPDATE',
        'METADATA_POINTER',
        'CLOSE_ACCOUNT',
      ),
      next: address,
    })
    .map((each) => ({ kind: 'authority', program: '', account: 'X', authority: 'Y', ...each, ...place })),
  fc
    .record({ value: text, symbol: text, uri: text, updateAuthority: fc.constantFrom('A', 'U') })
    .map(({ value, ...initial }) => ({
      kind: 'metadata',
      mint: 'X',
      action: 'initialize',
      authority: 'M',
      field: null,
      key: null,
      value,
      initial,
      ...place,
    })),
  fc.record({ field: fc.constantFrom('name', 'symbol', 'uri'), value: text }).map((each) => ({
    kind: 'metadata',
    mint: 'X',
    action: 'updateField',
    authority: 'U',
    key: null,
    ...each,
    ...place,
  })),
  fc.record({ key: fc.constantFrom('a', 'b', 'c', 'name'), value: fc.option(text, { nil: null }) }).map((each) => ({
    kind: 'metadata',
    mint: 'X',
    action: 'updateField',
    authority: 'U',
    field: null,
    ...each,
    ...place,
  })),
  fc
    .record({ name: fc.constant('DEFAULT_ACCOUNT_STATE'), value: fc.constantFrom('FROZEN', 'INITIALIZED') })
    .map((each) => ({ kind: 'extension', mint: 'X', action: 'update', authority: 'F', ...each, ...place })),
  fc
    .record({ name: fc.constant('TRANSFER_HOOK'), value: address })
    .map((each) => ({ kind: 'extension', mint: 'X', action: 'update', authority: 'H', ...each, ...place })),
) as unknown as fc.Arbitrary<Effect>

function apply(to: InstrumentContext, event: { readonly type: string }): InstrumentContext {
  const outcome = configureRule({ context: to, event } as never)
  if (!outcome.ok) throw new Error(JSON.stringify(outcome))
  return { ...to, ...outcome.value }
}

it('is one fact, with one that reverts it exactly', () => {
  fc.assert(
    fc.property(fc.array(effect, { maxLength: 12 }), (effects) => {
      const changes = new MintChanges(context, (at) => ({ address: at, id: null }))
      for (const each of effects) changes.take(each)
      const facts = changes.facts()
      expect(facts.length).toBeLessThanOrEqual(1)
      const isDescribed = effects.some((each) => each.kind === 'metadata' && each.initial !== undefined)
      const changedContext = facts.reduce((now, { event }) => apply(now, event), context)
      expect(facts.reduceRight((now, { undo }) => apply(now, undo), changedContext)).toEqual(context)
      expect(changedContext.extensions.includes('TOKEN_METADATA')).toBe(isDescribed)
      // The last value of each key applies.
      const pairs = new Map(Object.entries(context.onchainData?.simpleCustomMetadata ?? {}))
      for (const each of effects) {
        if (each.kind !== 'metadata' || each.key === null) continue
        if (each.value === null) pairs.delete(each.key)
        else pairs.set(each.key, each.value)
      }
      expect(changedContext.onchainData?.simpleCustomMetadata ?? {}).toEqual(Object.fromEntries(pairs))
    }),
  )
})
