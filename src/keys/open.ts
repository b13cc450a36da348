// Opens the keys of the accounts according to the settings: master key, key ring, and the locations outside the store.
import { randomBytes } from 'node:crypto'
import { childEnvironment } from '../config/environment.ts'
import { dataLayout } from '../config/data-layout.ts'
import { endRotation, readRotation } from '../config/rotation-file.ts'
import { MASTER_KEY_CHECK, openMasterKey } from '../config/secrets.ts'
import { SettingsError } from '../config/settings-error.ts'
import type { Settings } from '../config/settings.ts'
import { atHand, onEach } from '../../snapshots/at-hand.ts'
import type { Store } from '../../snapshots/store.ts'
import { AccountKeys } from './account-keys.ts'
import { Custodians } from './custodians/custodians.ts'
import { ExternalKeys } from './external-keys.ts'
import { KeyStock } from './key-stock.ts'
import { KeyRing } from './keyring.ts'
import { isExternalKey, type ExternalKeyStore, type ListedKeys, type RemoteKeys } from './key-place.ts'
import { openPlayers } from './players/open.ts'
import type { Players } from './players/players.ts'
import { openAwsKms } from './aws-kms.ts'
import { Rotation } from './rotation.ts'
import { SecretsFolder } from './secrets-folder.ts'
import { sealedRowsOf } from './sealed-rows.ts'
import { VaultTransit } from './vault-transit.ts'
import { SEED_CONTEXT, Vault, type KeyWrapper } from './vault.ts'
import { WebhookSecrets } from './webhook-secret.ts'

export interface KeyLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
}

/** The part of the store that keys need. */
export type KeyRows = Pick<Store, 'commit' | 'epoch' | 'fetch' | 'load' | 'meta' | 'secret' | 'settle' | 'tenants'>

export interface OpenedKeys {
  readonly keys: AccountKeys
  readonly ring: KeyRing
  readonly webhookSecrets: WebhookSecrets
  readonly rotation: Rotation
  readonly custodians: Custodians
  /** Logs keys without a record. Call it before any key is created. */
  reportOrphans(): void
  /** Stops the threshold signers and the clients of remote signers. */
  close(): void
}

const ORPHANS_NAMED = 20
/** Name of the meta entry whose value is part of the names of this service's keys at remote signers. */
const KEYS_TAG = 'keysTag'

/** Rejects with SettingsError when the master key is missing, malformed or not the one of the store. */
export async function openAccountKeys(settings: Settings, store: KeyRows, log: KeyLog): Promise<OpenedKeys> {
  const { key, givenId, check, warnings } = openMasterKey(settings, store.meta(MASTER_KEY_CHECK) as string | undefined)
  for (const warning of warnings) log.warn({}, warning)
  await store.settle('SYSTEM', [{ type: 'meta', name: MASTER_KEY_CHECK, value: check }])
  // Another process may have been first, with another key.
  if (store.meta(MASTER_KEY_CHECK) !== check) openMasterKey(settings, store.meta(MASTER_KEY_CHECK) as string)
  const { masterKey, secrets, players: playersPath } = dataLayout(settings.dataDir)
  const order = readRotation(settings.dataDir)
  // The rotation is complete and the service was started with its new key: the rotation file is no longer needed.
  if (order?.outcome === 'done' && order.to === givenId && order.to === check) endRotation(settings.dataDir)
  const vault = new Vault(key)
  const webhookSecrets = new WebhookSecrets(key)
  const read = sealedRowsOf(store)
  const folder = new SecretsFolder(settings.secretsDir ?? secrets)
  const players = settings.players.length === 0 ? null : playersOf(settings, playersPath, key, log)
  const tag = await keysTag(store)
  const transit = transitOf(settings, tag)
  const kms =
    settings.kmsRegion === null
      ? null
      : await openAwsKms({ region: settings.kmsRegion, endpoint: settings.kmsEndpoint, tag })
  const remote = new Map<ExternalKeyStore, ListedKeys>()
  if (transit !== null) remote.set('vault', transit)
  if (kms !== null) remote.set('aws-kms', kms)
  const secretsPlace =
    settings.secretsStore === 'folder' ? null : (remote.get(settings.secretsStore) ?? missing(settings.secretsStore))
  const custodians = new Custodians(settings.signers, tag)
  const signers = new Map<ExternalKeyStore, Pick<RemoteKeys, 'signer'>>([
    ...remote,
    ['remote', custodians],
    ...(players === null ? [] : [['players', players] as const]),
  ])
  const elsewhere = new ExternalKeys(vault, read, {
    folder,
    secrets: secretsPlace,
    players,
    custodians,
    remote: signers,
  })
  const ring = new KeyRing({ vault, read: elsewhere.sealedRow })
  const masterKeyPath = settings.masterKey === null ? masterKey : null
  const { dataDir } = settings
  const stock = new KeyStock(SEED_CONTEXT)
  const rotation = new Rotation({
    store,
    vault,
    webhookSecrets,
    folder,
    playersPath,
    wrapper: key,
    dataDir,
    masterKeyPath,
    log,
  })
  return {
    keys: new AccountKeys(vault, ring, { prepared: () => stock.take() }, elsewhere),
    ring,
    webhookSecrets,
    rotation,
    custodians,
    reportOrphans() {
      reportOrphans(store, elsewhere, folder, log)
      for (const [kept, place] of remote) reportUnknown(store, kept, place, log)
    },
    close() {
      stock.close()
      players?.stop()
      kms?.close()
    },
  }
}

/** Distinguishes this service's keys from those of others at the same location. */
async function keysTag(store: KeyRows): Promise<string> {
  if (store.meta(KEYS_TAG) === undefined)
    await store.settle('SYSTEM', [{ type: 'meta', name: KEYS_TAG, value: randomBytes(4).toString('hex') }])
  return store.meta(KEYS_TAG) as string
}

function transitOf(
  { vaultUrl: url, vaultToken: token, vaultMount: mount }: Settings,
  tag: string,
): VaultTransit | null {
  return url === null || token === null ? null : new VaultTransit({ url, token, mount, tag })
}

function missing(store: 'vault' | 'aws-kms'): never {
  const needed = store === 'vault' ? 'HOLDFAST_VAULT_URL' : 'HOLDFAST_KMS_REGION'
  throw new SettingsError([`HOLDFAST_SECRETS_STORE is ${store}, and ${needed} is not set`])
}

function playersOf(
  { players: codes, playerKeys: keys }: Settings,
  path: string,
  wrapper: KeyWrapper,
  log: KeyLog,
): Players {
  return openPlayers({ codes, keys, path, wrapper, environment: childEnvironment(), log })
}

/**
 * Logs files in the secrets folder without a record. Such a key signs for no account, but funds may have been sent to
 * its address, so an operator decides about removing it.
 */
function reportOrphans(store: KeyRows, elsewhere: ExternalKeys, { path }: SecretsFolder, log: KeyLog): void {
  elsewhere.orphans(store).then(
    (names) => {
      if (names.length === 0) return
      log.warn(
        { folder: path, orphans: names.length, files: names.slice(0, ORPHANS_NAMED) },
        'the secrets folder holds keys without a record',
      )
    },
    (error: unknown) => log.warn({ folder: path, err: error }, 'the secrets folder could not be listed'),
  )
}

/**
 * Logs keys at a remote signer without a record: created when the process died, or for requests that were then refused.
 */
function reportUnknown(store: KeyRows, kept: ExternalKeyStore, place: ListedKeys, log: KeyLog): void {
  const list = async (): Promise<void> => {
    const known = await namesIn(store, kept)
    const names = await place.unknown((name) => known.has(name))
    if (names.length > 0)
      log.warn(
        { place: kept, orphans: names.length, keys: names.slice(0, ORPHANS_NAMED) },
        'a key store holds keys without a record',
      )
  }
  list().catch((error: unknown) => log.warn({ place: kept, err: error }, 'the keys of a key store could not be listed'))
}

async function namesIn(store: KeyRows, kept: ExternalKeyStore): Promise<ReadonlySet<string>> {
  const names = new Set<string>()
  for (const tenant of await store.tenants()) {
    for await (const page of store.load(tenant)) {
      const rows = await atHand(store, () => onEach(page, ({ cluster, id }) => store.secret(tenant, cluster, id)))
      for (const row of rows) {
        if (isExternalKey(row) && row.kept === kept) names.add(row.name)
      }
    }
  }
  return names
}
