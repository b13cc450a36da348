// Reads the history of an address for the two cases that signatures alone do not decide: an unknown first signature (no
// transaction in the history has the message's hash), and a nonce used long ago (another transaction in the history
// used the value).
import { createHash } from 'node:crypto'
import { Unproven } from './doubt.ts'
import type { ExpiryRequest, HistoryEvidence } from './proof.ts'
import { isSlot } from '../rpc.ts'
import type { Transport } from '../transport.ts'
import { splitWire } from './wire-bytes.ts'

const PAGE = 1_000
const MAX_PAGES = 20
const TRANSACTIONS_PER_BATCH = 16

interface Listed {
  readonly signature: string
  readonly slot: number
}

/**
 * Rejects with Unproven (or with the failure of a call) unless the history reaches back past `blockhashSlot` and rules
 * out that the request landed.
 */
export async function readHistoryOfAddress(
  transport: Transport,
  request: ExpiryRequest,
  finalizedSlot: number,
): Promise<HistoryEvidence> {
  const address = request.unknownSignature?.address ?? request.nonce?.account
  if (address === undefined) throw new Unproven('no address whose history could tell')
  // An outside signer's blockhash may be older than the slot it was first seen at.
  const sinceSlot = Math.max(0, request.blockhashSlot - 512)
  const listed = await list(transport, address, sinceSlot, finalizedSlot)
  const ours = listed.find((entry) => request.signatures.includes(entry.signature))
  if (ours !== undefined) throw new Unproven(`the history holds the signature ${ours.signature}`, ours.signature)
  const evidence = { address, sinceSlot, minContextSlot: finalizedSlot, signatures: listed.length }

  let consumedBy: string | undefined
  for (let start = 0; start < listed.length; start += TRANSACTIONS_PER_BATCH) {
    const page = listed.slice(start, start + TRANSACTIONS_PER_BATCH)
    const messages = await readMessages(transport, page)
    messages.forEach((message, index) => {
      const { signature } = page[index]!
      if (message === null) return
      if (message.hash === request.unknownSignature?.messageHash)
        throw new Unproven(`it landed as ${signature}`, signature)
      if (message.blockhash === request.nonce?.value) consumedBy = signature
    })
  }
  if (request.nonce === undefined) return evidence
  // A nonce advance inside an ordinary transaction is not found this way; this rule then proves nothing.
  if (consumedBy === undefined) throw new Unproven('no transaction in the history used this value of the nonce')
  return { ...evidence, consumedBy }
}

/**
 * Newest first, back to the first entry older than `sinceSlot`, or to the start of a ledger that is known to reach back
 * that far.
 */
async function list(
  transport: Transport,
  address: string,
  sinceSlot: number,
  minContextSlot: number,
): Promise<Listed[]> {
  const within: Listed[] = []
  let before: string | undefined
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const options = {
      limit: PAGE,
      commitment: 'finalized',
      minContextSlot,
      ...(before === undefined ? {} : { before }),
    }
    const result = await transport.call('getSignaturesForAddress', [address, options])
    if (!Array.isArray(result)) throw new Unproven('the history is not in shape')
    const entries = result.map(readListed)
    within.push(...entries.filter((entry) => entry.slot >= sinceSlot))
    if (entries.some((entry) => entry.slot < sinceSlot)) return within
    if (entries.length < PAGE) {
      await ledgerReaches(transport, sinceSlot)
      return within
    }
    before = entries.at(-1)!.signature
  }
  throw new Unproven(`over ${PAGE * MAX_PAGES} transactions in the history since slot ${sinceSlot}`)
}

async function ledgerReaches(transport: Transport, sinceSlot: number): Promise<void> {
  const first = await transport.call('getFirstAvailableBlock', [])
  if (!isSlot(first) || first > sinceSlot)
    throw new Unproven(`the node's ledger starts at slot ${String(first)}, after ${sinceSlot}`)
}

function readListed(entry: unknown): Listed {
  const { signature, slot } = (entry ?? {}) as Record<string, unknown>
  if (typeof signature !== 'string' || !isSlot(slot)) throw new Unproven('the history is not in shape')
  return { signature, slot }
}

/** Hash and blockhash of each message; null for versions that the service never makes. */
async function readMessages(
  transport: Transport,
  page: readonly Listed[],
): Promise<({ hash: string; blockhash: string } | null)[]> {
  const options = { encoding: 'base64', commitment: 'finalized', maxSupportedTransactionVersion: 1 }
  const answers = await transport.batch(
    page.map(({ signature }) => ({ method: 'getTransaction', params: [signature, options] })),
  )
  return answers.map((answer) => {
    if (!answer.ok) throw answer.error
    const { transaction, version } = (answer.result ?? {}) as { transaction?: unknown; version?: unknown }
    if (!Array.isArray(transaction) || typeof transaction[0] !== 'string')
      throw new Unproven('a transaction of the history is missing')
    if (version !== 0 && version !== 'legacy' && version !== undefined) return null
    const { message, blockhash } = splitWire(Buffer.from(transaction[0], 'base64'))
    return { hash: createHash('sha256').update(message).digest('hex'), blockhash }
  })
}
