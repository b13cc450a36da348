// The screening service of an organization: where it is, and the secret that its requests are signed with, which is
// sealed like that of a webhook and never shown.
import type { OrganizationChanges } from '../../../machines/organization.ts'
import type { Entry } from '../../engine/records/entry.ts'
import type { UnitOfWork } from '../../engine/records/unit-of-work.ts'
import type { ScreeningInput } from '../../contract/schemas/counterparty.ts'
import { badRequest, forbidden } from '../../contract/refusal.ts'
import { OutboundRefused } from '../context/outbound/outbound.ts'
import type { Platform, Context } from '../context/platform.ts'

const POINTER = '/itemData/screening'
const DEFAULT_TIMEOUT_MS = 3_000

/** Throws 400 `OUTBOUND_NOT_ALLOWED`. The host name is resolved and checked again at every request. */
export async function checkScreeningUrl({ outbound }: Platform, url: string): Promise<void> {
  try {
    await outbound?.check(url)
  } catch (error) {
    if (!(error instanceof OutboundRefused)) throw error
    throw badRequest(
      'OUTBOUND_NOT_ALLOWED',
      `the service may not send requests to this URL: ${error.message}`,
      `${POINTER}/url`,
    )
  }
}

/** Throws 400 `REQUIRED`, `WEBHOOKS_OFF`, 403 `ROLE_REQUIRED` for a key of another tenant. */
export function screeningChanges(
  { platform, call }: Context,
  unit: UnitOfWork,
  { head }: Entry,
  given: ScreeningInput | null | undefined,
): Pick<OrganizationChanges, 'screening'> {
  if (given === undefined) return {}
  const { tenant, cluster, id } = head
  if (tenant !== call.tenant)
    throw forbidden(
      'ROLE_REQUIRED',
      'only an administrator of the tenant itself may set its screening service',
      POINTER,
    )
  const { webhookSecrets, engine } = platform
  if (webhookSecrets === undefined)
    throw badRequest('WEBHOOKS_OFF', 'this server does not call screening services', POINTER)
  const place = { tenant, cluster, id }
  const keep = (secrets: readonly { readonly secret: string; readonly until: null }[]): void =>
    unit.also(tenant, { type: 'secret', ...place, row: webhookSecrets.seal(place, secrets) })
  if (given === null) {
    keep([])
    return { screening: null }
  }
  const { url, secret, timeoutMs = DEFAULT_TIMEOUT_MS, onUnavailable = 'REFUSE' } = given
  if (secret !== undefined) keep([{ secret, until: null }])
  else {
    const row = engine.store.secret(tenant, cluster, id)
    if (row === undefined || webhookSecrets.open(place, row).length === 0)
      throw badRequest('REQUIRED', '`secret` is required: none is stored', `${POINTER}/secret`)
  }
  return { screening: { url, timeoutMs, onUnavailable } }
}
