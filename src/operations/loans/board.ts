// Collects the steps of a loan change: opens positions, mints amounts first, thaws positions that are frozen by
// default and freezes them again after the transfers. Used within the unit of work.
import { MAX_COMPUTE_UNITS } from '../../solana/instructions/compute-budget.ts'
import type { AccountRef } from '../../../machines/holding.ts'
import type { Step } from '../../solana/step.ts'
import type { RecordState } from '../../engine/records/record.ts'
import type { UnitOfWork } from '../../engine/records/unit-of-work.ts'
import type { Call } from '../../contract/call.ts'
import type { Platform, Context } from '../context/platform.ts'
import { badRequest } from '../../contract/refusal.ts'
import { tokenProgramOf } from '../lookup/instrument.ts'
import type { Party } from '../lookup/party.ts'
import { isPositionFrozen, type Destination } from '../holdings/destination.ts'
import { authorityParty, checkNotPaused } from '../holdings/freezing.ts'
import { HOOK_UNITS, hookAccountsOf, isHooked } from '../holdings/delivery.ts'
import { checkFree, type TokenSource } from '../holdings/source.ts'
import type { KnownAccounts } from '../transactions/known-accounts.ts'

const BASE_UNITS = 20_000
const UNITS: Readonly<Record<Step['kind'], number>> = {
  open: 45_000,
  mint: 30_000,
  transfer: 35_000,
  freeze: 15_000,
  thaw: 15_000,
  close: 15_000,
  lamports: 2_000,
}

/** A token account that is credited or debited. */
export interface End {
  readonly address: string
  readonly owner: Party
  readonly instrument: RecordState<'instrument'>
  /** Current state, or the state in which it will be created. */
  readonly frozen: boolean
  /** Created by the same transaction. */
  readonly opens: boolean
  readonly rents: ReadonlyMap<string, bigint>
  readonly prepare: ((unit: UnitOfWork) => void) | null
  readonly freezeAuthority: Party | null
  /** True if the adapter itself chose the account: a vault or an escrow. */
  readonly isChosen?: true
}

/** A signature that a step needs from an account named in the request. */
export interface AskedSignature {
  readonly party: Party
  /** True if the account gives up what it holds. A mint authority or freeze authority gives up nothing. */
  readonly isPayer: boolean
  readonly pointer: string
}

/** An existing position of an account whose key the adapter may use. */
export function existingEnd(
  { engine: { directory } }: Platform,
  state: RecordState<'position'>,
  instrument: RecordState<'instrument'>,
  owner: AccountRef,
): End {
  return {
    address: state.context.address,
    owner: {
      address: owner.address,
      entry: (owner.id === null ? undefined : directory.resident(owner.id)) ?? null,
      autoSign: true,
    },
    instrument,
    frozen: isPositionFrozen(state, instrument),
    opens: false,
    rents: new Map(),
    prepare: null,
    freezeAuthority: null,
    isChosen: true,
  }
}

export function endAt(
  { address, instrument, position, frozen, creation, rents, prepare }: Destination,
  owner: Party,
): End {
  const opens = creation.length > 0
  return {
    address,
    owner,
    instrument,
    frozen,
    opens,
    rents: opens ? rents : new Map(),
    prepare,
    freezeAuthority: position.freezeAuthority,
  }
}

export function endOf({ address, owner, instrument, frozen, position }: TokenSource): End {
  return {
    address,
    owner,
    instrument,
    frozen,
    opens: false,
    rents: new Map(),
    prepare: null,
    freezeAuthority: position.freezeAuthority,
  }
}

export class LoanBoard {
  readonly #platform: Platform
  readonly #call: Call
  readonly #known: KnownAccounts
  readonly #payer: Party
  readonly #opens: Step[] = []
  readonly #mints: Step[] = []
  readonly #transfers: Step[] = []
  readonly #finalSteps: Step[] = []
  readonly #switches = new Map<string, { readonly thaw: Step; readonly freeze: Step }>()
  readonly #parties: Party[] = []
  readonly #asked: AskedSignature[] = []
  readonly #rents = new Map<string, bigint>()
  readonly #prepares: ((unit: UnitOfWork) => void)[] = []
  readonly #seen = new Set<string>()
  #hooked = false

  constructor({ platform, call }: Context, known: KnownAccounts, payer: Party) {
    this.#platform = platform
    this.#call = call
    this.#known = known
    this.#payer = payer
  }

  /** The mint authority of the instrument signs. */
  mint(end: End, amount: bigint, authority: Party, pointer: string): void {
    this.#touch(end, pointer)
    this.#ask(authority, pointer)
    const { instrument } = end
    checkNotPaused(instrument, pointer)
    this.#mints.push({
      kind: 'mint',
      ...mintOf(instrument),
      to: end.address,
      amount,
      decimals: instrument.context.decimals,
      authority: authority.address,
    })
  }

  /** @param free the source, whose balance is checked if the tenant does not reserve amounts on its record */
  transfer(
    from: End,
    to: End,
    amount: bigint,
    { pointer, free }: { readonly pointer: string; readonly free?: TokenSource | undefined },
  ): void {
    if (from.instrument.context.address !== to.instrument.context.address)
      throw badRequest('INSTRUMENT_MISMATCH', 'the two positions hold different financial instruments', pointer)
    if (from.address === to.address)
      throw badRequest('SAME_POSITION', 'source and destination are the same position', pointer)
    const { instrument } = from
    checkNotPaused(instrument, pointer)
    this.#touch(from, pointer)
    this.#touch(to, pointer)
    if (from.isChosen === true) this.#parties.push(from.owner)
    else this.#ask(from.owner, pointer, true)
    if (free !== undefined) checkFree(free, amount)
    this.#hooked ||= isHooked(instrument)
    const newOwner = to.opens ? to.owner.address : null
    const leg = { source: from.address, destination: to.address, newOwner, authority: from.owner.address, amount }
    this.#transfers.push({
      kind: 'transfer',
      ...mintOf(instrument),
      from: from.address,
      to: to.address,
      amount,
      decimals: instrument.context.decimals,
      authority: from.owner.address,
      hookAccounts: hookAccountsOf(this.#known, instrument, leg, pointer),
    })
  }

  /** Adds a final step: closes an emptied token account, or moves remaining lamports. */
  end(step: Step): void {
    this.#finalSteps.push(step)
  }

  /** Signatures that the request asks for: the adapter has not decided that these accounts sign. */
  get asked(): readonly AskedSignature[] {
    return this.#asked
  }

  built() {
    const switches = [...this.#switches.values()]
    const opensFrozen = this.#mints.length > 0
    const steps = [
      ...this.#opens,
      ...(opensFrozen ? switches.map(({ thaw }) => thaw) : []),
      ...this.#mints,
      ...(opensFrozen ? [] : switches.map(({ thaw }) => thaw)),
      ...this.#transfers,
      ...switches.map(({ freeze }) => freeze),
      ...this.#finalSteps,
    ]
    const units = steps.reduce((sum, { kind }) => sum + UNITS[kind], BASE_UNITS) + (this.#hooked ? HOOK_UNITS : 0)
    return {
      steps,
      parties: this.#parties,
      rents: this.#rents,
      computeUnits: Math.min(units, MAX_COMPUTE_UNITS),
      prepare: (unit: UnitOfWork): void => {
        for (const prepare of this.#prepares) prepare(unit)
      },
    }
  }

  #ask(party: Party, pointer: string, isPayer = false): void {
    this.#parties.push(party)
    this.#asked.push({ party, isPayer, pointer })
  }

  /**
   * Opens a missing position, and thaws a frozen one if the instrument freezes positions by default. Throws 400
   * `POSITION_FROZEN`.
   */
  #touch(end: End, pointer: string): void {
    if (this.#seen.has(end.address)) return
    this.#seen.add(end.address)
    const { instrument, address } = end
    if (end.opens)
      this.#opens.push({
        kind: 'open',
        payer: this.#payer.address,
        owner: end.owner.address,
        account: address,
        ...mintOf(instrument),
      })
    for (const [account, lamports] of end.rents) this.#rents.set(account, lamports)
    if (end.prepare !== null) this.#prepares.push(end.prepare)
    if (!end.frozen) return
    if (instrument.context.defaultPositionState !== 'FROZEN')
      throw badRequest('POSITION_FROZEN', `the position ${address} is frozen`, pointer)
    const authority = authorityParty({ platform: this.#platform, call: this.#call }, instrument, 'freezeAuthority', {
      named: end.freezeAuthority,
      pointer,
    })
    this.#ask(authority, pointer)
    const step = { account: address, authority: authority.address, ...mintOf(instrument) }
    this.#switches.set(address, { thaw: { kind: 'thaw', ...step }, freeze: { kind: 'freeze', ...step } })
  }
}

function mintOf(instrument: RecordState<'instrument'>): { readonly program: string; readonly mint: string } {
  return { program: tokenProgramOf(instrument), mint: instrument.context.address }
}
