// What the REST front end needs of the rest of the service, and nothing more.
import type { Refused } from '../operations/admin/refusals.ts'
import type { Call, Caller, JsonObject } from '../contract/call.ts'
import type { EventLog } from '../contract/event-record.ts'
import type { Read, Write } from '../operations/context/platform.ts'

export interface Performed {
  readonly body: JsonObject
  /** The outcome of an earlier request with the same idempotency key. */
  readonly replayed: boolean
  /** A dry run answers 200 whatever the endpoint's own status is. */
  readonly dryRun: boolean
}

export interface Readiness {
  readonly ready: boolean
  /** Requests are taken: false is worse than not ready, where a cluster may be out and the rest goes on. */
  readonly accepting: boolean
  /** Name of a check -> `ok`, or what is wrong in words fit for anybody. */
  readonly checks: Readonly<Record<string, string>>
}

export interface Acting {
  readonly organization: string
  readonly tenant: string
}

export interface Api {
  /** Asked once per request. At once for an API key; a token of an issuer may take a look at the issuer's keys. */
  authenticate(bearer: string): Caller | 'invalid' | Promise<Caller | 'invalid'>
  /** Whom the request acts for. Throws a Refusal (403) when the caller may not act for the organization named. */
  callFor(caller: Caller, asked: { readonly cluster: string; readonly overrideOrganization: string | undefined }): Acting
  /** Recalls or runs, waits and renders. Throws a Refusal. */
  perform<Input>(call: Call, write: Write<Input>, input: Input): Promise<Performed>
  read<Input>(call: Call, read: Read<Input>, input: Input): Promise<JsonObject> | JsonObject
  /** Keeps that somebody was refused a right. */
  refused(refused: Refused): Promise<void>
  /** When to look for new events of a tenant. */
  readonly events: Pick<EventLog, 'lastSequence' | 'subscribe'>
  /** Cheap: it is asked once per request. */
  readiness(): Readiness
}

export interface Log {
  debug(fields: object, message: string): void
  error(fields: object, message: string): void
}

export interface Metrics {
  histogram(name: string, help: string): { with(labels: Readonly<Record<string, string>>): { observe(value: number): void } }
  /** Read when the metrics are asked for. */
  observed(name: string, help: string, type: 'gauge' | 'counter', read: () => number): void
  render(): string
}

export interface HttpSettings {
  readonly host: string
  /** 0 takes a free one. */
  readonly port: number
  /** Ids of the configured clusters; the first applies when a request names none. */
  readonly clusters: readonly string[]
  readonly rateLimit: { readonly perSecond: number; readonly burst: number }
  /** Percent of the server's caps that one tenant may take. */
  readonly tenantShare: number
  /** Longest wait of a request that says nothing about waiting. */
  readonly responseWaitMs: number
  /** PEM of the certificate chain and of its key; null: plain HTTP. */
  readonly tls: { readonly certificate: Buffer; readonly key: Buffer } | null
  readonly trustedProxy: readonly { readonly address: string; readonly prefix: number; readonly family: 'ipv4' | 'ipv6' }[]
}
