// Settings of a localnet process, as JSON in its first argument. It reads no environment: its parent decides.

import type { PreloadedState } from './given.ts'

export interface LocalnetSettings {
  /** Address that both ports bind to. */
  readonly host: string
  /** HTTP port; the websocket takes the next one. 0: any two free adjacent ports. */
  readonly port: number
  readonly dataDir: string
  readonly slotMs: number
  /** Slots after which a slot is final. */
  readonly finalitySlots: number
  /** Whether the fault switches exist (tests only). */
  readonly faults: boolean
  /** Whether the time of the chain is set back to the clock if it is ahead. */
  readonly putsBackTime: boolean
  /** Whether the end of stdin, the pipe of the parent, ends the process. */
  readonly parentPipe: boolean
  /** Milliseconds by which the time of the chain is ahead of the clock. */
  readonly aheadMs: number
  readonly given: PreloadedState
  /** The archive of the ledger from now on; empty: none; absent: the one recorded in the ledger. */
  readonly archiveLine?: string | undefined
}

const DEFAULTS: Omit<LocalnetSettings, 'dataDir'> = {
  host: '127.0.0.1',
  port: 8899,
  slotMs: 400,
  finalitySlots: 1,
  faults: false,
  putsBackTime: false,
  parentPipe: false,
  aheadMs: 0,
  given: { programs: [], accounts: [] },
}

const LIMITS = {
  port: [0, 65_534],
  slotMs: [1, 3_600_000],
  finalitySlots: [1, 10_000],
  aheadMs: [0, 10 ** 13],
} as const

/**
 * Settings from JSON text; absent members take their defaults, `dataDir` is required.
 * @throws Error naming the problem
 */
export function readSettings(text: string): LocalnetSettings {
  const value: unknown = JSON.parse(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error('settings must be a JSON object')
  const known = [...Object.keys(DEFAULTS), 'dataDir', 'archiveLine']
  for (const name of Object.keys(value)) if (!known.includes(name)) throw new Error(`unknown setting ${name}`)
  const members = value as Readonly<Record<string, unknown>>
  return {
    host: textSetting(members, 'host', DEFAULTS.host),
    port: countSetting(members, 'port'),
    dataDir: textSetting(members, 'dataDir', ''),
    slotMs: countSetting(members, 'slotMs'),
    finalitySlots: countSetting(members, 'finalitySlots'),
    faults: flagSetting(members, 'faults'),
    putsBackTime: flagSetting(members, 'putsBackTime'),
    parentPipe: flagSetting(members, 'parentPipe'),
    aheadMs: countSetting(members, 'aheadMs'),
    given: givenSetting(members),
    archiveLine: lineSetting(members),
  }
}

function textSetting(given: Readonly<Record<string, unknown>>, name: string, otherwise: string): string {
  const value = given[name] ?? otherwise
  if (typeof value !== 'string' || value === '') throw new Error(`${name} must be a non-empty string`)
  return value
}

function lineSetting({ archiveLine }: Readonly<Record<string, unknown>>): string | undefined {
  if (archiveLine !== undefined && (typeof archiveLine !== 'string' || !/^[0-9a-f]*$/.test(archiveLine)))
    throw new Error('archiveLine must be hex digits')
  return archiveLine
}

function givenSetting({ given = DEFAULTS.given }: Readonly<Record<string, unknown>>): PreloadedState {
  const { programs, accounts } = given as Partial<PreloadedState>
  if (!Array.isArray(programs) || !Array.isArray(accounts))
    throw new Error('given must hold lists of programs and accounts')
  return { programs, accounts }
}

function countSetting(given: Readonly<Record<string, unknown>>, name: keyof typeof LIMITS): number {
  const value = given[name] ?? DEFAULTS[name]
  const [least, most] = LIMITS[name]
  if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > most) {
    throw new Error(`${name} must be an integer from ${least} to ${most}`)
  }
  return value
}

function flagSetting(
  given: Readonly<Record<string, unknown>>,
  name: 'faults' | 'putsBackTime' | 'parentPipe',
): boolean {
  const value = given[name] ?? DEFAULTS[name]
  if (typeof value !== 'boolean') throw new Error(`${name} must be true or false`)
  return value
}
