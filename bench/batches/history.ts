// Reads of the past: a statement of a year compared with one of a hundredth of it, and the holders of last week
// compared with those of now.
import { withMemory } from '../measure/memory.ts'
import { alternate, inTurns } from '../measure/rounds.ts'
import { eventLoopDelayMs } from '../service/metrics.ts'
import type { ServiceProcess } from '../service/process.ts'
import type { Figure, Options } from '../suite.ts'
import { WEEK_MS, YEAR_MS, type Filled } from './fill.ts'

/** The short statement covers this fraction of the year. */
const PARTS = 100
const MOVEMENT = /"balanceAfter"/g
/** Long enough for a match that begins at the end of one piece. */
const OVERLAP = '"balanceAfter"'.length - 1
const HOLDERS_SHOWN = 100

interface Target {
  readonly service: ServiceProcess
  readonly apiKey: string
}

interface Read {
  readonly seconds: number
  readonly rows: number
  readonly bytes: number
  readonly firstSeconds: number
  readonly growthBytes: number
  readonly delayMs: number
}

export interface ReadsOfThePast {
  readonly figures: readonly Figure[]
  readonly checks: readonly string[]
}

interface OfYear {
  readonly position: string
  readonly movements: number
  readonly nowMs: number
}

export async function statements(target: Target, year: OfYear, options: Options): Promise<ReadsOfThePast> {
  const ask = (lengthMs: number, format: 'JSON' | 'CSV') => () => statement(target, year, lengthMs, format)
  await statement(target, year, YEAR_MS / PARTS, 'JSON')
  const [whole, part, csv] = (await inTurns(options.rounds, [
    ask(YEAR_MS, 'JSON'),
    ask(YEAR_MS / PARTS, 'JSON'),
    ask(YEAR_MS, 'CSV'),
  ])) as [Read[], Read[], Read[]]
  for (const { rows } of whole)
    if (rows < year.movements) throw new Error(`the statement has ${rows} movements of ${year.movements}`)
  const rate = ({ rows, seconds }: Read): number => rows / seconds
  const name = `statement of a year, ${year.movements} movements`
  return {
    figures: [
      { name: `${name}: time`, unit: 's', values: whole.map(({ seconds }) => seconds) },
      { name: `${name}: first piece after`, unit: 's', values: whole.map(({ firstSeconds }) => firstSeconds) },
      { name: `${name}: rate`, unit: 'rows/s', values: whole.map(rate) },
      { name: `${name}: size`, unit: 'MB', values: whole.map(({ bytes }) => bytes / 1e6) },
      { name: `${name}: memory, peak growth`, unit: 'MB', values: whole.map(({ growthBytes }) => growthBytes / 1e6) },
      { name: `${name}: event loop delay p99`, unit: 'ms', values: whole.map(({ delayMs }) => delayMs) },
      { name: `${name}: as CSV`, unit: 's', values: csv.map(({ seconds }) => seconds) },
      { name: `statement of a hundredth of the year: rate`, unit: 'rows/s', values: part.map(rate) },
      {
        name: 'statement: ratio of rows/s',
        unit: 'year/hundredth',
        values: whole.map((read, index) => rate(read) / rate(part[index]!)),
      },
    ],
    checks: [`the statement of a year has all ${year.movements} movements, and the rest of the balance`],
  }
}

async function statement(
  target: Target,
  { position, nowMs }: OfYear,
  lengthMs: number,
  format: 'JSON' | 'CSV',
): Promise<Read> {
  // The last day of the year has no movements: the short interval ends where they do.
  const to = lengthMs === YEAR_MS ? {} : { to: new Date(nowMs - YEAR_MS / PARTS).toISOString() }
  const from = new Date(nowMs - (lengthMs === YEAR_MS ? YEAR_MS : 2 * lengthMs)).toISOString()
  return await read(target, '/statements', {
    itemData: { position: { position: { offchainId: position } }, from, ...to, format },
  })
}

export async function holders(
  target: Target,
  instrument: string,
  filled: Filled,
  { nowMs, count, rounds }: { readonly nowMs: number; readonly count: number; readonly rounds: number },
): Promise<ReadsOfThePast> {
  const asOf = { asOf: new Date(nowMs - WEEK_MS).toISOString() }
  const ask = (more: object, total: bigint) => async (): Promise<Read> => {
    const itemData = { financialInstrument: { offchainId: instrument }, ...more }
    const itemQuery = { limit: HOLDERS_SHOWN }
    const answer = await read(target, '/financial-instruments/holders/bulk', { itemData, itemQuery })
    const shown = JSON.parse(answer.text) as { count: number; total: { lamports: number | string } }
    if (shown.count !== count || BigInt(shown.total.lamports) !== total)
      throw new Error(`${shown.count} holders have ${shown.total.lamports}, not ${count} and ${total}`)
    return answer
  }
  await ask({}, filled.now)()
  const reads = await alternate(rounds, ask(asOf, filled.lastWeek), ask({}, filled.now))
  const past = reads.map(({ subject }) => subject)
  const present = reads.map(({ baseline }) => baseline)
  const figures = (name: string, side: readonly Read[]): Figure[] => [
    { name, unit: 's', values: side.map(({ seconds }) => seconds) },
    { name: `${name}: memory, peak growth`, unit: 'MB', values: side.map(({ growthBytes }) => growthBytes / 1e6) },
    { name: `${name}: event loop delay p99`, unit: 'ms', values: side.map(({ delayMs }) => delayMs) },
  ]
  return {
    figures: [
      ...figures(`${count} holders as of last week`, past),
      ...figures(`${count} holders now`, present),
      {
        name: 'holders: ratio of time',
        unit: 'last week/now',
        values: past.map(({ seconds }, index) => seconds / present[index]!.seconds),
      },
    ],
    checks: [`the ${count} holders of last week have ${filled.lastWeek} raw units, those of now ${filled.now}`],
  }
}

/** Reads the answer as it arrives. Only short answers are kept as text. */
async function read({ service, apiKey }: Target, path: string, body: object): Promise<Read & { text: string }> {
  await eventLoopDelayMs(service)
  const startedAt = performance.now()
  const { result, beforeBytes, peakBytes } = await withMemory(service.pid, async () => {
    const response = await fetch(`http://${service.host}:${service.port}/api/v1${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`)
    return await drain(response, startedAt)
  })
  return {
    ...result,
    seconds: (performance.now() - startedAt) / 1000,
    growthBytes: peakBytes - beforeBytes,
    delayMs: await eventLoopDelayMs(service),
  }
}

const KEPT_CHARACTERS = 1_000_000

async function drain(
  response: Response,
  startedAt: number,
): Promise<Pick<Read, 'rows' | 'bytes' | 'firstSeconds'> & { text: string }> {
  const decoder = new TextDecoder()
  let [rows, bytes, firstSeconds, text, tail] = [0, 0, 0, '', '']
  for await (const piece of response.body as unknown as AsyncIterable<Uint8Array>) {
    if (bytes === 0) firstSeconds = (performance.now() - startedAt) / 1000
    bytes += piece.length
    const shown = decoder.decode(piece, { stream: true })
    rows += (tail + shown).match(MOVEMENT)?.length ?? 0
    tail = (tail + shown).slice(-OVERLAP)
    if (text.length < KEPT_CHARACTERS) text += shown
  }
  return { rows, bytes, firstSeconds, text }
}
