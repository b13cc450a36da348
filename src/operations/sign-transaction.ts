// POST /transactions/sign: brings outside signatures, gives ours, or both. What is complete waits for Submit.
import { assembleTransaction } from '../chain/message.ts'
import { parseMessage } from '../chain/parse.ts'
import { classify } from '../chain/table/classify.ts'
import type { Call, Outcome } from './call.ts'
import { rememberOutcome } from './idempotency.ts'
import type { ItemBody, SignTransactionInput } from './input.ts'
import { lookBeforeSigning, nonceHasPassed } from './nonces/renew.ts'
import type { Platform, Write } from './platform.ts'
import { withKnownFunds } from './reconcile.ts'
import { badRequest } from './refusal.ts'
import { adoptForeign } from './signing/foreign.ts'
import { heldSignatures, withBrought } from './signing/held.ts'
import { signableTransaction } from './signing/named.ts'
import { nothing, signWithOurs } from './signing/ours.ts'
import { hasPassed, rebuild } from './signing/rebuild.ts'
import { launch, takePlace, transactionOf, type Signatures } from './transact/launch.ts'
import { clusterOf } from './transact/transact.ts'

export const signTransaction: Write<ItemBody<SignTransactionInput>> = async (platform, call, { itemData }) => {
  if (itemData.serializedTransaction !== undefined)
    return await withKnownFunds(platform, call.cluster, () => adoptForeign(platform, call, itemData, 'sign'))
  const offchainId = itemData.transaction?.offchainId
  if (offchainId === undefined) throw badRequest('REQUIRED', 'transaction or serializedTransaction is required', '/itemData/transaction')
  return await withKnownFunds(platform, call.cluster, () => signOurs(platform, call, itemData, offchainId))
}

async function signOurs(platform: Platform, call: Call, itemData: SignTransactionInput, offchainId: string): Promise<Outcome> {
  const pointer = '/itemData/transaction/offchainId'
  const cluster = clusterOf(platform, call)
  const [fresh] = await Promise.all([cluster.freshBlockhash(), lookBeforeSigning(platform, offchainId)])
  const brought = itemData.signatures ?? []
  const at = new Date(platform.clock.now()).toISOString()
  const { result, durable } = platform.engine.transact((unit) => {
    const { entry, transaction } = signableTransaction(platform, call, offchainId, pointer)
    const kept = heldSignatures(platform.engine, transaction)
    const nonceLost = nonceHasPassed(platform, transaction)
    if (nonceLost || hasPassed(cluster, transaction)) {
      const code = nonceLost ? 'NONCE_EXPIRED' : 'BLOCKHASH_EXPIRED'
      if (brought.length > 0)
        throw badRequest(code, 'the message has expired: call Sign without signatures for a new one', '/itemData/signatures')
      if (kept.every((signature) => signature === null)) rebuild(platform, call, unit, entry, fresh)
      else if (nonceLost) throw badRequest(code, 'the nonce has moved on: the transaction cannot land any more', '/itemData/transaction')
    }
    const message = parseMessage(Buffer.from(transactionOf(entry).context.fixed.message, 'base64'))
    const effects = classify(
      message,
      transactionOf(entry).context.fixed.accounts.map(({ address }) => address),
    )
    const held = withBrought(message, kept, brought, '/itemData/signatures')
    const { exposed: before, asked: askedBefore = [] } = platform.engine.payload(transaction)
    const exposed = itemData.returnSerialized === true || before === true
    const admitted = (): void => takePlace(cluster, unit, transactionOf(entry))
    const { fixed } = transactionOf(entry).context
    const home = transaction.tenant
    const request = { transactionId: offchainId, cluster: call.cluster, home, asker: call, message, effects, isMade: nothing, fixed, at }
    const { signatures, asked: askedNow, ours } = signWithOurs(platform, unit, call, request, held, itemData.signers, admitted)
    const asked = [...askedBefore, ...askedNow.filter((each) => !askedBefore.some(({ address }) => address === each.address))]
    const outside = brought.map(({ onchainId }) => onchainId)
    launch(platform, cluster, unit, { entry, message, signatures, asked, ours, covered: true, at, held: true, exposed, outside })
    const outcome: Outcome = {
      members: itemData.returnSerialized === true ? { serializedTransaction: serialized(message, signatures) } : {},
      transactions: [offchainId],
      shape: 'bare',
      awaited: 'signed',
    }
    rememberOutcome(call, unit, outcome)
    return outcome
  })
  await durable
  return result
}

function serialized(message: Parameters<typeof assembleTransaction>[0], signatures: Signatures): string {
  return Buffer.from(assembleTransaction(message, signatures)).toString('base64')
}
