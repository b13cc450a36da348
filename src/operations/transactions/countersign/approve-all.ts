// Dry run of countersignatures: runs the checks of every tenant that would countersign, without using a key.
import type { UnitOfWork } from '../../../engine/records/unit-of-work.ts'
import type { Platform } from '../../context/platform.ts'
import { canSign, type RequiredSigner } from '../../authorization/signers.ts'
import { authorizeShare } from './countersign.ts'
import { questionOf } from './question.ts'
import { requestTo, type CountersignRequest } from './request.ts'

/** Throws the refusal of such a tenant. As in a real request, no tenant is asked while another key is missing. */
export function approveAll(
  platform: Platform,
  unit: UnitOfWork,
  signers: readonly RequiredSigner[],
  request: CountersignRequest,
): void {
  if (!signers.every(canSign)) return
  for (const owner of new Set(signers.flatMap(({ grantor }) => grantor ?? []))) {
    const addresses = signers.filter(({ grantor }) => grantor === owner).map(({ address }) => address)
    const others = signers.filter(({ grantor }) => grantor !== owner).map(({ address }) => address)
    const asked = requestTo(owner, request, others)
    if (platform.engine.owns(owner)) authorizeShare(platform, unit, owner, { addresses, request: asked })
    else request.chain.consented?.(questionOf(asked, owner, addresses))
  }
}
