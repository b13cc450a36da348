// Items of batches and occurrences of schedules are found on the chain by a mark in the memo of each. A transaction may
// have many marks; its effect is the sum of theirs, and each lands at most as often as allowed.
import type { SimulatedChain } from './chain.ts'
import type { Leg } from './clients.ts'
import { landingOf, type Landing } from './landings.ts'
import { messageOf } from './message.ts'
import type { Surroundings } from './process.ts'

interface Mark {
  readonly kind: string
  readonly legs: readonly Leg[]
  /** How often it may have landed by now. */
  readonly most: () => number
}

export class Marks {
  readonly #around: Surroundings
  readonly #chain: SimulatedChain
  readonly #marks = new Map<string, Mark>()
  /** By mark and signature; a transaction that lands again after its fork was dropped may have another effect. */
  readonly #landings = new Map<string, Map<string, Landing>>()

  constructor(around: Surroundings, chain: SimulatedChain) {
    this.#around = around
    this.#chain = chain
    chain.onLanded((transaction) => this.#landed(landingOf(transaction)))
  }

  /** Returns the memo that carries the mark. */
  add(name: string, mark: Mark): string {
    this.#marks.set(name, mark)
    return `#${name};`
  }

  /** Landings on the present fork with an effect. */
  standing(name: string): readonly Landing[] {
    return [...(this.#landings.get(name)?.values() ?? [])].filter(
      ({ signature, error }) => error === null && this.#chain.standing.has(signature),
    )
  }

  /** Marks of a landed transaction. */
  namesIn({ transaction }: Landing): string[] {
    const { bytes } = messageOf(transaction.bytes)
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
    return [...text.matchAll(/#([a-z]\d+(?:\.\d+)?);/g)].flatMap(([, name = '']) =>
      this.#marks.has(name) ? [name] : [],
    )
  }

  #landed(landing: Landing): void {
    const names = this.namesIn(landing)
    if (names.length === 0) return
    for (const name of names) {
      const all = this.#landings.get(name) ?? new Map<string, Landing>()
      this.#landings.set(name, all.set(landing.signature, landing))
      const landed = this.standing(name)
      const { kind, most } = this.#marks.get(name)!
      if (landed.length > most())
        this.#around.violated(`${kind} happened twice`, `${name}: ${landed.map((each) => each.signature).join(', ')}`)
    }
    this.#checkEffect(names, landing)
  }

  #checkEffect(names: readonly string[], landing: Landing): void {
    const legs = landing.error === null ? names.flatMap((name) => this.#marks.get(name)!.legs) : []
    const differs = (asset: Leg['asset'], found: ReadonlyMap<string, bigint>): string[] => {
      const expected = new Map<string, bigint>()
      const add = (address: string, amount: bigint) => expected.set(address, (expected.get(address) ?? 0n) + amount)
      for (const leg of legs) if (leg.asset === asset) add(leg.address, leg.amount)
      if (asset === 'lamports') add(landing.feePayer, -landing.feeLamports)
      return [...new Set([...found.keys(), ...expected.keys()])].filter(
        (key) => (found.get(key) ?? 0n) !== (expected.get(key) ?? 0n),
      )
    }
    const others = [...differs('tokens', landing.tokens), ...differs('lamports', landing.lamports)]
    if (others.length > 0)
      this.#around.violated(
        'another effect than the items',
        `${names.join(', ')} in ${landing.signature}: ${others.join(', ')}`,
      )
  }
}
