// The players as the settings say. A player's key is a setting, or is made when the player is first needed and kept in a file, sealed under
// the master key: nothing in the data directory is in the clear but the two key files.
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { readKeyFile } from '../../config/key-file.ts'
import type { Secret } from '../../config/secret.ts'
import type { KeyWrapper } from '../vault.ts'
import { makePlayerKey, readPlayerKey } from './key-file.ts'
import { PlayerProcess, type ProcessLog } from './player-process.ts'
import { Players, type PlayerHandle } from './players.ts'

export interface PlayersGround {
  readonly codes: readonly string[]
  /** By code: those that are given as settings. */
  readonly keys: ReadonlyMap<string, Secret<Uint8Array>>
  /** A folder for each of them, and their key files. */
  readonly path: string
  readonly wrapper: KeyWrapper
  readonly environment: Record<string, string | undefined>
  readonly log: ProcessLog
}

/** Starts none of them. Warns of keys that lie beside what they protect. */
export function openPlayers(ground: PlayersGround): Players {
  const { codes, environment, log } = ground
  for (const code of codes) {
    if (readKeyFile(keyFileOf(ground, code)) !== null) log.warn({ player: code }, adviceOn(code))
  }
  const combiner = new PlayerProcess({ code: 'combiner', environment, log, pauseMs: 0 })
  return new Players({ players: codes.map((code) => playerOf(ground, code)), combiner, log })
}

function playerOf(ground: PlayersGround, code: string): PlayerHandle {
  const { environment, log, path } = ground
  let identity = ''
  const process = new PlayerProcess({
    code,
    environment,
    log,
    async onStart(ask) {
      mkdirSync(path, { recursive: true, mode: 0o700 })
      const keys = keysOf(ground, code)
      const opened = await ask('open', { code, path: join(path, code), keys: keys.map((key) => key.slice()) })
      identity = opened.identity
      // The key that was made here has opened what it had to; from now on the one given is needed.
      if (opened.moved) rmSync(keyFileOf(ground, code), { force: true })
    },
  })
  return {
    code,
    ask: (call, input) => process.ask(call, input),
    stop: () => process.stop(),
    async identity() {
      await process.ready()
      return identity
    },
  }
}

/** The first is the player's own. A key that was made here before one was given opens what was sealed until then. */
function keysOf(ground: PlayersGround, code: string): Uint8Array[] {
  const given = ground.keys.get(code)?.reveal()
  const path = keyFileOf(ground, code)
  const made = readPlayerKey(ground.wrapper, path)
  const known = [...(given === undefined ? [] : [given]), ...(made === null ? [] : [made])]
  if (known.length > 0) return known
  ground.log.warn({ player: code }, adviceOn(code))
  return [makePlayerKey(ground.wrapper, path)]
}

function adviceOn(code: string): string {
  return `The key of player ${code} was made here and lies beside its share, under the master key: give it one as HOLDFAST_PLAYER_${code}_KEY`
}

function keyFileOf({ path }: PlayersGround, code: string): string {
  return join(path, `${code}.key`)
}
