// Prints the history of one address, step by step, to find out why a seed failed.
import type { Engine } from '../../src/engine/engine.ts'
import type { Change } from '../../src/engine/records/change.ts'
import { isHolding, ofKind } from '../../src/engine/records/record.ts'
import type { SimulatedChain } from './chain.ts'
import { landingOf } from './landings.ts'
import type { Time } from './time.ts'

export class Trace {
  readonly #address: string
  readonly #time: Time

  constructor(address: string, time: Time, chain: SimulatedChain) {
    this.#address = address
    this.#time = time
    chain.onLanded((transaction) => {
      const { lamports, tokens, slot, signature, request, error } = landingOf(transaction)
      if (!transaction.accountKeys.includes(address)) return
      this.#say(
        `landed in slot ${slot}: request ${request ?? '?'}, ${signature.slice(0, 8)}, lamports ${lamports.get(address) ?? 0n}, tokens ${tokens.get(address) ?? 0n} ${error ?? ''}`,
      )
    })
    chain.bank.on((event) => {
      if (event.type === 'forked')
        this.#say(`forked at slot ${event.slot}: ${event.signatures.map((each) => each.slice(0, 8)).join(' ')}`)
    })
  }

  follow(engine: Engine): void {
    this.#say('the service is up')
    engine.onCommitted((changes) => changes.forEach((change) => this.#changed(change)))
  }

  #changed({ next }: Change): void {
    const transaction = ofKind(next, 'transaction')
    if (transaction?.context.fixed.accounts.some(({ address }) => address === this.#address) === true) {
      const { signature, slot, error } = transaction.context
      this.#say(
        `transaction ${transaction.id.slice(0, 8)} is ${transaction.value}, ${signature?.slice(0, 8) ?? ''} ${slot ?? ''} ${error ?? ''}`,
      )
    }
    if (!isHolding(next) || next.context.address !== this.#address) return
    const { lamports } = next.context
    const { tokens } = next.context as { tokens?: unknown }
    this.#say(
      `${next.kind} of ${next.tenant}, revision ${next.revision}, is ${next.value}: ${JSON.stringify({ lamports, tokens })}`,
    )
  }

  #say(text: string): void {
    process.stdout.write(`step ${this.#time.steps}, ${(this.#time.elapsedMs / 1000).toFixed(2)} s: ${text}\n`)
  }
}
