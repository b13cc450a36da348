// A process that writes numbered commits from several callers and says on its standard output, before going on, what
// was answered:
//   `<n>` acknowledged, `fatal` the store failed, `late <n>` acknowledged after that (which must never happen), `tried`
// see below. `forever PATH [FIRST]` writes until killed. `fill PATH` writes until the store fails, then goes on trying;
// after a line on its input (space was freed) it tries 50 times more, says so, and waits to be killed. `raw PATH` does
// the same to LevelDB itself, ignoring errors.

import { once } from 'node:events'
import { keyOf } from '../../snapshots/keys.ts'
import { openLevelDisk } from '../../snapshots/level-disk.ts'
import { openStore } from '../../snapshots/level-store.ts'
import { textOf } from '../../snapshots/rows.ts'
import { say } from './say.ts'
import { numbered } from './units.ts'

const CALLERS = 8
const [mode, path = '', first = '0'] = process.argv.slice(2)

let next = Number(first)
let hasFailed = false

async function commitWith(commit: (n: number) => Promise<void>): Promise<void> {
  const n = next++
  try {
    await commit(n)
    say(hasFailed ? `late ${n}` : String(n))
  } catch {
    if (!hasFailed) say('fatal')
    hasFailed = true
  }
}

async function committer(): Promise<(n: number) => Promise<void>> {
  if (mode === 'raw') {
    const disk = await openLevelDisk(path)
    return (n) =>
      disk.write(
        numbered(n).flatMap((part) => part.ops.map((op) => ({ type: 'put', key: keyOf(op), value: textOf(op)! }))),
        { sync: true },
      )
  }
  const store = await openStore({ path, onFatal: () => undefined })
  return (n) => store.commit(numbered(n))
}

const commit = await committer()
await Promise.all(
  Array.from({ length: CALLERS }, async () => {
    while (mode === 'forever' || !hasFailed) await commitWith(commit)
  }),
)
for (let more = 0; more < 50; more += 1) await commitWith(commit)
say('tried')
await once(process.stdin, 'data')
for (let more = 0; more < 50; more += 1) await commitWith(commit)
say('tried')
await once(process.stdin, 'end')
