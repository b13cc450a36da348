// The tutorials and the pictures at their end: every movement of tokens in order, with what each party holds at last,
// and the machines of the records involved. A test runs the tutorials and compares the pictures with the chain.
import type { Kind } from '../../../../machines/kinds.ts'
import { floorUnits, formatAmount } from '../../../../machines/amount.ts'
import type { Chart, ChartArrow, ChartState } from '../../../drawings/chart.ts'
import { drawChart } from '../../../drawings/svg.ts'
import { documentOf } from './documents.ts'
import { scrollable } from './frame.ts'
import { drawingOf } from './machines.ts'
import { markdown } from './markdown.ts'

export interface Flow {
  /** Heading of the tutorial in which it happens. */
  readonly step: number
  readonly from: string
  readonly to: string
  /** Decimal. */
  readonly amount: string
  readonly symbol: string
}

/** Parties that create or destroy tokens: they hold none. */
export const ISSUERS: ReadonlySet<string> = new Set(['BANK', 'MANAGER', 'MINTER', 'BURNED'])
/** Of all tokens of the tutorials. */
export const DECIMALS = 2

export const FUND_FLOWS: readonly Flow[] = [
  flow(3, 'BANK', 'ALICE', '60000 TUSD'),
  flow(3, 'BANK', 'BOB', '40000 TUSD'),
  flow(3, 'MANAGER', 'FUND', '1000 ETF'),
  flow(4, 'ALICE', 'FUND', '60000 TUSD'),
  flow(4, 'FUND', 'ALICE', '600 ETF'),
  flow(4, 'BOB', 'FUND', '40000 TUSD'),
  flow(4, 'FUND', 'BOB', '400 ETF'),
  flow(5, 'ALICE', 'CAROL', '100 ETF'),
  flow(6, 'BANK', 'FUND', '1000.01 TUSD'),
  flow(6, 'FUND', 'ALICE', '500 TUSD'),
  flow(6, 'FUND', 'BOB', '400 TUSD'),
  flow(6, 'FUND', 'CAROL', '100 TUSD'),
  flow(7, 'BOB', 'FUND', '150 ETF'),
  flow(7, 'FUND', 'BOB', '15000 TUSD'),
  flow(7, 'FUND', 'BURNED', '150 ETF'),
]

export const STABLECOIN_FLOWS: readonly Flow[] = [
  flow(4, 'MINTER', 'RESERVE', '250000 XCOIN'),
  flow(5, 'RESERVE', 'ALICE', '1000 XCOIN'),
  flow(5, 'RESERVE', 'BOB', '500 XCOIN'),
  flow(5, 'BOB', 'ALICE', '100 XCOIN'),
  flow(6, 'ALICE', 'BOB', '10 XCOIN'),
  flow(7, 'ALICE', 'CAROL', '50 XCOIN'),
]

export function fundTutorial(): string {
  const picture = flowsPicture('fund', FUND_FLOWS, 'The movements of the fund, by step, and what each party holds')
  return page('tutorial-fund', picture, ['distribution', 'batch'])
}

export function stablecoinTutorial(): string {
  const title = 'The movements of the stablecoin, by step, and what each party holds'
  return page('tutorial-stablecoin', flowsPicture('stablecoin', STABLECOIN_FLOWS, title), ['transaction', 'position'])
}

function page(document: string, picture: string, kinds: readonly Kind[]): string {
  const figures = [
    `<figure>${scrollable('Drawing: movements', picture)}</figure>`,
    ...kinds.map((kind) => `<figure>${scrollable(`Drawing: states of the ${kind}`, drawingOf(kind))}</figure>`),
  ]
  return `${markdown(documentOf(document))}\n${figures.join('\n')}`
}

function flow(step: number, from: string, to: string, what: string): Flow {
  const [amount = '', symbol = ''] = what.split(' ')
  return { step, from, to, amount, symbol }
}

/** What each party holds after all flows, in raw units, by party and symbol. Issuers hold nothing. */
export function holdingsAfter(flows: readonly Flow[]): ReadonlyMap<string, ReadonlyMap<string, bigint>> {
  const holdings = new Map<string, Map<string, bigint>>()
  for (const { from, to, amount, symbol } of flows) {
    const raw = floorUnits(amount, DECIMALS)!
    for (const [party, delta] of [
      [from, -raw],
      [to, raw],
    ] as const) {
      if (ISSUERS.has(party)) continue
      const held = holdings.get(party) ?? new Map<string, bigint>()
      holdings.set(party, held.set(symbol, (held.get(symbol) ?? 0n) + delta))
    }
  }
  return holdings
}

function flowsPicture(name: string, flows: readonly Flow[], title: string): string {
  const holdings = holdingsAfter(flows)
  const parties = [...new Set(flows.flatMap(({ from, to }) => [from, to]))]
  const inside = parties.map((party) =>
    box(
      party,
      [...(holdings.get(party) ?? [])].map(([symbol, raw]) => `${formatAmount(raw, DECIMALS)} ${symbol}`),
    ),
  )
  const arrows = new Map<string, { readonly from: string; readonly to: string; readonly events: string[] }>()
  for (const { step, from, to, amount, symbol } of flows) {
    const arrow = arrows.get(`${from} ${to}`) ?? { from, to, events: [] }
    arrow.events.push(`${step}. ${amount} ${symbol}`)
    arrows.set(`${from} ${to}`, arrow)
  }
  const chart: Chart = {
    id: `movements-${name}`,
    root: { ...box('', []), key: name, kind: 'group', inside },
    arrows: [...arrows.values()] satisfies readonly ChartArrow[],
  }
  return drawChart(chart, title)
}

function box(name: string, lines: readonly string[]): ChartState {
  return { path: name, key: name, kind: 'plain', about: '', tags: [], stays: lines, inside: [], begins: null }
}
