// Cross-checks a proof of expiry. The proof is from one node; then the signatures are queried at every other node of
// the cluster. A node that knows one of them refutes the proof, since a wrong "expired" would lead to a second payment.
// A node that does not answer does not affect the proof.
import type { Clock } from '../../time/clock.ts'
import { proveExpiry, type ExpiryVerdict } from './prove.ts'
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
  if (!verdict.proven || request.signatures.length === 0) return verdict
  const testimonies = await Promise.all(
    pool.others(prover).map((witness) => testimonyOf(witness, request.signatures, pool.waitMs(witness, TIMEOUT_MS))),
  )
  const against = testimonies.find((testimony) => testimony !== null)
  if (against === undefined) return verdict
  const { witness, landed } = against
  return { proven: false, reason: `${witness} knows the signature ${landed}, ${prover.name} does not`, landed }
}

async function testimonyOf(
  { name, transport }: Endpoint,
  signatures: readonly string[],
  timeoutMs: number,
): Promise<{ readonly witness: string; readonly landed: string } | null> {
  try {
    const query = signatureStatuses(transport, signatures, { searchHistory: true, timeoutMs })
    const { statuses } = await query.catch((error: unknown) => readDespite(error, signatures.length))
    const landed = signatures.find((_, index) => statuses[index] !== null)
    return landed === undefined ? null : { witness: name, landed }
  } catch {
    return null
  }
}

/** A witness with implausible slots may still know the signature. Throws any other error, or MALFORMED. */
function readDespite(error: unknown, count: number): StatusAnswer {
  if (error instanceof ImplausibleAnswer) return readStatuses(error.result, count)
  throw error
}
