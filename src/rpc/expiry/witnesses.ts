// Cross-checks a proof of expiry. The proof is from one node; then every other node of the cluster is queried for what
// it knows. A node that knows the transaction refutes the proof, since a wrong "expired" would lead to a second
// payment. Known signatures are queried by their status, and a node that does not answer does not affect the proof. An
// unknown signature is known to a node only by its history, where an entry may be missing without a sign of it: every
// other trusted node must show a history of its own without the message.
import type { Clock } from '../../time/clock.ts'
import { Unproven } from './doubt.ts'
import { proveExpiry, type ExpiryVerdict } from './prove.ts'
import { readHistoryOfAddress } from './history.ts'
import type { ExpiryRequest } from './proof.ts'
import type { Endpoint, EndpointPool } from '../pool.ts'
import { ImplausibleAnswer } from '../rpc-error.ts'
import { readStatuses, signatureStatuses, type StatusAnswer } from '../rpc.ts'

const TIMEOUT_MS = 10_000

/** Never rejects. */
export async function proveExpiryInPool(
  pool: EndpointPool,
  genesisHash: string,
  request: ExpiryRequest,
  clock: Clock,
): Promise<ExpiryVerdict> {
  const prover = pool.pick('proof')
  const verdict = await proveExpiry(prover, genesisHash, request, clock)
  if (!verdict.proven) return verdict
  const witnesses = pool.others(prover)
  const { slot } = verdict.proof.finalized
  const [testimonies, histories] = await Promise.all([
    Promise.all(witnesses.map((one) => testimonyOf(one, request.signatures, pool.waitMs(one, TIMEOUT_MS)))),
    Promise.all(witnesses.map((one) => historyTestimonyOf(one, request, slot))),
  ])
  const against = [...testimonies, ...histories].find((testimony) => testimony?.landed !== undefined)
  if (against?.landed !== undefined) {
    const { witness, landed } = against
    return { proven: false, reason: `${witness} knows the signature ${landed}, ${prover.name} does not`, landed }
  }
  const missing = histories.find((testimony) => testimony !== null)
  if (missing === undefined) return verdict
  return { proven: false, reason: `${missing.witness} shows no history to compare with: ${missing.reason}` }
}

/** What a witness says against a proof: the signature that it knows, or why its history cannot be compared. */
interface Testimony {
  readonly witness: string
  readonly landed?: string
  readonly reason: string
}

async function testimonyOf(
  { name, transport }: Endpoint,
  signatures: readonly string[],
  timeoutMs: number,
): Promise<Testimony | null> {
  if (signatures.length === 0) return null
  try {
    const query = signatureStatuses(transport, signatures, { searchHistory: true, timeoutMs })
    const { statuses } = await query.catch((error: unknown) => readDespite(error, signatures.length))
    const landed = signatures.find((_, index) => statuses[index] !== null)
    return landed === undefined ? null : { witness: name, landed, reason: 'it landed' }
  } catch {
    return null
  }
}

/** Null if nothing is against the proof. A distrusted witness is believed only if it names the landing. */
async function historyTestimonyOf(
  endpoint: Endpoint,
  request: ExpiryRequest,
  finalizedSlot: number,
): Promise<Testimony | null> {
  if (request.unknownSignature === undefined) return null
  const { name, distrusted } = endpoint
  try {
    await readHistoryOfAddress(endpoint, request, finalizedSlot)
    return null
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown failure'
    if (error instanceof Unproven && error.landed !== undefined) return { witness: name, landed: error.landed, reason }
    return distrusted === null ? { witness: name, reason } : null
  }
}

/** A witness with implausible slots may still know the signature. Throws any other error, or MALFORMED. */
function readDespite(error: unknown, count: number): StatusAnswer {
  if (error instanceof ImplausibleAnswer) return readStatuses(error.result, count)
  throw error
}
