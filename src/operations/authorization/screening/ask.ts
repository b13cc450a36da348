// Asks a screening service about the movements of a message: one POST, signed like a webhook and protected like every
// request to a client's host. Redirects are not followed. No unit of work is open while the answer is awaited.
import type { ScreeningAnswer, ScreeningQuestion } from './question.ts'
import { DECISIONS, screeningUnavailable } from './question.ts'
import { atHand } from '../../../../snapshots/at-hand.ts'
import { organizationKey } from '../../../engine/index/index-keys.ts'
import { signWebhook } from '../../../keys/webhook-secret.ts'
import { OutboundFailed, OutboundRefused } from '../../context/outbound/outbound.ts'
import type { Platform } from '../../context/platform.ts'

const MAX_ANSWER_BYTES = 16 * 1024
const MAX_REASON_CHARACTERS = 500
const CONTROL = /[\p{Cc}\p{Cs}]/gu

/**
 * Throws 503 `SCREENING_UNAVAILABLE` if the organization refuses payments that cannot be screened, 429 `OUTBOUND_BUSY`.
 */
export async function askScreening(platform: Platform, question: ScreeningQuestion): Promise<ScreeningAnswer> {
  const { organization, screening, tenant } = question
  const id = platform.ids()
  const at = new Date(platform.clock.now()).toISOString()
  const request = async (): Promise<ScreeningAnswer | string> => await ask(platform, question, id, at)
  const answer = await (platform.outboundShares?.run(tenant, 1, request) ?? request())
  if (typeof answer !== 'string') return answer
  platform.log?.warn({ organization, requestId: id, reason: answer }, 'a payment could not be screened')
  if (screening.onUnavailable === 'REVIEW') return { decision: 'REVIEW', reason: answer, unavailable: true, id, at }
  throw screeningUnavailable(answer)
}

/** The answer, or the reason why there is none. */
async function ask(
  platform: Platform,
  question: ScreeningQuestion,
  id: string,
  at: string,
): Promise<ScreeningAnswer | string> {
  const { screening, organization, cluster, intent, movements } = question
  const secrets = await atHand(platform.engine, () => secretsOf(platform, organization))
  if (platform.outbound === undefined || secrets.length === 0) return 'this server cannot ask screening services'
  const body = JSON.stringify({
    type: 'screening.requested',
    id,
    timestamp: at,
    tenantOrganizationId: organization,
    chainClusterId: cluster,
    intent,
    movements,
  })
  const timestamp = String(Math.floor(Date.parse(at) / 1000))
  const headers = {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => signWebhook(secret, `${id}.${timestamp}.${body}`)).join(' '),
  }
  try {
    const options = {
      method: 'POST',
      headers,
      body,
      maxBytes: MAX_ANSWER_BYTES,
      timeoutMs: screening.timeoutMs,
    } as const
    const answer = await platform.outbound.fetch(screening.url, options)
    if (answer.status !== 200) return `the screening service answers ${answer.status}`
    return decisionIn(answer.body, id, at) ?? 'the answer of the screening service has no decision'
  } catch (error) {
    if (error instanceof OutboundRefused) return `the screening service may not be asked: ${error.message}`
    if (error instanceof OutboundFailed) return `the screening service failed: ${error.message}`
    throw error
  }
}

function secretsOf({ engine, webhookSecrets }: Platform, organization: string): readonly string[] {
  const entry = engine.directory.firstOwn(organizationKey(organization))
  if (entry === undefined || webhookSecrets === undefined) return []
  const { tenant, cluster, id } = entry.head
  const row = engine.store.secret(tenant, cluster, id)
  return row === undefined ? [] : webhookSecrets.open({ tenant, cluster, id }, row).map(({ secret }) => secret)
}

function decisionIn(body: Buffer, id: string, at: string): ScreeningAnswer | null {
  const value = parseJson(body)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  const { decision, reason = null } = value as { readonly decision?: unknown; readonly reason?: unknown }
  const known = DECISIONS.find((each) => each === decision)
  if (known === undefined || (reason !== null && typeof reason !== 'string')) return null
  return { decision: known, reason: reason?.replace(CONTROL, ' ').slice(0, MAX_REASON_CHARACTERS) ?? null, id, at }
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown
  } catch {
    return null
  }
}
