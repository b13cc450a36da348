// Balances while everything moves, to the unit: what the books of an account lack of what the chain shows is what our
// own transactions moved that the books do not count yet, and what came in or was taken out by outsiders since the
// books were last compared: the newest of their transactions, none left out and none counted twice. Only where no fork
// dies: what was seen may be gone again there.
import { boldly } from '../../shy-store.ts'
import type { Engine } from '../../../src/engine/engine.ts'
import type { Change } from '../../../src/engine/records/change.ts'
import { addressBytes } from '../../../src/solana/address.ts'
import { addressKey } from '../../../src/engine/index/index-keys.ts'
import { isHolding, ofKind } from '../../../src/engine/records/record.ts'
import type { LedgerTransaction } from '../../../src/localnet/contract.ts'
import type { SimulatedChain } from '../chain.ts'
import { landingOf, type Landing } from '../landings.ts'
import { CLUSTER, type Surroundings } from '../process.ts'
import type { House } from '../tenants.ts'

const STANDING = new Set(['active', 'initialized', 'frozen'])
const AMOUNT_OFFSET = 64

interface Flows {
  /** Of outsiders, in the order they landed. */
  readonly outside: bigint[]
  /** Of ours, as long as the books may lack them. */
  readonly own: Set<Landing>
}

export class BooksAudit {
  readonly #around: Surroundings
  readonly #chain: SimulatedChain
  readonly #faucet: string
  readonly #houses: () => readonly House[]
  readonly #lamports = new Map<string, Flows>()
  readonly #tokens = new Map<string, Flows>()
  /** Transactions by the hash of their message. */
  readonly #idOf = new Map<string, string>()
  /** Comparisons that found an account with something of outsiders in it that its books lack, or of ours. */
  busy = 0

  constructor(around: Surroundings, chain: SimulatedChain, faucet: string, houses: () => readonly House[]) {
    this.#around = around
    this.#chain = chain
    this.#faucet = faucet
    this.#houses = houses
    chain.onLanded((transaction) => this.#landed(transaction))
  }

  committed(changes: readonly Change[]): void {
    for (const { next } of changes) {
      const transaction = ofKind(next, 'transaction')
      if (transaction !== undefined) this.#idOf.set(transaction.context.fixed.messageHash, transaction.id)
    }
  }

  check(engine: Engine): void {
    if (this.#around.sky.climate.forks || this.#chain.sending > 0) return
    for (const { wallets, outsider, positions } of this.#houses()) {
      for (const { onchainId } of [...wallets, outsider]) this.#checkOne(engine, onchainId, 'lamports')
      for (const { onchainId } of positions) this.#checkOne(engine, onchainId, 'tokens')
    }
  }

  #landed(transaction: LedgerTransaction): void {
    const landing = landingOf(transaction)
    const isOutside = landing.feePayer === this.#faucet || this.#chain.outside.has(landing.signature)
    for (const [all, changes] of [
      [this.#lamports, landing.lamports],
      [this.#tokens, landing.tokens],
    ] as const) {
      for (const [address, amount] of changes) {
        const flows = flowsOf(all, address)
        if (isOutside) flows.outside.push(amount)
        else flows.own.add(landing)
      }
    }
  }

  #checkOne(engine: Engine, address: string, asset: 'lamports' | 'tokens'): void {
    const flows = flowsOf(asset === 'lamports' ? this.#lamports : this.#tokens, address)
    const heads = engine.directory.findOwn(addressKey(CLUSTER, address)).map(({ head }) => head)
    const account = this.#chain.bank.account(addressBytes(address))
    const onchain = asset === 'lamports' ? (account?.lamports ?? 0n) : tokensOf(account)
    for (const head of heads) {
      const book =
        isHolding(head) && STANDING.has(head.value)
          ? asset === 'lamports'
            ? head.context.lamports
            : ofKind(head, 'position')?.context.tokens
          : undefined
      if (book === undefined) continue
      let lacking = onchain - BigInt(book.balance)
      for (const landing of flows.own) {
        const state = this.#stateOf(engine, landing)
        if (state === 'booked') continue
        lacking -= (asset === 'lamports' ? landing.lamports : landing.tokens).get(address) ?? 0n
      }
      if (lacking === 0n) continue
      this.busy += 1
      if (isSuffix(flows.outside, lacking)) continue
      const description = `${asset} of ${address} (${head.kind}): ${book.balance}, on chain ${onchain}, which leaves ${lacking} that nobody moved`
      this.#around.violated('balance that is not of this chain', description)
    }
    for (const landing of flows.own) if (this.#isOver(engine, landing)) flows.own.delete(landing)
  }

  #stateOf(engine: Engine, { hash, error }: Landing): 'booked' | 'open' {
    const head = boldly(() => engine.directory.byId(this.#idOf.get(hash) ?? '')?.head)
    const transaction = head === undefined ? undefined : ofKind(head, 'transaction')
    if (transaction === undefined) return 'open'
    const { value, context } = transaction
    if (error !== null) return value === 'blockchainError' ? 'booked' : 'open'
    return (value === 'confirmed' || value === 'finalized') && context.error === null ? 'booked' : 'open'
  }

  #isOver(engine: Engine, { hash }: Landing): boolean {
    const head = boldly(() => engine.directory.byId(this.#idOf.get(hash) ?? '')?.committed)
    return head !== undefined && ofKind(head, 'transaction')?.context.finalAt != null
  }
}

function flowsOf(all: Map<string, Flows>, address: string): Flows {
  let flows = all.get(address)
  if (flows === undefined) {
    flows = { outside: [], own: new Set() }
    all.set(address, flows)
  }
  return flows
}

/** Whether the amount is the sum of the newest so many. */
function isSuffix(amounts: readonly bigint[], sum: bigint): boolean {
  let remaining = sum
  for (const amount of amounts.toReversed()) {
    remaining -= amount
    if (remaining === 0n) return true
  }
  return false
}

function tokensOf(account: { readonly data: Uint8Array } | null): bigint {
  return account === null || account.data.length < AMOUNT_OFFSET + 8
    ? 0n
    : Buffer.from(account.data).readBigUInt64LE(AMOUNT_OFFSET)
}
