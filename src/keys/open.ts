// Opens the keys of the accounts as the settings say: the master key, the key ring, and the places outside of the store.
import { dataLayout } from '../config/data-layout.ts'
import { openMasterKey } from '../config/secrets.ts'
import type { Settings } from '../config/settings.ts'
import type { Store } from '../../snapshots/store.ts'
import { AccountKeys } from './account-keys.ts'
import { Elsewhere } from './elsewhere.ts'
import { generateKeypair } from './keypair.ts'
import { KeyRing, type SealedKeyReader } from './keyring.ts'
import { SecretsFolder } from './secrets-folder.ts'
import { Vault } from './vault.ts'
import { WebhookSecrets } from './webhook-secret.ts'

export interface KeyLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
}

export interface OpenedKeys {
  readonly keys: AccountKeys
  readonly ring: KeyRing
  readonly webhookSecrets: WebhookSecrets
}

const ORPHANS_NAMED = 20

/** Rejects with SettingsError when the master key is missing, malformed or another one. */
export async function openAccountKeys(settings: Settings, store: Store, log: KeyLog): Promise<OpenedKeys> {
  const { key, check, warnings } = openMasterKey(settings, store.meta('masterKeyCheck') as string | undefined)
  for (const warning of warnings) log.warn({}, warning)
  await store.commit([{ tenant: 'SYSTEM', epoch: 1, ops: [{ type: 'meta', name: 'masterKeyCheck', value: check }] }])
  const vault = new Vault(key)
  const read: SealedKeyReader = (tenant, cluster, id) => store.secret(tenant, cluster, id)
  const folder = new SecretsFolder(settings.secretsDir ?? dataLayout(settings.dataDir).secrets)
  const elsewhere = new Elsewhere(vault, read, { folder, secrets: null, players: null, remote: new Map() })
  const ring = new KeyRing({ vault, read: elsewhere.sealedRow })
  reportOrphans(elsewhere, folder, log)
  return { keys: new AccountKeys(vault, ring, generateKeypair, elsewhere), ring, webhookSecrets: new WebhookSecrets(key) }
}

/** A key that no record has signs for nobody; it may hold what somebody sent to its address, so that it is for an operator to remove. */
function reportOrphans(elsewhere: Elsewhere, { path }: SecretsFolder, log: KeyLog): void {
  elsewhere.orphans().then(
    (names) => {
      if (names.length === 0) return
      log.warn(
        { folder: path, orphans: names.length, files: names.slice(0, ORPHANS_NAMED) },
        'keys that no record has lie in the secrets folder',
      )
    },
    (error: unknown) => log.warn({ folder: path, err: error }, 'the secrets folder cannot be looked through'),
  )
}
