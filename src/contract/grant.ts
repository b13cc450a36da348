// What one key may give to another: no role, no cluster and no secret beyond what it has itself.
import type { RecordState } from '../engine/records/record.ts'
import type { Caller } from './call.ts'
import type { NewApiKeyInput } from './input.ts'
import { badRequest, forbidden } from './refusal.ts'
import { BUNDLES, checkGrantable, isRole, type Role } from './roles.ts'

/** The roles asked for, once each. Throws 400 for none, both or an unknown one, 403 `ROLE_REQUIRED` for more than the caller has. */
export function grantedRoles(caller: Caller, { roles, bundle }: NewApiKeyInput): readonly Role[] {
  if ((roles === undefined) === (bundle === undefined)) throw badRequest('EXACTLY_ONE', 'give either roles or bundle', '/itemData')
  const pointer = roles === undefined ? '/itemData/bundle' : '/itemData/roles'
  const wanted = bundle === undefined ? [...new Set(roles)].map(known) : BUNDLES[bundle]
  if (wanted.length === 0) throw badRequest('ROLES_EMPTY', 'a key has at least one role', pointer)
  checkGrantable(caller, wanted, pointer)
  return wanted
}

function known(role: string): Role {
  if (isRole(role)) return role
  throw badRequest('UNKNOWN_ROLE', `${JSON.stringify(role)} is not a role`, '/itemData/roles')
}

/** Those asked for, else the caller's. Throws 403 `CLUSTER_NOT_ALLOWED` for more than the caller has. */
export function grantedClusters(caller: Caller, clusters: readonly string[] | undefined): readonly string[] | null {
  if (clusters === undefined) return caller.clusters === null ? null : [...caller.clusters]
  checkClusters(caller, clusters, '/itemData/clusters')
  return [...new Set(clusters)]
}

/** The caller is about to get the secret of another key, and with it all that key can do. */
export function checkMayHold(caller: Caller, { context }: RecordState<'apiKey'>, pointer: string): void {
  checkGrantable(caller, context.roles, pointer)
  checkClusters(caller, context.clusters, pointer)
}

function checkClusters(caller: Caller, wanted: readonly string[] | null, pointer: string): void {
  const own = caller.clusters
  if (own === null || wanted?.every((cluster) => own.has(cluster)) === true) return
  throw forbidden('CLUSTER_NOT_ALLOWED', `a key grants only clusters it has itself: ${[...own].join(', ')}`, pointer)
}
