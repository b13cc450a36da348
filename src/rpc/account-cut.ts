// Reads accounts together with the statuses of transactions, so that `inclusion.ts` can decide which of the
// transactions the account data includes. Order of the calls: statuses, accounts, statuses; all to one endpoint, in one
// request if it fits the limits.
import { malformed, readAccount, readContext, type ChainAccount } from './account-read.ts'
import { readStatuses, STATUS_LIMIT, type SignatureStatus } from './rpc.ts'
import type { RpcCall, Transport } from './transport.ts'

export interface AccountCut {
  /** Slot that the accounts are as of. */
  readonly slot: number
  readonly accounts: readonly (ChainAccount | null)[]
  /** By signature: read before the accounts, and after. */
  readonly before: ReadonlyMap<string, SignatureStatus | null>
  readonly after: ReadonlyMap<string, SignatureStatus | null>
  /** Oldest context slot of the responses in `after`. */
  readonly afterSlot: number
}

export interface CutQuestion {
  /** At most 100. */
  readonly addresses: readonly string[]
  readonly signatures: readonly string[]
  readonly minContextSlot: number
}

/** Bytes of a signature or an address in a request, with quotes and comma. */
const SIGNATURE_BYTES = 91
const ADDRESS_BYTES = 47
const CALL_BYTES = 200

/**
 * Rejects with RpcError or TransportError.
 * @param maxRequestBytes A larger request is split into its calls, sent one after the other.
 */
export async function readCut(
  transport: Transport,
  { addresses, signatures, minContextSlot }: CutQuestion,
  maxRequestBytes: number,
  timeoutMs: number,
): Promise<AccountCut> {
  const portions: (readonly string[])[] = []
  for (let at = 0; at < signatures.length; at += STATUS_LIMIT) portions.push(signatures.slice(at, at + STATUS_LIMIT))
  const statuses = portions.map((portion): RpcCall => ({ method: 'getSignatureStatuses', params: [portion] }))
  const options = { encoding: 'base64', commitment: 'confirmed', minContextSlot }
  const calls = [...statuses, { method: 'getMultipleAccounts', params: [addresses, options] }, ...statuses]
  const bytes = 2 * signatures.length * SIGNATURE_BYTES + addresses.length * ADDRESS_BYTES + calls.length * CALL_BYTES
  const requests = bytes <= maxRequestBytes ? [calls] : calls.map((call) => [call])
  const results: unknown[] = []
  for (const request of requests) {
    for (const answer of await transport.batch(request, { timeoutMs, exact: true })) {
      if (!answer.ok) throw answer.error
      results.push(answer.result)
    }
  }
  const { slot, value } = readContext(results[statuses.length])
  if (!Array.isArray(value) || value.length !== addresses.length) throw malformed('accounts')
  const before = statusesOf(portions, results.slice(0, statuses.length))
  const after = statusesOf(portions, results.slice(statuses.length + 1))
  return {
    slot,
    accounts: value.map(readAccount),
    before: before.statuses,
    after: after.statuses,
    afterSlot: after.slot,
  }
}

function statusesOf(portions: readonly (readonly string[])[], results: readonly unknown[]) {
  const statuses = new Map<string, SignatureStatus | null>()
  let slot = Infinity
  portions.forEach((portion, index) => {
    const answer = readStatuses(results[index], portion.length)
    slot = Math.min(slot, answer.contextSlot)
    portion.forEach((signature, at) => statuses.set(signature, answer.statuses[at] ?? null))
  })
  return { statuses, slot }
}
