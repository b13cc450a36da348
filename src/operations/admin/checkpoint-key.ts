// The key that signs checkpoints of the audit log: generated once and sealed under the master key; its public key is
// stored in the clear beside the log, so that anybody can verify the signatures.
import type { CheckpointSigner } from '../../engine/audit/audit-log.ts'
import { atHand } from '../../../snapshots/at-hand.ts'
import type { Store } from '../../../snapshots/store.ts'
import { AUDIT_KEY } from '../../keys/service-keys.ts'
import type { Keys } from '../context/platform.ts'

const { addressFact, ...PLACE } = AUDIT_KEY

export async function checkpointSigner(
  store: Pick<Store, 'fetch' | 'meta' | 'settle'>,
  keys: Pick<Keys, 'generate' | 'signerFor'>,
): Promise<CheckpointSigner> {
  if (store.meta(addressFact) === undefined) await makeKey(store, keys)
  // Another process may have been first.
  const made = store.meta(addressFact) as string
  // From now on its sealed row is remembered: see `keys/sealed-rows.ts`.
  const signer = await atHand(store, () => keys.signerFor({ ...PLACE, address: made }))
  if (signer === null || signer.remote) throw new Error('the key of the audit log is missing')
  const { address } = signer
  return (text) => {
    // Opened for each signature, so that the unsealed key does not stay in memory.
    const key = keys.signerFor({ ...PLACE, address })
    if (key === null || key.remote) throw new Error('the key of the audit log is missing')
    return Buffer.from(key.sign(Buffer.from(text))).toString('base64')
  }
}

async function makeKey(store: Pick<Store, 'settle'>, keys: Pick<Keys, 'generate'>): Promise<void> {
  const key = keys.generate()
  await store.settle(PLACE.tenant, [
    { type: 'meta', name: addressFact, value: key.address },
    { type: 'secret', ...PLACE, row: key.seal({ ...PLACE, address: key.address }) },
  ])
}
