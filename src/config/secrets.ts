// The two secrets of a start, the first API key and the master key: given as settings, or stored in files of the data
// directory (mode 0600). Neither is ever logged. A lost master key file is not replaced once data was sealed, since a
// new key could not open that data.
import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, readFileSync, statSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { makeDirectory } from '../../snapshots/make-directory.ts'
import { generateApiKey, parseApiKey, type ParsedApiKey } from '../keys/api-key.ts'
import { MasterKey, MasterKeys } from '../keys/master-key.ts'
import { CodedError } from './coded-error.ts'
import { dataLayout, isHalfRestored } from './data-layout.ts'
import { unusable } from './disk-fault.ts'
import { EXIT_CODES } from './exit-codes.ts'
import { createKeyFile, isReadableByOthers, readKeyFile } from './key-file.ts'
import { key32 } from './parse.ts'
import { otherKey, readRotation, type RotationOrder } from './rotation-file.ts'
import { SettingsError } from './settings-error.ts'
import type { Settings } from './settings.ts'

/** Mode bits that give access to other users. */
const OTHERS = 0o077

/** The part of the settings that is needed here. */
type KeySettings = Pick<Settings, 'dataDir' | 'bootstrapKey' | 'masterKey'>

/**
 * Creates the directory with mode 0700 if it is missing; removes access by other users if there is any.
 * @returns warnings for the log
 * @throws SettingsError or CodedError when the directory cannot be created, its mode cannot be changed, or a restore
 * into it has not finished
 */
export function prepareDataDir(dataDir: string): readonly string[] {
  try {
    makeDirectory(dataDir, 0o700)
  } catch (error) {
    throw unusable(`HOLDFAST_DATA_DIR ${dataDir} cannot be made`, error)
  }
  if (isHalfRestored(dataDir)) {
    const remedy = 'empty it and restore again'
    throw new CodedError(
      `HOLDFAST_DATA_DIR ${dataDir} holds a restore that has not finished: ${remedy}`,
      EXIT_CODES.damaged,
    )
  }
  const before = modeOf(dataDir)
  if ((before & OTHERS) === 0) return []
  const refusal = `HOLDFAST_DATA_DIR ${dataDir} has mode ${octal(before)} and must be for its owner only (0700)`
  try {
    chmodSync(dataDir, 0o700)
  } catch (error) {
    throw unusable(`${refusal}, which cannot be set`, error)
  }
  // Some file systems accept a change of mode and ignore it.
  if ((modeOf(dataDir) & OTHERS) !== 0) throw new SettingsError([`${refusal}, which its file system does not keep`])
  return [`${dataDir} had mode ${octal(before)}, and was closed to others than its owner (0700)`]
}

/** Windows has no such modes, so nothing can be checked there. */
function modeOf(path: string): number {
  return process.platform === 'win32' ? 0o700 : statSync(path).mode & 0o777
}

const octal = (mode: number): string => mode.toString(8).padStart(4, '0')

/**
 * PEM of the certificate chain and its key; null: not configured.
 * @throws SettingsError when they cannot be read, or do not belong together
 */
export function openTls({
  tlsCertificate,
  tlsKey,
}: Pick<Settings, 'tlsCertificate' | 'tlsKey'>): { certificate: Buffer; key: Buffer } | null {
  if (tlsCertificate === null || tlsKey === null) return null
  const read = (name: string, path: string): Buffer => {
    try {
      return readFileSync(path)
    } catch {
      throw new SettingsError([`${name} ${path} cannot be read`])
    }
  }
  const [certificate, key] = [read('HOLDFAST_TLS_CERTIFICATE', tlsCertificate), read('HOLDFAST_TLS_KEY', tlsKey)]
  try {
    createSecureContext({ cert: certificate, key })
  } catch {
    throw new SettingsError([
      `HOLDFAST_TLS_CERTIFICATE ${tlsCertificate} and HOLDFAST_TLS_KEY ${tlsKey} are not a certificate and its key`,
    ])
  }
  return { certificate, key }
}

export interface BootstrapKey {
  readonly key: ParsedApiKey
  /** The file with the key; null when it was given as a setting. */
  readonly path: string | null
  readonly created: boolean
}

/**
 * The first key of the system tenant. Null when there is none to install: no setting, no file, and not the first start
 * (an operator may delete the file once other keys exist).
 * @throws SettingsError when the file does not contain an API key
 */
export function loadBootstrapKey(settings: KeySettings, firstStart: boolean): BootstrapKey | null {
  if (settings.bootstrapKey !== null)
    return { key: parseApiKey(settings.bootstrapKey.reveal())!, path: null, created: false }
  const path = dataLayout(settings.dataDir).bootstrapKey
  const stored = readKeyFile(path)
  if (stored === null && !firstStart) return null
  const key = parseApiKey(stored ?? createFirstKey(path))
  if (key === null) throw new SettingsError([`HOLDFAST_DATA_DIR holds ${path}, which is not an API key`])
  return { key, path, created: stored === null }
}

function createFirstKey(path: string): string {
  try {
    return createKeyFile(path, generateApiKey().apiKey)
  } catch (error) {
    throw unusable(`HOLDFAST_DATA_DIR: ${path} cannot be written`, error)
  }
}

/** Name of the stored fact that identifies the master key. */
export const MASTER_KEY_CHECK = 'masterKeyCheck'

export interface OpenedMasterKey {
  readonly key: MasterKeys
  /** Id of the key that was given as a setting or is in the file. */
  readonly givenId: string
  /** Stored beside the first sealed row, and passed to every later start. */
  readonly check: string
  /** For the operator, at every start. */
  readonly warnings: readonly string[]
}

/**
 * Opens the master key and verifies that the stored private keys were sealed under it.
 * @param storedCheck `check` of the first start; undefined when nothing was sealed yet
 * @throws SettingsError when the key is missing, malformed or another one
 */
export function openMasterKey(settings: KeySettings, storedCheck: string | undefined): OpenedMasterKey {
  const path = dataLayout(settings.dataDir).masterKey
  const given = settings.masterKey?.reveal()
  const bytes = given ?? masterKeyFromFile(path, storedCheck === undefined)
  const found = new MasterKey(bytes)
  if (given === undefined) bytes.fill(0)
  const key = withRotation(settings.dataDir, found)
  if (storedCheck !== undefined && !key.knows(storedCheck)) {
    const source = given === undefined ? `the key in ${path}` : 'the key given'
    throw new SettingsError([
      `HOLDFAST_MASTER_KEY is wrong: ${source} is not the one that the stored private keys are sealed under`,
    ])
  }
  const warnings: string[] = []
  if (existsSync(path)) {
    const advice =
      given === undefined
        ? 'move it into HOLDFAST_MASTER_KEY and keep a copy elsewhere'
        : 'it is given as a setting: remove the file'
    warnings.push(`The master key lies beside the data it protects, in ${path}: ${advice}`)
    if (isReadableByOthers(path)) warnings.push(`${path} can be read by others than its owner: set its mode to 0600`)
  }
  if (key.id !== found.id)
    warnings.push(
      given === undefined
        ? `The master key is being rotated: ${path} will hold the new one`
        : 'The master key was rotated, or is being: from now on HOLDFAST_MASTER_KEY is to be the new one',
    )
  return { key, givenId: found.id, check: storedCheck ?? key.id, warnings }
}

/** During a rotation either key gives access to the other. */
function withRotation(dataDir: string, found: MasterKey): MasterKeys {
  const order = orderOf(dataDir)
  const bytes = order === null || order.outcome === 'refused' ? null : otherKey(order, found)
  if (order === null || bytes === null) return new MasterKeys(found)
  const other = new MasterKey(bytes)
  bytes.fill(0)
  const [from, to] = found.id === order.from ? [found, other] : [other, found]
  return new MasterKeys(to, order.outcome === 'open' ? from : null)
}

function orderOf(dataDir: string): RotationOrder | null {
  try {
    return readRotation(dataDir)
  } catch (error) {
    throw new SettingsError([
      `HOLDFAST_DATA_DIR holds a damaged order to rotate the master key: ${(error as Error).name}`,
    ])
  }
}

/**
 * The key in the file. Creates the file if it is missing and `mayCreate` is set.
 * @throws SettingsError
 */
export function masterKeyFromFile(path: string, mayCreate: boolean): Uint8Array {
  const stored = readKeyFile(path)
  if (stored === null && !mayCreate) {
    throw new SettingsError([
      `HOLDFAST_MASTER_KEY is not set and ${path} is missing: the stored private keys cannot be opened without it`,
    ])
  }
  try {
    return key32(stored ?? createKeyFile(path, randomBytes(32).toString('base64')))
  } catch (error) {
    throw unusable(`HOLDFAST_MASTER_KEY cannot be had from ${path}`, error)
  }
}
