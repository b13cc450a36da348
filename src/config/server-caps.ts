// Limits of the whole server, of which a tenant may take a share. A single tenant with one API key still gets what the
// limits of a key allow: 20 streams, a burst of 400 requests and ten seconds of 200 a second, 16 webhook deliveries
// beside its jobs.

export const SERVER_CAPS = {
  eventStreams: 1_000,
  openRequests: 25_000,
  /** Of long bodies of requests. */
  heldBodyBytes: 256 * 1024 * 1024,
  requestsPerSecond: 20_000,
  requestBurst: 40_000,
  /** Concurrent requests to hosts of clients: jobs, logos, webhooks, lending providers. */
  outboundRequests: 512,
} as const

/**
 * A tenant's share of a server limit, at least one.
 * @param percent 1 to 100
 */
export function tenantShareOf(cap: number, percent: number): number {
  return Math.max(1, Math.floor((cap * percent) / 100))
}
