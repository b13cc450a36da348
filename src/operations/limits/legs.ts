// Everything a compiled message takes from somebody, leg by leg: who consents to it, how much of what, and whom it goes to (completion 6).
// The fee is not among them: it follows from the whole message (fee-legs.ts).
import { SYSTEM_PROGRAM } from '../../chain/address.ts'
import type { Effect, EffectOf } from '../../chain/table/effect.ts'
import type { Directory } from '../../engine/directory.ts'
import type { Listings } from '../../engine/listing.ts'
import { underWayKey } from '../../engine/index-keys.ts'
import { ofKind, type HoldingState } from '../../engine/record.ts'
import type { DebitClass, DebitOperation, DestinationClass } from '../../../machines/debit-limits.ts'
import type { ChainAccount } from '../platform.ts'
import { controllerOf, destinationClass, recordsOf } from './destination-class.ts'
import { mintIn, tokenAccountIn } from './on-chain.ts'

export interface Leg {
  /** Address that consents, and whose limits count. */
  readonly payer: string
  /** Token account that the tokens leave; null: network currency. */
  readonly position: string | null
  readonly mint: string | null
  readonly decimals: number
  readonly operation: DebitOperation
  readonly destination: DebitClass | null
  /** Of fees: external id of the organization they are paid for. */
  readonly beneficiary?: string
  /** Raw units, more than 0. */
  readonly amount: bigint
}

export interface LegGround {
  readonly directory: Directory
  readonly listings: Listings
  /** Of whose records the limits are: destinations are classed for it. */
  readonly tenant: string
  readonly cluster: string
  readonly effects: readonly Effect[]
  /** True of an address whose record is made along with the message, so that its rent stays within. */
  readonly isMade: (address: string, associated?: boolean) => boolean
  /** Lamports that go into accounts whose instruction does not say how many. */
  readonly rents: ReadonlyMap<string, bigint>
  /** Of what goes into an account that is made: lamports beyond its rent, which are classed like any transfer. */
  readonly seeds?: ReadonlyMap<string, bigint>
  /** Accounts that are not on record, at `confirmed`. May throw to have them read first. */
  readonly chain: { get(address: string): ChainAccount | null }
}

const NETWORK_DECIMALS = 9

export function legsOf(ground: LegGround): Leg[] {
  const reader = new Reader(ground)
  return ground.effects.flatMap((effect) => reader.legs(effect)).filter(({ amount }) => amount > 0n)
}

class Reader {
  readonly #ground: LegGround
  /** Tables whose rent is counted: several instructions of one message add to it. */
  readonly #paid = new Set<string>()

  constructor(ground: LegGround) {
    this.#ground = ground
  }

  legs(effect: Effect): Leg[] {
    switch (effect.kind) {
      case 'lamports':
        // Out of a nonce account it is its authority that pays.
        return [...new Set([effect.from, effect.signer])].flatMap((payer) => this.#moved(payer, effect.to, effect.lamports))
      case 'create':
        return this.#created(effect)
      case 'createAssociated': {
        const rent = this.#ground.rents.get(effect.account) ?? 0n
        return [this.#rent(effect.payer, rent, this.#ground.isMade(effect.account, true), effect.owner)]
      }
      case 'close':
        return this.#closed(effect.account, effect.authority, effect.destination)
      case 'table':
        return this.#tabled(effect)
      case 'tokens':
        return effect.from === effect.to ? [] : [this.#tokens(effect, 'TRANSFER', this.#class(this.#ownerOf(effect.to)))]
      case 'burn':
        return [this.#tokens(effect, 'BURN', null)]
      default:
        return []
    }
  }

  #moved(payer: string, to: string, lamports: bigint): Leg[] {
    if (to === payer) return []
    const destination = this.#class(controllerOf(this.#ground.listings, this.#ground.cluster, to))
    if (!this.#ground.isMade(to)) return [network(payer, lamports, destination)]
    const seed = this.#ground.seeds?.get(to) ?? 0n
    return [network(payer, lamports - seed, 'MANAGED'), network(payer, seed, destination)]
  }

  #created({ payer, account, lamports, owner }: EffectOf<'create'>): Leg[] {
    const controller = this.#controllerOfNew(account, owner)
    const seed = this.#ground.isMade(account) ? (this.#ground.seeds?.get(account) ?? 0n) : 0n
    return [this.#rent(payer, lamports - seed, this.#ground.isMade(account), controller), network(payer, seed, this.#class(controller))]
  }

  #rent(payer: string, lamports: bigint, isMade: boolean, controller: string | null): Leg {
    return network(payer, lamports, isMade ? 'MANAGED' : this.#class(controller))
  }

  /** By what else the message does with it; null: some program's, so nobody's that we know. */
  #controllerOfNew(account: string, program: string): string | null {
    if (program === SYSTEM_PROGRAM) {
      const nonce = this.#ground.effects.find((effect) => effect.kind === 'nonceInitialize' && effect.nonce === account)
      return (nonce as EffectOf<'nonceInitialize'> | undefined)?.authority ?? account
    }
    for (const effect of this.#ground.effects) {
      if (effect.kind === 'initializeAccount' && effect.account === account) return effect.owner
      if (effect.kind === 'initializeMint' && effect.mint === account) return effect.mintAuthority
    }
    return null
  }

  /** Everything in it goes, and what the same message puts there. What is owed to whoever paid the rent is no debit. */
  #closed(account: string, payer: string, to: string): Leg[] {
    const { directory, listings, tenant, cluster } = this.#ground
    if (to === payer) return []
    const records = recordsOf(directory, cluster, account)
    const isOwed = records.some((state) => state.tenant === tenant && state.context.rentPayer?.address === to)
    const lamports = (isOwed ? 0n : this.#heldBy(account, records)) + this.#putInto(account)
    return [network(payer, lamports, this.#class(controllerOf(listings, cluster, to)))]
  }

  #heldBy(account: string, records: readonly HoldingState[]): bigint {
    if (records.length === 0) return this.#ground.chain.get(account)?.lamports ?? 0n
    const held = records.map((state) => BigInt(state.context.lamports.balance) + this.#arriving(state))
    return held.reduce((most, each) => (each > most ? each : most), 0n)
  }

  /** What is on its way to it: it would go with the rest. */
  #arriving({ id }: HoldingState): bigint {
    const entries = this.#ground.directory
      .find(underWayKey(id))
      .flatMap(({ head }) => ofKind(head, 'transaction')?.context.fixed.entries ?? ofKind(head, 'countersignature')?.context.entries ?? [])
    const movements = entries.filter(({ record }) => record === id).flatMap((entry) => entry.movements)
    return movements.reduce((sum, { asset, credited }) => (asset === 'lamports' ? sum + BigInt(credited) : sum), 0n)
  }

  #putInto(account: string): bigint {
    return this.#ground.effects.reduce((sum, effect) => {
      if (effect.kind === 'lamports') return effect.to === account ? sum + effect.lamports : sum
      if (effect.kind === 'create') return effect.account === account ? sum + effect.lamports : sum
      return effect.kind === 'createAssociated' && effect.account === account ? sum + (this.#ground.rents.get(account) ?? 0n) : sum
    }, 0n)
  }

  #tabled({ action, table, authority, payer, recipient }: EffectOf<'table'>): Leg[] {
    if (action === 'close') return this.#closed(table, authority, recipient ?? '')
    if (payer === null || this.#paid.has(table)) return []
    this.#paid.add(table)
    return [this.#rent(payer, this.#ground.rents.get(table) ?? 0n, this.#ground.isMade(table), authority)]
  }

  #tokens(effect: EffectOf<'tokens'> | EffectOf<'burn'>, operation: DebitOperation, destination: DestinationClass | null): Leg {
    const { directory, cluster, chain } = this.#ground
    const { from, authority, amount } = effect
    const known = recordsOf(directory, cluster, from).flatMap((state) => ofKind(state, 'position') ?? [])[0]?.context
    const mint = effect.mint ?? known?.mint.address ?? tokenAccountIn(chain.get(from))?.mint ?? ''
    const decimals = effect.decimals ?? known?.decimals ?? mintIn(chain.get(mint))?.decimals ?? 0
    return { payer: authority, position: from, mint, decimals, operation, destination, amount }
  }

  /** Owner of a token account: on record, made by this very message, or as the chain says; null: there is none. */
  #ownerOf(account: string): string | null {
    const { listings, cluster, effects, chain } = this.#ground
    const known = listings.at(cluster, account).find(({ kind }) => kind === 'position')
    if (known !== undefined) return known.controller
    for (const effect of effects) {
      if ((effect.kind === 'initializeAccount' || effect.kind === 'createAssociated') && effect.account === account) return effect.owner
    }
    return tokenAccountIn(chain.get(account))?.owner ?? null
  }

  #class(address: string | null): DestinationClass {
    const { listings, tenant, cluster } = this.#ground
    return address === null ? 'OFF_PLATFORM' : destinationClass(listings, tenant, cluster, address)
  }
}

export function network(payer: string, amount: bigint, destination: DebitClass): Leg {
  return { payer, position: null, mint: null, decimals: NETWORK_DECIMALS, operation: 'TRANSFER', destination, amount }
}
