// Keeps messages unique among the transactions of all cells: a message lands once, so the books of a second transaction
// of it would be wrong.
//
// Every cell can build the same message, because a request may name any address as fee payer. At most one cell has a
// key that the service generated. This cell writes the row of a message under its hash, and needs no claim while it
// lends the key to no other organization. Any other cell writes the row under another name, so that the commits of two
// cells do not conflict, and holds a claim while it does so, so that it finds the rows of other such cells. Before such
// a message is signed or completed, the row under the hash must not name another transaction.
import { messageClaimKey } from '../../engine/index/index-keys.ts'
import type { Engine } from '../../engine/engine.ts'
import { isKeyOnlyHere } from '../../engine/records/key-origin.ts'
import { isHolding, type RecordState } from '../../engine/records/record.ts'
import type { UnitOfWork } from '../../engine/records/unit-of-work.ts'
import { onEach } from '../../../snapshots/at-hand.ts'
import type { StoreOp } from '../../../snapshots/store.ts'
import { badRequest, forbidden } from '../../contract/refusal.ts'
import type { Platform } from '../context/platform.ts'

interface MessageName {
  readonly cluster: string
  readonly hash: string
  readonly feePayer: string
}

type Place = Pick<RecordState<'transaction'>, 'tenant' | 'cluster' | 'id'>

/** Name of a row that is written under a claim. Rows of earlier releases are named by the hash. */
const claimedName = (hash: string): string => `~${hash}`

/** True if a transaction has the message. Throws `NotAtHand`. */
export function isMessageTaken({ engine }: Platform, { cluster, hash, feePayer }: MessageName): boolean {
  if (!needsClaim(engine, cluster, feePayer)) return engine.store.transactionOfMessage(cluster, hash) !== undefined
  if (transactionsOfMessage(engine, cluster, hash).length > 0) return true
  claim(engine, cluster, hash)
  return false
}

/** The row that reserves the message for a transaction. */
export function messageRow({ engine }: Platform, place: Place, { hash, feePayer }: Omit<MessageName, 'cluster'>) {
  return rowOf(place, needsClaim(engine, place.cluster, feePayer) ? claimedName(hash) : hash)
}

/** The ids of the transactions with the message, in any cell. Throws `NotAtHand`. */
export function transactionsOfMessage({ store }: Engine, cluster: string, hash: string): readonly string[] {
  const names = [hash, claimedName(hash)]
  return onEach(names, (name) => store.transactionOfMessage(cluster, name)).filter((id) => id !== undefined)
}

/**
 * Must be called before a recorded message is signed or completed. Throws 400 `ALREADY_EXISTS` if the cell that has the
 * key of the fee payer has used the same message for another transaction. Throws `NotAtHand`.
 */
export function checkMadeOnce({ engine }: Platform, { id, cluster, context }: RecordState<'transaction'>): void {
  const { fixed } = context
  if (!needsClaim(engine, cluster, fixed.feePayer.address)) return
  // That cell may have written its row after this cell read the rows.
  claim(engine, cluster, fixed.messageHash)
  const holder = engine.store.transactionOfMessage(cluster, fixed.messageHash)
  if (holder !== undefined && holder !== id)
    throw badRequest('ALREADY_EXISTS', 'another transaction has the same message', '/itemData/transaction')
}

/**
 * Reserves the message of another cell's transaction whose fee payer has its key in this cell. Throws 403
 * `COUNTERSIGNED_OTHERWISE` if the key was used for it in another transaction, and `NotAtHand`.
 */
export function takeMessageOfOtherCell(
  { engine }: Platform,
  unit: UnitOfWork,
  place: Place,
  message: MessageName,
): void {
  const { cluster, hash, feePayer } = message
  if (!isGeneratedHere(engine, cluster, feePayer)) return
  const holder = engine.store.transactionOfMessage(cluster, hash)
  if (holder === undefined) unit.also(place.tenant, rowOf(place, hash))
  else if (holder !== place.id)
    throw forbidden('COUNTERSIGNED_OTHERWISE', 'the message was signed for another transaction before')
}

function rowOf({ tenant, cluster, id }: Place, hash: string): StoreOp {
  return { type: 'message', tenant, cluster, hash, transactionId: id }
}

function claim({ store }: Engine, cluster: string, hash: string): void {
  const shownBy = [hash, claimedName(hash)].map((name) => ({ read: 'message', cluster, hash: name }) as const)
  store.names?.claim(messageClaimKey(cluster, hash), shownBy)
}

/** True unless only this cell has the key and currently lends it to no other organization. */
function needsClaim(engine: Engine, cluster: string, feePayer: string): boolean {
  if (engine.store.names?.hasNeighbours() !== true) return false
  return !engine.directory.ownAtAddress(cluster, feePayer).some(({ head }) => {
    if (!isHolding(head) || !engine.owns(head.tenant)) return false
    const { managed, keyOrigin, orgsAllowedToSignWithPrivateKey: signing, globalFeePayerForOrgs: paying } = head.context
    return managed && keyOrigin === 'service' && (signing ?? []).length === 0 && (paying ?? []).length === 0
  })
}

/** True if this cell has the key and no other cell can: a key from outside may be on record in several cells. */
function isGeneratedHere(engine: Engine, cluster: string, address: string): boolean {
  return isKeyOnlyHere(engine.directory.ownAtAddress(cluster, address).filter(({ head }) => engine.owns(head.tenant)))
}
