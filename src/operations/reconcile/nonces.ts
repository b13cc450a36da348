// Reads nonce accounts at `finalized` and updates their records. Nonce leases end only here.
import { FormatError } from '../../solana/format-error.ts'
import { decodeNonce, type DecodedNonce } from '../../solana/system-layout.ts'
import type { Entry } from '../../engine/records/entry.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import type { ChainAccount, Platform } from '../context/platform.ts'
import { accountAt } from '../lookup/nonce.ts'

export interface NonceSighting {
  readonly value: string
  /** Latest finalized slot at which the chain is known to have held the value. */
  readonly slot: number
  /** Unix milliseconds. */
  readonly atMs: number
}

/** Readings of this process, by record. They are not stored: without them a later proof only takes longer. */
const sightings = new WeakMap<Entry, NonceSighting>()

/** The last reading that showed the nonce value on record; undefined if there was none since the start. */
export function sightingOf(entry: Entry): NonceSighting | undefined {
  const sighting = sightings.get(entry)
  return sighting?.value === ofKind(entry.head, 'nonce')?.context.value ? sighting : undefined
}

/** Nonces missing in the last answer. The answer may be an error reported as null, so nothing is recorded. */
const missing = new WeakSet<Entry>()

export function isMissing(entry: Entry): boolean {
  return missing.has(entry)
}

/** Resolves when the readings are durable. Rejects if the cluster does not answer. */
export async function readNonces(platform: Platform, cluster: string, entries: readonly Entry[]): Promise<void> {
  const access = platform.clusters.get(cluster)
  const nonces = entries.flatMap((entry) => {
    const state = ofKind(entry.head, 'nonce')
    return state === undefined || state.value === 'closed' ? [] : [{ entry, address: state.context.address }]
  })
  if (access === undefined || nonces.length === 0) return
  const { slot, accounts } = await access.finalizedAccounts(nonces.map(({ address }) => address))
  const writes: Promise<void>[] = []
  for (const [index, { entry }] of nonces.entries()) {
    const nonce = readNonce(accounts[index] ?? null)
    if (nonce === null) missing.add(entry)
    else {
      missing.delete(entry)
      writes.push(recordValue(platform, entry, nonce, slot))
    }
  }
  await Promise.all(writes)
}

/** null: no account, or not a nonce account. Neither proves anything: an error may be reported as null. */
export function readNonce(account: ChainAccount | null): DecodedNonce | null {
  if (account === null) return null
  try {
    return decodeNonce(account.data, account.owner)
  } catch (error) {
    if (error instanceof FormatError) return null
    throw error
  }
}

async function recordValue(
  platform: Platform,
  entry: Entry,
  { value, authority }: DecodedNonce,
  slot: number,
): Promise<void> {
  const state = ofKind(entry.head, 'nonce')
  if (state === undefined || state.value === 'closed' || (state.context.valueSlot ?? 0) > slot) return
  const before = sightings.get(entry)
  if (before === undefined || before.slot <= slot) sightings.set(entry, { value, slot, atMs: platform.clock.now() })
  if (isUnchanged(state, value, authority)) return
  const { lease } = state.context
  const { durable } = platform.engine.transact((unit) => {
    const change =
      authority === state.context.authority.address ? {} : { authority: accountAt(platform, state, authority) }
    unit.send<'nonce'>(entry, { type: 'chain.advanced', value, slot, ...change })
    // The transaction that held the lease has landed, or never will: the proof is available now.
    if (lease !== null && lease.value !== value) {
      unit.afterCommit(() => {
        const cluster = platform.clusters.get(state.cluster)
        cluster?.checkNow(lease.transactionId)
        if (lease.voidedBy !== null) cluster?.checkNow(lease.voidedBy)
      })
    }
  })
  await durable
}

function isUnchanged({ context }: RecordState<'nonce'>, value: string, authority: string): boolean {
  const isLeaseCurrent = context.lease === null || context.lease.value === value
  return isLeaseCurrent && context.value === value && context.authority.address === authority
}
