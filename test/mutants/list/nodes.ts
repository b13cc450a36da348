// What a node does with a cell, and what it says of itself.
import { mutantOf, type Mutant } from '../mutant.ts'

const LOOKUPS = 'src/service/cached-lookups.ts'
const FOUND = { file: 'test/service/cell-finder.test.ts' }

const mutant = mutantOf('nodes')

export const NODES: readonly Mutant[] = [
  mutant(
    'a node continues with a cell that another node has claimed',
    'src/nodes/cell-ownership.ts',
    ['if (this.#isFenced(cell)) {', 'if (false) {'],
    { file: 'test/nodes/cell-ownership.test.ts', name: 'ends if the cell is' },
  ),
  mutant(
    'a node claims a cell that it cannot read at once again',
    'src/nodes/cell-ownership.ts',
    ['if (!isFree || !mayTry || ', 'if (!isFree || '],
    { file: 'test/nodes/cell-ownership.test.ts', name: 'after a time that doubles' },
  ),
  mutant(
    'a cell that cannot be read stays open in part',
    'src/service/undo.ts',
    ['for (const step of this.#steps.toReversed()) await step()', 'await Promise.resolve()'],
    { file: 'test/service/undo.test.ts' },
  ),
  mutant(
    'a cell is opened from rows of a newer release',
    'src/service/postgres-installation.ts',
    ['    await assertKnownRows(database)\n', ''],
    { file: 'test/postgres/server/cell-opening.test.ts', name: 'but not from rows of one' },
  ),
  mutant(
    'a free cell waits for a node that drains',
    'src/nodes/cell-ownership.ts',
    ['nodes.filter(({ draining }) => !draining),', 'nodes,'],
    { file: 'test/nodes/cell-ownership.test.ts', name: 'unless that one drains' },
  ),
  mutant(
    'a node is ready while no node serves a cell',
    'src/nodes/node-health.ts',
    ["owner: firstUnserved === undefined ? 'ok'", "owner: cells.length > 0 ? 'ok'"],
    { file: 'test/nodes/node-health.test.ts', name: 'after its start while no node serves a cell' },
  ),
  mutant(
    'a node that a restored backup does not know ends as one that is fenced',
    'src/nodes/member.ts',
    ['      // A restored backup has no row of this process either.\n      await this.#endIfLost()\n', ''],
    { file: 'test/nodes/member.test.ts', name: 'without a row of this process' },
  ),
  mutant(
    'a statement that was given up stays on the server',
    'snapshots/postgres/connection.ts',
    ["set_config(name, '2s', false)", "set_config(name, '0', false)"],
    { file: 'test/postgres/server/abandoned-statements.test.ts' },
  ),
  mutant(
    'each waiting request looks up its cell by itself',
    LOOKUPS,
    ['if (pending === undefined) return', 'if (pending?.isOutdated !== true) return'],
    FOUND,
  ),
  mutant(
    'a request gets the cell of a lookup from before a move',
    LOOKUPS,
    ['if (!pending.isOutdated) return', 'if (pending.next === null) return'],
    FOUND,
  ),
  mutant('a lookup from before a move is cached', LOOKUPS, ['?.isOutdated === false', ' !== undefined'], FOUND),
  mutant(
    'each statement opens a connection',
    'snapshots/postgres/database.ts',
    ['const MAX_STATEMENTS = 8', 'const MAX_STATEMENTS = 800'],
    { file: 'test/postgres/lookups.test.ts' },
  ),
  mutant(
    'an event stream of SYSTEM outlives the cell whose events it shows',
    'src/http/event-streams.ts',
    ['this.#open) if (of(logOf)) response.end()', 'this.#open) if (of(logOf) && logOf !== "ACME") response.end()'],
    { file: 'test/http/event-streams.test.ts', name: 'ends with the tenant whose events' },
  ),
  mutant(
    'the mark for lost commits is tried once',
    'snapshots/postgres/lost-history.ts',
    ['> MARKING_MS) throw', '> -MARKING_MS) throw'],
    { file: 'test/postgres/faults.test.ts', name: 'is marked again' },
  ),
  mutant(
    'a commit that is found applied is acknowledged before its standby has it',
    'snapshots/postgres/cell-writer.ts',
    ['const confirmed = await this.#query(CONFIRM, [this.#options.cell, head, id], attempt)', 'const confirmed = [id]'],
    { file: 'test/postgres/server/standby.test.ts', name: 'of one cell' },
  ),
]
