// Three ways to apply the same events to the same positions: actors that stay active, actors that are activated and
// passivated for each event, and a function that updates an object, without machines.
import type { PositionContext, PositionEvent } from '../../machines/position.ts'
import type { Movement } from '../../machines/protocol.ts'
import { LiveActor } from '../../src/engine/records/live-actor.ts'
import { scriptedEvent, POSITIONS, positionAt, type Books } from './script.ts'

export interface Side {
  /** Applies the n-th event. Throws if it is rejected. */
  step(n: number): void
  books(): Books[]
}

const places = Array.from({ length: POSITIONS }, (_, place) => place)

function booksOf(contexts: readonly PositionContext[]): Books[] {
  return contexts.map(({ tokens, last }) => ({ ...tokens, last: last?.transactionId ?? null }))
}

function send(actor: LiveActor, event: PositionEvent): PositionContext {
  const answer = actor.send(event)
  if (answer.type !== 'accepted') throw new Error(`refused: ${answer.code}`)
  return actor.snapshot().context as PositionContext
}

/** A step is an event, its answer and the snapshot after it. */
function awake(): Side {
  const actors = places.map((place) =>
    LiveActor.create('position', { holding: positionAt(place), state: 'initialized' }),
  )
  const contexts = places.map(positionAt)
  return {
    step(n) {
      const { place, event } = scriptedEvent(n)
      contexts[place] = send(actors[place]!, event)
    },
    books: () => booksOf(contexts),
  }
}

/** As `awake`, but each step restores the actor from the snapshot and takes a new one. */
function woken(): Side {
  const contexts = places.map(positionAt)
  return {
    step(n) {
      const { place, event } = scriptedEvent(n)
      const actor = LiveActor.restore('position', 'initialized', contexts[place])
      contexts[place] = send(actor, event)
    },
    books: () => booksOf(contexts),
  }
}

function bare(): Side {
  const contexts = places.map(positionAt)
  return {
    step(n) {
      const { place, event } = scriptedEvent(n)
      contexts[place] = reduce(contexts[place]!, event)
    },
    books: () => booksOf(contexts),
  }
}

function reduce(context: PositionContext, event: PositionEvent): PositionContext {
  const { tokens } = context
  switch (event.type) {
    case 'command.reserve': {
      const [amount, reserved] = [BigInt(event.amount), BigInt(tokens.reserved)]
      if (amount > BigInt(tokens.balance) - reserved) throw new Error('not enough')
      return { ...context, tokens: { ...tokens, reserved: (reserved + amount).toString() } }
    }
    case 'chain.settled':
      return { ...context, tokens: event.movements.reduce(applyMove, tokens), last: event.touch ?? context.last }
    default:
      throw new Error(`${event.type} does not happen`)
  }
}

function applyMove(
  { balance, reserved }: PositionContext['tokens'],
  { released, debited, credited }: Movement,
): PositionContext['tokens'] {
  return {
    balance: (BigInt(balance) + BigInt(credited) - BigInt(debited)).toString(),
    reserved: (BigInt(reserved) - BigInt(released)).toString(),
  }
}

export const SIDES = { awake, woken, bare } as const
export type SideName = keyof typeof SIDES
