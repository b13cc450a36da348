// The commands for API keys, and for the master key.
import { InvalidArgumentError, type Command } from 'commander'
import { EXIT_CODES } from '../config/exit-codes.ts'
import { createLog } from '../telemetry/log.ts'
import { CommandFailed } from './command-failed.ts'
import { askService, asksService, type RestOptions } from './connect.ts'
import { examples, print, type DataOptions, type SettingsFor } from './keeping.ts'

interface ApiKey {
  readonly keyId: string
  /** Shown once. */
  readonly apiKey?: string
}

interface ListedKey {
  readonly keyId: string
  readonly name: string
  readonly organizationExternalId: string
  readonly disabled: boolean
  readonly expiresAt: string | null
  readonly lastUsedAt: string | null
}

interface NewKeyOptions extends RestOptions {
  readonly org: string
  readonly name: string
  readonly roles?: string
  readonly bundle?: string
  readonly expiresAt?: string
}

export const MOST_LISTED = 1_000

export function keyCommands(program: Command, settingsFor: SettingsFor): void {
  const keys = program
    .command('keys')
    .summary('API keys, and the master key')
    .description('API keys of the running service, and the master key.')
  const ask = <Body>(options: RestOptions, method: 'POST' | 'PATCH', path: string, body: object): Promise<Body> =>
    askService<Body>(settingsFor, options, method, `admin/api-keys${path}`, body)

  asksService(keys.command('list'))
    .description('Lists the API keys that the caller may see, never their secrets.')
    .addHelpText('after', examples('holdfast keys list'))
    .action(async (options: RestOptions) => {
      const found = await ask<{ items: readonly ListedKey[] }>(options, 'POST', '/bulk', { itemQuery: { limit: MOST_LISTED } })
      print(found, options, ({ items }) => items.map(lineOf))
    })
  asksService(keys.command('create'))
    .description('Creates an API key and shows it once, alone on stdout.')
    .requiredOption('--org <externalId>', 'organization that it acts for')
    .requiredOption('--name <name>', 'what it is for')
    .option('--roles <roles>', 'comma-separated')
    .option('--bundle <bundle>', 'VIEWER, OPERATOR or ADMIN in place of roles')
    .option('--expires-at <time>', 'ISO 8601')
    .addHelpText('after', examples('holdfast keys create --org BANK --name reports --bundle VIEWER'))
    .action(async (options: NewKeyOptions) => {
      const { org, name, roles, bundle, expiresAt } = options
      if ((roles === undefined) === (bundle === undefined)) throw new CommandFailed('give --roles or --bundle', EXIT_CODES.usage)
      const rights = roles === undefined ? { bundle } : { roles: roles.split(',').map((role) => role.trim()) }
      const itemData = { organizationExternalId: org, name, ...rights, ...(expiresAt === undefined ? {} : { expiresAt }) }
      print(await ask<ApiKey>(options, 'POST', '', { itemData }), options, secretLine)
    })
  asksService(keys.command('rotate'))
    .description('Gives an API key another secret, and shows it once.')
    .argument('<keyId>')
    .option('--grace <seconds>', 'how long the secret before works on', seconds)
    .addHelpText('after', examples('holdfast keys rotate 4fTq0c2LrW9x --grace 3600'))
    .action(async (keyId: string, options: RestOptions & { readonly grace?: number }) => {
      const itemData = { keyId, ...(options.grace === undefined ? {} : { graceSeconds: options.grace }) }
      print(await ask<ApiKey>(options, 'PATCH', '/rotate', { itemData }), options, secretLine)
    })
  asksService(keys.command('disable'))
    .description('Ends an API key.')
    .argument('<keyId>')
    .addHelpText('after', examples('holdfast keys disable 4fTq0c2LrW9x'))
    .action(async (keyId: string, options: RestOptions) => {
      print(await ask<ApiKey>(options, 'PATCH', '/disable', { itemData: { keyId } }), options, () => [`${keyId} is disabled`])
    })
  rotateMaster(keys, settingsFor)
}

function rotateMaster(keys: Command, settingsFor: SettingsFor): void {
  keys
    .command('rotate-master')
    .summary('another master key, without a pause of the service')
    .description(
      'Wraps everything that is sealed under a new master key. Where a file holds the key, a new one is made and put there; where it is a setting, ' +
        'HOLDFAST_MASTER_KEY_NEXT is the new one. A running service carries it out; where none runs, this command does.',
    )
    .option('--data-dir <dir>', 'data directory; HOLDFAST_DATA_DIR unless given')
    .addHelpText('after', examples('holdfast keys rotate-master'))
    .action(async (options: DataOptions) => {
      const settings = settingsFor(options)
      const program = await import('./rotate-master.ts')
      console.log(await program.rotateMaster(settings, createLog({ level: settings.logLevel })))
      process.exit(EXIT_CODES.done)
    })
}

const secretLine = ({ keyId, apiKey }: ApiKey): string[] => [apiKey ?? `${keyId}: its secret was shown before`]

function lineOf({ keyId, name, organizationExternalId, disabled, expiresAt, lastUsedAt }: ListedKey): string {
  const state = disabled ? 'disabled' : expiresAt === null ? 'enabled' : `until ${expiresAt}`
  return [keyId, organizationExternalId, state, lastUsedAt ?? 'never used', name].join('\t')
}

function seconds(text: string): number {
  if (!/^\d{1,7}$/.test(text)) throw new InvalidArgumentError('It must be a whole number of seconds.')
  return Number(text)
}
