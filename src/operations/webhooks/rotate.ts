// PATCH /webhooks/rotate: generates a new secret. Deliveries are also signed with the previous one for
// `graceSeconds`.
import { generateWebhookSecret } from '../../keys/webhook-secret.ts'
import type { ItemBody } from '../../contract/values/chain-config.ts'
import type { RotateWebhookInput } from '../../contract/schemas/webhook.ts'
import type { Write } from '../context/platform.ts'
import { command } from '../context/command.ts'
import { changeRecords } from '../transactions/change-records.ts'
import { secretBox, webhookOf } from './named.ts'
import { ofKind } from '../../engine/records/record.ts'
import { Refusal } from '../../contract/refusal.ts'
import { keepSecrets, secretsOf } from './secrets.ts'
import type { MembersOf } from '../../contract/schemas/members.ts'
import type { rotated } from '../../contract/schemas/webhook.ts'

type Members = MembersOf<typeof rotated>

/** One day. */
const USUAL_GRACE_SECONDS = 86_400

export const rotateWebhook: Write<ItemBody<RotateWebhookInput>, Members> = (context, { itemData }) =>
  changeRecords(context, (unit) => {
    const { offchainId, graceSeconds = USUAL_GRACE_SECONDS } = itemData
    const { entry, state } = webhookOf(context, offchainId)
    const secrets = secretBox(context.platform)
    // Secrets are read from the store, which does not contain a rotation that is still being committed.
    if (state.context.rotatedAt !== ofKind(entry.committed, 'webhook')?.context.rotatedAt) throw rotatesAlready()
    const now = context.platform.clock.now()
    const graceUntil = graceSeconds > 0 ? new Date(now + graceSeconds * 1000).toISOString() : null
    const secret = generateWebhookSecret()
    const [last] = secretsOf(context.platform.engine, secrets, state)
    const previous = graceUntil === null || last === undefined ? [] : [{ secret: last.secret, until: graceUntil }]
    command<'webhook'>(
      unit,
      entry,
      { type: 'command.rotate', at: new Date(now).toISOString(), graceUntil },
      '/itemData/offchainId',
    )
    keepSecrets(unit, secrets, state, [{ secret, until: null }, ...previous])
    const members = { rotatedWebhook: { offchainId }, previousSecretValidUntil: graceUntil }
    return { members, webhook: offchainId, secrets: { secret } }
  })

function rotatesAlready(): Refusal {
  return new Refusal(400, [
    {
      code: 'ROTATION_UNDER_WAY',
      message: 'the secret is being rotated',
      pointer: '/itemData/offchainId',
      retryable: true,
    },
  ])
}
