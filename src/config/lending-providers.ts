// Parses HOLDFAST_LENDING_PROVIDERS: external services that create the transactions of loans. A URL may contain a key
// and is never quoted. The bearer token is in a file, which is read at the start.
import { readFileSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { jsonValue, type Parser } from './parse.ts'
import { Secret } from './secret.ts'
import { SettingsError } from './settings-error.ts'

/** Operations that a provider may support; liquidation and refinancing are not among them. */
const PROVIDED_OPERATIONS = ['CREATE', 'SWAP', 'REPAY', 'CLOSE'] as const
export type ProvidedOperation = (typeof PROVIDED_OPERATIONS)[number]

export interface LendingProviderSetting {
  /** `defiProtocol` of the API. */
  readonly name: string
  /** URL to which orders are posted. */
  readonly url: string
  /** Path of the file with the bearer token; null: requests carry none. */
  readonly bearerFile: string | null
  readonly operations: readonly ProvidedOperation[]
  /**
   * Programs beside the instruction table that its messages may call, provided that no account of a loan is passed to
   * them.
   */
  readonly programs: readonly string[]
}

const SETTING = 'HOLDFAST_LENDING_PROVIDERS'
const BUILT_IN = 'ESCROW_VAULT'
const MEMBERS: ReadonlySet<string> = new Set(['name', 'url', 'bearerFile', 'operations', 'programs'])
const ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/

export const lendingProviders: Parser<readonly LendingProviderSetting[]> = (text) => {
  const providers = listIn(text).map(providerIn)
  const names = providers.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) < index)
  if (twice !== undefined) throw new Error(`names ${twice} twice`)
  return providers
}

function listIn(text: string): readonly unknown[] {
  const value = jsonValue(text)
  if (!Array.isArray(value))
    throw new Error('must be a JSON list of {"name","url","bearerFile","operations","programs"}')
  return value
}

function providerIn(value: unknown): LendingProviderSetting {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error('must list objects with "name" and "url"')
  const { name, url, bearerFile, operations, programs, ...others } = value as Record<string, unknown>
  checkName(name)
  if (Object.keys(others).length > 0)
    throw new Error(`must give ${name} no members other than ${[...MEMBERS].join(', ')}`)
  if (!isUrl(url)) throw new Error(`must give ${name} an http(s) "url" without user, password or fragment`)
  return {
    name,
    url,
    bearerFile: bearerFileIn(name, bearerFile),
    operations: operationsIn(name, operations),
    programs: programsIn(name, programs),
  }
}

function checkName(name: unknown): asserts name is string {
  if (typeof name !== 'string' || !/^[A-Z][A-Z0-9_]{0,63}$/.test(name))
    throw new Error('must name providers in capital letters, digits and underscores, like ACME_LENDING')
  if (name === BUILT_IN) throw new Error(`must not name ${BUILT_IN}, which is built in`)
}

function bearerFileIn(name: string, path: unknown = null): string | null {
  if (path !== null && (typeof path !== 'string' || !isAbsolute(path)))
    throw new Error(`must give ${name} the absolute path of a file as "bearerFile"`)
  return path
}

function operationsIn(name: string, operations: unknown = PROVIDED_OPERATIONS): ProvidedOperation[] {
  const isOperation = (each: unknown): each is ProvidedOperation => PROVIDED_OPERATIONS.some((known) => known === each)
  if (!Array.isArray(operations) || operations.length === 0 || !operations.every(isOperation))
    throw new Error(`must give ${name} "operations" out of ${PROVIDED_OPERATIONS.join(', ')}`)
  return [...new Set(operations)]
}

function programsIn(name: string, programs: unknown = []): string[] {
  if (!Array.isArray(programs) || !programs.every((each) => typeof each === 'string' && ADDRESS.test(each)))
    throw new Error(`must give ${name} addresses as "programs"`)
  return programs as string[]
}

function isUrl(value: unknown): value is string {
  if (typeof value !== 'string' || !URL.canParse(value)) return false
  const { protocol, username, password, hash } = new URL(value)
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === '' && hash === ''
}

/** The bearer token of a provider; null: none configured. Throws SettingsError. */
export function providerBearer({ name, bearerFile }: LendingProviderSetting): Secret<string> | null {
  if (bearerFile === null) return null
  let text: string
  try {
    text = readFileSync(bearerFile, 'utf8').trim()
  } catch {
    throw new SettingsError([`${SETTING}: the bearerFile of ${name} cannot be read`])
  }
  if (!/^[\x21-\x7e]{1,4096}$/.test(text))
    throw new SettingsError([`${SETTING}: the bearerFile of ${name} holds no bearer value`])
  return new Secret(text)
}
