// Looks at nonce accounts on chain, finalized, and tells their records. The only place a lease is ended from.
import { FormatError } from '../../solana/format-error.ts'
import { decodeNonce, type NonceState } from '../../solana/system-layout.ts'
import type { Entry } from '../../engine/records/entry.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import type { ChainAccount, Platform } from '../context/platform.ts'
import { accountAt } from '../lookup/nonce.ts'

export interface Sighting {
  readonly value: string
  /** Latest slot at which the chain is known to have held the value, finalized. */
  readonly slot: number
  /** Unix milliseconds. */
  readonly atMs: number
}

/** What this process has seen, by record. Nothing depends on it but how long a later proof takes: it is not stored. */
const sightings = new WeakMap<Entry, Sighting>()

/** The last look at the nonce in which it had the value it has on record; undefined when there was none since the start. */
export function sightingOf(entry: Entry): Sighting | undefined {
  const sighting = sightings.get(entry)
  return sighting?.value === ofKind(entry.head, 'nonce')?.context.value ? sighting : undefined
}

/** Those that the last answer did not know. It may be an error answered as null, so that nothing is recorded of it. */
const missing = new WeakSet<Entry>()

export function isMissing(entry: Entry): boolean {
  return missing.has(entry)
}

/** Resolves when what was seen is durable. Rejects when the cluster does not answer. */
export async function lookAtNonces(platform: Platform, cluster: string, entries: readonly Entry[]): Promise<void> {
  const access = platform.clusters.get(cluster)
  const nonces = entries.flatMap((entry) => {
    const state = ofKind(entry.head, 'nonce')
    return state === undefined || state.value === 'closed' ? [] : [{ entry, address: state.context.address }]
  })
  if (access === undefined || nonces.length === 0) return
  const { slot, accounts } = await access.finalizedAccounts(nonces.map(({ address }) => address))
  const written: Promise<void>[] = []
  for (const [index, { entry }] of nonces.entries()) {
    const found = readNonce(accounts[index] ?? null)
    if (found === null) missing.add(entry)
    else {
      missing.delete(entry)
      written.push(tell(platform, entry, found, slot))
    }
  }
  await Promise.all(written)
}

/** A missing account may be an error answered as null, and a closed one says nothing either. */
function readNonce(account: ChainAccount | null): NonceState | null {
  if (account === null) return null
  try {
    return decodeNonce(account.data, account.owner)
  } catch (error) {
    if (error instanceof FormatError) return null
    throw error
  }
}

async function tell(platform: Platform, entry: Entry, { value, authority }: NonceState, slot: number): Promise<void> {
  const state = ofKind(entry.head, 'nonce')
  if (state === undefined || state.value === 'closed' || (state.context.valueSlot ?? 0) > slot) return
  const before = sightings.get(entry)
  if (before === undefined || before.slot <= slot) sightings.set(entry, { value, slot, atMs: platform.clock.now() })
  if (saysNothingNew(state, value, authority)) return
  const { lease } = state.context
  const { durable } = platform.engine.transact((unit) => {
    const named = authority === state.context.authority.address ? {} : { authority: accountAt(platform, state, authority) }
    unit.tell<'nonce'>(entry, { type: 'chain.advanced', value, slot, ...named })
    // What the lease was for has landed, or never will: the proof can be had now.
    if (lease !== null && lease.value !== value) {
      unit.afterCommit(() => {
        const cluster = platform.clusters.get(state.cluster)
        cluster?.hurry(lease.transactionId)
        if (lease.voidedBy !== null) cluster?.hurry(lease.voidedBy)
      })
    }
  })
  await durable
}

function saysNothingNew({ context }: RecordState<'nonce'>, value: string, authority: string): boolean {
  const leased = context.lease === null || context.lease.value === value
  return leased && context.value === value && context.authority.address === authority
}
