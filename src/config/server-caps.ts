// What the whole server allows at once, and how much of it one tenant may take. The numbers leave a lone tenant with one key what the
// limits of a key allow: 20 streams, a burst of 400 requests and ten seconds of 200 a second, 32 webhook deliveries beside its jobs.

export const SERVER_CAPS = {
  eventStreams: 1_000,
  openRequests: 25_000,
  requestsPerSecond: 20_000,
  requestBurst: 40_000,
  /** Requests to hosts of clients under way: jobs, logos, webhooks, lending providers. */
  outboundRequests: 512,
} as const

/** Share of one tenant in a cap of the server, at least one. @param percent 1 to 100 */
export function tenantShareOf(cap: number, percent: number): number {
  return Math.max(1, Math.floor((cap * percent) / 100))
}
