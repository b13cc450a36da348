// Finds the records of distributions for a caller, and the parts that are stored beside them.
import type { Part } from '../../../machines/distribution-parts.ts'
import type { Entry } from '../../engine/records/entry.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import type { UnitOfWork } from '../../engine/records/unit-of-work.ts'
import { badRequest } from '../../contract/refusal.ts'
import type { Platform, Context } from '../context/platform.ts'

export interface NamedDistribution {
  readonly entry: Entry
  readonly distribution: RecordState<'distribution'>
}

/** A distribution of the organization and cluster of the request. Throws 400 `DISTRIBUTION_NOT_FOUND`. */
export function distributionNamed(
  { platform: { engine }, call: { tenant, organization, cluster } }: Context,
  offchainId: string,
): NamedDistribution {
  const entry = engine.directory.byId(offchainId)
  const distribution = ofKind(entry?.committed, 'distribution')
  const isOwn =
    distribution?.tenant === tenant &&
    distribution.cluster === cluster &&
    distribution.context.organization === organization
  if (entry !== undefined && distribution !== undefined && isOwn) return { entry, distribution }
  throw badRequest(
    'DISTRIBUTION_NOT_FOUND',
    'the organization has no distribution with this id',
    '/itemData/offchainId',
  )
}

/** Written with the decision: `[owner, raw units]`, in the order in which they are paid. */
type StoredParts = readonly (readonly [holder: string, amount: string])[]

export function storeParts(unit: UnitOfWork, { tenant, cluster, id }: RecordState, parts: readonly Part[]): void {
  const row: StoredParts = parts.map(({ holder, amount }) => [holder, amount.toString()])
  unit.also(tenant, { type: 'file', tenant, cluster, id, row })
}

export function storedParts({ engine }: Platform, { tenant, cluster, id }: RecordState): readonly Part[] {
  const row = engine.store.file(tenant, cluster, id) as StoredParts | undefined
  if (row === undefined) throw new Error(`the parts of distribution ${id} are missing`)
  return row.map(([holder, amount]) => ({ holder, amount: BigInt(amount) }))
}
