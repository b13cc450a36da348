// The thread of a process that gets the lower priority, by the statistics of the system about its threads.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { scratch } from './scratch.ts'

const PROCESS = join(import.meta.dirname, 'compacting-process.ts')

// Only Linux lists the threads of a process with their priorities.
describe.skipIf(process.platform !== 'linux')('the thread that compacts', () => {
  it('is the only one with a lower priority, however many databases there are', () => {
    const path = join(scratch(), 'store')
    const text = execFileSync(process.execPath, ['--import', 'tsx', PROCESS, path], { encoding: 'utf8' })
    const { ticks, afterwards } = JSON.parse(text) as { ticks: readonly number[]; afterwards: number }
    expect(ticks).toHaveLength(1)
    expect(ticks[0]).toBeGreaterThan(0)
    expect(afterwards).toBe(1)
  })
})
