// Webhooks under faults: one for every organization, delivered to hosts that fail, answer late or not at all. Every
// event that the organization may see arrives at least once, correctly signed, in order per resource, through crashes;
// and nothing else arrives.
import { createHmac } from 'node:crypto'
import type { Engine } from '../../../src/engine/engine.ts'
import { ofKind } from '../../../src/engine/records/record.ts'
import { createWebhook } from '../../../src/operations/webhooks/create.ts'
import { EngineEventLog } from '../../../src/operations/events/log.ts'
import { fetchEvents } from '../../../src/operations/events/fetch-events.ts'
import {
  OutboundFailed,
  type OutboundAnswer,
  type OutboundRequest,
} from '../../../src/operations/context/outbound/outbound.ts'
import type { Organization } from '../clients.ts'
import type { Surroundings } from '../process.ts'
import { Random } from '../random.ts'
import type { Asking, Side } from './side.ts'
import type { Tally } from '../audits/tally.ts'
import type { Life, Time } from '../time.ts'
import type { Tenants } from '../tenants.ts'
import type { Sky } from '../faults.ts'

export const HOOK_HOST = 'https://hooks.sim'
/** Consecutive failures of one event, so that a retry comes within minutes. */
const MAX_FAILURES = 2
const PAGE = 1_000
/** Without pending retries, nothing more arrives after this time without a delivery. */
const QUIET_MS = 120_000

interface Delivery {
  readonly path: string
  readonly id: string
  readonly sequence: number
  readonly resource: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The hosts to which webhooks are delivered. A delivery is accepted if it was answered with 2xx. */
export class HookHosts {
  readonly accepted: Delivery[] = []
  readonly #seed: string
  readonly #time: Time
  readonly #sky: Sky
  readonly #tally: Tally
  readonly #failures = new Map<string, number>()
  #asked = 0
  /** The time of the last request. */
  askedAtMs = 0

  constructor(seed: string, time: Time, sky: Sky, tally: Tally) {
    this.#seed = seed
    this.#time = time
    this.#sky = sky
    this.#tally = tally
  }

  ask(uri: string, { headers = {}, body = '', timeoutMs }: OutboundRequest, life: Life): Promise<OutboundAnswer> {
    const random = new Random(this.#seed, 'hook', (this.#asked += 1))
    this.askedAtMs = this.#time.elapsedMs
    const path = new URL(uri).pathname
    const key = `${path} ${headers['webhook-id'] ?? ''}`
    const failures = this.#failures.get(key) ?? 0
    const mayFail = !this.#sky.healed && failures < MAX_FAILURES
    const fails = mayFail && random.chance(0.08) && this.#tally.fault('webhook host failed')
    const silent = mayFail && !fails && random.chance(0.03) && this.#tally.fault('webhook host silent')
    if (fails || silent) this.#failures.set(key, failures + 1)
    // A host without an answer may have processed the event all the same.
    if (!fails && (!silent || random.chance(0.5))) this.#accept(path, headers, body)
    const tookMs = random.between(2, 800)
    return new Promise((resolve, reject) => {
      if (silent) this.#time.plan(timeoutMs, () => reject(new OutboundFailed('no answer in time')), life)
      else {
        const answer = { status: fails ? 503 : 204, contentType: '', body: Buffer.alloc(0), retryAfter: null }
        this.#time.plan(tookMs, () => resolve(answer), life)
      }
    })
  }

  #accept(path: string, headers: Delivery['headers'], body: string): void {
    const { id, sequence, resource } = JSON.parse(body) as {
      id: string
      sequence: number
      resource: { kind: string; offchainId: string }
    }
    this.accepted.push({ path, id, sequence, resource: `${resource.kind} ${resource.offchainId}`, headers, body })
  }
}

interface Hook {
  readonly organization: Organization
  readonly path: string
  readonly offchainId: string
  readonly secret: string
  /** Events up to this sequence precede the webhook. */
  readonly after: number
}

/** Every other side makes events; deliveries end when the world is at rest. */
export class HookSide implements Side {
  readonly #around: Surroundings
  readonly #hooks: Hook[] = []
  #engine: Engine | null = null

  constructor(around: Surroundings) {
    this.#around = around
  }

  async build(tenants: Tenants): Promise<void> {
    for (const { organization } of tenants.houses) {
      const path = `/${organization.name}`
      const itemData = { url: `${HOOK_HOST}${path}` }
      const { body } = await tenants.ask(organization, 'createWebhook', createWebhook, { itemData })
      const { secret, newWebhook } = body as {
        readonly secret: string
        readonly newWebhook: { readonly offchainId: string }
      }
      const { offchainId } = newWebhook
      const cursor = ofKind(this.#engine?.directory.resident(offchainId)?.head, 'webhook')?.context.cursor
      if (cursor === undefined) throw new Error('the webhook has no record')
      this.#hooks.push({ organization, path, offchainId, secret, after: cursor })
    }
  }

  opened(engine: Engine): void {
    this.#engine = engine
  }

  get hasSettled(): boolean {
    const engine = this.#engine
    if (engine === null) return false
    const log = new EngineEventLog(engine)
    return this.#hooks.every(({ offchainId, organization }) => {
      const webhook = ofKind(engine.directory.resident(offchainId)?.committed, 'webhook')?.context
      if (webhook === undefined || webhook.waiting.length > 0) return false
      // A webhook notes many events that are not for it at once: the newest of them may be ahead of its cursor for
      // good.
      return webhook.cursor >= log.lastSequence(organization.tenant) || this.#isQuiet
    })
  }

  get #isQuiet(): boolean {
    const { hooks, time } = this.#around
    return time.elapsedMs - hooks.askedAtMs >= QUIET_MS
  }

  async auditAtRest(_engine: Engine, ask: Asking): Promise<void> {
    for (const hook of this.#hooks) this.#check(hook, await this.#visible(hook, ask))
  }

  async #visible({ organization, after }: Hook, ask: Asking): Promise<Map<string, number>> {
    const events = new Map<string, number>()
    for (let lastSequence = after; ;) {
      const page = await ask(organization, fetchEvents, { after: lastSequence, limit: PAGE })
      const items = page['items'] as readonly { readonly id: string; readonly sequence: number }[]
      for (const { id, sequence } of items) events.set(id, sequence)
      const last = page['lastSequence'] as number
      if (last === lastSequence) return events
      lastSequence = last
    }
  }

  #check({ path, secret }: Hook, visible: ReadonlyMap<string, number>): void {
    const { hooks, violated } = this.#around
    const seenIds = new Set<string>()
    const newest = new Map<string, number>()
    for (const delivery of hooks.accepted) {
      if (delivery.path !== path) continue
      const { id, sequence, resource } = delivery
      if (!isSigned(delivery, secret)) violated('webhook signed wrongly', `${path} ${id}`)
      if (visible.get(id) !== sequence)
        violated('webhook delivered what its organization may not see', `${path} ${id} ${sequence}`)
      if (!seenIds.has(id) && sequence < (newest.get(resource) ?? 0))
        violated('webhook delivered out of order', `${path} ${resource} ${sequence}`)
      seenIds.add(id)
      newest.set(resource, Math.max(sequence, newest.get(resource) ?? 0))
    }
    const missingIds = [...visible.keys()].filter((id) => !seenIds.has(id))
    if (missingIds.length > 0)
      violated(
        'webhook never delivered',
        `${path}: ${missingIds.length} of ${visible.size} events, such as ${missingIds[0]!}`,
      )
  }
}

/** Standard Webhooks 1.0: HMAC-SHA256 over id, timestamp and body. */
function isSigned({ headers, body }: Delivery, secret: string): boolean {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const text = `${headers['webhook-id'] ?? ''}.${headers['webhook-timestamp'] ?? ''}.${body}`
  const signature = `v1,${createHmac('sha256', key).update(text).digest('base64')}`
  return (headers['webhook-signature'] ?? '').split(' ').includes(signature)
}
