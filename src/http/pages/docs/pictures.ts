// The two drawings of the page "How it works": the layers of the service, and a transfer in six steps.
import type { Chart, ChartArrow, ChartState } from '../../../drawings/chart.ts'
import { drawChart } from '../../../drawings/svg.ts'

interface Box {
  readonly name: string
  readonly lines: readonly string[]
}

/** From the top layer down. The folders are those of the table in `src/docs/architecture.md`. */
export const FLOORS: readonly Box[] = [
  { name: '5 src/http', lines: ['endpoints, schemas, errors,', 'these pages'] },
  {
    name: '4 src/operations',
    lines: ['one file for each operation', 'src/contract: its terms;', 'src/lending, src/oracle:', 'loans, prices'],
  },
  { name: '3 src/engine', lines: ['hosts the machines: units of', 'work, indexes, settlement,', 'recovery'] },
  {
    name: '2 src/rpc, src/submission',
    lines: [
      'the cluster; src/embedded,',
      'src/solana: its bytes;',
      'src/keys: signers; src/time,',
      'src/config, src/telemetry,',
      'src/nodes, src/import-files,',
      'src/qr',
    ],
  },
  { name: '1 snapshots', lines: ['the store: one atomic, synced', 'write for many requests'] },
  { name: '0 machines', lines: ['the rules: state machines', 'and exact amounts, pure'] },
]

const WAY: readonly Box[] = [
  { name: '1 The request arrives', lines: ['with an API key and an', 'idempotency key'] },
  { name: '2 The request is checked', lines: ['caller, rate, rights;', 'every member of the body'] },
  {
    name: '3 One unit of work',
    lines: ['limits, approvals, balances;', 'reserve, build, sign;', 'without interruption'],
  },
  { name: '4 One write', lines: ['records, idempotency key,', 'signed bytes: all on', 'disk, or none'] },
  { name: '5 The bytes are sent', lines: ['always the same bytes,', 'resent until proof'] },
  { name: '6 The transaction landed', lines: ['confirmed: balances change', 'finalized: irreversible'] },
  { name: '6 It cannot land', lines: ['proven: the reservation', 'is released'] },
  { name: 'Refused', lines: ['no record changes,', 'no signature leaves'] },
]

const STEPS: readonly ChartArrow[] = [
  step(0, 1),
  step(1, 2),
  step(1, 7, 'not allowed'),
  step(2, 3),
  step(2, 7, 'a rule rejects'),
  step(3, 4, 'after a crash: from here'),
  step(4, 5, 'seen on chain'),
  step(5, 4, 'its fork died'),
  step(4, 6, 'expiry proven'),
]

function step(from: number, to: number, ...words: readonly string[]): ChartArrow {
  return { from: WAY[from]!.name, to: WAY[to]!.name, events: words }
}

export function floorsPicture(): string {
  const down = FLOORS.slice(1).map(({ name }, index) => ({ from: FLOORS[index]!.name, to: name, events: ['imports'] }))
  return drawChart(chart('floors', FLOORS, down), 'The layers of the service: each imports only from the layers below')
}

export function transferPicture(): string {
  return drawChart(chart('transfer', WAY, STEPS), 'A transfer, from the request to its outcome')
}

function chart(id: string, boxes: readonly Box[], arrows: readonly ChartArrow[]): Chart {
  const inside = boxes.map(({ name, lines }): ChartState => ({ ...EMPTY, path: name, key: name, stays: lines }))
  return { id, root: { ...EMPTY, path: '', key: id, kind: 'group', inside }, arrows }
}

const EMPTY: ChartState = { path: '', key: '', kind: 'plain', about: '', tags: [], stays: [], inside: [], begins: null }
