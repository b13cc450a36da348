// The commands for cells: show the owner of a cell, hand a cell over, create a cell, move a tenant to another cell.
// They use the database, so they work even if some nodes are down. Without a database, they work on the data directory
// of a stopped service.
import type { Command } from 'commander'
import type { Settings } from '../../config/settings.ts'
import type { NodeRows, CellRest } from '../../nodes/node-rows.ts'
import { examples, print, type DataOptions, type SettingsFor } from '../backup-commands.ts'
import { common, withShared } from './shared-service.ts'

export function cellCommands(program: Command, settingsFor: SettingsFor): void {
  const cells = program
    .command('cells')
    .summary('show, make and hand over cells, and move tenants between them')
    .description(
      'Shows which node owns each cell and which tenants are in it, hands cells over, creates them, and moves tenants.',
    )
  listCommand(cells, settingsFor)
  handOverCommand(cells, settingsFor)
  inDirectory(cells.command('create'))
    .description(
      'Makes a cell without tenants. A node then claims it; without a database, the service must be stopped.',
    )
    .argument('<cell>', 'its name: up to 40 letters, digits and hyphens')
    .addHelpText('after', examples('holdfast cells create red'))
    .action(async (cell: string, options: DataOptions) => {
      const settings = settingsFor(options)
      if (settings.store === 'level') {
        const { createInDirectory } = await import('./in-directory.ts')
        await createInDirectory(settings.dataDir, cell)
        print({ cell, owner: null }, options, () => [
          `${cell} is there from the next start with HOLDFAST_WORKERS above 1 and an empty HOLDFAST_PLAYERS`,
        ])
        return
      }
      const { createCell } = await import('./create-cell.ts')
      const owner = await withShared(settings, (shared) => createCell(shared, cell))
      print({ cell, owner }, options, () => [`${owner ?? 'nobody'} owns ${cell}`])
    })
  inDirectory(cells.command('move'))
    .description(
      'Moves a tenant to another cell. Requests for the tenants of both cells wait meanwhile; without a database, the service must be stopped.',
    )
    .argument('<tenant>', 'external id of its root organization')
    .argument('<cell>')
    .addHelpText('after', examples('holdfast cells move ACME red'))
    .action(async (tenant: string, cell: string, options: DataOptions) => {
      const settings = settingsFor(options)
      const from = await moveCell(settings, tenant, cell)
      print({ tenant, from, cell }, options, () => [`${tenant} is in ${cell}`])
    })
}

function inDirectory(command: Command): Command {
  return common(command).option('--data-dir <dir>', 'data directory, without a database; default: HOLDFAST_DATA_DIR')
}

async function moveCell(settings: Settings, tenant: string, cell: string): Promise<string> {
  if (settings.store === 'level') {
    const { moveInDirectory } = await import('./in-directory.ts')
    return await moveInDirectory(settings.dataDir, tenant, cell)
  }
  const { moveToCell } = await import('./move-tenant.ts')
  return await withShared(settings, (shared) => moveToCell(shared, tenant, cell))
}

function listCommand(cells: Command, settingsFor: SettingsFor): void {
  inDirectory(cells.command('list'))
    .description('Lists the cells with their owners and numbers of tenants.')
    .addHelpText('after', examples('holdfast cells list'))
    .action(async (options: DataOptions) => {
      const settings = settingsFor(options)
      if (settings.store === 'level') {
        const { cellsInDirectory } = await import('./in-directory.ts')
        const cells = await cellsInDirectory(settings.dataDir)
        print({ cells }, options, () => cells.map(({ cell, tenants }) => [cell, countOf(tenants)].join('\t')))
        return
      }
      const { tenantCounts } = await import('../../../snapshots/postgres/searches.ts')
      const cells = await withShared(settings, async ({ rows, database }) => {
        const counts = await tenantCounts(database)
        return (await rows.cells()).map((cell) => ({ ...cell, tenants: counts.get(cell.cell) ?? 0 }))
      })
      print({ cells }, options, () => cells.map(lineOf))
    })
}

function lineOf({
  cell,
  epoch,
  owner,
  tenants,
  isHeld,
  lostHistory,
  rest,
  wanted,
}: Awaited<ReturnType<NodeRows['cells']>>[number] & {
  readonly tenants: number
}): string {
  const notes = [
    ...(rest === null ? [] : [restText(rest)]),
    ...(wanted === null || wanted === owner?.id ? [] : [`to be handed over to ${wanted}`]),
    ...(isHeld ? ['held: a tenant is being moved'] : []),
    ...(lostHistory === null ? [] : [lostHistory]),
  ]
  return [cell, owner?.id ?? '-', `epoch ${epoch}`, countOf(tenants), ...notes].join('\t')
}

const countOf = (tenants: number): string => (tenants === 1 ? '1 tenant' : `${tenants} tenants`)

function restText({ dueInMs }: CellRest): string {
  return dueInMs === null ? 'idle' : `idle: due in ${Math.max(0, Math.ceil(dueInMs / 1_000))} s`
}

function handOverCommand(cells: Command, settingsFor: SettingsFor): void {
  common(cells.command('hand-over'))
    .description(
      'Hands a cell over to a live node, in order: open requests end first, and no request is lost. With the owner itself it withdraws an open request.',
    )
    .argument('<cell>')
    .argument('<node>')
    .addHelpText('after', examples('holdfast cells hand-over main node-3'))
    .action(async (cell: string, node: string, options: DataOptions) => {
      const { handOver } = await import('./hand-over.ts')
      const withdrawn = await withShared(settingsFor(options), ({ rows }) => handOver(rows, cell, node))
      const rest = withdrawn === null ? '' : `: the request to hand it over to ${withdrawn} is withdrawn`
      print({ cell, node }, options, () => [`${node} owns ${cell}${rest}`])
    })
}
