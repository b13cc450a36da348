// What nodes logged, when a test of them has failed.
import { afterEach } from 'vitest'
import type { NodeProcess } from '../cluster-fixture.ts'

const LAST_LINES = 60

/** For every test of the file. */
export function showNodesOnFailure(nodes: () => readonly NodeProcess[]): void {
  afterEach(({ task }) => {
    if (task.result?.state !== 'fail') return
    for (const { name, lines, hasEnded } of nodes())
      process.stderr.write(`${name}${hasEnded ? ', which has ended' : ''}:\n${lines.slice(-LAST_LINES).join('\n')}\n`)
  })
}
