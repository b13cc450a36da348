// Public facts about the accounts of all tenants: the only members of another tenant's record that a decision may use
// (no balances, limits, references or actors). Records of this process are read from the directory; those of other
// processes arrive in messages.
import type { Directory } from './directory.ts'
import { addressKey } from './index-keys.ts'
import { isHolding, ofKind, type HoldingKind, type HoldingState, type RecordState } from '../records/record.ts'

/** The public facts about a live record at an address. */
export interface Listing {
  readonly tenant: string
  readonly cluster: string
  readonly id: string
  readonly kind: HoldingKind
  readonly address: string
  readonly organization: string
  readonly managed: boolean
  /** The service generated the key and never disclosed it. */
  readonly ownKey: boolean
  /**
   * The address that can withdraw, if it is not the account's own: the owner of a token account, the authority of a
   * nonce or a lookup table.
   */
  readonly controller: string | null
  readonly shared: boolean
  /** `signsFor`: organizations whose keys may sign with the account. `paysFor`: organizations whose fees it pays. */
  readonly signsFor: readonly string[]
  readonly paysFor: readonly string[]
}

/** A change of public facts, as sent to all processes. */
export interface Listed {
  readonly cluster: string
  readonly address: string
  readonly id: string
  /** Revision of the record; a change with an older revision is ignored. */
  readonly revision: number
  /** null: the record is closed. */
  readonly listing: Listing | null
}

const NONE: readonly string[] = []

/** null: the record is closed. */
export function listingOf(state: HoldingState): Listing | null {
  if (state.value === 'closed') return null
  const { tenant, cluster, id, kind, context } = state
  const { address, organization, managed, keyOrigin, shared } = context
  const signsFor = context.orgsAllowedToSignWithPrivateKey ?? NONE
  const paysFor = context.globalFeePayerForOrgs ?? NONE
  return {
    tenant,
    cluster,
    id,
    kind,
    address,
    organization,
    managed,
    ownKey: managed && keyOrigin === 'service',
    controller: controllerOf(state),
    shared,
    signsFor,
    paysFor,
  }
}

function controllerOf(state: HoldingState): string | null {
  const position = ofKind(state, 'position')
  if (position !== undefined) return position.context.owner.address
  return (ofKind(state, 'nonce') ?? ofKind(state, 'lookupTable'))?.context.authority?.address ?? null
}

/** The change of public facts to publish; undefined if none changed, as with nearly every balance change. */
export function listed(previous: RecordState | undefined, next: RecordState): Listed | undefined {
  if (!isHolding(next)) return undefined
  const before = previous !== undefined && isHolding(previous) ? listingOf(previous) : null
  const after = listingOf(next)
  if (before === null ? after === null && previous !== undefined : after !== null && isAlike(before, after))
    return undefined
  const { cluster, id, revision, context } = next
  return { cluster, address: context.address, id, revision, listing: after }
}

/** Public facts about the accounts of this process, for another process that starts. */
export function* ownListings(directory: Pick<Directory, 'entries'>): Generator<Listed, undefined, undefined> {
  for (const { head } of directory.entries()) {
    const facts = listed(undefined, head)
    if (facts !== undefined) yield facts
  }
  return undefined
}

function isAlike(a: Listing, b: Listing): boolean {
  return (Object.keys(a) as (keyof Listing)[]).every((member) => a[member] === b[member])
}

export class Listings {
  readonly #directory: Pick<Directory, 'atAddress'>
  /** Records of tenants owned by other processes: by address key, then by id. */
  readonly #elsewhere = new Map<string, Map<string, Listed>>()

  constructor(directory: Pick<Directory, 'atAddress'>) {
    this.#directory = directory
  }

  /** Public facts about all live records of an address, of any tenant. */
  at(cluster: string, address: string): Listing[] {
    const here = this.#directory
      .atAddress(cluster, address)
      .flatMap(({ head }) => (isHolding(head) ? (listingOf(head) ?? []) : []))
    if (this.#elsewhere.size === 0) return here
    const there = this.#elsewhere.get(addressKey(cluster, address))
    return there === undefined ? here : [...here, ...[...there.values()].flatMap(({ listing }) => listing ?? [])]
  }

  has(cluster: string, address: string): boolean {
    return this.at(cluster, address).length > 0
  }

  /** Applies a change published by another process. Idempotent, and independent of order. */
  take(events: Listed): void {
    const key = addressKey(events.cluster, events.address)
    const there = this.#elsewhere.get(key) ?? new Map<string, Listed>()
    this.#elsewhere.set(key, there)
    const known = there.get(events.id)
    if (known === undefined || known.revision < events.revision) there.set(events.id, events)
  }
}
