// Drafts the legs of a trade one after the other inside the unit of work. A later leg may use a position that an
// earlier leg opens.
import { transferLamports } from '../../../solana/instructions/system.ts'
import type { Instruction } from '../../../solana/message.ts'
import { ofKind } from '../../../engine/records/record.ts'
import { rawAmount } from '../../lookup/amounts.ts'
import type { Call } from '../../../contract/call.ts'
import type { TradeLegInput } from '../../../contract/schemas/position.ts'
import type { Platform, Context } from '../../context/platform.ts'
import { NETWORK_DECIMALS } from '../../views/read-models/amounts.ts'
import { badRequest } from '../../../contract/refusal.ts'
import { together } from '../../../contract/together.ts'
import { payee, resolveParty } from '../../lookup/account.ts'
import type { Party } from '../../lookup/party.ts'
import { resolvePaidPosition, resolvePosition } from '../../lookup/position.ts'
import { HOOK_UNITS, checkPair, deliver, isHooked } from '../../holdings/delivery.ts'
import { destinationOf, type Destination, type LoadedDestination } from '../../holdings/destination.ts'
import { checkFree, sourceOf, type TokenSource } from '../../holdings/source.ts'
import { tokenUnits } from '../../holdings/units.ts'
import { isPlainWallet } from '../../transactions/fee-payer.ts'
import type { KnownAccounts } from '../../transactions/known-accounts.ts'
import type { LegShape } from './side.ts'

const TOKEN_UNITS = 60_000
const CREATION_UNITS = 40_000
const CURRENCY_UNITS = 1_000

/** A leg with the chain reads of its two sides. */
export interface LoadedLeg {
  readonly pointer: string
  readonly input: TradeLegInput
  readonly shape: LegShape
  readonly source: LoadedDestination
  readonly destination: LoadedDestination
}

export interface BuiltLeg {
  readonly instructions: readonly Instruction[]
  readonly party: Party
  readonly computeUnits: number
}

/** State of the trade after the legs drafted so far. */
export class TradeBoard {
  readonly #platform: Platform
  readonly #call: Call
  readonly #feePayer: Party
  readonly #known: KnownAccounts
  /** Positions that an earlier leg opens, or creates a record for, by address. */
  readonly opened = new Map<string, Destination>()
  /** Net raw units that earlier legs move into token accounts; counts where this service keeps no books. */
  readonly #net = new Map<string, bigint>()

  constructor({ platform, call }: Context, feePayer: Party, known: KnownAccounts) {
    this.#platform = platform
    this.#call = call
    this.#feePayer = feePayer
    this.#known = known
  }

  build(leg: LoadedLeg): BuiltLeg {
    return leg.shape.kind === 'tokens' ? this.#tokens(leg, leg.shape) : this.#currency(leg, leg.shape)
  }

  #tokens(leg: LoadedLeg, shape: LegShape & { readonly kind: 'tokens' }): BuiltLeg {
    const [from, to] = [`${leg.pointer}/source`, `${leg.pointer}/destination`]
    const [source, destination] = together(
      () => this.#source(leg, shape, from),
      () => this.#destination(leg, shape, to),
    )
    const [, , , amount] = together(
      () => checkPair(source, destination, from, to),
      () => checkThawed(source, 'source', from),
      () => checkThawed(destination, 'destination', to),
      () => tokenUnits(this.#known, source.instrument, leg.input, leg.pointer),
    )
    const net = this.#net.get(source.address) ?? 0n
    checkFree({ ...source, free: source.free + net }, amount)
    this.#net.set(source.address, net - amount)
    this.#net.set(destination.address, (this.#net.get(destination.address) ?? 0n) + amount)
    return {
      instructions: [
        ...destination.creation,
        deliver(this.#known, source, destination, { authority: source.owner, amount, pointer: from }),
      ],
      party: source.owner,
      computeUnits:
        TOKEN_UNITS + destination.creation.length * CREATION_UNITS + (isHooked(source.instrument) ? HOOK_UNITS : 0),
    }
  }

  /** A position that did not exist before may be debited once an earlier leg has opened it. */
  #source(leg: LoadedLeg, shape: LegShape & { readonly kind: 'tokens' }, pointer: string): TokenSource {
    const position = resolvePosition({ platform: this.#platform, call: this.#call }, shape.source, pointer)
    const opened = position.entry === null ? this.opened.get(position.address) : undefined
    const owner = position.owner ?? opened?.position.owner ?? null
    if (opened === undefined || owner === null)
      return sourceOf({ platform: this.#platform, call: this.#call }, shape.source, leg.source, pointer)
    // The record is created with this transaction, so its books decide.
    return {
      address: opened.address,
      position,
      instrument: opened.instrument,
      owner,
      frozen: opened.frozen,
      free: 0n,
      booked: true,
    }
  }

  #destination(leg: LoadedLeg, shape: LegShape & { readonly kind: 'tokens' }, pointer: string): Destination {
    const { address } = resolvePaidPosition({ platform: this.#platform, call: this.#call }, shape.destination, pointer)
    const opened = this.opened.get(address)
    if (opened !== undefined) return { ...opened, creation: [] }
    const initialize = leg.input.initializeDestinationPositionIfNeeded ?? false
    const found = destinationOf({ platform: this.#platform, call: this.#call }, shape.destination, leg.destination, {
      feePayer: this.#feePayer,
      pointer,
      initialize,
    })
    if (found.creation.length > 0 || found.prepare !== null) this.opened.set(address, found)
    return found
  }

  #currency(leg: LoadedLeg, shape: LegShape & { readonly kind: 'currency' }): BuiltLeg {
    const context = { platform: this.#platform, call: this.#call }
    const [source, destination] = currencySides(context, shape, leg.pointer)
    const head = source.entry?.head
    const state = ofKind(head, 'account')
    if (head !== undefined && state === undefined)
      throw badRequest('ACCOUNT_NOT_FOUND', 'the source of network currency must be a wallet', `${leg.pointer}/source`)
    if (state !== undefined && !isPlainWallet(state))
      throw badRequest(
        'ACCOUNT_HAS_DATA',
        'network currency cannot be transferred out of an account that holds data',
        `${leg.pointer}/source`,
      )
    if (source.address === destination.address)
      throw badRequest('SAME_ACCOUNT', 'source and destination are the same account', `${leg.pointer}/destination`)
    const amount = rawAmount(leg.input, NETWORK_DECIMALS, leg.pointer)
    return {
      instructions: [transferLamports(source.address, destination.address, amount)],
      party: source,
      computeUnits: CURRENCY_UNITS,
    }
  }
}

function checkThawed({ frozen }: { readonly frozen: boolean }, end: string, pointer: string): void {
  if (frozen) throw badRequest('POSITION_FROZEN', `the ${end} is frozen`, pointer)
}

/** The payer and the receiver of a leg of network currency. */
export function currencySides(
  context: Context,
  { source, destination }: LegShape & { readonly kind: 'currency' },
  pointer: string,
): readonly [Party, Party] {
  const to = `${pointer}/destination`
  return together(
    () => resolveParty(context, source, `${pointer}/source`),
    () => resolveParty(context, payee(destination), to),
  )
}
