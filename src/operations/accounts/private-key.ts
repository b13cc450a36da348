// POST /accounts/single/private-key: exports the private key of an own account. The account is durably marked as
// exported before the key is returned, since its key then counts as known outside.
import { TRANSACTION_OPERATIONS, type CoveredOperation } from '../../../machines/approval-policy.ts'
import type { Entry } from '../../engine/records/entry.ts'
import { isHolding, type HoldingState } from '../../engine/records/record.ts'
import { recordUse } from '../context/audit-entries.ts'
import { ACCOUNT_NOT_FOUND } from './details.ts'
import type { Call, JsonObject } from '../../contract/call.ts'
import type { PrivateKeyInput } from '../../contract/values/lookup.ts'
import type { ItemBody } from '../../contract/values/chain-config.ts'
import { policiesFor } from '../authorization/policies/covering.ts'
import type { LocalSigner, Platform, Read, Signer } from '../context/platform.ts'
import { badRequest, forbidden, notFound } from '../../contract/refusal.ts'
import { recipientOf, RecipientError, type Recipient } from '../../keys/recipient.ts'
import { nothingNamed, resolveRecord } from '../lookup/account.ts'
import { holdingState } from '../lookup/party.ts'
import { checkNoEscrow } from '../lookup/escrows.ts'
import { checkNotFrozen } from '../authorization/signers.ts'
import type { PrivateKeyModel } from '../../contract/schemas/answers.ts'

/** Operations that the holder of a key can do without this service. */
const BY_KEY: ReadonlySet<CoveredOperation> = new Set<CoveredOperation>([...TRANSACTION_OPERATIONS, 'ACCOUNT_POLICY'])

/** A signer that holds the complete key in this process; `privateKeyText` is base58 of 64 bytes. */
interface ExportableSigner extends LocalSigner {
  privateKeyText(): string
}

/**
 * Throws 403 `ROLE_REQUIRED`, `FROZEN`, `APPROVAL_REQUIRED`; 404 `ACCOUNT_NOT_FOUND`, `PRIVATE_KEY_NOT_FOUND`; 400
 * `THRESHOLD_KEY`, `KEY_NOT_EXPORTABLE`, `ENCRYPTION_KEY_INVALID`.
 */
export const accountPrivateKey: Read<ItemBody<PrivateKeyInput>, PrivateKeyModel> = async (
  { platform, call },
  { itemData },
) => {
  const { encryptTo, ...lookup } = itemData
  if (!call.caller.roles.has('PRIVATE_KEY_EXPORT'))
    throw forbidden('ROLE_REQUIRED', 'role PRIVATE_KEY_EXPORT is required')
  const recipient = encryptTo === undefined ? null : await recipientFor(encryptTo)
  const { result, durable } = platform.engine.transact((unit) => {
    const entry = resolveRecord({ platform, call }, lookup, '/itemData', ACCOUNT_NOT_FOUND)
    const state = holdingState(entry)
    checkNoEscrow(platform.engine.directory, call, state.context.address, '/itemData')
    if (!owns(call, state)) throw nothingNamed(ACCOUNT_NOT_FOUND, '/itemData')
    const isThreshold = state.context.keyLocation.includes('DKG')
    if (isThreshold)
      throw badRequest('THRESHOLD_KEY', 'a threshold key cannot be exported: it exists only in shares', '/itemData')
    // An exported key can sign anything, regardless of a freeze.
    checkNotFrozen(platform.engine.directory, state)
    const { tenant, cluster, id, context } = state
    const signer = context.managed ? platform.keys.signerFor({ tenant, cluster, id, address: context.address }) : null
    if (signer === null)
      throw notFound('PRIVATE_KEY_NOT_FOUND', 'the service does not hold the key of the account', '/itemData')
    if (!isExportable(signer))
      throw badRequest('KEY_NOT_EXPORTABLE', 'the key cannot be exported from its key store', '/itemData')
    checkNoPolicy(platform, state)
    for (const each of withKey(platform, entry, state))
      unit.send<'account'>(each, { type: 'command.update', changes: { keyOrigin: 'exported' } })
    recordUse(call, unit, state)
    return { signer, location: context.keyLocation }
  })
  await durable
  const { signer, location } = result
  const text = signer.privateKeyText()
  const shown = recipient === null ? { privateKey: text } : { privateKeyJwe: await recipient.encrypt(text) }
  return { privateKeyDetails: { location, publickKey: signer.address, ...shown } }
}

/** The records by which the key counts as known here alone: the named one, which may be closed, and the live ones. */
function withKey({ engine }: Platform, named: Entry, { cluster, context }: HoldingState): readonly Entry[] {
  const live = engine.directory.ownAtAddress(cluster, context.address)
  return [...new Set([named, ...live])].filter(
    ({ head }) => isHolding(head) && head.context.managed && head.context.keyOrigin === 'service',
  )
}

/** An exported key could sign what a policy covers. Throws 403 `APPROVAL_REQUIRED`. */
function checkNoPolicy({ engine, clock }: Platform, { tenant, context }: HoldingState): void {
  const policies = policiesFor(engine.directory, { tenant, organizations: [context.organization], now: clock.now() })
  if (policies.some(({ context: { operations } }) => operations.some((operation) => BY_KEY.has(operation))))
    throw forbidden(
      'APPROVAL_REQUIRED',
      'approval policies cover operations of the account: its key cannot be exported',
    )
}

async function recipientFor(encryptTo: JsonObject): Promise<Recipient> {
  try {
    return await recipientOf(encryptTo)
  } catch (error) {
    if (!(error instanceof RecipientError)) throw error
    const pointer = `/itemData/encryptTo${error.member === null ? '' : `/${error.member}`}`
    throw badRequest('ENCRYPTION_KEY_INVALID', error.message, pointer)
  }
}

/** Only the owner may export a key; a shared account or a grant to sign gives no right to it. */
function owns(call: Call, state: HoldingState): boolean {
  return state.tenant === call.tenant && state.context.organization === call.organization
}

function isExportable(signer: Signer): signer is ExportableSigner {
  return 'privateKeyText' in signer
}
