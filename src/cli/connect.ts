// Connection of a command to the running service over REST, and its API key.
import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { dataLayout } from '../config/data-layout.ts'
import { EXIT_CODES } from '../config/exit-codes.ts'
import type { Settings } from '../config/settings.ts'
import { CommandFailed } from './command-failed.ts'
import type { DataOptions, SettingsFor } from './backup-commands.ts'
import { Rest } from './rest.ts'

export interface RestOptions extends DataOptions {
  readonly url?: string
  readonly apiKeyFile?: string
}

export function asksService(command: Command): Command {
  return command
    .option('--url <url>', 'URL of the service; default: from HOLDFAST_HOST and HOLDFAST_PORT')
    .option('--api-key-file <file>', 'file with the API key; default: HOLDFAST_BOOTSTRAP_KEY or <data>/bootstrap.key')
    .option('--data-dir <dir>', 'data directory; default: HOLDFAST_DATA_DIR')
    .option('--json', 'print the response as JSON')
}

interface RestQuestion {
  readonly method: 'POST' | 'PATCH'
  readonly path: string
  readonly body: object
  /** A member of every good answer, unless an approval policy holds the request back. Other servers do not have it. */
  readonly member: string
}

/** Rejects with CommandFailed when there is no key, or no service answers. */
export async function askService<Body extends object>(
  settingsFor: SettingsFor,
  options: RestOptions,
  { method, path, body, member }: RestQuestion,
): Promise<Body> {
  const { url, key } = placeOfService(settingsFor(options), options)
  const answer = await new Rest(url, key).call<Body>(method, path, body).catch((error: unknown) => {
    if (error instanceof TypeError) throw new CommandFailed(`no service responds at ${url}`, EXIT_CODES.unavailable)
    throw error
  })
  if (!(member in answer.body || 'pendingChange' in answer.body)) throw notTheService(url)
  return answer.body
}

const PAGE_ITEMS = 1_000

export interface Page {
  readonly count: number
  readonly items: readonly unknown[]
}

/** All items of a bulk query. Rejects like `askService`. */
export async function askForAll(settingsFor: SettingsFor, options: RestOptions, path: string): Promise<Page> {
  const items: unknown[] = []
  for (;;) {
    const body = { itemQuery: { limit: PAGE_ITEMS, skip: items.length } }
    const page = await askService<Page>(settingsFor, options, { method: 'POST', path, body, member: 'items' })
    items.push(...page.items)
    if (page.items.length === 0 || items.length >= page.count) return { count: page.count, items }
  }
}

export function notTheService(url: string): CommandFailed {
  return new CommandFailed(`what answers at ${url} is not Holdfast`, EXIT_CODES.unavailable)
}

/** Throws CommandFailed when there is no key, or the URL is none. */
export function placeOfService(
  settings: Settings,
  options: RestOptions,
): { readonly url: string; readonly key: string } {
  const url = (options.url ?? serviceUrl(settings)).replace(/\/$/, '')
  if (!/^https?:/i.test(url) || !URL.canParse(url))
    throw new CommandFailed(`--url ${url} must be a URL: https://... or http://...`, EXIT_CODES.usage)
  return { url, key: keyOf(settings, options) }
}

/** Replaces an unspecified address by loopback; an IPv6 address is in brackets. */
export function reachable(host: string): string {
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return name.includes(':') ? `[${name}]` : name
}

/** URL of the service that runs with these settings. */
export function serviceUrl({ host, port, tlsCertificate }: Settings): string {
  return `${tlsCertificate === null ? 'http' : 'https'}://${reachable(host)}:${port}`
}

function keyOf({ bootstrapKey, dataDir }: Settings, { apiKeyFile }: RestOptions): string {
  if (apiKeyFile === undefined && bootstrapKey !== null) return bootstrapKey.reveal()
  const path = apiKeyFile ?? dataLayout(dataDir).bootstrapKey
  const [key, problem] = readKey(path)
  // An API key, or an access token: a header holds neither blanks nor line breaks.
  if (/^[!-~]+$/.test(key)) return key
  const remedy = apiKeyFile === undefined ? ': set --api-key-file' : ''
  throw new CommandFailed(`${path} ${problem ?? 'contains no API key'}${remedy}`, EXIT_CODES.usage)
}

function readKey(path: string): readonly [key: string, problem?: string] {
  try {
    return [readFileSync(path, 'utf8').trim()]
  } catch (error) {
    return ['', `cannot be read: ${(error as Error).message}`]
  }
}
