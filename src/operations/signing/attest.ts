// PATCH /transactions/attest: states the outcome of a transaction whose outcome can no longer be proven; needs two
// distinct keys of the operator. The first attestation is recorded without effect. A second one with the same outcome
// ends the transaction, with all effects on balances and reservations.
import { apiKeyKey } from '../../engine/index/index-keys.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import type { Entry } from '../../engine/records/entry.ts'
import { sendWithConsequences } from '../../engine/settlement/settlement.ts'
import { decodeNonce } from '../../solana/system-layout.ts'
import { requirePlatformAdministrator } from '../../contract/roles.ts'
import type { Outcome } from '../../contract/call.ts'
import { recordAuditForOtherTenants } from '../context/audit-entries.ts'
import { requireRecordServedHere } from '../context/serving.ts'
import { rememberOutcome } from '../transactions/idempotency.ts'
import { checkNotEnded } from '../transactions/ended.ts'
import { heardByCaller, untilOthersAct } from '../transactions/heard-by.ts'
import type { AttestTransactionInput } from '../../contract/schemas/transaction.ts'
import type { ItemBody } from '../../contract/values/chain-config.ts'
import { neverLeftService } from '../transactions/nonces/void.ts'
import type { PlatformCluster, Platform, Write, Context } from '../context/platform.ts'
import { badRequest, forbidden } from '../../contract/refusal.ts'
import { transactionOf } from '../transactions/submit.ts'
import { clusterOf } from '../transactions/transact.ts'

export const attestTransaction: Write<ItemBody<AttestTransactionInput>> = async ({ platform, call }, { itemData }) => {
  const { offchainId, outcome: attested, evidence } = itemData
  const { keyId } = call.caller
  requirePlatformAdministrator(call.caller, 'attesting an outcome')
  checkNotSuspended(platform, keyId)
  const cluster = clusterOf({ platform, call })
  await requireRecordServedHere({ platform, call }, offchainId)
  const entry = transactionOfAnyTenant({ platform, call }, offchainId)
  const transaction = transactionOf(entry)
  checkNotEnded(transaction, '/itemData/offchainId')
  checkLeftService(platform, entry)
  if (attested === 'EXPIRED' && transaction.context.ourSignature) await checkCannotLand(cluster, transaction)
  const at = new Date(platform.clock.now()).toISOString()
  const outcome: Outcome = {
    ...{ members: {}, transactions: [offchainId], shape: 'bare', awaited: 'signed' },
    ...heardByCaller(call),
  }
  const { durable } = platform.engine.transact((unit) => {
    checkLeftService(platform, entry)
    unit.openFor(entry.head.tenant)
    // The operator's own idempotency and audit rows are in the same batch as the attestation and its effects, unless
    // they are of another cell.
    if (call.servedFor === undefined) unit.alongside(call.tenant)
    sendWithConsequences(platform.engine, unit, entry, {
      event: { type: 'command.attest', outcome: attested, evidence, keyId, at },
      at,
    })
    rememberOutcome(call, unit, outcome)
    recordAuditForOtherTenants(call, unit, outcome)
    // The submission lane would otherwise report on a transaction that has ended.
    if (transactionOf(entry).context.finalAt !== null) unit.afterCommit(() => cluster.forget(offchainId))
  })
  const { tenant, context } = transactionOf(entry)
  await durable
  await untilOthersAct(platform, outcome)
  platform.log?.warn(
    {
      transactionId: offchainId,
      tenant,
      outcome: attested,
      keyId,
      firstKeyId: context.attestation?.keyId,
      evidence,
      requestId: call.requestId,
    },
    context.finalAt === null ? 'an outcome was attested by a first key' : 'an outcome was attested by two keys',
  )
  return outcome
}

/**
 * PLATFORM_ADMIN may attest transactions of every tenant; if the call names an organization, only transactions of
 * that organization. Throws 400 `TRANSACTION_NOT_FOUND`.
 */
function transactionOfAnyTenant({ platform, call }: Context, offchainId: string): Entry {
  const entry = platform.engine.directory.byId(offchainId)
  const transaction = ofKind(entry?.committed === undefined ? undefined : entry.head, 'transaction')
  const namesOrganization = call.organization !== call.caller.organization
  const isVisible =
    transaction?.cluster === call.cluster &&
    (!namesOrganization || transaction.context.fixed.organization === call.organization)
  if (entry === undefined || !isVisible)
    throw badRequest('TRANSACTION_NOT_FOUND', 'no such transaction', '/itemData/offchainId')
  return entry
}

/**
 * A key that rotated another key knows the new secret; for some time it must not count as a second key (completion
 * 5.1). Throws 403 `APPROVALS_SUSPENDED`.
 */
function checkNotSuspended(platform: Platform, keyId: string): void {
  const until =
    ofKind(platform.engine.directory.firstOwn(apiKeyKey(keyId))?.head, 'apiKey')?.context.approvalsSuspendedUntil ??
    null
  if (until !== null && platform.clock.now() < Date.parse(until)) {
    throw forbidden('APPROVALS_SUSPENDED', `another key rotated this API key: it may not attest before ${until}`)
  }
}

/**
 * A transaction that was signed, but neither sent nor handed out, can be cancelled instead. Throws 400 `NEVER_SENT`.
 */
function checkLeftService(platform: Platform, entry: Entry): void {
  if (entry.head.value === 'signed' && neverLeftService(platform, entry)) {
    throw badRequest('NEVER_SENT', 'the transaction was never sent: cancel it instead', '/itemData/offchainId')
  }
}

/**
 * Refuses EXPIRED while the cluster would still accept the transaction: it could land after its reservations were
 * released. Throws 400 `MAY_STILL_LAND`. If the cluster does not answer, the attestation is accepted.
 */
async function checkCannotLand(cluster: PlatformCluster, { context }: RecordState<'transaction'>): Promise<void> {
  const { lastValidBlockHeight, nonceAccount, blockhash } = context.fixed
  const mayLand =
    nonceAccount === null
      ? await isHeightWithin(cluster, lastValidBlockHeight)
      : await hasNonceValue(cluster, nonceAccount.address, blockhash)
  if (mayLand)
    throw badRequest(
      'MAY_STILL_LAND',
      'the cluster could still accept the transaction: it cannot be attested as EXPIRED',
      '/itemData/outcome',
    )
}

/** Blocks behind `confirmed` after which a block is final. */
const FINAL_AFTER_BLOCKS = 32

async function isHeightWithin(cluster: PlatformCluster, last: number | null): Promise<boolean> {
  const isReachable = await cluster.freshBlockhash().then(
    () => true,
    () => false,
  )
  const height = cluster.blockHeight()
  return isReachable && last !== null && height !== null && height <= last + FINAL_AFTER_BLOCKS
}

/**
 * Reads finalized state: the fork of an advance that is only confirmed may be dropped, which restores the old value.
 */
async function hasNonceValue(cluster: PlatformCluster, address: string, value: string): Promise<boolean> {
  const { accounts } = await cluster.finalizedAccounts([address]).catch(() => ({ accounts: [] }))
  const account = accounts[0] ?? null
  if (account === null) return false
  try {
    return decodeNonce(account.data, account.owner).value === value
  } catch {
    return false
  }
}
