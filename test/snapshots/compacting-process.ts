// A process that opens a database at the path in its arguments, compacts it, and prints the CPU time (ticks of the
// system) of its threads with a lower priority than its own, and whether another database changes which they are.
import { Level } from 'level'
import { readdirSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { openLowCompacting, type CompactableLevel } from '../../snapshots/compaction-priority.ts'

const [, , path = ''] = process.argv
const ROWS = 20_000
const ROW_BYTES = 1_000
const own = getPriority()

const level = new Level(path) as CompactableLevel
await openLowCompacting(level)
for (let at = 0; at < ROWS; at += 1) await level.put(String((at * 7_919) % ROWS), String(at).repeat(ROW_BYTES / 4))
await level.compactRange('0', '9')
const ticks = findLowered().map(ticksOf)
const other = new Level(`${path}-other`)
await openLowCompacting(other)
process.stdout.write(JSON.stringify({ ticks, afterwards: findLowered().length }))
await other.close()
await level.close()

function findLowered(): readonly string[] {
  return readdirSync('/proc/self/task').filter((thread) => getPriority(Number(thread)) > own)
}

function ticksOf(thread: string): number {
  const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'latin1')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return Number(fields[11]) + Number(fields[12])
}
