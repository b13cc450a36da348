// The key of a new account: generated here, imported, or generated and stored by an external key store.
import { addressKey, remoteKeyClaimKey } from '../../engine/index/index-keys.ts'
import type { Entry } from '../../engine/records/entry.ts'
import { isHolding } from '../../engine/records/record.ts'
import type { UnitOfWork } from '../../engine/records/unit-of-work.ts'
import { KeyPlaceError } from '../../keys/key-place.ts'
import type { NewAccountInput, PrivateKeyDetailsInput } from '../../contract/schemas/new-account.ts'
import type { UnsealedKey, KeepableKey, KeyPlace, KeyRequest, Platform, Context } from '../context/platform.ts'
import { badRequest, Refusal, refuseAll } from '../../contract/refusal.ts'
import { together } from '../../contract/together.ts'
import { atHand, onEach } from '../../../snapshots/at-hand.ts'

export interface AccountKey {
  readonly fresh: UnsealedKey
  readonly origin: 'service' | 'imported'
  readonly location: 'DATABASE' | 'SECRETS' | 'DKG' | 'REMOTE'
}

export interface NewAddress {
  readonly address: string
  /** null: the key is not managed by this service. */
  readonly key: AccountKey | null
}

export interface NewKeyUse {
  /** True if the key signs the transaction that creates its account. */
  readonly signs: boolean
}

const PLAYERS_DEFAULT = { players: null, threshold: null }

/**
 * Checks the members that decide the address of a new account and its key, and returns what makes them. `managed`
 * defaults to true unless only an address is given.
 *
 * Throws 400 `PRIVATE_KEY_MISMATCH`, `MALFORMED_PRIVATE_KEY`, `REQUIRED`, `MUTUALLY_EXCLUSIVE`, `ONE_KEY`. What it
 * returns rejects with 400 `KEY_LOCATION_UNAVAILABLE`, `KEY_IMPORT_UNAVAILABLE`, `PLAYER_UNKNOWN`, `THRESHOLD_INVALID`,
 * `REMOTE_SIGNER_UNKNOWN`, `REMOTE_KEY_REFUSED`, `PUBLIC_KEY_REQUIRED`; 503 `KEY_STORE_UNAVAILABLE`,
 * `REMOTE_SIGNER_UNAVAILABLE`.
 */
export function addressPlan(
  context: Context,
  input: NewAccountInput,
  pointer: string,
  { signs }: NewKeyUse = { signs: true },
): () => Promise<NewAddress> {
  const privateKey = input.privateKeyDetails?.privateKey
  const requested = requestedAddress(input, pointer)
  const location = locationOf(input.privateKeyDetails)
  if (location === 'REMOTE') {
    checkRemote(input, pointer)
    return () => remoteAddress(context, input, requested, pointer)
  }
  if (location === 'DKG') checkGenerated(input, pointer)
  const managed = input.managed ?? (privateKey !== undefined || requested === undefined)
  if (!managed) {
    const address = unmanagedAddress(requested, privateKey, pointer)
    return () => Promise.resolve(address)
  }
  const use = { location, signs, pointer: `${pointer}/privateKeyDetails` }
  if (privateKey !== undefined) return importPlan(context, privateKey, requested, use)
  if (requested === undefined) return generationPlan(context, input, use)
  throw badRequest(
    'REQUIRED',
    'privateKey is required for a managed account with an onchainId',
    `${use.pointer}/privateKey`,
  )
}

/** The address of the request; undefined: it names none. Throws 400 `PRIVATE_KEY_MISMATCH` if it names two. */
function requestedAddress({ onchainId, privateKeyDetails }: NewAccountInput, pointer: string): string | undefined {
  const publicKey = privateKeyDetails?.publickKey
  if (onchainId !== undefined && publicKey !== undefined && onchainId !== publicKey)
    throw badRequest(
      'PRIVATE_KEY_MISMATCH',
      'publickKey must equal onchainId',
      `${pointer}/privateKeyDetails/publickKey`,
    )
  return onchainId ?? publicKey
}

interface KeyTerms extends NewKeyUse {
  readonly location: Exclude<AccountKey['location'], 'REMOTE'>
  /** To `privateKeyDetails`. */
  readonly pointer: string
}

function generationPlan(
  { platform, call }: Context,
  { privateKeyDetails: details }: NewAccountInput,
  { location, signs, pointer }: KeyTerms,
): () => Promise<NewAddress> {
  const request = location === 'DKG' ? thresholdKeyRequest(details, pointer) : { location: 'SECRETS' as const }
  // A dry run must not create a key in an external store.
  const here = location === 'DATABASE' || call.dryRun
  return async () => {
    const fresh = here ? newKey(platform, signs) : await createKey(platform, request, pointer)
    return { address: fresh.address, key: { fresh, origin: 'service', location } }
  }
}

function importPlan(
  { platform, call }: Context,
  privateKey: string,
  requested: string | undefined,
  { location, pointer }: KeyTerms,
): () => Promise<NewAddress> {
  const ownKey = importKey(platform, privateKey, `${pointer}/privateKey`)
  if (requested !== undefined && requested !== ownKey.address)
    throw badRequest('PRIVATE_KEY_MISMATCH', 'privateKey does not match the given address', `${pointer}/privateKey`)
  const here = location === 'DATABASE' || call.dryRun
  return async () => {
    const fresh = here ? ownKey : await createKey(platform, { location: 'SECRETS', privateKey }, pointer)
    return { address: fresh.address, key: { fresh, origin: 'imported', location } }
  }
}

const newKey = ({ keys }: Platform, signs: boolean): UnsealedKey => (signs ? keys.generate() : keys.generateForRecord())

/**
 * The key of a custodian. It counts as imported, because the custodian can use it without this service. Knowing a
 * public key gives no right to the key: the custodian must sign a proof for the organization, and an address for which
 * another organization has a key is refused.
 */
async function remoteAddress(
  context: Context,
  { privateKeyDetails: details }: NewAccountInput,
  requested: string | undefined,
  pointer: string,
): Promise<NewAddress> {
  const { platform, call } = context
  const { organization, cluster } = call
  const signer = details?.signer ?? ''
  const request = {
    location: 'REMOTE',
    signer,
    publicKey: requested ?? null,
    owner: { organization, cluster },
  } as const
  // A dry run does not ask the custodian.
  const fresh = call.dryRun
    ? placeholderKey(platform, requested)
    : await createKey(platform, request, `${pointer}/privateKeyDetails`)
  const { directory } = platform.engine
  const checkOwn = (recordsOn: (cluster: string) => readonly Entry[]): void => {
    if (!isKeyOfOthers(context, recordsOn)) return
    throw badRequest(
      'REMOTE_KEY_REFUSED',
      `${signer} refuses the key: it is not assigned to ${organization}`,
      `${pointer}/privateKeyDetails/publickKey`,
    )
  }
  const claim = (): void => {
    const shownBy = [...platform.clusters.keys()].map((each) => addressKey(each, fresh.address))
    platform.engine.store.names?.claim(
      remoteKeyClaimKey(fresh.address),
      shownBy.map((name) => ({ read: 'name', name })),
    )
  }
  // `atHand` repeats the checks after fetching missing records of other cells; the custodian is called only once.
  await atHand(platform.engine, () => {
    claim()
    checkOwn((each) => directory.atAddress(each, fresh.address))
  })
  // Checked again in the unit of work: another organization may register the key at the same time.
  const seal = (place: KeyPlace): unknown => {
    claim()
    checkOwn((each) => directory.ownAtAddress(each, fresh.address))
    return fresh.seal(place)
  }
  return { address: fresh.address, key: { fresh: { ...fresh, seal }, origin: 'imported', location: 'REMOTE' } }
}

/** Replaces the key of a custodian in a dry run, which signs and stores nothing. */
function placeholderKey({ keys }: Platform, requested: string | undefined): UnsealedKey {
  const address = requested ?? keys.generate().address
  const sign = (): Promise<never> => Promise.reject(new Error('a dry run signs nothing'))
  return { address, remote: true, sign, seal: () => null }
}

/** @param recordsOn the records of the address on a cluster */
function isKeyOfOthers(
  { platform: { clusters }, call: { tenant, organization } }: Context,
  recordsOn: (cluster: string) => readonly Entry[],
): boolean {
  return onEach([...clusters.keys()], recordsOn)
    .flat()
    .some(
      ({ head }) =>
        isHolding(head) &&
        head.context.managed &&
        (head.tenant !== tenant || head.context.organization !== organization),
    )
}

/**
 * Stores the key with the record created in the same unit of work; discards it if the unit of work is rolled back.
 */
export function keepKey(unit: UnitOfWork, { tenant, cluster, id, address }: KeyPlace, key: KeepableKey): void {
  const place = { tenant, cluster, id, address }
  unit.onRollBack(() => key.discard?.(place))
  unit.also(tenant, { type: 'secret', tenant, cluster, id, row: key.seal(place) })
}

/** The schema refuses a request with several locations. */
function locationOf(details: PrivateKeyDetailsInput | undefined): AccountKey['location'] {
  return (details?.dkgKeys?.length ?? 0) > 0 ? 'DKG' : (details?.location?.[0] ?? 'DATABASE')
}

/**
 * An account has one key, so at most one entry is accepted. Throws 400 `ONE_KEY`.
 * @param pointer to the details
 */
function thresholdKeyRequest(details: PrivateKeyDetailsInput | undefined, pointer: string): KeyRequest {
  const [wanted, second] = details?.dkgKeys ?? []
  if (second !== undefined) throw badRequest('ONE_KEY', 'an account has exactly one key', `${pointer}/dkgKeys/1`)
  if (wanted === undefined) return { location: 'DKG', ...PLAYERS_DEFAULT }
  const { useBackendPlayersCodes: players = [], session } = wanted
  return { location: 'DKG', players: players.length === 0 ? null : players, threshold: session?.threshold ?? null }
}

const MEMBERS: Readonly<Record<string, string>> = {
  PLAYER_UNKNOWN: 'dkgKeys/0/useBackendPlayersCodes',
  THRESHOLD_INVALID: 'dkgKeys/0/session/threshold',
  KEY_IMPORT_UNAVAILABLE: 'privateKey',
  REMOTE_SIGNER_UNKNOWN: 'signer',
  REMOTE_KEY_REFUSED: 'publickKey',
  PUBLIC_KEY_REQUIRED: 'publickKey',
}

/** The key was not created, but may be when the request is repeated. */
const RETRYABLE: ReadonlySet<string> = new Set(['KEY_STORE_UNAVAILABLE', 'REMOTE_SIGNER_UNAVAILABLE'])

/** @param pointer to `privateKeyDetails` */
async function createKey(platform: Platform, request: KeyRequest, pointer: string): Promise<UnsealedKey> {
  try {
    return await platform.keys.make(request)
  } catch (error) {
    if (!(error instanceof KeyPlaceError)) throw error
    const { code, message } = error
    if (RETRYABLE.has(code)) throw new Refusal(503, [{ code, message, retryable: true }], 1)
    throw badRequest(code, message, `${pointer}/${MEMBERS[code] ?? 'location'}`)
  }
}

function checkRemote({ managed, privateKeyDetails }: NewAccountInput, pointer: string): void {
  if (managed !== false && privateKeyDetails?.privateKey === undefined) return
  throw badRequest(
    'MUTUALLY_EXCLUSIVE',
    'a key of location REMOTE belongs to a managed account and stays at its custodian',
    `${pointer}/privateKeyDetails/location`,
  )
}

function checkGenerated({ onchainId, privateKeyDetails: details }: NewAccountInput, pointer: string): void {
  const members = {
    'privateKeyDetails/privateKey': details?.privateKey,
    'privateKeyDetails/publickKey': details?.publickKey,
    onchainId,
  }
  const given = Object.entries(members).filter(([, value]) => value !== undefined)
  const message = 'a threshold key is generated by its threshold signers and cannot be given'
  refuseAll(given.map(([member]) => ({ code: 'MUTUALLY_EXCLUSIVE', message, pointer: `${pointer}/${member}` })))
}

function unmanagedAddress(requested: string | undefined, privateKey: string | undefined, pointer: string): NewAddress {
  const [address] = together(
    () => {
      if (requested !== undefined) return requested
      throw badRequest('REQUIRED', 'onchainId is required for an account that is not managed', `${pointer}/onchainId`)
    },
    () => {
      if (privateKey === undefined) return
      const message = 'privateKey is allowed only for a managed account'
      throw badRequest('MUTUALLY_EXCLUSIVE', message, `${pointer}/privateKeyDetails/privateKey`)
    },
  )
  return { address, key: null }
}

/** The error message must not contain the key. */
function importKey(platform: Platform, privateKey: string, pointer: string): UnsealedKey {
  try {
    return platform.keys.import(privateKey)
  } catch {
    throw badRequest(
      'MALFORMED_PRIVATE_KEY',
      'privateKey must be the base58 text of a 64-byte key pair or a 32-byte seed',
      pointer,
    )
  }
}
