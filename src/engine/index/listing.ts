// The directory of everybody's accounts: what any tenant may be decided by of another's record, and no more. It has no books, no limits, no
// references and no actors. Records of this process are listed as they stand; those that another process owns are listed as its letters say.
import type { Directory } from './directory.ts'
import { addressKey } from './index-keys.ts'
import { isHolding, ofKind, type HoldingKind, type HoldingState, type RecordState } from '../records/record.ts'

/** A live record at an address. */
export interface Listing {
  readonly tenant: string
  readonly cluster: string
  readonly id: string
  readonly kind: HoldingKind
  readonly address: string
  readonly organization: string
  readonly managed: boolean
  /** The service made its key, and nobody outside has seen it. */
  readonly ownKey: boolean
  /** Who can take out what lies there, where that is another: the owner of a token account, the authority of a nonce or a table. */
  readonly controller: string | null
  readonly shared: boolean
  /** Organizations whose keys may sign with it, and those that it pays fees for. */
  readonly signsFor: readonly string[]
  readonly paysFor: readonly string[]
}

/** What a letter to everybody says of a record. */
export interface Listed {
  readonly cluster: string
  readonly address: string
  readonly id: string
  /** Of the record: an older word is none. */
  readonly revision: number
  /** null: it is closed. */
  readonly listing: Listing | null
}

const NONE: readonly string[] = []

/** null: it stands nowhere any more. */
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

/** What everybody has to hear of a change; undefined: nothing that the directory tells has changed, as with nearly every change of books. */
export function listed(previous: RecordState | undefined, next: RecordState): Listed | undefined {
  if (!isHolding(next)) return undefined
  const before = previous !== undefined && isHolding(previous) ? listingOf(previous) : null
  const after = listingOf(next)
  if (before === null ? after === null && previous !== undefined : after !== null && isAlike(before, after)) return undefined
  const { cluster, id, revision, context } = next
  return { cluster, address: context.address, id, revision, listing: after }
}

function isAlike(a: Listing, b: Listing): boolean {
  return (Object.keys(a) as (keyof Listing)[]).every((member) => a[member] === b[member])
}

export class Listings {
  readonly #directory: Pick<Directory, 'find'>
  /** Of tenants that another process owns: by address, then by id. */
  readonly #elsewhere = new Map<string, Map<string, Listed>>()

  constructor(directory: Pick<Directory, 'find'>) {
    this.#directory = directory
  }

  /** Everybody's live records of an address. */
  at(cluster: string, address: string): Listing[] {
    const key = addressKey(cluster, address)
    const here = this.#directory.find(key).flatMap(({ head }) => (isHolding(head) ? (listingOf(head) ?? []) : []))
    const there = this.#elsewhere.get(key)
    return there === undefined ? here : [...here, ...[...there.values()].flatMap(({ listing }) => listing ?? [])]
  }

  has(cluster: string, address: string): boolean {
    return this.at(cluster, address).length > 0
  }

  /** What another process says of one of its records. In any order, and as often as it likes. */
  take(told: Listed): void {
    const key = addressKey(told.cluster, told.address)
    const there = this.#elsewhere.get(key) ?? new Map<string, Listed>()
    this.#elsewhere.set(key, there)
    const known = there.get(told.id)
    if (known === undefined || known.revision < told.revision) there.set(told.id, told)
  }
}
