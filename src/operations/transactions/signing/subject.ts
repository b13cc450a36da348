// Describes a transaction to a custodian, in addition to its message: the requester, and the effects of instructions.
import { formatAmount } from '../../../../machines/amount.ts'
import type { Effect } from '../../../solana/table/effect.ts'
import { classify } from '../../../solana/table/classify.ts'
import { parseMessage } from '../../../solana/parse.ts'
import { isHolding, type RecordState } from '../../../engine/records/record.ts'
import type { SigningSubject } from '../../../keys/signer.ts'
import type { KeyPlace, Platform } from '../../context/platform.ts'
import type { CountersignQuestion } from '../countersign/question.ts'
import { nameOfAddress } from '../../lookup/counterparty.ts'
import { NETWORK_DECIMALS } from '../../views/read-models/amounts.ts'

/** Maximum number of characters of a memo that are shown. */
const MAX_MEMO_CHARACTERS = 200

/** The part of a transaction that its description is made from. */
export interface SubjectFacts {
  readonly transactionId: string
  /** Base64. */
  readonly message: string
  /** Every account of the message. */
  readonly keys: readonly string[]
  readonly fixed: Pick<CountersignQuestion['fixed'], 'organization' | 'fee' | 'feePayer' | 'lastValidBlockHeight'>
}

export function factsOf({ id, context: { fixed } }: RecordState<'transaction'>): SubjectFacts {
  const keys = fixed.accounts.map(({ address }) => address)
  return { transactionId: id, message: fixed.message, keys, fixed }
}

/** The facts of a transaction of another cell. */
export function factsOfQuestion({ transactionId, message, keys, fixed }: CountersignQuestion): SubjectFacts {
  return { transactionId, message, keys, fixed }
}

export function subjectOf(
  { engine }: Platform,
  { transactionId, message, keys, fixed }: SubjectFacts,
  place: KeyPlace,
): SigningSubject {
  const holder = engine.directory.resident(place.id)?.head
  const organization = holder !== undefined && isHolding(holder) ? holder.context.organization : fixed.organization
  const effects = classify(parseMessage(Buffer.from(message, 'base64')), keys)
  const nameOf = (address: string): string => {
    const owner = { tenant: place.tenant, organization }
    const name = nameOfAddress(engine.directory, owner, place.cluster, address)?.name
    return name === undefined ? address : `${address} (${name})`
  }
  return {
    organization,
    requestedBy: fixed.organization,
    cluster: place.cluster,
    account: { onchainId: place.address, offchainId: place.id },
    transaction: { offchainId: transactionId },
    summary: [
      `Fee ${sol(BigInt(fixed.fee))} SOL, paid by ${fixed.feePayer.address}`,
      ...effects.map((effect) => describe(effect, nameOf)),
    ],
    lastValidBlockHeight: fixed.lastValidBlockHeight,
  }
}

type NameOf = (address: string) => string

function describe(effect: Effect, nameOf: NameOf): string {
  switch (effect.kind) {
    case 'lamports':
      return `Transfer ${sol(effect.lamports)} SOL from ${effect.from} to ${nameOf(effect.to)}`
    case 'create':
      return `Create account ${effect.account} with ${sol(effect.lamports)} SOL, paid by ${effect.payer}`
    case 'createAssociated':
      return `Create the token account of ${nameOf(effect.owner)} for ${effect.mint}, paid by ${effect.payer}`
    case 'tokens':
      return `Transfer ${tokens(effect)} from ${effect.from} to ${nameOf(effect.to)}`
    case 'mint':
      return `Mint ${tokens(effect)} to ${nameOf(effect.to)}`
    case 'burn':
      return `Burn ${tokens(effect)} of ${effect.from}`
    case 'close':
      return `Close account ${effect.account}, its SOL goes to ${nameOf(effect.destination)}`
    case 'freeze':
    case 'thaw':
      return `${effect.kind === 'freeze' ? 'Freeze' : 'Thaw'} token account ${effect.account}`
    case 'approve':
      return `Allow ${nameOf(effect.delegate)} to take ${effect.amount} raw units from ${effect.account}`
    case 'authority': {
      const next = effect.next === null ? 'nobody' : nameOf(effect.next)
      return `Set authority ${effect.which} of ${effect.account} to ${next}`
    }
    case 'nonceAuthorize':
      return `Set the authority of nonce account ${effect.nonce} to ${nameOf(effect.next)}`
    case 'assign':
      return `Assign account ${effect.account} to program ${effect.owner}`
    case 'memo':
      return `Memo ${JSON.stringify(effect.text.slice(0, MAX_MEMO_CHARACTERS))}`
    case 'refused':
      return `Call program ${effect.program}, whose instruction ${effect.name} is not known`
    default:
      return `Instruction ${effect.type} of program ${effect.programId}`
  }
}

function sol(lamports: bigint): string {
  return formatAmount(lamports, NETWORK_DECIMALS)
}

function tokens({
  amount,
  decimals,
  mint,
}: {
  readonly amount: bigint
  readonly decimals: number | null
  readonly mint: string | null
}): string {
  const of = mint === null ? '' : ` of ${mint}`
  return decimals === null ? `${amount} raw units${of}` : `${formatAmount(amount, decimals)}${of}`
}
