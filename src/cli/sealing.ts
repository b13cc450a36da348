// The encryption of a backup, from the options of a command.
import { readFileSync } from 'node:fs'
import type { Sealing } from '../../snapshots/backup/format.ts'
import { EXIT_CODES } from '../config/exit-codes.ts'
import { key32 } from '../config/parse.ts'
import { CommandFailed } from './command-failed.ts'

export interface SealingOptions {
  readonly passphraseFile?: string
  readonly keyFile?: string
}

/** Throws CommandFailed. */
export function sealingOf({ passphraseFile, keyFile }: SealingOptions): Sealing {
  if (passphraseFile !== undefined && keyFile !== undefined) {
    throw new CommandFailed('only one of --passphrase-file and --key-file may be given', EXIT_CODES.usage)
  }
  if (passphraseFile !== undefined) {
    const passphrase = textOf(passphraseFile)
    if (passphrase === '') throw new CommandFailed(`${passphraseFile} is empty`, EXIT_CODES.usage)
    return { kind: 'passphrase', passphrase }
  }
  if (keyFile === undefined) return { kind: 'none' }
  try {
    return { kind: 'key', key: key32(textOf(keyFile)) }
  } catch (error) {
    if (error instanceof CommandFailed) throw error
    throw new CommandFailed(`${keyFile} ${(error as Error).message}`, EXIT_CODES.usage)
  }
}

/** Without the final line break. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '')
  } catch (error) {
    throw new CommandFailed(`${path} cannot be read: ${(error as Error).message}`, EXIT_CODES.usage)
  }
}
