// Free nonce accounts: which of them a transaction takes when none is named, and the lease of the one that it takes.
import type { Entry } from '../../../engine/records/entry.ts'
import { freeNonceKey, ownNoncesKey } from '../../../engine/index/index-keys.ts'
import { type RecordState, hasEnded, ofKind } from '../../../engine/records/record.ts'
import type { ChainTransactionConfig } from '../../../contract/values/chain-config.ts'
import type { Context, Platform } from '../../context/platform.ts'
import { Refusal, badRequest } from '../../../contract/refusal.ts'
import type { Lifetime } from '../lifetime.ts'
import type { NonceContext } from '../../../../machines/nonce.ts'
import { isMissing, readNonces, sightingOf } from '../../reconcile/nonces.ts'
import { isOfEscrow } from '../../lookup/escrows.ts'
import { ownMessages } from '../../lookup/own-messages.ts'
import { managedAt } from '../../lookup/nonce.ts'
import type { UnitOfWork } from '../../../engine/records/unit-of-work.ts'
import { rejectionAsRefusal } from '../../context/as-refusal.ts'

const LIFETIME_POINTER = '/chainTransactionConfig/messageLifetimeStrategy'
/** A value read longer ago is read again before it is used. */
const FRESH_MS = 60_000
const READ_AT_ONCE = 100
/** States of a transaction that ends without anybody else doing anything. */
const UNDER_WAY: ReadonlySet<string> = new Set(['signed', 'submitted', 'processed', 'confirmed'])

export function isDurable(config: ChainTransactionConfig | undefined): boolean {
  return config?.messageLifetimeStrategy === 'DURABLE_NONCE'
}

/**
 * Call it in the unit of work that signs, or that leases the nonce by signing. Throws 400 `NONCE_UNAVAILABLE`.
 *
 * @param except the address of a nonce that the transaction itself closes
 */
export function freeNonce(context: Context, except?: string): Lifetime {
  const free = freeNonces(context).filter(({ state }) => state.context.address !== except)
  const signable = free.find(
    ({ state }) => managedAt(context, state.context.authority.address)?.context.frozenByOperator === false,
  )
  const chosen = signable ?? free[0]
  if (chosen === undefined) throw unavailable(context)
  return lifetimeOf(chosen.entry, chosen.state)
}

export function lifetimeOf(entry: Entry, { id, context }: RecordState<'nonce'>): Lifetime {
  return {
    blockhash: context.value ?? '',
    slot: sightingOf(entry)?.slot ?? context.valueSlot ?? 0,
    lastValidBlockHeight: null,
    nonce: { account: { address: context.address, id }, authority: context.authority.address },
  }
}

/**
 * Nonces free for the longest time come first. Left out are those that were not found on chain at the last read, and
 * those that only the key of an escrow could advance.
 */
export function freeNonces({
  platform,
  call,
}: Context): { readonly entry: Entry; readonly state: RecordState<'nonce'> }[] {
  const { directory } = platform.engine
  return directory.find(freeNonceKey(call.cluster, call.organization)).flatMap((entry) => {
    const state = ofKind(entry.head, 'nonce')
    if (state === undefined || state.tenant !== call.tenant || isMissing(entry)) return []
    return isOfEscrow(directory, call, state.context.authority.address) ? [] : [{ entry, state }]
  })
}

/**
 * Makes sure that a free nonce with its current value is available, as far as the chain can tell. If none is free, a
 * nonce whose creation is signed, or whose use by a transaction is `confirmed`, is awaited until that is final. Rejects
 * if the cluster does not answer.
 */
export async function nonceAtHand(context: Context): Promise<void> {
  const { platform, call } = context
  const free = freeNonces(context)
  if (free.some(({ entry }) => isFresh(platform, entry))) return
  if (free.length > 0) {
    await readNonces(platform, call.cluster, free.map(({ entry }) => entry).slice(0, READ_AT_ONCE))
    return
  }
  await creationFinal(context)
  await readPossiblyFree(context)
  if (freeNonces(context).length === 0 && (await useFinal(context))) await readPossiblyFree(context)
}

async function readPossiblyFree(context: Context): Promise<void> {
  const { platform, call } = context
  const candidates = own(context).filter(({ head }) => mayBeFree(platform, head))
  await readNonces(platform, call.cluster, candidates.slice(0, READ_AT_ONCE))
}

/** True if a reading of the chain may make the nonce free: only that ends a lease, also after its transaction ended. */
function mayBeFree(platform: Platform, { value, context }: RecordState): boolean {
  if (value !== 'leased') return value === 'active'
  const holder = transactionWithId(platform, (context as NonceContext).lease?.transactionId)
  return holder === undefined || hasEnded(holder)
}

export function isFresh(platform: Platform, entry: Entry): boolean {
  const sighting = sightingOf(entry)
  return sighting !== undefined && Math.abs(platform.clock.now() - sighting.atMs) < FRESH_MS
}

/** The value of a new nonce is readable once its creation is final. Of several, one that is confirmed is awaited. */
async function creationFinal({ platform, call }: Context): Promise<void> {
  const created = own({ platform, call }).filter(({ head }) => isBeingCreated(head))
  const creations = created.map(({ head }) => ({ head, creation: creationOf(platform, head) }))
  const isFinal = creations.some(({ head, creation }) => head.value === 'active' && creation?.value !== 'confirmed')
  if (isFinal) return
  const awaited = creations.find(({ head }) => head.value === 'active') ?? creations.find(({ creation }) => creation)
  if (awaited?.creation !== undefined) await final({ platform, call }, awaited.creation)
}

function isBeingCreated({ value, context }: RecordState): boolean {
  return value === 'pending' || (value === 'active' && (context as NonceContext).value === null)
}

/** The transaction that creates a nonce and is being sent. One that waits for signatures or Submit may never be. */
function creationOf(platform: Platform, nonce: RecordState): RecordState<'transaction'> | undefined {
  if (nonce.value === 'active')
    return transactionWithId(platform, (nonce.context as NonceContext).creation?.transactionId)
  return ownMessages(platform.engine.directory, nonce)
    .flatMap(({ head }) => ofKind(head, 'transaction') ?? [])
    .find((each) => UNDER_WAY.has(each.value) && platform.engine.payload(each).held !== true)
}

/** A nonce is free again once the transaction that used its value is final. False: none has landed. */
async function useFinal({ platform, call }: Context): Promise<boolean> {
  const landed = own({ platform, call })
    .flatMap(({ head }) => {
      const nonce = ofKind(head, 'nonce')
      return nonce?.value === 'leased' ? (transactionWithId(platform, nonce.context.lease?.transactionId) ?? []) : []
    })
    .find(({ value }) => value === 'confirmed')
  if (landed !== undefined) await final({ platform, call }, landed)
  return landed !== undefined
}

function transactionWithId(platform: Platform, id: string | null | undefined): RecordState<'transaction'> | undefined {
  return id == null ? undefined : ofKind(platform.engine.directory.resident(id)?.committed, 'transaction')
}

async function final({ platform, call }: Context, { id }: RecordState<'transaction'>): Promise<void> {
  await platform.engine.waiters.wait(id, ({ value }) => !UNDER_WAY.has(value), call.waitMs)
}

function own({ platform, call }: Context): Entry[] {
  return platform.engine.directory.find(ownNoncesKey(call.tenant, call.cluster)).filter(({ head }) => {
    return ofKind(head, 'nonce')?.context.organization === call.organization
  })
}

function unavailable(context: Context): Refusal {
  const all = own(context)
  const frozen = all.filter(({ head }) => ofKind(head, 'nonce')?.context.frozenByOperator === true)
  const created = all.filter((entry) => !frozen.includes(entry) && isBeingCreated(entry.head))
  const inUse = all.length - frozen.length - created.length
  const counts = `${inUse} in use, ${created.length} being created, ${frozen.length} frozen by an operator`
  const why =
    all.length === 0
      ? 'the organization has no durable nonce account'
      : `no durable nonce account of the organization is free: ${counts}`
  return new Refusal(400, [{ code: 'NONCE_UNAVAILABLE', message: why, pointer: LIFETIME_POINTER, retryable: true }])
}

export interface HeldNonce {
  readonly entry: Entry
  readonly state: RecordState<'nonce'>
}

/** The nonce record of a transaction; undefined under a blockhash. */
export function nonceOf(platform: Platform, { context }: RecordState<'transaction'>): HeldNonce | undefined {
  const id = context.fixed.nonceAccount?.id ?? null
  const entry = id === null ? undefined : platform.engine.directory.resident(id)
  const state = ofKind(entry?.head, 'nonce')
  return entry === undefined || state === undefined ? undefined : { entry, state }
}

/** No effect under a blockhash. Throws 400 `NONCE_UNAVAILABLE`, 403 `FROZEN`. */
export function leaseNonce(
  platform: Platform,
  unit: UnitOfWork,
  transaction: RecordState<'transaction'>,
  at: string,
): void {
  const { fixed } = transaction.context
  if (fixed.nonceAccount === null) return
  const nonce = nonceOf(platform, transaction)
  if (nonce === undefined)
    throw badRequest('NONCE_UNAVAILABLE', `the nonce account ${fixed.nonceAccount.address} has no record`)
  const rejected = unit.trySend<'nonce'>(nonce.entry, {
    type: 'command.lease',
    transactionId: transaction.id,
    value: fixed.blockhash,
    at,
  })
  if (rejected === null) return
  const { rejection } = rejected
  throw rejection.code === 'CLOSED' ? badRequest('NONCE_UNAVAILABLE', rejection.detail) : rejectionAsRefusal(rejection)
}
