// The events of the positions in the bench: tokens are reserved, the debit settles, and a credit arrives, position
// after position. Events follow from their number, so the expected balances can be computed without running them.
import { HOLDING_USUAL } from '../../machines/left-out.ts'
import type { PositionContext, PositionEvent } from '../../machines/position.ts'

export const POSITIONS = 128
const START = 1_000_000_000n
const EVENTS_OF_A_TURN = 3
const AMOUNTS = 900
const AT = '2026-01-01T00:00:00.000Z'

const amountOf = (turn: number, place: number): bigint => BigInt(100 + ((turn * 31 + place) % AMOUNTS))
/** Each credit is slightly larger than its debit, so that every cycle changes the balances. */
const creditOf = (amount: bigint): bigint => amount + 3n

export interface ScriptedEvent {
  readonly place: number
  readonly event: PositionEvent
}

export function scriptedEvent(n: number): ScriptedEvent {
  const place = n % POSITIONS
  const delivered = Math.floor(n / POSITIONS)
  const turn = Math.floor(delivered / EVENTS_OF_A_TURN)
  const amount = amountOf(turn, place)
  const raw = amount.toString()
  const touch = { transactionId: String(n), signature: 'signature', at: AT }
  switch (delivered % EVENTS_OF_A_TURN) {
    case 0:
      return { place, event: { type: 'command.reserve', asset: 'tokens', amount: raw, covered: true } }
    case 1:
      return {
        place,
        event: {
          type: 'chain.settled',
          touch,
          movements: [{ asset: 'tokens', released: raw, debited: raw, credited: '0' }],
        },
      }
    default:
      return {
        place,
        event: {
          type: 'chain.settled',
          touch,
          movements: [{ asset: 'tokens', released: '0', debited: '0', credited: creditOf(amount).toString() }],
        },
      }
  }
}

export interface Books {
  readonly balance: string
  readonly reserved: string
  /** Number of the last event of the position; null: it had none. */
  readonly last: string | null
}

/** The expected balances of every position after this many events, computed independently. */
export function expectedBooks(events: number): Books[] {
  return Array.from({ length: POSITIONS }, (_, place) => {
    const delivered = Math.max(0, Math.ceil((events - place) / POSITIONS))
    const [turns, begun] = [Math.floor(delivered / EVENTS_OF_A_TURN), delivered % EVENTS_OF_A_TURN]
    let balance = START + 3n * BigInt(turns)
    const open = amountOf(turns, place)
    if (begun === 2) balance -= open
    const lastTold = begun === 1 ? delivered - 2 : delivered - 1
    return {
      balance: balance.toString(),
      reserved: begun === 1 ? open.toString() : '0',
      last: lastTold < 1 ? null : String(lastTold * POSITIONS + place),
    }
  })
}

export function positionAt(place: number): PositionContext {
  const ref = (name: string) => ({ address: `${name}${place}`, id: null })
  return {
    ...HOLDING_USUAL,
    address: `Position${place}`,
    organization: 'BENCH',
    managed: true,
    keyOrigin: 'service',
    keyLocation: ['DATABASE'],
    references: {
      type: 'WALLET',
      organizationExternalId: 'BENCH',
      code: `CODE-${place}`,
      alId: null,
      accountNumber: null,
      name: null,
    },
    dataLength: 170,
    ownerProgram: 'Program',
    lamports: { balance: '2074080', reserved: '0' },
    owner: ref('Owner'),
    mint: ref('Mint'),
    program: 'TOKEN_2022',
    decimals: 6,
    tokens: { balance: START.toString(), reserved: '0' },
  }
}
