// An independent specification of the allowed transitions: one function from state, event and a few facts to the next
// state. It is the transition table of the interface as code; the machine must agree with it on every event.
import { AT } from '../records.ts'
import type { AnyEvent } from '../tested-actor.ts'

export interface Model {
  readonly status: string
  /** A signature of the service exists. */
  readonly ours: boolean
  readonly complete: boolean
  readonly withdrawn: boolean
  readonly failed: boolean
  /** The slot where it was last seen; 0: none. */
  readonly slot: number
  /** The attestation by the first key, while it is valid. */
  readonly word: { readonly outcome: string; readonly keyId: string } | null
  /** It waits for approval, or did. */
  readonly held: boolean
  readonly approvedBy: readonly string[]
}

export const FRESH: Model = {
  status: 'prepared',
  ours: false,
  complete: false,
  withdrawn: false,
  failed: false,
  slot: 0,
  word: null,
  held: false,
  approvedBy: [],
}

/** Of the approval in records.ts: key1 is the requester, key2 suffices for one of its limits only. */
const APPROVERS = ['key2', 'key3']
const ENOUGH = 'key3'

const ENDED = ['finalized', 'blockchainError', 'nonBlockchainError', 'cancelled', 'expired']
const ORDER = ['processed', 'confirmed', 'finalized']

export function isEnded(model: Model): boolean {
  return ENDED.includes(model.status)
}

/** The model after the event, or null if the event is refused. */
export function step(model: Model, event: AnyEvent): Model | null {
  const { status } = model
  const unsigned = status === 'prepared' || status === 'partiallySigned'
  const onChain = status === 'processed' || status === 'confirmed'
  const mayLand = !isEnded(model) && (!unsigned || model.ours)
  if (isEnded(model)) return repeat(model, event)
  switch (event.type) {
    case 'command.sign': {
      if (!unsigned) return null
      if (event['signatures'] === 0 && event['ourSignature'] !== true) return null
      if (event['complete'] === true && event['signature'] === null) return null
      const complete = event['complete'] === true
      if ((complete || event['ourSignature'] === true) && model.held && !model.approvedBy.includes(ENOUGH)) return null
      return {
        ...model,
        status: complete ? 'signed' : 'partiallySigned',
        complete,
        ours: model.ours || event['ourSignature'] === true,
      }
    }
    case 'command.hold':
      return unsigned && !model.ours ? { ...model, held: true } : null
    case 'command.approve': {
      const keyId = String(event['keyId'])
      const mayApprove = unsigned && !model.ours && model.held && APPROVERS.includes(keyId) && event['at'] === AT
      return mayApprove && !model.approvedBy.includes(keyId)
        ? { ...model, approvedBy: [...model.approvedBy, keyId] }
        : null
    }
    case 'command.rebuild':
      return status === 'prepared' ? model : null
    case 'command.cancel':
    case 'clock.lapsed':
      return mayLand ? null : { ...model, status: 'cancelled', failed: event.type === 'clock.lapsed' }
    case 'command.fail':
      return mayLand ? null : { ...model, status: 'nonBlockchainError', failed: true }
    case 'command.withdraw':
      return mayLand && !onChain ? { ...model, withdrawn: true } : null
    case 'command.withhold':
      return model.status === 'signed' ? model : null
    case 'command.attest':
      return mayLand
        ? attest(model, { outcome: String(event['outcome']), keyId: String(event['keyId']) }, onChain)
        : null
    case 'chain.sent':
      if (unsigned) return null
      return onChain ? model : { ...model, status: 'submitted' }
    case 'chain.seen':
      return mayLand ? see(model, String(event['commitment']), event['error'] !== null, Number(event['slot'])) : null
    case 'chain.measured':
      return mayLand ? model : null
    case 'chain.forgotten':
      if (!mayLand) return null
      return onChain
        ? { ...model, status: model.complete ? 'submitted' : 'partiallySigned', failed: false, slot: 0 }
        : model
    case 'chain.expired':
      return mayLand && !onChain ? { ...model, status: model.withdrawn ? 'cancelled' : 'expired' } : null
    case 'chain.voided':
      return mayLand && !onChain ? { ...model, status: 'cancelled' } : null
    default:
      return null
  }
}

function see(model: Model, commitment: string, failed: boolean, slot: number): Model {
  const actor = ORDER.indexOf(commitment) - ORDER.indexOf(model.status)
  if (actor < 0 || (actor === 0 && model.slot === slot && model.failed === failed)) return model
  return {
    ...model,
    status: commitment === 'finalized' && failed ? 'blockchainError' : commitment,
    failed,
    slot,
    word: null,
  }
}

function attest(model: Model, word: { outcome: string; keyId: string }, onChain: boolean): Model | null {
  const { outcome, keyId } = word
  const before = model.word
  if (!['FINALIZED', 'BLOCKCHAIN_ERROR', 'EXPIRED'].includes(outcome) || (outcome === 'EXPIRED' && onChain)) return null
  if (before === null) return { ...model, word }
  if (before.keyId === keyId) return before.outcome === outcome ? null : { ...model, word }
  if (before.outcome !== outcome) return null
  if (outcome === 'FINALIZED') return { ...model, status: 'finalized', failed: false }
  return outcome === 'EXPIRED'
    ? { ...model, status: 'expired', failed: false }
    : { ...model, status: 'blockchainError', failed: true }
}

/** After the end only an event that repeats the outcome is accepted. */
function repeat(model: Model, event: AnyEvent): Model | null {
  const landed = model.status === 'finalized' || model.status === 'blockchainError'
  if (event.type === 'chain.seen' && landed) {
    const same =
      event['commitment'] !== 'finalized' || (event['error'] !== null) === (model.status === 'blockchainError')
    return same ? model : null
  }
  if (event.type === 'chain.measured') return landed ? model : null
  if (event.type === 'chain.expired') return model.status === 'expired' || model.status === 'cancelled' ? model : null
  if (event.type === 'chain.voided') return model.status === 'cancelled' ? model : null
  return null
}
