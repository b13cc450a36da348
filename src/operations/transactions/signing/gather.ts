// Collects signatures within a unit of work: own local keys sign, other tenants countersign, and requests to remote
// signers are returned so that they can be sent once they are durable.
import type { RemoteKeyHolder } from '../../../engine/records/codec.ts'
import type { Countersigner } from '../../../../machines/transactions/transaction-record.ts'
import { OwnedByOtherCell, type UnitOfWork } from '../../../engine/records/unit-of-work.ts'
import { countersign } from '../countersign/countersign.ts'
import { askerOf, questionOf } from '../countersign/question.ts'
import { requestTo, type CountersignRequest } from '../countersign/request.ts'
import { requireMayAct } from '../../context/may-act.ts'
import { ownRecordsAt } from '../../lookup/whose-records.ts'
import type { Platform } from '../../context/platform.ts'
import type { Signatures } from '../submit.ts'
import type { RequiredSigner } from '../../authorization/signers.ts'

export interface GatheredSignatures {
  readonly signatures: Signatures
  /** Remote signers to ask for missing signatures. */
  readonly asked: readonly RemoteKeyHolder[]
  /** Tenants that countersigned. */
  readonly countersigners: readonly Countersigner[]
}

/**
 * Adds to `held` the signatures of the `required` signers that sign now. Throws the refusals of `countersign`, and 503
 * `TENANT_UNAVAILABLE`.
 */
export function gather(
  platform: Platform,
  unit: UnitOfWork,
  required: readonly RequiredSigner[],
  {
    signsNow,
    held,
    request,
  }: { readonly signsNow: (index: number) => boolean; readonly held: Signatures; readonly request: CountersignRequest },
): GatheredSignatures {
  const signing = required.filter((_, index) => signsNow(index))
  if (signing.length > 0) requireMayAct(platform)
  const answerAt = new Map<string, Uint8Array | RemoteKeyHolder>()
  const countersigners: Countersigner[] = []
  for (const owner of new Set(signing.flatMap(({ grantor }) => grantor ?? []))) {
    const addresses = signing.filter(({ grantor }) => grantor === owner).map(({ address }) => address)
    countersigners.push({ tenant: owner, addresses, givenAt: request.at })
    const others = required.filter((each, index) => held[index] !== null || (signsNow(index) && each.grantor !== owner))
    const question = requestTo(
      owner,
      request,
      others.map(({ address }) => address),
    )
    if (!platform.engine.owns(owner)) {
      for (const asked of askElsewhere(platform, signing, owner, question)) answerAt.set(asked.address, asked)
      continue
    }
    for (const [address, answer] of countersign(platform, unit, owner, { addresses, request: question }))
      answerAt.set(address, answer)
  }
  for (const { address, state, signer } of signing) {
    if (signer === null) continue
    if (!signer.remote) answerAt.set(address, signer.sign(request.message.bytes))
    else
      answerAt.set(address, {
        tenant: state?.tenant ?? request.home,
        id: state?.id ?? recordMadeAt(platform, request, address),
        address,
      })
  }
  const answers = required.map(({ address }, index) => held[index] ?? answerAt.get(address) ?? null)
  return {
    signatures: answers.map((answer) => (answer instanceof Uint8Array ? answer : null)),
    asked: answers.flatMap((answer) => (answer === null || answer instanceof Uint8Array ? [] : [answer])),
    countersigners,
  }
}

/**
 * The owner is in another cell: it is asked first whether it would sign, and for the signatures once the transaction is
 * durable.
 */
function askElsewhere(
  platform: Platform,
  signing: readonly RequiredSigner[],
  owner: string,
  request: CountersignRequest,
): RemoteKeyHolder[] {
  if (platform.otherCellOwners === undefined) throw new OwnedByOtherCell(owner, request.home)
  const required = signing.filter(({ grantor }) => grantor === owner)
  const addresses = required.map(({ address }) => address)
  request.chain.consented?.(questionOf(request, owner, addresses))
  const by = askerOf(request)
  return required.flatMap(({ address, state }) =>
    state === null ? [] : [{ tenant: owner, id: state.id, address, by }],
  )
}

/** The record of a key that is created together with the transaction. */
function recordMadeAt({ engine }: Platform, { cluster, home }: CountersignRequest, address: string): string {
  const entry = ownRecordsAt(engine.directory, home, cluster, address)[0]
  if (entry === undefined) throw new Error(`${address} must sign but has no record`)
  return entry.head.id
}
