// Opens the threshold signers according to the settings. A signer's key is a setting, or is generated when the signer
// is first needed and stored in a file, sealed under the master key: the data directory contains nothing unencrypted
// but the two key files.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { makeDirectory } from '../../../snapshots/make-directory.ts'
import { readKeyFile } from '../../config/key-file.ts'
import type { Secret } from '../../config/secret.ts'
import type { KeyWrapper } from '../vault.ts'
import { makePlayerKey, readPlayerKey } from './key-file.ts'
import { PlayerProcess, type ProcessLog } from './player-process.ts'
import { Players, type PlayerHandle } from './players.ts'

export interface PlayersDependencies {
  readonly codes: readonly string[]
  /** By code: the keys that are configured. */
  readonly keys: ReadonlyMap<string, Secret<Uint8Array>>
  /** Folder with a subfolder and a key file for each threshold signer. */
  readonly path: string
  readonly wrapper: KeyWrapper
  readonly environment: Record<string, string | undefined>
  readonly log: ProcessLog
}

/** Starts no process. Logs a warning for each generated key that is stored beside the share it protects. */
export function openPlayers(deps: PlayersDependencies): Players {
  const { codes, environment, log } = deps
  for (const code of codes) {
    if (readKeyFile(keyFileOf(deps, code)) !== null) log.warn({ player: code }, adviceOn(code))
  }
  const combiner = new PlayerProcess({ code: 'combiner', environment, log, pauseMs: 0 })
  return new Players({ players: codes.map((code) => playerOf(deps, code)), combiner, log })
}

function playerOf(deps: PlayersDependencies, code: string): PlayerHandle {
  const { environment, log, path } = deps
  let identity = ''
  const process = new PlayerProcess({
    code,
    environment,
    log,
    async onStart(ask) {
      makeDirectory(path, 0o700)
      const keys = keysOf(deps, code)
      const opened = await ask('open', { code, path: join(path, code), keys: keys.map((key) => key.slice()) })
      identity = opened.identity
      // The generated key has been used to move the files under the configured key, and is no longer needed.
      if (opened.moved) rmSync(keyFileOf(deps, code), { force: true })
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

/**
 * The first is the signer's current key. A key that was generated before one was configured still opens the files
 * sealed until then.
 */
function keysOf(deps: PlayersDependencies, code: string): Uint8Array[] {
  const given = deps.keys.get(code)?.reveal()
  const path = keyFileOf(deps, code)
  const made = readPlayerKey(deps.wrapper, path)
  const known = [...(given === undefined ? [] : [given]), ...(made === null ? [] : [made])]
  if (known.length > 0) return known
  deps.log.warn({ player: code }, adviceOn(code))
  return [makePlayerKey(deps.wrapper, path)]
}

function adviceOn(code: string): string {
  return `The key of player ${code} was made here and lies beside its share, under the master key: give it one as HOLDFAST_PLAYER_${code}_KEY`
}

function keyFileOf({ path }: PlayersDependencies, code: string): string {
  return join(path, `${code}.key`)
}
