// The tutorials run as printed, block after block, each on a service of its own; what they and their pictures say is on
// the chain, which is asked without the service.
import {
  getAccount,
  getAssociatedTokenAddressSync,
  getMint,
  getPausableConfig,
  TOKEN_2022_PROGRAM_ID,
} from '@solana/spl-token'
import { Connection, PublicKey } from '@solana/web3.js'
import { describe, expect, it } from 'vitest'
import {
  DECIMALS,
  FUND_FLOWS,
  fundTutorial,
  holdingsAfter,
  ISSUERS,
  STABLECOIN_FLOWS,
  stablecoinTutorial,
  type Flow,
} from '../src/http/pages/docs/tutorials.ts'
import { floorUnits } from '../machines/amount.ts'
import { parseCsv } from '../src/import-files/csv.ts'
import { startProcess, type ServiceProcess } from './cli/service-process.ts'
import { freePorts } from './free-ports.ts'
import { blocksOf, runBlocks, type Line } from './tutorials.ts'

const TIMEOUT_MS = 600_000
const LISTED = 'D3S4KJUnVRpbcX1YfC8tihrrbwrTzZCsXJGs6RQLoqi'
const [CAROL, MALLORY] = [
  '91Jk4ovfcQdBpeTLC6e19fGGYLGxNp1e9YZ17HKuBDw9',
  'HTby62gjnhHbNYgndBfxwXXz1SqnAxHGgQ3f8xBYsMCJ',
]

const raw = (amount: string): bigint => floorUnits(amount, DECIMALS)!

interface Answer {
  readonly newAccount?: { readonly onchainId: string }
  readonly newFinancialInstrument?: { readonly onchainId: string }
  readonly success?: boolean
  readonly status?: string | number
  readonly errors?: readonly { readonly code: string }[]
}

/** What each call of a block came to. */
const outcomesOf = (lines: readonly Line[] = []): readonly unknown[] =>
  (lines.filter((line) => typeof line !== 'string') as Answer[]).map(
    ({ errors, success, status }) => errors?.[0]?.code ?? (success === undefined ? 'OK' : success ? 'LANDED' : status),
  )

const addressesIn = (lines: readonly Line[] = [], member: 'newAccount' | 'newFinancialInstrument'): string[] =>
  lines.flatMap((line) => (typeof line === 'string' ? [] : ((line as Answer)[member]?.onchainId ?? [])))

class OnChain {
  readonly connection: Connection

  constructor({ rpcUrl }: ServiceProcess) {
    this.connection = new Connection(rpcUrl, 'confirmed')
  }

  async account(mint: string, owner: string) {
    const keys = [new PublicKey(mint), new PublicKey(owner)] as const
    const address = getAssociatedTokenAddressSync(...keys, true, TOKEN_2022_PROGRAM_ID)
    if ((await this.connection.getAccountInfo(address)) === null) return null
    return await getAccount(this.connection, address, 'confirmed', TOKEN_2022_PROGRAM_ID)
  }

  mint(address: string) {
    return getMint(this.connection, new PublicKey(address), 'confirmed', TOKEN_2022_PROGRAM_ID)
  }

  /** What the parties hold, by party and symbol, in the form of `holdingsAfter`. */
  async holdings(owners: Readonly<Record<string, string>>, mints: Readonly<Record<string, string>>) {
    const holdings = new Map<string, Map<string, bigint>>()
    for (const [party, owner] of Object.entries(owners)) {
      const balances = new Map<string, bigint>()
      for (const [symbol, mint] of Object.entries(mints)) {
        const account = await this.account(mint, owner)
        if (account !== null) balances.set(symbol, account.amount)
      }
      if (balances.size > 0) holdings.set(party, balances)
    }
    return holdings
  }
}

/** What was minted less what was burned. */
function supplyOf(flows: readonly Flow[], symbol: string): bigint {
  return flows
    .filter((flow) => flow.symbol === symbol)
    .reduce((sum, { from, to, amount }) => {
      if (ISSUERS.has(from)) return sum + raw(amount)
      return ISSUERS.has(to) ? sum - raw(amount) : sum
    }, 0n)
}

/** Says the same of the same holdings, whatever their order. */
const toRecord = (holdings: ReadonlyMap<string, ReadonlyMap<string, bigint>>): Record<string, Record<string, bigint>> =>
  Object.fromEntries([...holdings].map(([party, balances]) => [party, Object.fromEntries(balances)]))

describe('the treasury fund', () => {
  it(
    'runs as printed, and ends on chain as its picture shows',
    async () => {
      await using service = await startProcess()
      const blocks = await runBlocks(blocksOf('tutorial-fund'), service)
      expect(blocks.map(outcomesOf)).toEqual([
        ['OK'],
        Array.from({ length: 6 }, () => 'OK'),
        ['OK', 'OK', 'LANDED', 'LANDED', 'LANDED'],
        ['LANDED', 'LANDED'],
        ['OK', 'OK', 'DESTINATION_NOT_ALLOWED', 'OK', 'LANDED'],
        ['LANDED', 'OK', 'OK'],
        ['LANDED', 'LANDED'],
        [],
      ])
      const [, , , , , income] = blocks
      expect(income?.at(-1)).toMatchObject({ status: 'DONE', partsCount: 3, remainderLamports: 1 })

      const [, , FUND, ALICE, BOB] = addressesIn(blocks[1], 'newAccount') as [string, string, string, string, string]
      const [TUSD, ETF] = addressesIn(blocks[2], 'newFinancialInstrument') as [string, string]
      const chain = new OnChain(service)
      const expected = holdingsAfter(FUND_FLOWS)
      expect(toRecord(await chain.holdings({ ALICE, BOB, FUND, CAROL: LISTED }, { TUSD, ETF }))).toEqual(
        toRecord(expected),
      )
      expect((await chain.mint(TUSD)).supply).toBe(supplyOf(FUND_FLOWS, 'TUSD'))
      expect((await chain.mint(ETF)).supply).toBe(supplyOf(FUND_FLOWS, 'ETF'))
      expect(expected.get('FUND')).toEqual(
        new Map([
          ['ETF', 0n],
          ['TUSD', raw('85000.01')],
        ]),
      )
      checkStatement(blocks[7] as readonly string[], expected.get('FUND')!)
    },
    TIMEOUT_MS,
  )
})

/** Every movement that the picture shows of the fund is a line of its statement, and it closes with what it holds. */
function checkStatement(lines: readonly string[], holdings: ReadonlyMap<string, bigint>): void {
  const [head = [], ...rows] = parseCsv(lines.join('\n')).map(({ cells }) => cells)
  const entries = rows
    .filter((row) => row.length === head.length)
    .map((row) => Object.fromEntries(head.map((name, index) => [name, row[index] ?? ''])))
  for (const [symbol, amount] of holdings) {
    const of = entries.filter((entry) => entry['symbol'] === symbol)
    expect(raw(of.find(({ entry }) => entry === 'CLOSING')?.['balance'] ?? '-1')).toBe(amount)
    const amounts = of.filter(({ entry }) => entry === 'MOVEMENT').map((entry) => entry['amount'])
    const flows = FUND_FLOWS.filter((flow) => flow.symbol === symbol)
    const expected = flows.flatMap(({ from, to, amount: text }) =>
      from === 'FUND' ? [`-${text}`] : to === 'FUND' ? [text] : [],
    )
    expect([...amounts].sort()).toEqual([...expected].sort())
  }
}

describe('the regulated stablecoin', () => {
  it(
    'runs as printed, and ends on chain as its picture shows',
    async () => {
      const screener = `127.0.0.1:${await freePorts(1)}`
      await using service = await startProcess({ HOLDFAST_OUTBOUND_ALLOW: screener })
      const port = screener.split(':')[1]!
      const places = [
        ['127.0.0.1:8090', screener],
        ['listen(8090', `listen(${port}`],
        // A busy machine delays its answers.
        ['"onUnavailable":"REFUSE"', '"onUnavailable":"REFUSE","timeoutMs":10000'],
      ] as const
      const blocks = await runBlocks(blocksOf('tutorial-stablecoin'), service, places)
      expect(blocks.map(outcomesOf)).toEqual([
        ['OK'],
        Array.from({ length: 7 }, () => 'OK'),
        ['OK'],
        ['PREPARED', 'ROLE_REQUIRED', 'LANDED', 'SUPPLY_CAP_EXCEEDED'],
        ['LANDED', 'LANDED', 'LANDED', 'POSITION_FROZEN', 'LANDED', 'LANDED'],
        ['LANDED', 'INSTRUMENT_PAUSED', 'LANDED', 'LANDED'],
        ['OK', 'OK', 'OK', 'SCREENING_DENIED', 'LANDED'],
        ['OK', 'OK', 'LANDED', 'LANDED'],
        ['OK'],
      ])
      expect(JSON.stringify(blocks[8])).toContain('APPROVAL')

      const [, , RESERVE, ALICE, BOB] = addressesIn(blocks[1], 'newAccount') as [string, string, string, string, string]
      const [XCOIN] = addressesIn(blocks[1], 'newFinancialInstrument') as [string]
      const chain = new OnChain(service)
      const owners = { RESERVE, ALICE, BOB, CAROL, MALLORY }
      expect(toRecord(await chain.holdings(owners, { XCOIN }))).toEqual(toRecord(holdingsAfter(STABLECOIN_FLOWS)))
      const mint = await chain.mint(XCOIN)
      const [guard] = addressesIn(blocks[7], 'newAccount')
      const pausable = getPausableConfig(mint)
      expect([mint.supply, mint.freezeAuthority?.toBase58(), pausable?.authority.toBase58(), pausable?.paused]).toEqual(
        [supplyOf(STABLECOIN_FLOWS, 'XCOIN'), guard, guard, false],
      )
      expect((await chain.account(XCOIN, BOB))?.isFrozen).toBe(true)
    },
    TIMEOUT_MS,
  )
})

describe('the pictures of the tutorials', () => {
  it('show every movement by its step, and the balances of each party', () => {
    for (const [html, flows, held] of [
      [fundTutorial(), FUND_FLOWS, '85000.01 TUSD'],
      [stablecoinTutorial(), STABLECOIN_FLOWS, '248500 XCOIN'],
    ] as const) {
      for (const { step, amount, symbol } of flows) expect(html).toContain(`${step}. ${amount} ${symbol}`)
      expect(html).toContain(held)
      expect(html.match(/<svg /g)).toHaveLength(3)
    }
  })
})
