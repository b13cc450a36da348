// The commands for the nodes of a service: list the live nodes, and make a node hand over its cells. They use the
// database, so they work even if some nodes are down.
import type { Command } from 'commander'
import { EXIT_CODES } from '../../config/exit-codes.ts'
import { MAIN_CELL } from '../../../snapshots/postgres/schema.ts'
import { CommandFailed } from '../command-failed.ts'
import { examples, print, type DataOptions, type SettingsFor } from '../backup-commands.ts'
import { common, newOwners, ownersNow, withShared } from './shared-service.ts'

export function nodeCommands(program: Command, settingsFor: SettingsFor): void {
  const nodes = program
    .command('nodes')
    .summary('manage the nodes of a service on several machines')
    .description('Manages the nodes of a service on several machines (HOLDFAST_STORE=postgres://...).')
  common(nodes.command('list'))
    .description('Lists the live nodes.')
    .addHelpText('after', examples('holdfast nodes list --json'))
    .action(async (options: DataOptions) => {
      const live = await withShared(settingsFor(options), ({ rows }) => rows.live())
      const nodes = live.map(({ secretTag: _, ...shown }) => shown)
      print({ nodes }, options, () =>
        live.map(({ id, url, release, draining, leftMs }) =>
          [id, url, release, draining ? 'draining' : 'serving', `${leftMs} ms left`].join('\t'),
        ),
      )
    })
  common(nodes.command('drain'))
    .description('Lets a node hand over what it owns and take nothing more, until it is started again.')
    .argument('<node>')
    .addHelpText('after', examples('holdfast nodes drain node-2'))
    .action(async (node: string, options: DataOptions) => {
      const cells = await withShared(settingsFor(options), async ({ rows }) => {
        if (!(await rows.drain(node))) throw new CommandFailed(`no live node has the id ${node}`, EXIT_CODES.usage)
        const others = (await rows.live()).filter(({ id, draining }) => id !== node && !draining)
        return await (others.length === 0
          ? ownersNow(rows)
          : newOwners(rows, ({ owner, idle }) => idle || (owner !== null && owner !== node)))
      })
      const isOwner = cells.some(({ owner }) => owner === node)
      const text = isOwner ? `${node} is draining; no other node can take over` : `${node} is drained`
      const owner = cells.find(({ cell }) => cell === MAIN_CELL)?.owner ?? null
      print({ node, owner, cells }, options, () => [text])
    })
}
