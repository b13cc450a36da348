// The two pictures of how the service works: its floors, and the way of a transfer. They are charts like those of the machines.
import type { Chart, ChartArrow, ChartState } from '../../../drawings/chart.ts'
import { drawChart } from '../../../drawings/svg.ts'

interface Box {
  readonly name: string
  readonly lines: readonly string[]
}

/** From the top. The folders are those of the table in `src/docs/architecture.md`. */
export const FLOORS: readonly Box[] = [
  { name: '5 src/http', lines: ['endpoints, schemas, errors,', 'these pages'] },
  { name: '4 src/operations', lines: ['one file for each operation', 'src/lending, src/oracle:', 'loans, prices'] },
  { name: '3 src/engine', lines: ['hosts the machines: units of', 'work, indexes, settlement,', 'recovery'] },
  { name: '2 src/chain, src/keys', lines: ['the cluster, keys;', 'src/telemetry, src/config:', 'log, metrics, settings'] },
  { name: '1 snapshots', lines: ['the store: one atomic, synced', 'write for many requests'] },
  { name: '0 machines', lines: ['the rulebook: state machines', 'and exact amounts, pure'] },
]

const WAY: readonly Box[] = [
  { name: '1 The request arrives', lines: ['with an API key, and the', 'key of the request itself'] },
  { name: '2 It is checked', lines: ['who, how often, what right;', 'every member of the body'] },
  { name: '3 One stretch', lines: ['limits, approvals, books;', 'set aside, build, sign;', 'nothing comes in between'] },
  { name: '4 One write', lines: ['records, books, the key and', 'the signed bytes: all on', 'disk, or nothing at all'] },
  { name: '5 It is sent', lines: ['always the same bytes,', 'again until there is proof'] },
  { name: '6 The chain has it', lines: ['confirmed: the books move', 'finalized: for good'] },
  { name: '6 It cannot land', lines: ['proven: what was set aside', 'is free again'] },
  { name: 'Refused', lines: ['nothing was signed,', 'nothing is kept'] },
]

const STEPS: readonly ChartArrow[] = [
  step(0, 1),
  step(1, 2),
  step(1, 7, 'not allowed'),
  step(2, 3),
  step(2, 7, 'a rule says no'),
  step(3, 4, 'after a crash: from here'),
  step(4, 5, 'seen by the chain'),
  step(5, 4, 'its fork died'),
  step(4, 6, 'expiry proven'),
]

function step(from: number, to: number, ...words: readonly string[]): ChartArrow {
  return { from: WAY[from]!.name, to: WAY[to]!.name, events: words }
}

export function floorsPicture(): string {
  const down = FLOORS.slice(1).map(({ name }, index) => ({ from: FLOORS[index]!.name, to: name, events: ['imports'] }))
  return drawChart(chart('floors', FLOORS, down), 'The floors of the service: each imports from those below it only')
}

export function wayPicture(): string {
  return drawChart(chart('transfer', WAY, STEPS), 'The way of a transfer, from the request to its end')
}

function chart(id: string, boxes: readonly Box[], arrows: readonly ChartArrow[]): Chart {
  const inside = boxes.map(({ name, lines }): ChartState => ({ ...EMPTY, path: name, key: name, stays: lines }))
  return { id, root: { ...EMPTY, path: '', key: id, kind: 'group', inside }, arrows }
}

const EMPTY: ChartState = { path: '', key: '', kind: 'plain', about: '', tags: [], stays: [], inside: [], begins: null }
