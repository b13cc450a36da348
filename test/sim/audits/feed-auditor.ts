// What stands on chain by each feed, read from the messages that landed and from what the hosts said, without the
// service: every value is one that a job's run gave, sequences only rise, no slot of the schedule is served too often,
// and the details show what the chain holds.
import { ofKind, type RecordState } from '../../../src/engine/records/record.ts'
import { addressBytes } from '../../../src/solana/address.ts'
import type { SimulatedChain } from '../chain.ts'
import type { Landing } from '../landings.ts'
import { messageOf } from '../message.ts'
import { PRICE_PLACES, type PriceHosts, type Quote } from '../prices.ts'
import type { Price } from './reckoning.ts'

/**
 * What a feed's jobs make of what the hosts answer: of each path the price times the factor; of two paths the mean, or
 * the one that answers.
 */
export interface Recipe {
  readonly paths: readonly string[]
  readonly factor: bigint
}

export interface WatchedFeed {
  readonly address: string
  readonly id: string
  /** Every recipe that anybody asked for. */
  readonly recipes: Recipe[]
  /** Refreshed by the schedule and by nobody else. */
  readonly scheduled: boolean
}

export interface Publication {
  readonly signature: string
  /** Over 10^VALUE_PLACES. */
  readonly value: bigint
  readonly asOf: bigint
  readonly slot: number
  readonly sequence: number
}

/** What the service showed of a feed, and until when. */
interface Shown {
  readonly sequence: number
  untilMs: number
}

/** Digits after the point that a value has here: those of a price, and of a mean of two. */
export const VALUE_PLACES = PRICE_PLACES + 2
const TEXT = /v1\|([+-])(\d{39})\|([+-])(\d{2})\|(\d{20})\|(\d{12})\|(\d{20})\|([0-9a-f]{32})/
/** Answers that a value may come from: those of its run are among the last ones. */
const ANSWERS_KEPT = 40
const SHOWN_MS = 300_000

export class FeedAuditor {
  readonly #feeds = new Map<string, WatchedFeed>()
  /** By feed: what landed, in the order it did; that of dead forks is taken out when it is looked at. */
  readonly #landed = new Map<string, Publication[]>()
  readonly #shown = new Map<string, Shown[]>()
  readonly #chain: SimulatedChain
  readonly #hosts: PriceHosts
  readonly #elapsedMs: () => number
  readonly #violated: (kind: string, detail: string) => void

  constructor(
    chain: SimulatedChain,
    hosts: PriceHosts,
    elapsedMs: () => number,
    violated: (kind: string, detail: string) => void,
  ) {
    this.#chain = chain
    this.#hosts = hosts
    this.#elapsedMs = elapsedMs
    this.#violated = violated
  }

  watch(feed: WatchedFeed): void {
    this.#feeds.set(feed.address, feed)
  }

  landed({ signature, error, transaction }: Landing): void {
    if (error !== null) return
    const match = TEXT.exec(Buffer.from(messageOf(transaction.bytes).bytes).toString('latin1'))
    if (match === null) return
    const [text, sign, digits = '', exponentSign, exponent = '', slot, asOf = '', sequence] = match
    const address = transaction.accountKeys.find((key) =>
      Buffer.from(this.#chain.bank.account(addressBytes(key))?.data ?? []).includes(text),
    )
    if (address === undefined) {
      this.#violated('published nowhere', signature)
      return
    }
    const places = VALUE_PLACES + (exponentSign === '-' ? -1 : 1) * Number(exponent)
    const value = (sign === '-' ? -1n : 1n) * BigInt(digits) * 10n ** BigInt(Math.max(places, 0))
    const publication = { signature, value, asOf: BigInt(asOf), slot: Number(slot), sequence: Number(sequence) }
    const earlier = this.#landed.get(address) ?? []
    const last = this.#standing(address).findLast((each) => each.signature !== signature)
    this.#landed.set(address, [...earlier.filter((each) => each.signature !== signature), publication])
    const description = `feed ${address}: sequence ${publication.sequence} in ${signature}`
    if (publication.slot > transaction.slot)
      this.#violated('value from the future', `${description}, slot ${publication.slot} landed in ${transaction.slot}`)
    // What comes back from a dead fork comes in the order in which the cluster takes it.
    const comesBack = earlier.some((each) => each.signature === signature)
    if (last !== undefined && publication.sequence <= last.sequence && !comesBack)
      this.#violated('sequence did not rise', `${description}, after ${last.sequence}`)
    const feed = this.#feeds.get(address)
    // Landed before any answer showed its address: its creation.
    if (feed !== undefined && !this.#isGiven(feed, value))
      this.#violated('value that no job gave', `${description}: ${value}`)
  }

  #isGiven({ recipes }: WatchedFeed, value: bigint): boolean {
    const scale = 10n ** BigInt(VALUE_PLACES - PRICE_PLACES)
    return recipes.some(({ paths, factor }) => {
      const answers = paths.map((path) => this.#answersOf(path).map(({ price }) => price * factor * scale))
      if (answers.some((each) => each.includes(value))) return true
      const [one = [], other = []] = answers
      return paths.length === 2 && one.some((a) => other.some((b) => a + b === value * 2n))
    })
  }

  #answersOf(path: string): readonly Quote[] {
    return this.#hosts.asked.filter((each) => each.path === path && each.price > 0n).slice(-ANSWERS_KEPT)
  }

  #standing(feed: string): readonly Publication[] {
    return (this.#landed.get(feed) ?? []).filter(({ signature }) => this.#chain.standing.has(signature))
  }

  shown(records: readonly RecordState[]): void {
    for (const record of records) {
      const source = ofKind(record, 'dataSource')
      if (source === undefined || source.context.latest === null) continue
      const { latest, address } = source.context
      const values = this.#shown.get(address) ?? []
      this.#shown.set(address, values)
      if (values.at(-1)?.sequence === latest.sequence) continue
      const now = this.#elapsedMs()
      const before = values.at(-1)
      if (before !== undefined) before.untilMs = now
      values.push({ sequence: latest.sequence, untilMs: Infinity })
      while (values.length > 1 && values[0]!.untilMs < now - SHOWN_MS) values.shift()
      const published = this.#publication(address, latest.sequence)
      if (published === null)
        this.#violated('shown and never published', `feed ${address}: sequence ${latest.sequence}`)
      else if (scaled(latest.value) !== published.value || BigInt(latest.asOf) !== published.asOf) {
        this.#violated(
          'shown otherwise than published',
          `feed ${address}: ${latest.value} as of ${latest.asOf}, on chain ${published.value} as of ${published.asOf}`,
        )
      }
    }
  }

  #publication(feed: string, sequence: number): Publication | null {
    return (this.#landed.get(feed) ?? []).findLast((each) => each.sequence === sequence) ?? null
  }

  /** Prices that the service showed within the last milliseconds. */
  pricesOf(feed: string, withinMs: number): readonly Price[] {
    const since = this.#elapsedMs() - withinMs
    const sequences = (this.#shown.get(feed) ?? [])
      .filter(({ untilMs }) => untilMs >= since)
      .map(({ sequence }) => sequence)
    return sequences.flatMap((sequence) => {
      const published = this.#publication(feed, sequence)
      return published === null ? [] : [{ units: published.value, asOf: published.asOf }]
    })
  }

  /** Of feeds that only the schedule refreshes: how often their hosts were asked. */
  checkSchedule(periodMs: number): void {
    const first = [...this.#feeds.values()].filter(({ scheduled }) => scheduled)
    for (const { address, recipes } of first) {
      const runs = this.#hosts.asked.filter(({ path }) => path === recipes[0]?.paths[0])
      const early = runs.find(
        ({ atMs, service }, index) =>
          index > 1 && runs[index - 1]!.service === service && atMs - runs[index - 1]!.atMs < periodMs * 0.9,
      )
      if (early !== undefined)
        this.#violated('refreshed too often', `feed ${address} at ${(early.atMs / 1000).toFixed(1)} s`)
    }
  }

  /** At rest: what the details show is what stands on chain last. */
  checkDetails(feed: string, latest: { readonly value: string; readonly sequence: number } | null): void {
    const last = this.#standing(feed).at(-1)
    const same =
      last === undefined
        ? latest === null
        : latest !== null && latest.sequence === last.sequence && scaled(latest.value) === last.value
    if (!same)
      this.#violated(
        'details differ from the chain',
        `feed ${feed}: ${JSON.stringify(latest)}, on chain sequence ${last?.sequence ?? 'none'}`,
      )
  }

  get feeds(): Iterable<WatchedFeed> {
    return this.#feeds.values()
  }
}

/** A decimal over 10^VALUE_PLACES. */
export function scaled(text: string): bigint {
  const [integer = '0', fraction = ''] = text.split('.')
  return BigInt(`${integer}${fraction.slice(0, VALUE_PLACES).padEnd(VALUE_PLACES, '0')}`)
}
