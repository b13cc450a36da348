// A wallet is an address that needs no creation: tokens and authorities can belong to it before a transaction pays it,
// and while a transaction empties it. The end of that transaction does not take the key from what belongs to the wallet
// by then.
import type { BookEntry } from '../../../machines/transactions/transaction-record.ts'
import { freezeAuthorityKey, mintAuthorityKey, ownerKey, ownNoncesKey } from '../index/index-keys.ts'
import type { RecordIndex } from '../index/record-index.ts'
import type { Entry } from '../records/entry.ts'
import { isHolding, ofKind, type RecordState } from '../records/record.ts'

/**
 * True if a record of the tenant that has not ended names the wallet as the owner of a position, or as the authority of
 * a nonce or a mint. Records whose creation ends with that of the wallet do not count.
 */
export function isNeeded(index: RecordIndex, state: RecordState, entries: readonly BookEntry[]): boolean {
  const wallet = ofKind(state, 'account')
  if (wallet === undefined || wallet.context.dataLength > 0) return false
  const { tenant, cluster } = wallet
  const { address } = wallet.context
  const endsToo = new Set(entries.filter(({ facts }) => facts.some(isCreation)).map(({ record }) => record))
  return [
    ...belongingsOf(index, wallet),
    ...index.find(mintAuthorityKey(tenant, cluster, address)),
    ...index.find(freezeAuthorityKey(tenant, cluster, address)),
  ].some(({ head }) => !endsToo.has(head.id))
}

const isCreation = ({ abandon }: BookEntry['facts'][number]): boolean => abandon !== undefined

/**
 * Positions of the wallet, and nonces from which only its key can withdraw. Any organization can name the wallet of
 * another one as authority: its nonces do not count.
 */
export function belongingsOf(index: RecordIndex, wallet: RecordState<'account'>): readonly Entry[] {
  const { tenant, cluster, context } = wallet
  const nonces = index.find(ownNoncesKey(tenant, cluster)).filter(({ head }) => {
    const nonce = ofKind(head, 'nonce')?.context
    return nonce?.authority.address === context.address && [tenant, context.organization].includes(nonce.organization)
  })
  return [...index.find(ownerKey(tenant, cluster, context.address)), ...nonces]
}

/**
 * True if a wallet or nonce account that was emptied has been paid again, or owns something by then. If the transaction
 * made another record of its address, that record has what the account had; what it closes too does not count.
 */
export function outlivesClosing(index: RecordIndex, state: RecordState, entries: readonly BookEntry[]): boolean {
  const account = ofKind(state, 'account') ?? ofKind(state, 'nonce')
  if (account === undefined) return false
  const { lamports, address } = account.context
  const isReplaced = entries.some(({ record }) => {
    const head = record === account.id ? undefined : index.resident(record)?.head
    return head !== undefined && isHolding(head) && head.context.address === address
  })
  if (isReplaced) return false
  if (BigInt(lamports.balance) > 0n) return true
  const endsToo = new Set(entries.filter(({ facts }) => facts.some(isClosing)).map(({ record }) => record))
  return account.kind === 'account' && belongingsOf(index, account).some(({ head }) => !endsToo.has(head.id))
}

const isClosing = ({ event }: BookEntry['facts'][number]): boolean => event.type === 'chain.closed'
