// The commands for a service of several nodes: who lives, who owns the cell, and orders to hand it over. They ask the
// database, so that they work whichever node is away.
import type { Command } from 'commander'
import { EXIT_CODES } from '../config/exit-codes.ts'
import type { Settings } from '../config/settings.ts'
import type { NodeRows } from '../nodes/node-rows.ts'
import { MAIN_CELL } from '../../snapshots/postgres/schema.ts'
import { CommandFailed } from './command-failed.ts'
import { examples, print, type DataOptions, type SettingsFor } from './keeping.ts'

const BOUND_MS = 5_000
const WAIT_MS = 5_000
const LOOK_MS = 200
const QUIET = { warn: () => undefined }
/** A hand-over waits for open requests, and the new owner loads its records. */
const HAND_OVER_MS = 120_000
const LATER = 'all tenants are in the one cell main in this release'

export function nodeCommands(program: Command, settingsFor: SettingsFor): void {
  const nodes = program
    .command('nodes')
    .summary('manage the nodes of a service on several machines')
    .description('Manages the nodes of a service on several machines (HOLDFAST_STORE=postgres://...).')
  common(nodes.command('list'))
    .description('Lists the live nodes.')
    .addHelpText('after', examples('holdfast nodes list --json'))
    .action(async (options: DataOptions) => {
      const live = await withRows(settingsFor(options), (rows) => rows.live())
      print({ nodes: live }, options, () =>
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
      const cells = await withRows(settingsFor(options), async (rows) => {
        if (!(await rows.drain(node))) throw new CommandFailed(`no live node has the id ${node}`, EXIT_CODES.usage)
        const others = (await rows.live()).filter(({ id, draining }) => id !== node && !draining)
        return await (others.length === 0
          ? ownersNow(rows)
          : newOwners(rows, (owner) => owner !== null && owner !== node))
      })
      const isOwner = cells.some(({ owner }) => owner === node)
      const text = isOwner ? `${node} is draining; no other node can take over` : `${node} is drained`
      const owner = cells.find(({ cell }) => cell === MAIN_CELL)?.owner ?? null
      print({ node, owner, cells }, options, () => [text])
    })
}

export function cellCommands(program: Command, settingsFor: SettingsFor): void {
  const cells = program
    .command('cells')
    .summary('show and move the ownership of cells')
    .description('Shows which node owns a cell, with its tenants, and hands it over.')
  common(cells.command('list'))
    .description('Lists the cells with their owners.')
    .addHelpText('after', examples('holdfast cells list'))
    .action(async (options: DataOptions) => {
      const found = await withRows(settingsFor(options), (rows) => rows.cells())
      print({ cells: found }, options, () =>
        found.map(({ cell, epoch, owner, lostHistory }) =>
          [cell, owner?.id ?? '-', `epoch ${epoch}`, ...(lostHistory === null ? [] : [lostHistory])].join('\t'),
        ),
      )
    })
  common(cells.command('hand-over'))
    .description('Hands a cell over to a live node, in order: open requests end first, and no request is lost.')
    .argument('<cell>')
    .argument('<node>')
    .addHelpText('after', examples('holdfast cells hand-over main node-3'))
    .action(async (cell: string, node: string, options: DataOptions) => {
      await withRows(settingsFor(options), (rows) => handOver(rows, cell, node))
      print({ cell, node }, options, () => [`${node} owns ${cell}`])
    })
  for (const name of ['create', 'move'])
    common(cells.command(name))
      .description(`Refused: ${LATER}.`)
      .argument('[names...]')
      .action(() => {
        throw new CommandFailed(`cells ${name} is not possible: ${LATER}`, EXIT_CODES.usage)
      })
}

function common(command: Command): Command {
  return command
    .option('--store <url>', 'database of the service: postgres://...; default: HOLDFAST_STORE')
    .option('--json', 'print the answer as JSON')
}

async function handOver(rows: NodeRows, cell: string, node: string): Promise<void> {
  const found = (await rows.cells()).find((each) => each.cell === cell)
  if (found === undefined) throw new CommandFailed(`there is no cell ${cell}: ${LATER}`, EXIT_CODES.usage)
  if (found.owner?.id === node) throw new CommandFailed(`${node} owns ${cell} already`, EXIT_CODES.usage)
  if (!(await rows.live()).some(({ id }) => id === node))
    throw new CommandFailed(`no live node has the id ${node}`, EXIT_CODES.usage)
  await rows.want(cell, node)
  await newOwners(rows, (owner, of) => of !== cell || owner === node)
}

interface OwnedCell {
  readonly cell: string
  readonly owner: string | null
}

async function ownersNow(rows: NodeRows): Promise<readonly OwnedCell[]> {
  return (await rows.cells()).map(({ cell, owner }) => ({ cell, owner: owner?.id ?? null }))
}

/** Waits until the owner of every cell is as wanted. */
async function newOwners(
  rows: NodeRows,
  isIt: (owner: string | null, cell: string) => boolean,
): Promise<readonly OwnedCell[]> {
  const lastMs = performance.now() + HAND_OVER_MS
  for (;;) {
    const cells = await ownersNow(rows)
    const wrong = cells.find(({ cell, owner }) => !isIt(owner, cell))
    if (wrong === undefined) return cells
    if (performance.now() > lastMs) {
      const what = `the cell ${wrong.cell} was not handed over in ${HAND_OVER_MS / 1_000} s`
      throw new CommandFailed(`${what}: ${wrong.owner ?? 'nobody'} owns it`)
    }
    await new Promise((resolve) => void setTimeout(resolve, LOOK_MS))
  }
}

/** Rejects with CommandFailed when the settings name no database. */
async function withRows<Result>(settings: Settings, work: (rows: NodeRows) => Promise<Result>): Promise<Result> {
  if (settings.store === 'level')
    throw new CommandFailed('HOLDFAST_STORE names no database: one process owns all tenants', EXIT_CODES.usage)
  const { NodeRows } = await import('../nodes/node-rows.ts')
  const { openSharedDatabase } = await import('../config/shared-database.ts')
  const database = await openSharedDatabase(settings, QUIET, WAIT_MS)
  const lane = database.lane()
  try {
    return await work(new NodeRows(lane, BOUND_MS))
  } finally {
    lane.destroy()
    database.close()
  }
}
