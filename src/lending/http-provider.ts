// A lending protocol behind an HTTP service of somebody else: it is posted the steps of a change and answers with transactions, partly
// signed and in order. What it says is only taken apart here; whether it is what was asked for is checked from the messages.
import { PACKET_LIMIT_BYTES } from '../solana/message.ts'
import type { Step } from '../solana/step.ts'

/** More than any change of a loan takes. */
const MOST_TRANSACTIONS = 8
const TIMEOUT_MS = 10_000
/** Of the whole answer: transactions in base64, and room for what else it says. */
const MAX_BYTES = 64 * 1024
/** It does not say no, but not now. */
const BUSY: ReadonlySet<number> = new Set([408, 425, 429])

/** How it is asked: through the guard of everything that goes out. */
export type Ask = (request: {
  readonly url: string
  readonly method: 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly maxBytes: number
  readonly timeoutMs: number
}) => Promise<{ readonly ok: true; readonly status: number; readonly body: Uint8Array } | { readonly ok: false; readonly reason: string }>

type Operation = 'CREATE' | 'SWAP' | 'REPAY' | 'CLOSE'

interface Order {
  readonly feePayer: string
  readonly steps: readonly Step[]
}

interface Head {
  readonly id: string
  readonly cluster: string
  readonly operation: string
}

export interface ProviderSettings {
  readonly name: string
  /** Where orders are posted. */
  readonly url: string
  readonly operations: readonly Operation[]
  readonly programs: readonly string[]
  /** Who we are, to the provider; null: nobody in particular. */
  readonly bearer: { reveal(): string } | null
}

/** Transactions as they are sent, or why there are none, in words of ours. */
type Given =
  | { readonly ok: true; readonly transactions: readonly Uint8Array[] }
  | { readonly ok: false; readonly reason: string; readonly refused: boolean }

/** @param timeoutMs of an order, the answer read to its end */
export function httpProvider({ name, url, operations, programs, bearer }: ProviderSettings, ask: Ask, timeoutMs = TIMEOUT_MS) {
  return {
    name,
    operations: new Set(operations),
    programs: new Set(programs),
    /** The order's id goes along as `Idempotency-Key`. */
    transactions: async (order: Order, head: Head): Promise<Given> => {
      const headers = {
        'content-type': 'application/json',
        accept: 'application/json',
        'idempotency-key': head.id,
        ...(bearer === null ? {} : { authorization: `Bearer ${bearer.reveal()}` }),
      }
      const body = orderText(order, head)
      const answer = await ask({ url, method: 'POST', headers, body, maxBytes: MAX_BYTES, timeoutMs })
      if (!answer.ok) return unusable(answer.reason)
      const { status } = answer
      if (status >= 400 && status < 500 && !BUSY.has(status))
        return { ok: false, reason: `the provider answers with ${status}`, refused: true }
      return status === 200 ? given(answer.body) : unusable(`the provider answers with ${status}`)
    },
  } as const
}

function unusable(reason: string): Given {
  return { ok: false, reason, refused: false }
}

function given(body: Uint8Array): Given {
  const texts = transactionsIn(body)
  if (texts === null) return unusable(`the provider answers with something else than 1 to ${MOST_TRANSACTIONS} transactions`)
  const transactions = texts.map((text) => Buffer.from(text, 'base64'))
  if (transactions.some((bytes, index) => bytes.toString('base64') !== texts[index]))
    return unusable('the provider answers with what is not base64')
  const large = transactions.find(({ length }) => length > PACKET_LIMIT_BYTES)
  if (large !== undefined) return unusable(`the provider answers with a transaction of ${large.length} bytes`)
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
function orderText({ feePayer, steps }: Order, { id, cluster, operation }: Head): string {
  return JSON.stringify({ orderId: id, chainClusterId: cluster, operation, feePayer, steps: steps.map(shown) })
}

function shown(step: Step): object {
  return Object.fromEntries(
    Object.entries(step).map(([name, value]) => [name, typeof value === 'bigint' ? value.toString() : (value as unknown)]),
  )
}
