// A typical definition of a feed (five sources, each requested, parsed, converted and rounded, and their median), and
// the same calculation written by hand. The pages of the sources follow from a number, so that every value is
// different.
import type { JobAnswer } from '../../src/contract/market-data.ts'
import type { World } from '../../src/oracle/run.ts'

export const SOURCES = 5
const HOST = 'https://source'
const RATE = '1.0842'
const DECIMALS = 4

export const DEFINITION = JSON.stringify(
  Array.from({ length: SOURCES }, (_, source) => ({
    tasks: [
      { httpTask: { url: `${HOST}-${source}.example/quotes` } },
      { jsonParseTask: { path: '$.quotes[1].last' } },
      { multiplyTask: { big: RATE } },
      { roundTask: { method: 'METHOD_ROUND_DOWN', decimals: DECIMALS } },
    ],
  })),
)

/** The price in hundredths. */
function priceOf(n: number, source: number): number {
  return 10_000 + ((n * 7_919 + source * 1_237) % 90_000)
}

function pageOf(n: number, source: number): string {
  const price = priceOf(n, source)
  return JSON.stringify({
    venue: `source ${source}`,
    quotes: [
      { pair: 'A/B', last: price / 50 },
      { pair: 'A/C', last: price / 100 },
    ],
  })
}

/** Sources that answer at once, with the pages of the last set number. */
export interface Sources extends World {
  turnTo(n: number): void
}

export function sources(): Sources {
  let now = 0
  const places = new Map(Array.from({ length: SOURCES }, (_, source) => [`${HOST}-${source}.example/quotes`, source]))
  const fetch = ({ url }: { readonly url: string }): Promise<JobAnswer> => {
    const source = places.get(url)
    if (source === undefined) return Promise.resolve({ ok: false, reason: 'no such source' })
    return Promise.resolve({ ok: true, status: 200, body: Buffer.from(pageOf(now, source)) })
  }
  return {
    fetch,
    unixSeconds: () => 1_795_000_000,
    elapsedMs: () => 0,
    soon: (callback) => void setImmediate(callback),
    turnTo(n) {
      now = n
    },
  }
}

/** A function written for this definition only: the same requests, exact decimals in bigint, the median. */
export async function byHand(world: World): Promise<string> {
  const values = await Promise.all(
    Array.from({ length: SOURCES }, async (_, source) => {
      const answer = await world.fetch({
        url: `${HOST}-${source}.example/quotes`,
        method: 'GET',
        headers: {},
        body: null,
        timeoutMs: 10_000,
        maxBytes: 100_000,
      })
      if (!answer.ok) throw new Error(answer.reason)
      const { quotes } = JSON.parse(Buffer.from(answer.body).toString('utf8')) as {
        quotes: readonly { last: number }[]
      }
      const [price, rate] = [parseScaled(String(quotes[1]!.last), 4), parseScaled(RATE, 4)]
      return (price * rate) / 10_000n
    }),
  )
  values.sort((one, other) => (one < other ? -1 : one > other ? 1 : 0))
  return decimalText(values[SOURCES >> 1]!)
}

function parseScaled(text: string, places: number): bigint {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.padEnd(places, '0'))
}

function decimalText(units: bigint): string {
  const digits = units.toString().padStart(DECIMALS + 1, '0')
  return `${digits.slice(0, -DECIMALS)}.${digits.slice(-DECIMALS)}`.replace(/\.?0+$/, '')
}

/** The expected value of a number, computed with integers only. */
export function expectedValue(n: number): string {
  const values = Array.from({ length: SOURCES }, (_, source) => (priceOf(n, source) * 10_842) / 100).map(Math.floor)
  return decimalText(BigInt(values.sort((one, other) => one - other)[SOURCES >> 1]!))
}
