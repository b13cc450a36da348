// The accounts that each step of an update names as signers.
import { expect, it } from 'vitest'
import type { MintChange } from '../../../src/operations/instruments/mint-change.ts'
import { updateSteps } from '../../../src/operations/instruments/update-draft.ts'

it('a step after the first names the signers of its own changes: authorities may be given away before it', () => {
  const field: MintChange = { kind: 'field', field: 'uri', value: 'https://example.org' }
  const closing: MintChange = { kind: 'authority', which: 'CLOSE_MINT', next: null }
  const pausable: MintChange = { kind: 'authority', which: 'PAUSE', next: null }
  const signers = {
    updateAuthority: { offchainId: 'update' },
    closingAuthority: { offchainId: 'closing' },
    pausableAuthority: { offchainId: 'pausable' },
  }
  const steps = updateSteps('mint', [[field, closing], [pausable]], signers)
  expect(steps).toEqual([
    { mint: 'mint', changes: [field, closing], signers },
    { mint: 'mint', changes: [pausable], signers: { pausableAuthority: { offchainId: 'pausable' } } },
  ])
})
