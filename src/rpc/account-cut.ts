// Accounts together with the statuses of transactions, asked so that one can tell which of the transactions the accounts include (see
// `inclusion.ts`): statuses, accounts, statuses, all of one endpoint, in one request where its bounds allow that.
import { malformed, readAccount, readContext, type ChainAccount } from './account-read.ts'
import { readStatuses, STATUS_LIMIT, type SignatureStatus } from './rpc.ts'
import type { RpcCall, Transport } from './transport.ts'

export interface AccountCut {
  /** The accounts are as of this slot. */
  readonly slot: number
  readonly accounts: readonly (ChainAccount | null)[]
  /** By signature, before the accounts were read and after. */
  readonly before: ReadonlyMap<string, SignatureStatus | null>
  readonly after: ReadonlyMap<string, SignatureStatus | null>
  /** The oldest slot that a status of `after` is as of. */
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

/** Rejects with RpcError or TransportError. `maxRequestBytes`: over this the calls go out one after the other. */
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
  return { slot, accounts: value.map(readAccount), before: before.statuses, after: after.statuses, afterSlot: after.slot }
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
