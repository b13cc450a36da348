// The items of an import file: a CSV file whose first row names the members, or one JSON object per line.
import { EXACT_DIGITS, significantDigits } from '../../machines/amount.ts'
import { CsvError, parseCsv, type CsvRow } from './csv.ts'

export interface ImportItem {
  /** Line in the file, from 1. */
  readonly line: number
  readonly itemData: Readonly<Record<string, unknown>>
}

/** What is wrong with a file, as `line N: field: problem`. */
export class ImportProblems extends Error {
  override readonly name = 'ImportProblems'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

/** Members whose cells are true or false. All other cells are text; amounts are accepted as text. */
const BOOLEANS = new Set([
  'alreadyOnchain',
  'canPayFees',
  'isDerived',
  'isGenesis',
  'managed',
  'shareAcrossTenants',
  'skipBlockchainExistenceVerification',
  'subscribeToNetworkEvents',
  'offPlatform',
  'autoSign',
  'transferEntireBalance',
  'burnEntireBalance',
  'permanentDelegate',
  'unfreezeSource',
  'freezeSource',
  'unfreezeDestination',
  'freezeDestination',
  'offchainBalanceAvailabilityPrecheck',
  'initializeDestinationPositionIfNeeded',
])
const INTEGERS = new Set(['dataLength'])
/** A member, or the way to one: `offchainReferences.code`. */
const COLUMN = /^[A-Za-z][A-Za-z0-9]*(?:\.[A-Za-z][A-Za-z0-9]*)*$/

/** Of a JSON text; a text is matched so that its digits are not. */
const TEXT_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g
const INEXACT = `is a number of more than ${EXACT_DIGITS} significant digits, or out of range: send it as a string`

/** Throws `ImportProblems` with everything that is wrong. */
export function importItems(text: string, format: 'csv' | 'jsonl'): ImportItem[] {
  try {
    return format === 'csv' ? csvItems(parseCsv(text)) : jsonItems(text)
  } catch (error) {
    if (error instanceof CsvError) throw new ImportProblems([error.message])
    throw error
  }
}

/** The text of a file, without a byte order mark. Throws `ImportProblems` for other encodings. */
export function importText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new ImportProblems(['the file is not UTF-8 text'])
  }
}

/** The names of the columns of a CSV file that `importItems` accepts. */
export function importColumns(text: string): readonly string[] {
  return parseCsv(text)[0]?.cells ?? []
}

function csvItems([head, ...rows]: readonly CsvRow[]): ImportItem[] {
  if (head === undefined) throw new ImportProblems(['line 1: the first row must name the members'])
  const problems = headProblems(head)
  // Cells cannot be placed by names that contradict each other.
  const isHeadSound = problems.length === 0
  const items: ImportItem[] = []
  for (const { line, cells } of rows) {
    if (cells.length !== head.cells.length)
      problems.push(`line ${line}: ${cells.length} cells, and the first row has ${head.cells.length}`)
    else if (isHeadSound) items.push({ line, itemData: itemOf(head.cells, cells, line, problems) })
  }
  if (problems.length > 0) throw new ImportProblems(problems)
  return items
}

function headProblems({ line, cells }: CsvRow): string[] {
  const wrong = cells
    .filter((name) => !COLUMN.test(name))
    .map((name) => `line ${line}: "${name}" is not the name of a member`)
  const twice = cells
    .filter((name, index) => cells.indexOf(name) !== index)
    .map((name) => `line ${line}: ${name} is named twice`)
  const within = cells.filter((name) => cells.some((other) => other.startsWith(`${name}.`)))
  return [...wrong, ...twice, ...within.map((name) => `line ${line}: ${name} is a value and has members`)]
}

/** Empty cells are absent members. */
function itemOf(
  names: readonly string[],
  cells: readonly string[],
  line: number,
  problems: string[],
): Record<string, unknown> {
  const item: Record<string, unknown> = {}
  for (const [index, name] of names.entries()) {
    const cell = cells[index]!
    if (cell === '') continue
    const path = name.split('.')
    const last = path.pop()!
    const holder = path.reduce((at, member) => {
      if (!Object.hasOwn(at, member)) at[member] = {}
      return at[member] as Record<string, unknown>
    }, item)
    const value = valueOf(last, cell)
    if (value === undefined)
      problems.push(
        `line ${line}: ${name}: "${cell}" is not ${BOOLEANS.has(last) ? 'true or false' : 'a whole number'}`,
      )
    else holder[last] = value
  }
  return item
}

function valueOf(name: string, cell: string): unknown {
  if (BOOLEANS.has(name)) return cell === 'true' ? true : cell === 'false' ? false : undefined
  if (INTEGERS.has(name)) return /^\d{1,15}$/.test(cell) ? Number(cell) : undefined
  return cell
}

function jsonItems(text: string): ImportItem[] {
  const items: ImportItem[] = []
  const problems: string[] = []
  for (const [index, row] of text.split(/\r?\n/).entries()) {
    if (row.trim() === '') continue
    const itemData = objectOf(row)
    if (itemData === null) problems.push(`line ${index + 1}: not a JSON object`)
    else problems.push(...inexactNumbers(row).map((number) => `line ${index + 1}: TOO_PRECISE: ${number} ${INEXACT}`))
    if (itemData !== null) items.push({ line: index + 1, itemData })
  }
  if (problems.length > 0) throw new ImportProblems(problems)
  return items
}

/** The numbers of a JSON text that are not sent as they are written: another amount of money would be moved. */
function inexactNumbers(text: string): string[] {
  const tokens = text.match(TEXT_OR_NUMBER) ?? []
  return tokens.filter((token) => {
    if (token.startsWith('"')) return false
    const digits = significantDigits(token)
    const isInRange = Number.isFinite(Number(token)) && (Number(token) !== 0 || digits === 0)
    return digits === null || digits > EXACT_DIGITS || !isInRange
  })
}

function objectOf(text: string): Record<string, unknown> | null {
  try {
    const value = JSON.parse(text) as unknown
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}
