// The auditor keeps its own books from the requests and answers of clients and from the chain. It trusts no balance,
// reservation or state of the service, and reports deviations.
import type { Change } from '../../../src/engine/records/change.ts'
import { ofKind, type RecordState } from '../../../src/engine/records/record.ts'
import type { LedgerTransaction } from '../../../src/localnet/contract.ts'
import { addressBytes, addressOf } from '../../../src/solana/address.ts'
import { messageKey } from '../../../snapshots/keys.ts'
import type { SimulatedChain } from '../chain.ts'
import { describe, type Clients, type Leg, type Request } from '../clients.ts'
import { landingOf, requestIn, type Landing } from '../landings.ts'
import { CLUSTER, type Surroundings } from '../process.ts'

type Transaction = RecordState<'transaction'>

/** Of a nonce account: version, state, authority, then the value. */
const NONCE_BYTES = 80
const NONCE_VALUE_OFFSET = 40
const ENDED = new Set(['finalized', 'blockchainError', 'nonBlockchainError', 'cancelled', 'expired'])
const LAMPORTS_PER_SIGNATURE = 5_000n
/** Legs of these are all that they do; others make or unmake accounts on the way. */
const EXACT_LAMPORTS = new Set(['transferNetworkCurrency', 'transferEntireBalance', 'trade', 'inactivate'])

export class Auditor {
  readonly #around: Surroundings
  readonly #chain: SimulatedChain
  readonly #clients: Clients
  /** All landed transactions, by message; the chain knows on which fork. */
  readonly #landings = new Map<string, Landing>()
  readonly #landingsOf = new Map<number, Set<string>>()
  /** Newest committed record of each transaction, and how it ended once it did. */
  readonly records = new Map<string, Transaction>()
  readonly #ended = new Map<string, string>()
  /** Accounts whose owners move funds without the service. */
  readonly outsiders = new Set<string>()
  /** Signed, and neither landed nor expired by the chain: each may still take what its request names. */
  readonly #mayLand = new Map<string, Transaction>()

  /** The transactions that use the value of a nonce. */
  readonly #leases = new Map<string, string>()

  constructor(around: Surroundings, chain: SimulatedChain, clients: Clients) {
    this.#around = around
    this.#chain = chain
    this.#clients = clients
    chain.onLanded((transaction) => this.#landed(transaction))
  }

  #landed(transaction: LedgerTransaction): void {
    const landing = landingOf(transaction)
    if (this.#around.outsiders.has(landing.feePayer) || this.#chain.outside.has(landing.signature)) return
    this.#landings.set(landing.hash, landing)
    const { hash, signature, request: number } = landing
    // The second is the name of a row that a cell writes under a claim.
    const isRecorded = [hash, `~${hash}`].some((name) => this.#around.row(messageKey(CLUSTER, name)) !== undefined)
    if (!isRecorded) {
      this.#violated('message without a record landed', `${signature}, request ${number ?? 'unknown'}`)
    }
    const fee = LAMPORTS_PER_SIGNATURE * BigInt(landing.signatures)
    if (landing.feeLamports !== fee)
      this.#violated('unexpected fee', `${signature}: ${landing.feeLamports}, expected ${fee}`)
    if (number === null) return
    const request = this.#clients.requests[number - 1]
    if (request === undefined) {
      this.#violated('landed without a request', signature)
      return
    }
    const all = this.#landingsOf.get(number) ?? new Set()
    this.#landingsOf.set(number, all.add(signature))
    const landed = [...all].filter((each) => this.#chain.standing.has(each))
    if (landed.length > 1) this.#violated('landed twice', `${describe(request)}: ${landed.join(', ')}`)
    if (request.state === 'refused')
      this.#violated('refused and landed', `${describe(request)}: ${request.code ?? ''}, ${signature}`)
    this.#checkEffect(request, landing)
  }

  /** Its effect equals the request; a failed one took only the fee. */
  #checkEffect(request: Request, landing: Landing): void {
    const legs = landing.error === null ? [...(request.legs ?? []), ...movedWhole(request, landing)] : []
    const expected = (asset: Leg['asset']): Map<string, bigint> => {
      const sums = new Map<string, bigint>()
      for (const leg of legs) if (leg.asset === asset) sums.set(leg.address, (sums.get(leg.address) ?? 0n) + leg.amount)
      return sums
    }
    const differs = (actual: ReadonlyMap<string, bigint>, expectedSums: ReadonlyMap<string, bigint>): string[] =>
      [...new Set([...actual.keys(), ...expectedSums.keys()])].filter(
        (key) => (actual.get(key) ?? 0n) !== (expectedSums.get(key) ?? 0n),
      )
    const tokens = differs(landing.tokens, expected('tokens'))
    const lamports = expected('lamports')
    lamports.set(landing.feePayer, (lamports.get(landing.feePayer) ?? 0n) - landing.feeLamports)
    const others = landing.error !== null || EXACT_LAMPORTS.has(request.kind) ? differs(landing.lamports, lamports) : []
    if (tokens.length + others.length > 0) {
      this.#violated(
        'another effect than asked for',
        `${describe(request)} in ${landing.signature}: ${[...tokens, ...others].join(', ')}`,
      )
    }
  }

  /** Follows the commits of the service. */
  committed(changes: readonly Change[]): void {
    for (const { next } of changes) {
      const transaction = ofKind(next, 'transaction')
      if (transaction === undefined) continue
      this.records.set(transaction.id, transaction)
      if (transaction.context.ourSignature && !this.#mayLand.has(transaction.id))
        this.#mayLand.set(transaction.id, transaction)
      if (transaction.context.ourSignature && transaction.value !== 'cancelled') this.#checkLease(transaction)
      if (ENDED.has(transaction.value)) this.#hasEnded(transaction)
    }
  }

  #hasEnded(transaction: Transaction): void {
    const { id, value } = transaction
    const before = this.#ended.get(id)
    if (before !== undefined && before !== value)
      this.#violated('ended twice', `transaction ${id}: ${before}, then ${value}`)
    if (before === undefined) this.checkEnd(transaction)
    this.#ended.set(id, value)
  }

  /** Its final state equals the chain. */
  checkEnd(transaction: Transaction): void {
    const { id, value, context } = transaction
    const landing = this.#standing(transaction)
    const final = landing !== null && landing.slot <= this.#chain.bank.slot('finalized')
    const description = `transaction ${id} is ${value}, on chain ${landing === null ? 'unknown' : `in slot ${landing.slot}${landing.error ?? ''}`}`
    if (value === 'finalized' && !(final && landing.error === null))
      this.#violated('reported final and is not', description)
    else if (value === 'blockchainError' && !(final && landing.error !== null))
      this.#violated('reported failed and is not', description)
    else if (ENDED.has(value) && value !== 'finalized' && value !== 'blockchainError' && landing !== null) {
      this.#violated('reported as never landed and landed', description)
    } else if (value === 'expired' && this.#couldLand(transaction)) {
      this.#violated(
        'reported expired before its time',
        `${description}, last valid height ${context.fixed.lastValidBlockHeight ?? 'none'}`,
      )
    }
  }

  /** A transaction without a memo is found by its answer: its landed effect equals the request. */
  checkUnnamed(): void {
    for (const request of this.#clients.requests) {
      if (request.everything === undefined || request.kind !== 'inactivate') continue
      for (const id of request.transactions ?? []) {
        const record = this.records.get(id)
        const landing = record === undefined ? null : this.#standing(record)
        if (landing !== null) this.#checkEffect(request, landing)
      }
    }
  }

  #standing({ context }: Transaction): Landing | null {
    const landing = this.#landings.get(context.fixed.messageHash)
    return landing !== undefined && this.#chain.standing.has(landing.signature) ? landing : null
  }

  /** By the chain alone. A dropped fork lowers heights, final blocks stay. */
  #couldLand({ context }: Transaction): boolean {
    const { nonceAccount, blockhash, lastValidBlockHeight: last } = context.fixed
    if (nonceAccount !== null) return this.#nonceOf(nonceAccount.address) === blockhash
    return last !== null && this.#chain.bank.blockHeight('finalized') <= last
  }

  /** The final value of a nonce account. */
  #nonceOf(address: string): string | null {
    const account = this.#chain.accountAt(addressBytes(address), this.#chain.bank.slot('finalized'))
    return account?.data.length === NONCE_BYTES ? addressOf(account.data, NONCE_VALUE_OFFSET) : null
  }

  /**
   * Two that carry the same value cannot both land: the nonce was leased twice. What was cancelled unsent gives its
   * lease back.
   */
  #checkLease({ id, context }: Transaction): void {
    const { nonceAccount, blockhash, message } = context.fixed
    // The advance that voids another uses its value on purpose, and no payment.
    if (nonceAccount === null || requestIn(Buffer.from(message, 'base64')) === null) return
    const lease = `${nonceAccount.address} ${blockhash}`
    const other = this.#leases.get(lease) ?? id
    if (other !== id && this.records.get(other)?.value !== 'cancelled') {
      this.#violated('nonce leased twice', `${nonceAccount.address}: transactions ${other} and ${id}`)
    }
    this.#leases.set(lease, id)
  }

  /**
   * Transactions that may still land never take more than the balance. Not while forks are dropped: a credit may be
   * reverted.
   */
  checkCover(): void {
    if (this.#chain.sending > 0) return
    const debits = new Map<string, { asset: Leg['asset']; address: string; sum: bigint; requests: number[] }>()
    for (const [id, transaction] of this.#mayLand) {
      const now = this.records.get(id)!
      if (this.#standing(now) !== null || !this.#couldLand(now) || now.value === 'cancelled') {
        this.#mayLand.delete(id)
        continue
      }
      if (this.#around.sky.climate.forks) continue
      const number = requestIn(Buffer.from(transaction.context.fixed.message, 'base64'))
      for (const { address, asset, amount } of this.#clients.requests[(number ?? 0) - 1]?.legs?.reduce<readonly Leg[]>(
        net,
        [],
      ) ?? []) {
        // Funds that an outsider may withdraw at any time cannot be guaranteed.
        if (amount >= 0n || this.outsiders.has(address)) continue
        const key = `${asset} ${address}`
        const debit = debits.get(key) ?? { asset, address, sum: 0n, requests: [] }
        debits.set(key, { ...debit, sum: debit.sum - amount, requests: [...debit.requests, number!] })
      }
    }
    for (const { asset, address, sum, requests } of debits.values()) {
      const account = this.#chain.bank.account(addressBytes(address))
      const onchain =
        asset === 'lamports'
          ? (account?.lamports ?? 0n)
          : account === null
            ? 0n
            : Buffer.from(account.data).readBigUInt64LE(64)
      if (sum > onchain) {
        this.#violated(
          'more promised than there is',
          `${asset} of ${address}: ${sum} may still be taken of ${onchain}, by requests ${requests.join(', ')}`,
        )
      }
    }
  }

  #violated(kind: string, detail: string): void {
    this.#around.violated(kind, detail)
  }
}

/** If the service chooses the amount: the debit of one account equals the credit of the other, and is not zero. */
function movedWhole({ everything, burnsAll }: Request, { lamports, tokens }: Landing): Leg[] {
  if (burnsAll !== undefined) {
    const change = tokens.get(burnsAll) ?? 0n
    return [{ address: burnsAll, asset: 'tokens', amount: change < 0n ? change : -1n }]
  }
  if (everything === undefined) return []
  const gained = lamports.get(everything.to) ?? 0n
  const amount = gained > 0n ? gained : 1n
  return [
    { address: everything.from, asset: 'lamports', amount: -amount },
    { address: everything.to, asset: 'lamports', amount },
  ]
}

/** One leg for each address and asset: a later leg of a trade may spend the credit of an earlier one. */
function net(sums: readonly Leg[], leg: Leg): Leg[] {
  const same = sums.find(({ address, asset }) => address === leg.address && asset === leg.asset)
  const others = sums.filter((each) => each !== same)
  return [...others, { ...leg, amount: (same?.amount ?? 0n) + leg.amount }]
}
