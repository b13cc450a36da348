// A lending protocol behind an HTTP service of somebody else: it is posted the steps of a change and answers with transactions, partly
// signed and in order. What it says is only taken apart here; whether it is what was asked for is checked from the messages.
import { PACKET_LIMIT_BYTES } from '../chain/message.ts'
import type { Step } from '../chain/step.ts'

/** More than any change of a loan takes. */
const MOST_TRANSACTIONS = 8
const TIMEOUT_MS = 10_000
/** Of the whole answer: transactions in base64, and room for what else it says. */
const MAX_BYTES = 64 * 1024

/** How it is asked: through the guard of everything that goes out. */
export type Ask = (request: {
  readonly url: string
  readonly method: 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly maxBytes: number
  readonly timeoutMs: number
}) => Promise<{ readonly ok: true; readonly status: number; readonly body: Uint8Array } | { readonly ok: false; readonly reason: string }>

interface Order {
  readonly feePayer: string
  readonly steps: readonly Step[]
}

/** Transactions as they are sent, or why there are none, in words of ours. */
type Given = { readonly ok: true; readonly transactions: readonly Uint8Array[] } | { readonly ok: false; readonly reason: string }

/** @param url where orders are posted */
export function httpProvider(name: string, url: string, ask: Ask) {
  return {
    name,
    transactions: async (order: Order): Promise<Given> => {
      const headers = { 'content-type': 'application/json', accept: 'application/json' }
      const answer = await ask({ url, method: 'POST', headers, body: orderText(order), maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS })
      if (!answer.ok) return answer
      if (answer.status !== 200) return { ok: false, reason: `the provider answers with ${answer.status}` }
      return given(answer.body)
    },
  } as const
}

function given(body: Uint8Array): Given {
  const texts = transactionsIn(body)
  if (texts === null) return { ok: false, reason: `the provider answers with something else than 1 to ${MOST_TRANSACTIONS} transactions` }
  const transactions = texts.map((text) => Buffer.from(text, 'base64'))
  if (transactions.some((bytes, index) => bytes.toString('base64') !== texts[index]))
    return { ok: false, reason: 'the provider answers with what is not base64' }
  const large = transactions.find(({ length }) => length > PACKET_LIMIT_BYTES)
  if (large !== undefined) return { ok: false, reason: `the provider answers with a transaction of ${large.length} bytes` }
  return { ok: true, transactions }
}

function transactionsIn(bytes: Uint8Array): readonly string[] | null {
  let body: unknown
  try {
    body = JSON.parse(Buffer.from(bytes).toString('utf8'))
  } catch {
    return null
  }
  const texts = typeof body === 'object' && body !== null && 'transactions' in body ? body.transactions : null
  if (!Array.isArray(texts) || texts.length === 0 || texts.length > MOST_TRANSACTIONS) return null
  return texts.every((text) => typeof text === 'string') ? texts : null
}

/** Amounts as decimal strings: raw units do not fit into numbers of JSON. */
function orderText({ feePayer, steps }: Order): string {
  return JSON.stringify({ feePayer, steps: steps.map(shown) })
}

function shown(step: Step): object {
  return Object.fromEntries(
    Object.entries(step).map(([name, value]) => [name, typeof value === 'bigint' ? value.toString() : (value as unknown)]),
  )
}
