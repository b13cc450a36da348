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

/** Rejects with CommandFailed when there is no key, or no service answers. */
export async function askService<Body>(
  settingsFor: SettingsFor,
  options: RestOptions,
  method: 'POST' | 'PATCH',
  { path, body }: { readonly path: string; readonly body: object },
): Promise<Body> {
  const { url, key } = placeOfService(settingsFor(options), options)
  try {
    return (await new Rest(url, key).call<Body>(method, path, body)).body
  } catch (error) {
    if (error instanceof TypeError) throw new CommandFailed(`no service responds at ${url}`, EXIT_CODES.unavailable)
    throw error
  }
}

/** Throws CommandFailed when there is no key. */
export function placeOfService(
  settings: Settings,
  options: RestOptions,
): { readonly url: string; readonly key: string } {
  return { url: (options.url ?? urlOf(settings)).replace(/\/$/, ''), key: keyOf(settings, options) }
}

/** Replaces an unspecified address by loopback. */
function reachable(host: string): string {
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return name.includes(':') ? `[${name}]` : name
}

function urlOf({ host, port, tlsCertificate }: Settings): string {
  return `${tlsCertificate === null ? 'http' : 'https'}://${reachable(host)}:${port}`
}

function keyOf({ bootstrapKey, dataDir }: Settings, { apiKeyFile }: RestOptions): string {
  if (apiKeyFile === undefined && bootstrapKey !== null) return bootstrapKey.reveal()
  const path = apiKeyFile ?? dataLayout(dataDir).bootstrapKey
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    throw new CommandFailed(`${path} contains no API key: set --api-key-file`, EXIT_CODES.usage)
  }
}
