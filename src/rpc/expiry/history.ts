// Reads the history of an address for the two cases that signatures alone do not decide: an unknown first signature (no
// transaction in the history has the message's hash), and a nonce used long ago (another transaction in the history
// used the value). Only slots in which the message can have landed count, so that an address may be used by others
// however much afterwards. Anybody can name an address in a transaction.
import { createHash } from 'node:crypto'
import { Unproven } from './doubt.ts'
import { landingBlocks } from './landing-blocks.ts'
import type { ExpiryRequest, HistoryEvidence } from './proof.ts'
import type { Endpoint } from '../pool.ts'
import { isSlot } from '../rpc.ts'
import type { Transport } from '../transport.ts'
import { splitWire } from './wire-bytes.ts'

const PAGE = 1_000
/** Transactions that are read. */
const MAX_READ = 20_000
/** Transactions that are listed, including later ones. */
const MAX_LISTED = 200_000
const TRANSACTIONS_PER_BATCH = 16
/** Messages kept for each endpoint, for the next proofs with the same address. */
const MAX_KEPT = 8_192

interface Listed {
  readonly signature: string
  readonly slot: number
}

interface Message {
  readonly hash: string
  readonly blockhash: string
}

/** What is listed. `until`: null: up to the newest entry. */
interface Bounds {
  readonly sinceSlot: number
  readonly until: { readonly slot: number; readonly signatures: readonly string[] } | null
  readonly minContextSlot: number
}

/**
 * Rejects with Unproven (or with the failure of a call) unless the history reaches back past the first slot in which
 * the request can have landed, and rules out that it landed.
 */
export async function readHistoryOfAddress(
  endpoint: Endpoint,
  request: ExpiryRequest,
  finalizedSlot: number,
): Promise<HistoryEvidence> {
  const { transport } = endpoint
  const address = request.unknownSignature?.address ?? request.nonce?.account
  if (address === undefined) throw new Unproven('no address whose history could tell')
  const { first, past } = await landingBlocks(endpoint, request)
  // An outside signer's blockhash may be older than the slot it was first seen at.
  const sinceSlot = first?.slot ?? Math.max(0, request.blockhashSlot - 512)
  const listed = await list(transport, address, { sinceSlot, until: past, minContextSlot: finalizedSlot })
  const ours = listed.find((entry) => request.signatures.includes(entry.signature))
  if (ours !== undefined) throw new Unproven(`the history holds the signature ${ours.signature}`, ours.signature)
  const evidence = {
    address,
    sinceSlot,
    minContextSlot: finalizedSlot,
    signatures: listed.length,
    blockhashHeight: first?.height ?? null,
    past: past === null ? null : { slot: past.slot, blockHeight: past.height, blockhash: past.blockhash },
  }

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
async function list(transport: Transport, address: string, bounds: Bounds): Promise<Listed[]> {
  const { sinceSlot, until, minContextSlot } = bounds
  const untilSlot = until?.slot ?? Infinity
  let place = until?.signatures.at(-1)
  const within: Listed[] = []
  let entries = await listPage(transport, address, minContextSlot)
  for (let count = PAGE; ; count += PAGE) {
    within.push(...entries.filter(({ slot }) => slot >= sinceSlot && slot <= untilSlot))
    if (entries.some((entry) => entry.slot < sinceSlot)) return within
    if (entries.length < PAGE) {
      await ledgerReaches(transport, sinceSlot)
      return within
    }
    if (within.length >= MAX_READ)
      throw new Unproven(`over ${MAX_READ} transactions in the history since slot ${sinceSlot}`)
    if (count >= MAX_LISTED) throw new Unproven(`over ${MAX_LISTED} transactions to list since slot ${sinceSlot}`)
    const last = entries.at(-1)!
    let skipped: Listed[] = []
    if (place !== undefined && last.slot > untilSlot) {
      // A node that cannot list from a transaction without the address has no entries for it.
      skipped = await listPage(transport, address, minContextSlot, place).catch(() => [])
      place = undefined
    }
    entries = skipped.length > 0 ? skipped : await listPage(transport, address, minContextSlot, last.signature)
  }
}

async function listPage(
  transport: Transport,
  address: string,
  minContextSlot: number,
  before?: string,
): Promise<Listed[]> {
  const options = {
    limit: PAGE,
    commitment: 'finalized',
    minContextSlot,
    ...(before === undefined ? {} : { before }),
  }
  const result = await transport.call('getSignaturesForAddress', [address, options])
  if (!Array.isArray(result)) throw new Unproven('the history is not in shape')
  return result.map(readListed)
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

/** By endpoint and signature: finalized transactions do not change. */
const kept = new WeakMap<Transport, Map<string, Message | null>>()

/** Hash and blockhash of each message; null for versions that the service never makes. */
async function readMessages(transport: Transport, page: readonly Listed[]): Promise<(Message | null)[]> {
  const known = kept.get(transport) ?? new Map<string, Message | null>()
  kept.set(transport, known)
  const messages = new Map(page.map(({ signature }) => [signature, known.get(signature)]))
  const missing = [...messages.keys()].filter((signature) => messages.get(signature) === undefined)
  const options = { encoding: 'base64', commitment: 'finalized', maxSupportedTransactionVersion: 1 }
  const calls = missing.map((signature) => ({ method: 'getTransaction', params: [signature, options] }))
  const answers = calls.length === 0 ? [] : await transport.batch(calls)
  answers.forEach((answer, index) => {
    if (!answer.ok) throw answer.error
    const message = messageIn(answer.result)
    messages.set(missing[index]!, message)
    known.set(missing[index]!, message)
  })
  for (const signature of known.keys()) {
    if (known.size <= MAX_KEPT) break
    known.delete(signature)
  }
  return page.map(({ signature }) => messages.get(signature)!)
}

function messageIn(result: unknown): Message | null {
  const { transaction, version } = (result ?? {}) as { transaction?: unknown; version?: unknown }
  if (!Array.isArray(transaction) || typeof transaction[0] !== 'string')
    throw new Unproven('a transaction of the history is missing')
  if (version !== 0 && version !== 'legacy' && version !== undefined) return null
  const { message, blockhash } = splitWire(Buffer.from(transaction[0], 'base64'))
  return { hash: createHash('sha256').update(message).digest('hex'), blockhash }
}
