// A lending protocol behind an HTTP service of somebody else: it is posted the steps of a change and answers with transactions, partly
// signed and in order. What it says is only taken apart here; whether it is what was asked for is checked from the messages.
import { PACKET_LIMIT_BYTES } from '../chain/message.ts'
import { ProviderFailed, type LendingProvider, type ProviderOrder } from '../operations/loans/ports.ts'
import { OutboundFailed, OutboundRefused, type Outbound } from '../operations/outbound/outbound.ts'
import type { Step } from '../chain/step.ts'

/** More than any change of a loan takes. */
const MOST_TRANSACTIONS = 8
const TIMEOUT_MS = 10_000
/** Of the whole answer: transactions in base64, and room for what else it says. */
const MAX_BYTES = 64 * 1024

/** @param url where orders are posted; asked through the guard of everything that goes out */
export function httpProvider(name: string, url: string, outbound: Pick<Outbound, 'fetch'>): LendingProvider {
  return {
    name,
    transactions: async (order) => {
      const texts = transactionsIn(await answerOf(url, outbound, orderText(order)))
      if (texts === null) throw new ProviderFailed(`${name} answers with something else than 1 to ${MOST_TRANSACTIONS} transactions`)
      return texts.map((text) => bytesOf(name, text))
    },
  }
}

function transactionsIn(body: unknown): readonly string[] | null {
  const texts = typeof body === 'object' && body !== null && 'transactions' in body ? body.transactions : null
  if (!Array.isArray(texts) || texts.length === 0 || texts.length > MOST_TRANSACTIONS) return null
  return texts.every((text) => typeof text === 'string') ? texts : null
}

function bytesOf(name: string, text: string): Uint8Array {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.toString('base64') !== text) throw new ProviderFailed(`${name} answers with what is not base64`)
  if (bytes.length > PACKET_LIMIT_BYTES) throw new ProviderFailed(`${name} answers with a transaction of ${bytes.length} bytes`)
  return bytes
}

async function answerOf(url: string, outbound: Pick<Outbound, 'fetch'>, body: string): Promise<unknown> {
  try {
    const headers = { 'content-type': 'application/json', accept: 'application/json' }
    const answer = await outbound.fetch(url, { method: 'POST', headers, body, maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS })
    if (answer.status !== 200) throw new ProviderFailed(`the provider answers with ${answer.status}`)
    return JSON.parse(answer.body.toString('utf8'))
  } catch (error) {
    if (error instanceof OutboundRefused || error instanceof OutboundFailed) throw new ProviderFailed(error.message)
    if (error instanceof SyntaxError) throw new ProviderFailed('the provider answers with something else than JSON')
    throw error
  }
}

/** Amounts as decimal strings: raw units do not fit into numbers of JSON. */
function orderText({ feePayer, steps }: ProviderOrder): string {
  return JSON.stringify({ feePayer, steps: steps.map(shown) })
}

function shown(step: Step): object {
  return Object.fromEntries(
    Object.entries(step).map(([name, value]) => [name, typeof value === 'bigint' ? value.toString() : (value as unknown)]),
  )
}
