// A node of the simulated cluster: the chain as it was some slots ago, answered by the JSON-RPC server of the embedded
// chain. All data lags together, and each commitment shows the accounts as of its slot.
import type { Bank, Commitment } from '../../src/localnet/contract.ts'
import { answerBody } from '../../src/localnet/rpc/dispatch.ts'
import { laggingBank } from '../../src/localnet/rpc/lagging.ts'
import { createMethods } from '../../src/localnet/rpc/methods.ts'
import type { Method } from '../../src/localnet/rpc/method.ts'
import { BLOCKHASH_BLOCKS } from '../../src/localnet/timeline.ts'
import type { SimulatedChain } from './chain.ts'

/** A signature is answered from the status cache for this number of slots; older ones come from the history store. */
const CACHE_SLOTS = 300

export class SimulatedNode {
  readonly name: string
  /** Slots behind the chain. */
  behind = 0
  /** The history store fails: what is not in the status cache is answered with null. */
  withoutHistory = false
  readonly #methods: ReadonlyMap<string, Method>

  constructor(name: string, chain: SimulatedChain) {
    this.name = name
    const options = { rpcAddress: () => name, received: () => undefined, faults: false }
    const newest = createMethods(this.#view(chain, 'confirmed'), options)
    const final = createMethods(this.#view(chain, 'finalized'), options)
    this.#methods = new Map(
      [...newest].map(([method, answer]): [string, Method] => [
        method,
        (params) => (isFinalized(params) ? final.get(method)! : answer)(params),
      ]),
    )
  }

  /** The text of an answer, as delayed as the chain. */
  async answer(body: string): Promise<string> {
    const unexpected = (error: unknown): never => {
      throw error
    }
    return (await answerBody({ methods: this.#methods, unexpected }, body)) ?? ''
  }

  #view(chain: SimulatedChain, accountsAt: Commitment): Bank {
    const { bank } = chain
    const behind = (): number => this.behind
    const lagging = laggingBank(bank, behind)
    return {
      ...lagging,
      blockHeight: (commitment) => this.#heightAt(bank, lagging.slot(commitment)),
      latestBlockhash: (commitment) => {
        if (this.behind === 0) return bank.latestBlockhash(commitment)
        const slot = lagging.slot(commitment)
        const block = this.#blockAt(bank, slot)
        if (block === null) return bank.latestBlockhash(commitment)
        return { blockhash: block.blockhash, lastValidBlockHeight: block.blockHeight + BLOCKHASH_BLOCKS, slot }
      },
      account: (address) =>
        this.behind === 0 && accountsAt !== 'finalized'
          ? bank.account(address)
          : chain.accountAt(address, lagging.slot(accountsAt)),
      send: (bytes) => chain.send(bytes),
      signatureStatus: (signature, history) => {
        const status = lagging.signatureStatus(signature, history)
        const old = status !== null && status.slot < lagging.slot('processed') - CACHE_SLOTS
        return old && this.withoutHistory ? null : status
      },
    }
  }

  /** The newest block at or below a slot; slots of dropped forks have none. */
  #blockAt(bank: Bank, slot: number): ReturnType<Bank['block']> {
    const slots = bank.blocks(slot - 64, slot)
    return slots.length === 0 ? null : bank.block(slots.at(-1)!)
  }

  #heightAt(bank: Bank, slot: number): number {
    if (slot >= bank.slot('processed')) return bank.blockHeight('processed')
    if (this.behind === 0) return bank.blockHeight('finalized')
    return this.#blockAt(bank, slot)?.blockHeight ?? 0
  }
}

function isFinalized(params: readonly unknown[]): boolean {
  const last = params.at(-1)
  return typeof last === 'object' && last !== null && (last as { commitment?: unknown }).commitment === 'finalized'
}
