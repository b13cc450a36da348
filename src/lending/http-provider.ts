// A lending protocol behind an external HTTP service: the service posts the steps of a change, and the provider returns
// transactions, in order and partly signed. This file only parses the response; whether the transactions carry out the
// steps is checked from their messages.
import { PACKET_LIMIT_BYTES } from '../solana/message.ts'
import type { Step } from '../solana/step.ts'

/** More than any change of a loan needs. */
const MAX_TRANSACTIONS = 8
const TIMEOUT_MS = 10_000
/** Limit of the whole response: transactions in base64, and room for other members. */
const MAX_BYTES = 64 * 1024
/** Statuses of a temporary condition, not of a refusal. */
const BUSY: ReadonlySet<number> = new Set([408, 425, 429])

/** Sends a request through the guard of outbound requests. */
export type Ask = (request: {
  readonly url: string
  readonly method: 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly maxBytes: number
  readonly timeoutMs: number
}) => Promise<
  | { readonly ok: true; readonly status: number; readonly body: Uint8Array }
  | { readonly ok: false; readonly reason: string }
>

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
  /** URL to which orders are posted. */
  readonly url: string
  readonly operations: readonly Operation[]
  readonly programs: readonly string[]
  /** Bearer token for the provider; null: none. */
  readonly bearer: { reveal(): string } | null
}

/** The transactions, or the reason why there are none, in the service's own words. */
type Given =
  | { readonly ok: true; readonly transactions: readonly Uint8Array[] }
  | { readonly ok: false; readonly reason: string; readonly refused: boolean }

/** @param timeoutMs of an order, until the response is read completely */
export function httpProvider(
  { name, url, operations, programs, bearer }: ProviderSettings,
  ask: Ask,
  timeoutMs = TIMEOUT_MS,
) {
  return {
    name,
    operations: new Set(operations),
    programs: new Set(programs),
    /** The id of the order is sent as `Idempotency-Key`. */
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
  if (texts === null)
    return unusable(`the provider answers with something else than 1 to ${MAX_TRANSACTIONS} transactions`)
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
  if (!Array.isArray(texts) || texts.length === 0 || texts.length > MAX_TRANSACTIONS) return null
  return texts.every((text) => typeof text === 'string') ? texts : null
}

/** Amounts are decimal strings: raw units do not fit into JSON numbers. */
function orderText({ feePayer, steps }: Order, { id, cluster, operation }: Head): string {
  return JSON.stringify({ orderId: id, chainClusterId: cluster, operation, feePayer, steps: steps.map(shown) })
}

function shown(step: Step): object {
  return Object.fromEntries(
    Object.entries(step).map(([name, value]) => [
      name,
      typeof value === 'bigint' ? value.toString() : (value as unknown),
    ]),
  )
}
