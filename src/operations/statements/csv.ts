// A statement as CSV (RFC 4180), piece by piece. Spreadsheets interpret a cell that begins with certain characters as a
// formula, so such text is prefixed with an apostrophe. Numbers are written unchanged.
import { ofKind } from '../../engine/records/record.ts'
import { formatAmount } from '../../../machines/amount.ts'
import { NETWORK_DECIMALS } from '../views/read-models/amounts.ts'
import type { Balance } from './balances.ts'
import type { Line } from './lines.ts'
import type { MovementLine } from './movement.ts'
import { nameOf, type NamedParty } from './parties.ts'

const COLUMNS = [
  'entry',
  'time',
  'account',
  'accountName',
  'owner',
  'financialInstrument',
  'symbol',
  'kind',
  'amount',
  'balance',
  'from',
  'fromName',
  'to',
  'toName',
  'fee',
  'rent',
  'externalReference',
  'operation',
  'transactionOffchainId',
  'transactionOnchainId',
] as const

const FORMULA = /^[=+\-@\t\r\n]/
const QUOTED = /[",\r\n]/
const NUMBER = /^-?\d+(\.\d+)?$/

/** A cell with any text. */
export function textCell(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text
  return QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** A cell of a decimal number. Throws for anything else. */
export function numberCell(number: string): string {
  if (!NUMBER.test(number)) throw new TypeError(`not a decimal number: ${number}`)
  return number
}

export async function* csvPieces(groups: AsyncIterable<readonly Line[]>): AsyncGenerator<string, void, undefined> {
  yield row(COLUMNS.map(textCell))
  for await (const lines of groups) yield lines.map(csvLine).join('')
}

function csvLine(line: Line): string {
  const { decimals } = line.balance
  if (line.type === 'movement')
    return row([...head('MOVEMENT', line.movement.atMs, line.balance), ...movementCells(line.movement, decimals)])
  const entry = line.type === 'opening' ? 'OPENING' : 'CLOSING'
  const cells = ['', '', numberCell(formatAmount(line.amount, decimals))]
  return row([
    ...head(entry, line.atMs, line.balance),
    ...cells,
    ...Array.from({ length: COLUMNS.length - 10 }, () => ''),
  ])
}

function head(entry: string, atMs: number, { state, symbol }: Balance): string[] {
  const position = ofKind(state, 'position')?.context
  const account = [state.context.address, nameOf(state), position?.owner.address, position?.mint.address]
  const texts = [entry, new Date(atMs).toISOString(), ...account, symbol]
  return texts.map((text) => textCell(text ?? ''))
}

function movementCells(movement: MovementLine, decimals: number): string[] {
  const { kind, amount, after, from, to, fee, rent, externalReference, itemReferences, operation, transaction } =
    movement
  // A transaction of one item may have the reference of the item.
  const references = [...new Set([externalReference, ...itemReferences])].filter((each) => each !== null).join('; ')
  return [
    textCell(kind),
    numberCell(formatAmount(amount, decimals)),
    numberCell(formatAmount(after, decimals)),
    ...[from, to].flatMap((parties) => [textCell(addresses(parties)), textCell(names(parties))]),
    numberCell(formatAmount(fee, NETWORK_DECIMALS)),
    numberCell(formatAmount(rent, NETWORK_DECIMALS)),
    textCell(references),
    textCell(operation ?? ''),
    textCell(transaction?.offchainId ?? ''),
    textCell(transaction?.onchainId ?? ''),
  ]
}

const addresses = (parties: readonly NamedParty[]): string =>
  parties.map(({ onchainId, ownerOnchainId }) => ownerOnchainId ?? onchainId).join('; ')
const names = (parties: readonly NamedParty[]): string => parties.flatMap(({ name }) => name ?? []).join('; ')

const row = (cells: readonly string[]): string => `${cells.join(',')}\r\n`
