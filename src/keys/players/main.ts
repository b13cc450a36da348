// The process of one threshold signer, or of the combiner of signature shares: answers questions over the IPC channel
// it was started with, and exits when the channel closes.
import { combine, publicFromJson } from './frost.ts'
import { PlayerStore } from './player-store.ts'
import { Player } from './player.ts'
import {
  PlayerProblem,
  type AnswerOf,
  type CallName,
  type CallInput,
  type PlayerCall,
  type PlayerReply,
} from './protocol.ts'

let player: Player | null = null

function opened(): Player {
  if (player === null) throw new PlayerProblem('the player was not opened')
  return player
}

const ANSWERS: { readonly [Name in CallName]: (input: CallInput<Name>) => AnswerOf<Name> } = {
  open({ code, path, keys }) {
    const store = new PlayerStore(path, code, keys)
    for (const key of keys) key.fill(0)
    player = new Player(code, store)
    return { identity: player.identity, moved: store.moved }
  },
  begin: (input) => opened().begin(input),
  distribute: (input) => opened().distribute(input),
  finish: (input) => opened().finish(input),
  commit: (input) => opened().commit(input),
  sign: (input) => opened().sign(input),
  combine: ({ shared, message, given }) => combine(publicFromJson(shared), message, given),
}

function replyTo({ id, call, input }: PlayerCall): PlayerReply {
  try {
    return { id, answer: (ANSWERS[call] as (input: unknown) => unknown)(input) }
  } catch (error) {
    // Only own messages: those of other errors may quote secret data.
    return {
      id,
      problem:
        error instanceof PlayerProblem ? error.message : `failed: ${error instanceof Error ? error.name : 'unknown'}`,
    }
  }
}

process.title = `holdfast player ${process.argv[2] ?? ''}`
process.on('message', (question: PlayerCall) => process.send?.(replyTo(question)))
process.on('disconnect', () => process.exit(0))
