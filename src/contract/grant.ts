// Limits what a key may grant to another key: no role and no cluster beyond its own, and no secret of a key with more
// rights.
import type { RecordState } from '../engine/records/record.ts'
import type { Caller } from './call.ts'
import type { NewApiKeyInput } from './schemas/admin.ts'
import { badRequest, forbidden } from './refusal.ts'
import { BUNDLES, checkGrantable, isRole, type Role } from './roles.ts'

/**
 * The requested roles without duplicates. Throws 400 `EXACTLY_ONE`, `ROLES_EMPTY`, `UNKNOWN_ROLE`, and 403
 * `ROLE_REQUIRED` for roles that the caller lacks.
 */
export function grantedRoles(caller: Caller, { roles, bundle }: NewApiKeyInput): readonly Role[] {
  if ((roles === undefined) === (bundle === undefined))
    throw badRequest('EXACTLY_ONE', 'exactly one of roles and bundle is required', '/itemData')
  const pointer = roles === undefined ? '/itemData/bundle' : '/itemData/roles'
  const wanted = bundle === undefined ? [...new Set(roles)].map(known) : BUNDLES[bundle]
  if (wanted.length === 0) throw badRequest('ROLES_EMPTY', 'at least one role is required', pointer)
  checkGrantable(caller, wanted, pointer)
  return wanted
}

function known(role: string): Role {
  if (isRole(role)) return role
  throw badRequest('UNKNOWN_ROLE', `${JSON.stringify(role)} is not a role`, '/itemData/roles')
}

/**
 * The requested clusters, by default the caller's; null: all. Throws 403 `CLUSTER_NOT_ALLOWED` for clusters that the
 * caller lacks.
 */
export function grantedClusters(caller: Caller, clusters: readonly string[] | undefined): readonly string[] | null {
  if (clusters === undefined) return caller.clusters === null ? null : [...caller.clusters]
  checkClusters(caller, clusters, '/itemData/clusters')
  return [...new Set(clusters)]
}

/**
 * Called before the caller receives the secret of another key. Throws 403 if that key has rights that the caller lacks.
 */
export function checkMayHold(caller: Caller, { context }: RecordState<'apiKey'>, pointer: string): void {
  checkGrantable(caller, context.roles, pointer)
  checkClusters(caller, context.clusters, pointer)
}

function checkClusters(caller: Caller, wanted: readonly string[] | null, pointer: string): void {
  const own = caller.clusters
  if (own === null || wanted?.every((cluster) => own.has(cluster)) === true) return
  throw forbidden('CLUSTER_NOT_ALLOWED', `API key may grant only its own clusters: ${[...own].join(', ')}`, pointer)
}
