// The commands for organizations, over REST.
import type { Command } from 'commander'
import { askForAll, askService, asksService, type RestOptions } from './connect.ts'
import { examples, print, type SettingsFor } from './backup-commands.ts'

interface Organization {
  readonly externalId: string
  readonly name: string
  readonly parentExternalId: string | null
}

export function orgCommands(program: Command, settingsFor: SettingsFor): void {
  const orgs = program
    .command('orgs')
    .summary('manage organizations')
    .description('Manages organizations of the running service.')
  asksService(orgs.command('list'))
    .description('Lists the organizations that the caller may read.')
    .addHelpText('after', examples('holdfast orgs list --json'))
    .action(async (options: RestOptions) => {
      const list = await askForAll(settingsFor, options, 'admin/organizations/bulk')
      print(list, options, ({ items }) => (items as readonly Organization[]).map(lineOf))
    })
  asksService(orgs.command('create'))
    .description('Creates an organization; without a parent it becomes the root of a tenant.')
    .argument('<externalId>')
    .requiredOption('--name <name>', 'display name')
    .option('--parent <externalId>', 'root organization that becomes its parent')
    .addHelpText(
      'after',
      examples(
        'holdfast orgs create BANK --name "The bank"',
        'holdfast orgs create DESK --name "Trading desk" --parent BANK',
      ),
    )
    .action(async (externalId: string, options: RestOptions & { readonly name: string; readonly parent?: string }) => {
      const itemData = {
        externalId,
        name: options.name,
        ...(options.parent === undefined ? {} : { parentExternalId: options.parent }),
      }
      const organization = await askService<object>(settingsFor, options, {
        method: 'POST',
        path: 'admin/organizations',
        body: { itemData },
        member: 'externalId',
      })
      print(organization, options, () => [`${externalId} was created`])
    })
}

function lineOf({ externalId, parentExternalId, name }: Organization): string {
  return [externalId, parentExternalId ?? '-', name].join('\t')
}
