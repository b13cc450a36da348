// The parties of a statement by name. Addresses of token accounts are shown with their owners.
import { ofKind, type HoldingState } from '../../engine/records/record.ts'
import type { Call } from '../../contract/call.ts'
import type { Platform, Context } from '../context/platform.ts'
import { counterpartyAt, servesOrganization } from '../lookup/counterparty.ts'
import { maySee, referTo } from '../lookup/party.ts'
import { ownRecordsAt } from '../lookup/whose-records.ts'
import type { StatementPartyModel } from '../../contract/schemas/statement.ts'

export interface NamedParty {
  readonly onchainId: string
  readonly offchainId: string | null
  /** Owner of a token account; null: not a token account, or the owner is unknown. */
  readonly ownerOnchainId: string | null
  readonly name: string | null
}

/** The parties of one statement; the records of an address are looked up once. */
export class Parties {
  readonly #platform: Platform
  readonly #call: Call
  readonly #known = new Map<string, NamedParty>()

  constructor({ platform, call }: Context) {
    this.#platform = platform
    this.#call = call
  }

  /**
   * @param madeFor owner for whom the movement's transaction made the account. It is not used for other movements, so
   * that a line is the same in the statement of every interval.
   */
  of(address: string, madeFor?: string): NamedParty {
    const known = this.#of(address)
    if (madeFor === undefined || known.ownerOnchainId !== null) return known
    return { ...known, ownerOnchainId: madeFor, name: known.name ?? this.#of(madeFor).name }
  }

  #of(address: string): NamedParty {
    const known = this.#known.get(address)
    if (known !== undefined) return known
    const party = this.#read(address)
    if (this.#known.size >= MAX_KNOWN) this.#known.clear()
    this.#known.set(address, party)
    return party
  }

  #read(address: string): NamedParty {
    const { tenant, cluster } = this.#call
    const [entry] = ownRecordsAt(this.#platform.engine.directory, tenant, cluster, address)
    const state = entry?.committed as HoldingState | undefined
    const owner = ofKind(state, 'position')?.context.owner.address ?? null
    const { id } = referTo({ platform: this.#platform, call: this.#call }, address)
    // Its references belong to the organization that keeps the record, also within the tenant.
    const described = state !== undefined && maySee(this.#call, state) ? state : undefined
    const name = nameOf(described) ?? this.#counterpartyAt(address) ?? (owner === null ? null : this.#of(owner).name)
    return { onchainId: address, offchainId: id, ownerOnchainId: owner, name }
  }

  #counterpartyAt(address: string): string | null {
    const { tenant, cluster, organization } = this.#call
    const counterparty = counterpartyAt(this.#platform.engine.directory, tenant, cluster, address)
    const isUsable = counterparty !== undefined && servesOrganization(counterparty, organization)
    return isUsable ? counterparty.context.name : null
  }
}

/** Maximum number of parties that one statement keeps in memory. */
const MAX_KNOWN = 10_000

export function nameOf(state: HoldingState | undefined): string | null {
  const references = state?.context.references
  return references?.name ?? references?.accountNumber ?? references?.code ?? null
}

export const partyJson = (party: NamedParty): StatementPartyModel => ({ ...party })
