// The commands for API keys, and for the master key.
import { InvalidArgumentError, type Command } from 'commander'
import { EXIT_CODES } from '../config/exit-codes.ts'
import { CommandFailed } from './command-failed.ts'
import { askForAll, askService, asksService, type RestOptions } from './connect.ts'
import { examples, print, type DataOptions, type SettingsFor } from './backup-commands.ts'

interface ApiKey {
  readonly keyId: string
  /** Shown once. */
  readonly apiKey?: string
  /** If an approval policy holds the change back. */
  readonly pendingChange?: { readonly offchainId: string }
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

export function keyCommands(program: Command, settingsFor: SettingsFor): void {
  const keys = program
    .command('keys')
    .summary('manage API keys and the master key')
    .description('Manages API keys of the running service, and the master key.')
  const change = (options: RestOptions, method: 'POST' | 'PATCH', path: string, itemData: object): Promise<ApiKey> => {
    const question = { method, path: `admin/api-keys${path}`, body: { itemData }, member: 'keyId' }
    return askService<ApiKey>(settingsFor, options, question)
  }

  asksService(keys.command('list'))
    .description('Lists the API keys that the caller may read, without their secrets.')
    .addHelpText('after', examples('holdfast keys list'))
    .action(async (options: RestOptions) => {
      const list = await askForAll(settingsFor, options, 'admin/api-keys/bulk')
      print(list, options, ({ items }) => (items as readonly ListedKey[]).map(lineOf))
    })
  asksService(keys.command('create'))
    .description('Creates an API key and prints it once, alone on stdout.')
    .requiredOption('--org <externalId>', 'organization that the key acts for')
    .requiredOption('--name <name>', 'purpose of the key')
    .option('--roles <roles>', 'comma-separated')
    .option('--bundle <bundle>', 'VIEWER, OPERATOR or ADMIN instead of roles')
    .option('--expires-at <time>', 'ISO 8601')
    .addHelpText('after', examples('holdfast keys create --org BANK --name reports --bundle VIEWER'))
    .action(async (options: NewKeyOptions) => {
      const { org, name, roles, bundle, expiresAt } = options
      if ((roles === undefined) === (bundle === undefined))
        throw new CommandFailed('exactly one of --roles and --bundle is required', EXIT_CODES.usage)
      const rights = roles === undefined ? { bundle } : { roles: roles.split(',').map((role) => role.trim()) }
      const itemData = {
        organizationExternalId: org,
        name,
        ...rights,
        ...(expiresAt === undefined ? {} : { expiresAt }),
      }
      printKey(await change(options, 'POST', '', itemData), options)
    })
  asksService(keys.command('rotate'))
    .description('Replaces the secret of an API key, and prints the new key once.')
    .argument('<keyId>')
    .option('--grace <seconds>', 'period for which the previous secret stays valid', seconds)
    .addHelpText('after', examples('holdfast keys rotate 4fTq0c2LrW9x --grace 3600'))
    .action(async (keyId: string, options: RestOptions & { readonly grace?: number }) => {
      const itemData = { keyId, ...(options.grace === undefined ? {} : { graceSeconds: options.grace }) }
      printKey(await change(options, 'PATCH', '/rotate', itemData), options)
    })
  asksService(keys.command('disable'))
    .description('Disables an API key.')
    .argument('<keyId>')
    .addHelpText('after', examples('holdfast keys disable 4fTq0c2LrW9x'))
    .action(async (keyId: string, options: RestOptions) => {
      print(await change(options, 'PATCH', '/disable', { keyId }), options, () => [`${keyId} is disabled`])
    })
  rotateMaster(keys, settingsFor)
}

function rotateMaster(keys: Command, settingsFor: SettingsFor): void {
  keys
    .command('rotate-master')
    .summary('rotate the master key without downtime')
    .description(
      'Seals all secrets under a new master key. If a file holds the key, a new key is generated and written to it; if a setting holds it, ' +
        'HOLDFAST_MASTER_KEY_NEXT is the new key. The running service performs the rotation, or this command if no service runs.',
    )
    .option('--data-dir <dir>', 'data directory; default: HOLDFAST_DATA_DIR')
    .addHelpText('after', examples('holdfast keys rotate-master'))
    .action(async (options: DataOptions) => {
      const settings = settingsFor(options)
      const [{ rotateMaster }, { createLog }] = await Promise.all([
        import('./rotate-master.ts'),
        import('../telemetry/log.ts'),
      ])
      console.log(await rotateMaster(settings, createLog({ level: settings.logLevel })))
      process.exit(EXIT_CODES.done)
    })
}

function printKey(key: ApiKey, options: RestOptions): void {
  const { keyId, apiKey, pendingChange } = key
  print(key, options, () => [apiKey ?? `${keyId}: its secret was printed before`])
  if (pendingChange === undefined) return
  console.error(`holdfast: this key opens nothing until pending change ${pendingChange.offchainId} is approved`)
}

function lineOf({ keyId, name, organizationExternalId, disabled, expiresAt, lastUsedAt }: ListedKey): string {
  const state = disabled ? 'disabled' : expiresAt === null ? 'enabled' : `until ${expiresAt}`
  return [keyId, organizationExternalId, state, lastUsedAt ?? 'never used', name].join('\t')
}

function seconds(text: string): number {
  if (!/^\d{1,7}$/.test(text)) throw new InvalidArgumentError('It must be a whole number of seconds.')
  return Number(text)
}
