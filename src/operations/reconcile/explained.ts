// Decides whether an account notification can be the result of this service's own transactions alone. Most
// notifications about an active account are, so this saves reads. It decides nothing else: an unexplained notification
// causes a read of the account, and only that read changes the record.
import { readAccount } from '../../rpc/account-read.ts'
import { TransportError } from '../../rpc/rpc-error.ts'
import { underWayKey } from '../../engine/index/index-keys.ts'
import type { HoldingState } from '../../engine/records/record.ts'
import type { Asset } from '../../../machines/protocol.ts'
import type { ChainAccount, Platform } from '../context/platform.ts'
import { bookedBalance, shownBalances } from './balances.ts'
import { findDifferences } from './differences.ts'
import { effectOf } from './open-effects.ts'

/**
 * `settled`: the notification equals the record, and no transaction is in progress. `possible`: transactions in
 * progress may explain it, or the notification is older than the record. `unexplained`: another party has changed the
 * account, or the cause is unknown.
 */
export type Explanation = 'settled' | 'possible' | 'unexplained'

interface Band {
  low: bigint
  high: bigint
}

type Bands = Partial<Record<Asset, Band>>

/** Transactions in progress that are evaluated for one notification; with more, the result is `possible`. */
const MAX_UNDER_WAY = 256
const ASSETS: readonly Asset[] = ['lamports', 'tokens', 'supply']

/** The range of each record's recent balances: a notification may be older than the current balances. */
export class RecentBalances {
  #current = new Map<string, Bands>()
  #previous = new Map<string, Bands>()

  /** Called with every change of a record whose account is subscribed to. */
  note(state: HoldingState): void {
    let bands = this.#current.get(state.id)
    if (bands === undefined) this.#current.set(state.id, (bands = {}))
    extendByBooks(bands, state)
  }

  /** Starts a new period. Balances of periods before the previous one are dropped. */
  turn(): void {
    this.#previous = this.#current
    this.#current = new Map()
  }

  /** The range over the last two periods and the current balances. */
  bands(state: HoldingState): Bands {
    const bands: Bands = {}
    for (const recent of [this.#current.get(state.id), this.#previous.get(state.id)]) {
      for (const asset of ASSETS) {
        const band = recent?.[asset]
        if (band === undefined) continue
        extend(bands, asset, band.low)
        extend(bands, asset, band.high)
      }
    }
    extendByBooks(bands, state)
    return bands
  }
}

/** @param value an account as the feed delivered it, unchecked */
export function explain(platform: Platform, recent: RecentBalances, state: HoldingState, value: unknown): Explanation {
  const account = accountOf(value)
  if (account === undefined || findDifferences(platform, state, account, { slot: 0, isQuiet: false }).length > 0)
    return 'unexplained'
  const bands = recent.bands(state)
  const isQuiet = widen(platform, state, bands)
  if (isQuiet === null) return 'possible'
  let isSettled = isQuiet
  const shown = shownBalances(state, account)
  for (const asset of ASSETS) {
    const [amount, band] = [shown[asset], bands[asset]]
    if (amount === undefined || band === undefined) continue
    if (amount < band.low || amount > band.high) return 'unexplained'
    if (amount.toString() !== bookedBalance(state, asset)) isSettled = false
  }
  return isSettled ? 'settled' : 'possible'
}

/**
 * Widens the range by all amounts that transactions in progress may move. Returns true if there are none; null: too
 * many to evaluate.
 */
function widen({ engine }: Platform, state: HoldingState, bands: Bands): boolean | null {
  let count = 0
  for (const entry of engine.directory.each(underWayKey(state.id))) {
    count += 1
    if (count > MAX_UNDER_WAY) return null
    const effect = effectOf(engine, entry, state)
    for (const amounts of effect === null ? [] : [effect.landed, effect.charged]) {
      for (const asset of ASSETS) {
        const [amount, band] = [amounts[asset] ?? 0n, bands[asset]]
        if (band === undefined) continue
        if (amount < 0n) band.low += amount
        else band.high += amount
      }
    }
  }
  return count === 0
}

function extendByBooks(bands: Bands, state: HoldingState): void {
  for (const asset of ASSETS) {
    const balance = bookedBalance(state, asset)
    if (balance !== undefined) extend(bands, asset, BigInt(balance))
  }
}

function extend(bands: Bands, asset: Asset, amount: bigint): void {
  const band = bands[asset]
  if (band === undefined) bands[asset] = { low: amount, high: amount }
  else if (amount < band.low) band.low = amount
  else if (amount > band.high) band.high = amount
}

/** Decoded accounts by the notified value, because a waiting hint is explained repeatedly. */
const accounts = new WeakMap<object, ChainAccount>()

/** undefined: not in the form of an account. */
function accountOf(value: unknown): ChainAccount | null | undefined {
  if (value === undefined) return undefined
  const known = typeof value === 'object' && value !== null ? accounts.get(value) : undefined
  if (known !== undefined) return known
  try {
    const account = readAccount(value)
    if (account !== null) accounts.set(value as object, account)
    return account
  } catch (error) {
    if (error instanceof TransportError) return undefined
    throw error
  }
}
