// A wallet or nonce account whose record a transaction closes: nothing may depend on it when this service first signs
// that transaction, and nothing is given to it from then on.
import type { Effect } from '../../solana/table/effect.ts'
import type { TransactionFixed } from '../../../machines/transactions/transaction-record.ts'
import { changingKey, loanPartyKey, openPaymentRequestsKey } from '../../engine/index/index-keys.ts'
import type { RecordIndex } from '../../engine/index/record-index.ts'
import { ofKind, type RecordState } from '../../engine/records/record.ts'
import { belongingsOf } from '../../engine/settlement/needed-wallets.ts'
import { badRequest, busy } from '../../contract/refusal.ts'
import type { Platform } from '../context/platform.ts'
import { completeMessages } from '../lookup/open-messages.ts'
import { decidedMessages, ownMessages } from '../lookup/own-messages.ts'
import { ownRecordsAt } from '../lookup/whose-records.ts'
import { feedsInUseOf } from './feed-use.ts'

type Closable = RecordState<'account'> | RecordState<'nonce'>

/** Throws 400 `ACCOUNT_IN_USE` naming what depends on the account. */
export function checkNotInUse(platform: Platform, state: Closable, pointer: string): void {
  const dependents = state.kind === 'account' ? dependentsOf(platform, state) : []
  // What is reserved would stay in the account, which the chain does not close then.
  const isReserved = state.context.lamports.reserved !== '0'
  const { engine } = platform
  const messages = isReserved ? ownMessages(engine.directory, state) : decidedMessages(engine, state)
  const open = messages.map(({ head }) =>
    head.kind === 'transaction' ? `transaction ${head.id}` : 'a transaction of another tenant',
  )
  const inUse = [...dependents, ...open]
  if (inUse.length > 0)
    throw badRequest('ACCOUNT_IN_USE', `the account is in use by ${inUse.slice(0, 10).join(', ')}`, pointer)
}

/**
 * As `checkNotInUse`, of the accounts that a recorded transaction closes, before this service first signs it.
 *
 * Accounts in whose place the transaction makes a mint are not in use by what they hold: the mint has it. An escrow is
 * closed with what it holds.
 */
export function checkClosedNotInUse(
  platform: Platform,
  { entries, adapter }: TransactionFixed,
  effects: readonly Effect[],
  pointer: string,
): void {
  if (adapter !== undefined) return
  for (const { record, facts } of entries) {
    if (!facts.some(({ event }) => event.type === 'chain.closed')) continue
    const head = platform.engine.directory.resident(record)?.head
    const state = ofKind(head, 'account') ?? ofKind(head, 'nonce')
    if (state === undefined || effects.some((each) => makes(each, state.context.address))) continue
    checkNotInUse(platform, state, pointer)
  }
}

function makes(effect: Effect, address: string): boolean {
  return effect.kind === 'initializeMint' && effect.mint === address
}

interface Given {
  readonly directory: RecordIndex
  readonly tenant: string
  readonly cluster: string
  readonly effects: readonly Effect[]
}

/**
 * Refuses a message that pays an account of the tenant, or makes it an owner or authority, while a signed message
 * closes it: the key of a closed account signs no more. Throws 400 `ACCOUNT_BUSY`.
 */
export function checkNothingGivenToClosing({ directory, tenant, cluster, effects }: Given): void {
  for (const address of new Set(effects.flatMap(givenTo))) {
    const isClosing = ownRecordsAt(directory, tenant, cluster, address).some(({ head }) => empties(directory, head))
    if (isClosing) throw busy('ACCOUNT_BUSY', `a signed transaction closes the account ${address}`, '/itemData')
  }
}

/** True if a message that is complete closes the account: it has the signature of the key that empties it. */
function empties(directory: RecordIndex, head: RecordState): boolean {
  const state = ofKind(head, 'account') ?? ofKind(head, 'nonce')
  if (state === undefined || directory.first(changingKey(state.id)) === undefined) return false
  const { address } = state.context
  const key = state.kind === 'nonce' ? state.context.authority.address : address
  const withdraws = (effect: Effect): boolean =>
    effect.kind === 'lamports' && effect.from === address && effect.signer === key
  return completeMessages(directory, state, { keyOf: changingKey }).some((each) => each.effects?.some(withdraws))
}

/** Who can take out, or decide about, what the effect leaves. */
function givenTo(effect: Effect): readonly string[] {
  switch (effect.kind) {
    case 'lamports':
      return [effect.to]
    case 'close':
      return [effect.destination]
    case 'createAssociated':
    case 'initializeAccount':
      return [effect.owner]
    case 'initializeMint':
      return [effect.mintAuthority, ...(effect.freezeAuthority === null ? [] : [effect.freezeAuthority])]
    case 'nonceInitialize':
      return [effect.authority]
    case 'authority':
    case 'nonceAuthorize':
      return effect.next === null ? [] : [effect.next]
    case 'table':
      return effect.recipient === null ? [] : [effect.recipient]
    default:
      return []
  }
}

function dependentsOf(platform: Platform, wallet: RecordState<'account'>): readonly string[] {
  const { directory } = platform.engine
  const { tenant, cluster } = wallet
  const { address } = wallet.context
  const belongings = belongingsOf(directory, wallet).map(({ head: { kind, id } }) =>
    kind === 'position' ? `position ${id}` : `durable nonce account ${id}`,
  )
  // Loans that other tenants have among themselves do not depend on the tenant's record of the address.
  const loans = directory
    .find(loanPartyKey(cluster, address))
    .flatMap(({ head }) => ofKind(head, 'loan') ?? [])
    .filter(({ tenant: own, context: { lender, owner } }) => [own, lender.tenant, owner?.tenant].includes(tenant))
    .map(({ id, context }) => `loan ${context.escrow.id ?? id}`)
  const feeds = feedsInUseOf(platform, wallet, address).map((id) => `data source ${id}`)
  return [...belongings, ...loans, ...feeds, ...paymentRequestsOf(directory, wallet)]
}

/** Those that can still be paid: their payers would pay an account whose record is closed. */
function paymentRequestsOf(directory: RecordIndex, wallet: RecordState<'account'>): readonly string[] {
  return directory
    .find(openPaymentRequestsKey(wallet.tenant))
    .flatMap(({ head }) => ofKind(head, 'paymentRequest') ?? [])
    .filter(({ context }) => context.endedAt === null && context.destination.id === wallet.id)
    .map(({ id }) => `payment request ${id}`)
}
