// Interfaces that the REST front end requires from the rest of the service.
import type { AuditedRefusal } from '../operations/admin/refusals.ts'
import type { Call, Caller, JsonObject } from '../contract/call.ts'
import type { SwitchesModel } from '../contract/schemas/identity-answer.ts'
import type { EventLog } from '../contract/event-record.ts'
import type { PayerView } from '../operations/payment-requests/payer-view.ts'
import type { CustodianAnswers } from '../operations/signing/custodian-answers.ts'
import type { Read, Write } from '../operations/context/platform.ts'

export type { PayerView } from '../operations/payment-requests/payer-view.ts'

export interface RequestResult {
  readonly body: JsonObject
  /** True if this is the outcome of an earlier request with the same idempotency key. */
  readonly replayed: boolean
  /** True: respond with 200, whatever the endpoint's status is. */
  readonly dryRun: boolean
  /** True: respond with 202, the change waits for approvals. */
  readonly pending?: boolean
}

export interface Readiness {
  readonly ready: boolean
  /** Check name -> `ok`, or the problem in words that may be shown publicly. */
  readonly checks: Readonly<Record<string, string>>
}

export interface ActingOrganization {
  readonly organization: string
  readonly tenant: string
}

export interface Api {
  /** Called once per request. Synchronous for API keys; for tokens it may fetch the issuer's keys. */
  authenticate(bearer: string): Caller | 'invalid' | Promise<Caller | 'invalid'>
  /**
   * The organization the request acts for. Throws a Refusal (403) if the caller may not act for the named organization.
   */
  callFor(
    caller: Caller,
    asked: { readonly cluster: string; readonly overrideOrganization: string | undefined },
  ): ActingOrganization
  /** Replays or runs the operation, waits, and renders the result. Throws a Refusal. */
  perform<Input>(call: Call, write: Write<Input>, input: Input): Promise<RequestResult>
  read<Input, Answer>(call: Call, read: Read<Input, Answer>, input: Input): Promise<Answer> | Answer
  /** Records that a caller was denied a right. */
  refused(refused: AuditedRefusal): Promise<void>
  /** Notifications of new events of a tenant. */
  readonly events: Pick<EventLog, 'lastSequence' | 'subscribe'>
  /** What the page of a payment request shows; undefined: there is none. Absent: no such pages. */
  payerView?(id: string): Promise<PayerView | undefined>
  /** The operators' switches in force that concern the caller. Absent: they are not shown. */
  switches?(caller: Caller): SwitchesModel
  /** Answers that custodians send by themselves. Absent: none are taken. */
  readonly signerAnswers?: CustodianAnswers
  readiness(): Readiness
  /**
   * False: requests are rejected. The service may be accepting without being ready, e.g. while one cluster is down.
   * Must be cheap: asked once per request.
   */
  readonly accepting: boolean
}

export interface RequestLog {
  debug(fields: object, message: string): void
  error(fields: object, message: string): void
}

export interface RequestMetrics {
  /** A histogram of seconds; returns the series of the labels. */
  latencies(
    name: string,
    help: string,
    labelNames: readonly string[],
  ): (labels: Readonly<Record<string, string>>) => { observe(seconds: number): void }
  /** `read` is called when the metrics are scraped. */
  observed(name: string, help: string, type: 'gauge' | 'counter', read: () => number): void
  render(): Promise<string>
}

export interface HttpSettings {
  readonly host: string
  /** 0: any free port. */
  readonly port: number
  /** Ids of the configured clusters; the first is the default. */
  readonly clusters: readonly string[]
  readonly rateLimit: { readonly perSecond: number; readonly burst: number }
  /** Percent of the server's limits that one tenant may use. */
  readonly tenantShare: number
  /** Maximum wait of a request without a preference. */
  readonly responseWaitMs: number
  /** PEM of the certificate chain and of its key; null: plain HTTP. */
  readonly tls: { readonly certificate: Buffer; readonly key: Buffer } | null
  readonly trustedProxy: readonly {
    readonly address: string
    readonly prefix: number
    readonly family: 'ipv4' | 'ipv6'
  }[]
}
