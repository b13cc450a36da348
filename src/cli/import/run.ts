// Imports the items of a file. Each item, or the batch, has an idempotency key derived from the content of the file and
// the line, so the same file can be imported again at any time: existing items are not created twice.
import { createHash } from 'node:crypto'
import { extname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { EXIT_CODES } from '../../config/exit-codes.ts'
import { CommandFailed } from '../command-failed.ts'
import { notTheService } from '../connect.ts'
import { readGiven } from '../given-file.ts'
import type { Bar } from '../progress.ts'
import { importColumns, importItems, ImportProblems, importText, type ImportItem } from '../../import-files/items.ts'
import { takeOperation } from './operation.ts'
import { problemsText, uuidOfParts, type SendResult, type SentProblem, type Sender } from './sender.ts'

export interface ImportReport {
  readonly items: number
  readonly done: number
  /** `line N: field: problem` */
  readonly problems: readonly string[]
  /** ISO 8601: when the same file was imported before, and ended. This import has changed nothing. */
  readonly importedBefore?: string
}

interface File {
  readonly path: string
  readonly items: readonly ImportItem[]
  /** Of a CSV file; of another, none. */
  readonly columns: readonly string[]
  /** SHA-256 of the content, hex. */
  readonly hash: string
}

const FORMATS: Readonly<Record<string, 'csv' | 'jsonl'>> = { '.csv': 'csv', '.jsonl': 'jsonl', '.ndjson': 'jsonl' }
const AT_ONCE = 8
const MAX_ITEMS_OF_BATCH = 10_000
const MAX_LISTED = 100
const POLL_MS = 500
const OTHER_OPTIONS =
  'this file was imported before with another --external-reference or --stop-on-failure: nothing is paid again. ' +
  'Give the options of that import to see its outcome, or change the content of the file to pay again'

/** Throws CommandFailed, `ImportProblems`. */
export function readImport(path: string): File {
  const format = FORMATS[extname(path).toLowerCase()]
  if (format === undefined)
    throw new CommandFailed(`${path}: the name must end with .csv, .jsonl or .ndjson`, EXIT_CODES.usage)
  const bytes = readGiven(path)
  const text = importText(bytes)
  const items = importItems(text, format)
  if (items.length === 0) throw new CommandFailed(`${path} contains no items`, EXIT_CODES.usage)
  const columns = format === 'csv' ? importColumns(text) : []
  return { path, items, columns, hash: createHash('sha256').update(bytes).digest('hex') }
}

const ADDRESS = ['address', 'onchainId'] as const

/**
 * A counterparty of a CSV file has one address, in the columns `address` or `onchainId` and `label`, or, if the cell is
 * empty, none. The service refuses a file without the column: an address that was forgotten would be neither allowed
 * nor blocked. Throws `ImportProblems`.
 */
export function withAddresses(file: File): File {
  const isColumn = ADDRESS.some((name) => file.columns.includes(name))
  checkOneAddress(file)
  const items = file.items.map(({ line, itemData }) => {
    const { onchainId, address = onchainId, label, ...rest } = itemData
    if (address === undefined)
      return { line, itemData: isColumn && label === undefined ? { ...rest, addresses: [] } : itemData }
    const listed = { onchainId: address, ...(label === undefined ? {} : { label }) }
    return { line, itemData: { ...rest, addresses: [listed] } }
  })
  return { ...file, items }
}

function checkOneAddress({ columns, items }: File): void {
  const problem = (line: number, what: string): string =>
    `line ${line}: ${ADDRESS.join(' and ')} are two names of one ${what}: give one of them`
  if (ADDRESS.every((name) => columns.includes(name))) throw new ImportProblems([problem(1, 'column')])
  const both = items.filter(({ itemData }) => ADDRESS.every((name) => Object.hasOwn(itemData, name)))
  if (both.length > 0) throw new ImportProblems(both.map(({ line }) => problem(line, 'member')))
}

/** One request for each item. An item that is refused does not stop the others. */
export async function importEach(
  sender: Sender,
  path: keyof typeof CREATED,
  { items, hash }: File,
  bar: Bar,
): Promise<ImportReport> {
  const problems: { readonly line: number; readonly text: string }[] = []
  const waiting = [...items.entries()]
  let ended = 0
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { line, itemData } = next[1]
      const answer = await sender.post(path, { itemData }, uuidOfParts(path, hash, line))
      for (const problem of problemsOf(sender, answer, CREATED[path]))
        problems.push({ line, text: problemText(line, problem, '/itemData') })
      ended += 1
      bar.at(ended, items.length)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  problems.sort((a, b) => a.line - b.line)
  const failed = new Set(problems.map(({ line }) => line))
  return { items: items.length, done: items.length - failed.size, problems: problems.map(({ text }) => text) }
}

/** The member of a response that names the created record. */
const CREATED = { accounts: 'newAccount', counterparties: 'newCounterparty' } as const

interface HeldBack {
  readonly offchainId: string
  /** Absent if the change is no longer kept. */
  readonly status?: string
}

/** What keeps an item from being done: also that its request waits for the approval of a policy, or was rejected. */
function problemsOf(sender: Sender, answer: SendResult, created: string): readonly SentProblem[] {
  if (answer.problems !== undefined) return answer.problems
  if (created in answer.body) return []
  const change = answer.body['pendingChange'] as HeldBack | undefined
  if (change === undefined) throw notTheService(sender.url)
  const { offchainId, status = 'PENDING' } = change
  return status === 'APPLIED'
    ? []
    : [{ code: status, message: `an approval policy holds it back as pending change ${offchainId}` }]
}

export interface BatchOptions {
  /** Absent: every row of the file has it. */
  readonly operation?: string
  readonly stopOnFailure: boolean
  readonly externalReference?: string
}

/** Imports all items as one batch: all are checked before the first is created. Follows the batch to its end. */
export async function importBatch(sender: Sender, file: File, options: BatchOptions, bar: Bar): Promise<ImportReport> {
  const { operation, items } = takeOperation(file, options.operation)
  if (items.length > MAX_ITEMS_OF_BATCH)
    throw new CommandFailed(
      `the file has ${items.length} items; a batch has at most ${MAX_ITEMS_OF_BATCH}`,
      EXIT_CODES.usage,
    )
  const itemData = { ...options, operation, items: items.map((each) => each.itemData) }
  const answer = await sender.post('batches', { itemData }, uuidOfParts('batches', file.hash, operation))
  if (answer.problems !== undefined) {
    const isOther = answer.problems.some(({ code }) => code === 'IDEMPOTENCY_KEY_REUSED')
    const problems = isOther ? [OTHER_OPTIONS] : answer.problems.map((problem) => batchProblem(items, problem))
    return { items: items.length, done: 0, problems }
  }
  const { offchainId } = (answer.body['newBatch'] ?? {}) as { readonly offchainId?: string }
  if (offchainId === undefined) throw notTheService(sender.url)
  for (let isFirst = true; ; isFirst = false) {
    const batch = bodyOf(await sender.post('batches/single', { itemData: { offchainId } }))
    const [done, failed, cancelled] = ['doneCount', 'failedCount', 'cancelledCount'].map((name) => Number(batch[name]))
    bar.at(done! + failed! + cancelled!, items.length)
    const isOver = ['DONE', 'FAILED', 'CANCELLED', 'PREPARED'].includes(String(batch['status']))
    const problems = isOver ? await failures(sender, items, offchainId, batch) : []
    const before = isFirst && answer.isReplayed ? { importedBefore: String(batch['createdAt']) } : {}
    if (isOver) return { items: items.length, done: done!, problems, ...before }
    await sleep(POLL_MS)
  }
}

interface FailedItem {
  readonly index: number
  readonly errorCode?: string
  readonly errorMessage?: string
}

async function failures(
  sender: Sender,
  items: readonly ImportItem[],
  batch: string,
  { status, cancelledCount }: Readonly<Record<string, unknown>>,
): Promise<string[]> {
  if (status === 'DONE') return []
  if (status === 'PREPARED') return [`batch ${batch} waits for approval`]
  const equals = (fieldName: string, valueString: string): object => ({
    fieldName,
    filterValues: [{ filterType: 'EQUALS', valueString }],
  })
  const filter = [equals('batchOffchainId', batch), equals('status', 'FAILED')]
  const page = bodyOf(await sender.post('batches/items/bulk', { itemQuery: { filter, limit: MAX_LISTED } }))
  const rows = page['items'] as readonly FailedItem[]
  const listed = rows.map(
    ({ index, errorCode = 'FAILED', errorMessage = 'it failed' }) =>
      `line ${items[index]?.line ?? '?'}: ${errorCode}: ${errorMessage}`,
  )
  const rest = Number(page['count']) - rows.length
  return [
    `batch ${batch} ended as ${String(status)}`,
    ...listed,
    ...(rest > 0 ? [`and ${rest} more`] : []),
    ...(Number(cancelledCount) > 0 ? [`cancelled, and not made: ${String(cancelledCount)}`] : []),
  ]
}

function bodyOf(sent: Awaited<ReturnType<Sender['post']>>): Readonly<Record<string, unknown>> {
  if (sent.problems !== undefined) throw new CommandFailed(problemsText(sent.problems))
  return sent.body
}

function batchProblem(items: readonly ImportItem[], problem: SentProblem): string {
  const [, index] = /^\/itemData\/items\/(\d+)/.exec(problem.pointer ?? '') ?? []
  const item = index === undefined ? undefined : items[Number(index)]
  if (item === undefined) return `${problem.pointer ?? ''} ${problem.code}: ${problem.message}`.trim()
  const lineOf = (_: string, other: string): string => `line ${items[Number(other)]?.line ?? '?'}`
  const message = problem.message.replace(/item (\d+) of this batch$/, lineOf)
  return problemText(item.line, { ...problem, message }, `/itemData/items/${index!}`)
}

function problemText(line: number, { code, message, pointer = '' }: SentProblem, base: string): string {
  const field = pointer.startsWith(`${base}/`) ? `${pointer.slice(base.length + 1).replaceAll('/', '.')}: ` : ''
  return `line ${line}: ${field}${code}: ${message}`
}
