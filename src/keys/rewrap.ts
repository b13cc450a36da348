// Rewraps every data key under the current master key: rows of the store, files of the secrets folder, key files of the
// threshold signers. The sealed data is not changed. Each step is complete in itself, so the work can be interrupted
// anywhere and started again.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { replaceFile } from '../config/key-file.ts'
import { readKeyFile } from '../config/key-file.ts'
import { addressInRow } from '../../machines/row-places.ts'
import { atHand, onEach } from '../../snapshots/at-hand.ts'
import type { Store, StoreOp } from '../../snapshots/store.ts'
import { rewrapPlayerKey } from './players/key-file.ts'
import type { SecretsFolder } from './secrets-folder.ts'
import { SERVICE_KEYS } from './service-keys.ts'
import type { KeyReference, KeyWrapper, Vault } from './vault.ts'
import type { WebhookSecrets } from './webhook-secret.ts'

const BATCH = 200

type SecretOp = Extract<StoreOp, { readonly type: 'secret' }>

export interface WrappedKeys {
  readonly store: Pick<Store, 'commit' | 'epoch' | 'fetch' | 'load' | 'meta' | 'secret' | 'tenants'>
  readonly vault: Vault
  readonly webhookSecrets: WebhookSecrets
  readonly folder: SecretsFolder
  readonly playersPath: string
  readonly wrapper: KeyWrapper
}

export interface RewrapReport {
  /** With signing secrets that were replaced meanwhile: of 0, nothing is left under another key. */
  readonly rewrapped: number
  /** Keys that could not be opened, by id or file: they stay under the previous master key. */
  readonly failed: readonly string[]
}

/** Waits for the commits in progress first, so that rows sealed under the previous key shortly before are included. */
export async function rewrapAll(deps: WrappedKeys): Promise<RewrapReport> {
  // Runs before the wait: otherwise a key that is sealed during the wait would be overwritten with its earlier value.
  deps.webhookSecrets.noteResealed()
  try {
    return await rewrapRows(deps)
  } finally {
    deps.webhookSecrets.forgetResealed()
  }
}

async function rewrapRows(deps: WrappedKeys): Promise<RewrapReport> {
  await deps.store.commit([])
  const failed: string[] = []
  let rewrapped = 0
  const attempt = (name: string, work: () => boolean): void => {
    try {
      if (work()) rewrapped += 1
    } catch {
      failed.push(name)
    }
  }
  for (const tenant of await deps.store.tenants()) {
    let ops: SecretOp[] = []
    const flush = async (): Promise<void> => {
      const sound = ops.filter((op) => !deps.webhookSecrets.isResealed(op))
      ops = []
      if (sound.length > 0) await deps.store.commit([{ tenant, epoch: deps.store.epoch, ops: sound }])
    }
    for await (const page of deps.store.load(tenant)) {
      const rows = await atHand(deps.store, () =>
        onEach(page, ({ cluster, id }) => deps.store.secret(tenant, cluster, id)),
      )
      for (const [at, { cluster, id, kind, context }] of page.entries()) {
        const row = rows[at]
        if (row === undefined) continue
        attempt(id, () => {
          const next = rewrapRow(deps, kind, { tenant, cluster, id, address: addressInRow(context) ?? '' }, row)
          if (next !== null) ops.push({ type: 'secret', tenant, cluster, id, row: next })
          return next !== null
        })
        if (ops.length >= BATCH) await flush()
      }
    }
    await flush()
  }
  for (const { addressFact, ...place } of SERVICE_KEYS) {
    const address = deps.store.meta(addressFact)
    const row = await atHand(deps.store, () => deps.store.secret(place.tenant, place.cluster, place.id))
    if (typeof address !== 'string' || row === undefined) continue
    const ops: StoreOp[] = []
    attempt(place.id, () => {
      const next = rewrapRow(deps, 'key', { ...place, address }, row)
      if (next !== null) ops.push({ type: 'secret', ...place, row: next })
      return next !== null
    })
    if (ops.length > 0) await deps.store.commit([{ tenant: place.tenant, epoch: deps.store.epoch, ops }])
  }
  for (const name of deps.folder.names()) {
    attempt(name, () => rewrapFile(deps, name))
    await new Promise((resolve) => setImmediate(resolve))
  }
  for (const path of keyFiles(deps.playersPath)) attempt(path, () => rewrapKeyFile(deps, path))
  return { rewrapped, failed }
}

/** Kinds of records whose row holds signing secrets: of webhooks, and of the screening service of an organization. */
const SECRET_KINDS: ReadonlySet<string> = new Set(['webhook', 'organization'])

/** Null if the row has no wrapped key, or is wrapped under the current key. */
function rewrapRow(
  { vault, webhookSecrets }: WrappedKeys,
  kind: string,
  reference: KeyReference,
  row: unknown,
): unknown {
  if (typeof (row as { masterKeyId?: unknown }).masterKeyId !== 'string') return null
  return SECRET_KINDS.has(kind) ? webhookSecrets.rewrap(reference, row) : vault.rewrap(reference, row)
}

function rewrapFile({ vault, folder }: WrappedKeys, name: string): boolean {
  const file = folder.read(name)
  if (file === null) return false
  const sealed = vault.rewrap(file.reference, file.sealed)
  if (sealed !== null) folder.write(name, { ...file, sealed })
  return sealed !== null
}

function rewrapKeyFile({ wrapper }: WrappedKeys, path: string): boolean {
  const text = readKeyFile(path)
  const next = text === null ? null : rewrapPlayerKey(wrapper, path, text)
  if (next !== null) replaceFile(path, next)
  return next !== null
}

function keyFiles(path: string): string[] {
  try {
    return readdirSync(path).flatMap((name) => (name.endsWith('.key') ? [join(path, name)] : []))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
