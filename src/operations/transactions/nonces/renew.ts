// Moves an unsigned message to another nonce if its own has advanced or is leased to another transaction. Only a
// nonce of the same authority is used, so that the signers and the fee stay the same.
import { serializeMessage } from '../../../solana/compile.ts'
import { messageHash, type CompiledMessage } from '../../../solana/message.ts'
import { parseMessage } from '../../../solana/parse.ts'
import { ofKind, type RecordState } from '../../../engine/records/record.ts'
import type { TransactionFixed } from '../../../../machines/transactions/transaction-record.ts'
import type { Platform, Context } from '../../context/platform.ts'
import { badRequest } from '../../../contract/refusal.ts'
import { freeNonces, isFresh, lifetimeOf, nonceOf } from './free.ts'
import { readNonces } from '../../reconcile/nonces.ts'

const POINTER = '/itemData/transaction'

/**
 * True if the message can no longer land, or must not: its nonce shows another value, or is leased to another
 * transaction.
 */
export function nonceHasPassed(platform: Platform, transaction: RecordState<'transaction'>): boolean {
  const { fixed } = transaction.context
  if (fixed.nonceAccount === null) return false
  const state = nonceOf(platform, transaction)?.state
  if (state?.context.lease?.transactionId === transaction.id) return false
  return transaction.value !== 'prepared' || state?.value !== 'active' || state.context.value !== fixed.blockhash
}

/** Reads the nonce of a transaction that waits for its first signature, unless it was read within the last minute. */
export async function readNonceBeforeSigning(platform: Platform, offchainId: string): Promise<void> {
  const transaction = ofKind(platform.engine.directory.resident(offchainId)?.head, 'transaction')
  const nonce = transaction === undefined ? undefined : nonceOf(platform, transaction)
  if (transaction?.value !== 'prepared' || nonce === undefined || isFresh(platform, nonce.entry)) return
  await readNonces(platform, transaction.cluster, [nonce.entry])
}

/** Throws 400 `NONCE_UNAVAILABLE`. */
export function underAnotherNonce(
  { platform, call }: Context,
  { tenant, context }: RecordState<'transaction'>,
): TransactionFixed {
  const { fixed } = context
  const message = parseMessage(Buffer.from(fixed.message, 'base64'))
  const [at, , authorityAt] = message.instructions[0]?.accountIndexes ?? []
  const [old, authority] = [message.staticKeys[at ?? -1], message.staticKeys[authorityAt ?? -1]]
  const mayMove = at !== undefined && namedOnce(message, at)
  const chosen = freeNonces({ platform, call: { ...call, tenant, organization: fixed.organization } }).find(
    ({ state }) => {
      const { address } = state.context
      const fits = address === old || (mayMove && !fixed.accounts.some((account) => account.address === address))
      return fits && state.context.authority.address === authority
    },
  )
  if (chosen === undefined) {
    throw badRequest('NONCE_UNAVAILABLE', `no durable nonce account of authority ${authority ?? '?'} is free`, POINTER)
  }
  const { blockhash, slot } = lifetimeOf(chosen.entry, chosen.state)
  const account = { address: chosen.state.context.address, id: chosen.state.id }
  const staticKeys = message.staticKeys.map((key) => (key === old ? account.address : key))
  const bytes = serializeMessage({ ...message, staticKeys, blockhash })
  return {
    ...fixed,
    blockhash,
    blockhashSlot: slot,
    nonceAccount: account,
    accounts: fixed.accounts.map((each) => (each.address === old ? account : each)),
    message: Buffer.from(bytes).toString('base64'),
    messageHash: messageHash(bytes),
  }
}

/**
 * True if only the advance names the account. Other instructions that name the nonce account mean that very account.
 */
function namedOnce({ instructions }: CompiledMessage, index: number): boolean {
  return instructions.flatMap(({ accountIndexes }) => [...accountIndexes]).filter((each) => each === index).length === 1
}
