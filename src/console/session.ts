// The session. The API key is kept in memory and in the session storage of this tab, so that a reload keeps it and
// closing the tab removes it. It is never in a URL, nor where another tab or a later visit could read it.

/** The answer of GET /api/v1/whoami. */
export interface Identity {
  readonly keyId: string
  readonly organizationExternalId: string
  readonly tenantOrganizationId: string
  readonly roles: readonly string[]
  /** null: all of them. */
  readonly clusters: readonly string[]
  /** Absent: the service does not show them. */
  readonly switches?: SwitchesInForce
}

/** Freezes, and ids of clusters on which nothing is sent. */
export interface SwitchesInForce {
  readonly everythingFrozen: boolean
  readonly tenantFrozen: boolean
  readonly organizationFrozen: boolean
  readonly suspendedClusters: readonly string[]
  readonly tenantSuspendedOn: readonly string[]
  readonly organizationSuspendedOn: readonly string[]
}

/** Scope of all requests. null: the key's own organization, the service's default cluster. */
export interface Scope {
  readonly organization: string | null
  readonly cluster: string | null
}

export interface Session {
  readonly apiKey: string
  readonly identity: Identity
  readonly scope: Scope
}

const STORED = 'holdfast.key'

let session: Session | null = null
/** Why the last session ended, for the sign-in page. */
let endReason = ''
const watchers = new Set<() => void>()

export const current = (): Session | null => session
export const sessionEndText = (): string => endReason

export function watchSession(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => void watchers.delete(watcher)
}

export function storedKey(): string | null {
  return sessionStorage.getItem(STORED)
}

export function begin(apiKey: string, identity: Identity): void {
  sessionStorage.setItem(STORED, apiKey)
  session = { apiKey, identity, scope: { organization: null, cluster: null } }
  endReason = ''
  notifyWatchers()
}

export function end(why = ''): void {
  sessionStorage.removeItem(STORED)
  session = null
  endReason = why
  notifyWatchers()
}

export function changeScope(change: Partial<Scope>): void {
  if (session === null) return
  session = { ...session, scope: { ...session.scope, ...change } }
  notifyWatchers()
}

/** True if the key has any of these roles, or if no role is named. */
export function may(...roles: readonly string[]): boolean {
  if (session === null) return false
  const { identity } = session
  return roles.length === 0 || roles.some((role) => identity.roles.includes(role))
}

function notifyWatchers(): void {
  for (const watcher of [...watchers]) watcher()
}
