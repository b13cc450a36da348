// Statements over the whole history of a world: opening balance and movements add up to the closing balance, for every
// account and any interval; each interval agrees with the whole; and the closing balance of the whole equals the chain.
import { addressBytes } from '../../../src/solana/address.ts'
import { addressKey } from '../../../src/engine/index/index-keys.ts'
import type { Engine } from '../../../src/engine/engine.ts'
import { isHolding } from '../../../src/engine/records/record.ts'
import { fetchStatement } from '../../../src/operations/statements/statement.ts'
import type { SimulatedChain } from '../chain.ts'
import type { Organization } from '../clients.ts'
import { CLUSTER, type Surroundings } from '../process.ts'
import { Random } from '../random.ts'
import type { Asking, Side } from './side.ts'
import type { House, Tenants } from '../tenants.ts'

const START = '2020-01-01T00:00:00.000Z'
const INTERVALS = 12
const STANDING = new Set(['active', 'initialized', 'frozen', 'paused'])
const AMOUNT_OFFSET = 64

interface Pair {
  readonly lamports: number | string
}

interface Movement {
  readonly time: string
  readonly amount: Pair
  readonly fee: number | string
  readonly rent: number | string
  readonly transaction: { readonly onchainId: string } | null
  readonly balanceAfter: Pair
}

interface Section {
  readonly account: { readonly onchainId: string; readonly offchainId: string }
  readonly financialInstrument: object | null
  readonly openingBalance: Pair
  readonly movements: readonly Movement[]
  readonly closingBalance: Pair
}

interface Statement {
  readonly from: string
  readonly to: string
  readonly balances: readonly Section[]
}

export class StatementSide implements Side {
  readonly #around: Surroundings
  readonly #chain: SimulatedChain
  readonly #random: Random
  #houses: readonly House[] = []

  constructor(around: Surroundings, chain: SimulatedChain) {
    this.#around = around
    this.#chain = chain
    this.#random = new Random(around.seed, 'statements')
  }

  build({ houses }: Tenants): Promise<void> {
    this.#houses = houses
    return Promise.resolve()
  }

  async auditAtRest(engine: Engine, ask: Asking): Promise<void> {
    for (const { organization } of this.#houses) {
      const fullStatement = await statement(ask, organization, { from: START })
      for (const section of fullStatement.balances) {
        this.#checkSums(section)
        this.#checkCosts(section)
        this.#checkChain(engine, section)
      }
      const times = [
        ...new Set(fullStatement.balances.flatMap(({ movements }) => movements.map(({ time }) => time))),
      ].sort()
      if (times.length === 0) continue
      const end = Date.parse(fullStatement.to)
      for (let count = 0; count < INTERVALS; count += 1) {
        const [one, other] = [this.#instant(times, end), this.#instant(times, end)]
        if (one === other) continue
        const [from, to] = [new Date(Math.min(one, other)), new Date(Math.max(one, other))]
        const part = await statement(ask, organization, { from: from.toISOString(), to: to.toISOString() })
        this.#checkPart(fullStatement, part)
      }
    }
  }

  /** Any instant of the world, and often one with a movement. */
  #instant(times: readonly string[], endMs: number): number {
    const startMs = Date.parse(times[0]!)
    return this.#random.chance(0.5)
      ? Math.min(endMs, Date.parse(this.#random.pick(times)))
      : Math.floor(this.#random.between(startMs - 1_000, endMs))
  }

  #checkSums(section: Section): void {
    let balance = rawOf(section.openingBalance)
    for (const { amount, balanceAfter, time } of section.movements) {
      balance += rawOf(amount)
      if (balance !== rawOf(balanceAfter))
        this.#violated(
          `balance after a movement`,
          section,
          `${rawOf(balanceAfter)} at ${time}, by the amounts ${balance}`,
        )
    }
    if (balance !== rawOf(section.closingBalance))
      this.#violated('closing balance', section, `${rawOf(section.closingBalance)}, by the movements ${balance}`)
  }

  /** However many payments a transaction made, an account paid its fee and rent once. */
  #checkCosts(section: Section): void {
    const paid = new Set<string>()
    for (const { fee, rent, transaction, time } of section.movements) {
      const id = transaction?.onchainId
      if (id === undefined || (Number(fee) === 0 && Number(rent) === 0)) continue
      if (paid.has(id)) this.#violated('fee of a transaction', section, `twice, at ${time}: ${id}`)
      paid.add(id)
    }
  }

  #checkChain(engine: Engine, section: Section): void {
    const { onchainId, offchainId } = section.account
    const head = engine.directory
      .findOwn(addressKey(CLUSTER, onchainId))
      .find((each) => each.head.id === offchainId)?.head
    if (head === undefined || !isHolding(head) || !STANDING.has(head.value)) return
    const account = this.#chain.bank.account(addressBytes(onchainId))
    const isTokens = section.financialInstrument !== null
    const onchain = isTokens ? tokensOf(account) : (account?.lamports ?? 0n)
    if (onchain !== rawOf(section.closingBalance))
      this.#violated('closing balance', section, `${rawOf(section.closingBalance)}, on chain ${onchain}`)
  }

  /** The expected statement of an interval, derived from the statement of all time. */
  #checkPart(fullStatement: Statement, part: Statement): void {
    const { from, to } = part
    const shown = new Map(part.balances.map((section) => [nameOf(section), section]))
    for (const section of part.balances) this.#checkSums(section)
    for (const section of fullStatement.balances) {
      const within = section.movements.filter(({ time }) => time >= from && time < to)
      const balanceAt = (instant: string): bigint => {
        const last = section.movements.findLast(({ time }) => time < instant)
        return rawOf(last?.balanceAfter ?? section.openingBalance)
      }
      const [opening, closing] = [balanceAt(from), balanceAt(to)]
      const foundSection = shown.get(nameOf(section))
      shown.delete(nameOf(section))
      const said = `from ${from} to ${to}`
      if (foundSection === undefined) {
        if (opening !== 0n || within.length > 0)
          this.#violated('statement of an interval lacks a balance', section, said)
        continue
      }
      const same =
        rawOf(foundSection.openingBalance) === opening &&
        rawOf(foundSection.closingBalance) === closing &&
        JSON.stringify(foundSection.movements) === JSON.stringify(within)
      if (!same)
        this.#violated(
          'statement of an interval',
          section,
          `${said}: ${rawOf(foundSection.openingBalance)} to ${rawOf(foundSection.closingBalance)} by ${foundSection.movements.length}, of the whole ${opening} to ${closing} by ${within.length}`,
        )
    }
    for (const section of shown.values()) this.#violated('statement of an interval', section, 'the whole lacks it')
  }

  #violated(what: string, { account, financialInstrument }: Section, detail: string): void {
    const asset = financialInstrument === null ? 'lamports' : 'tokens'
    this.#around.violated('statement differs', `${what}: ${asset} of ${account.onchainId}: ${detail}`)
  }
}

async function statement(ask: Asking, organization: Organization, interval: object): Promise<Statement> {
  const itemData = { organization: organization.name, ...interval, format: 'JSON' }
  const { pieces } = (await ask(organization, fetchStatement, { itemData })) as unknown as {
    readonly pieces: AsyncIterable<string>
  }
  let text = ''
  for await (const piece of pieces) text += piece
  return JSON.parse(text) as Statement
}

const nameOf = ({ account, financialInstrument }: Section): string =>
  `${account.offchainId} ${financialInstrument === null ? 'lamports' : 'tokens'}`

const rawOf = ({ lamports }: Pair): bigint => BigInt(lamports)

function tokensOf(account: { readonly data: Uint8Array } | null): bigint {
  return account === null || account.data.length < AMOUNT_OFFSET + 8
    ? 0n
    : Buffer.from(account.data).readBigUInt64LE(AMOUNT_OFFSET)
}
