// The counts of one request: the functions of the product that ran, and each lookup of the directory once, before and
// after the first write; neither periodic work nor work without any request.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { callsIn, common, grouped, fileOf, sumsOf, together, total, type Observed } from '../../bench/paths/observed.ts'
import { openObserver } from '../../bench/paths/observer.ts'
import { childEnvironment } from '../../src/config/environment.ts'

const functionAt = (functionName: string, startOffset: number, count: number) => ({
  functionName,
  ranges: [
    { startOffset, count },
    { startOffset: startOffset + 1, count: count + 5 },
  ],
})

it('counts the calls of functions of the product that ran', () => {
  const scripts = [
    {
      url: 'file:///p/src/a.ts?v=1',
      functions: [functionAt('f', 10, 2), functionAt('', 20, 1), functionAt('g', 30, 0)],
    },
    { url: 'file:///p/machines/b.ts', functions: [functionAt('f', 10, 3), functionAt('__name', 0, 9)] },
    { url: 'file:///p/node_modules/src/c.ts', functions: [functionAt('f', 1, 1)] },
    { url: 'file:///p/bench/d.ts', functions: [functionAt('f', 1, 1)] },
    { url: 'node:fs', functions: [functionAt('f', 1, 1)] },
  ]
  const calls = callsIn(scripts, 'file:///p/')
  expect(calls).toEqual({ 'src/a.ts:10 f': 2, 'src/a.ts:20 (anonymous)': 1, 'machines/b.ts:10 f': 3 })
  expect(sumsOf(calls)).toEqual({ files: 2, functions: 3, calls: 6 })
  expect(grouped(calls, fileOf)).toEqual([
    ['src/a.ts', { files: 1, functions: 2, calls: 3 }],
    ['machines/b.ts', { files: 1, functions: 1, calls: 3 }],
  ])
})

it('leaves out functions that run in some requests only, and background functions', () => {
  const observed = (calls: Observed['calls'], lookups: Observed['lookups'] = {}): Observed => ({ calls, lookups })
  const requests = [observed({ f: 2, timer: 1, g: 3 }, { 'find < f': 2 }), observed({ f: 3, g: 3 }, { 'find < f': 3 })]
  expect(common(requests)).toEqual(observed({ f: 2, g: 3 }, { 'find < f': 2 }))
  expect(common(requests, [observed({ f: 1 }), observed({ g: 4 }, { 'find < f': 1 })])).toEqual(
    observed({ f: 1 }, { 'find < f': 1 }),
  )
  expect(together(requests)).toEqual(observed({ f: 5, timer: 1, g: 6 }, { 'find < f': 5 }))
})

it('observes a process: functions and lookups before and after its first write', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'holdfast-observed-'))
  const preload = new URL('../../bench/paths/observing.ts', import.meta.url).href
  const child = fork(join(import.meta.dirname, 'observed-fixture.ts'), ['serve'], {
    execArgv: ['--import', 'tsx', '--import', preload],
    env: { ...childEnvironment(), BENCH_OBSERVED_DIR: dir },
  })
  try {
    await once(child, 'message')
    using observer = await openObserver(dir)
    await observer.next()
    for (const _ of [1, 2]) {
      child.send('go')
      await once(child, 'message')
      const [before, after, ...others] = await observer.next()
      expect(others).toEqual([])
      expect(Object.keys(before!.lookups).map((each) => each.split(' < ')[0])).toEqual(['byId', 'first'])
      expect([total(before!.lookups), total(after!.lookups)]).toEqual([2, 1])
      const lookupsNamed = (calls: Observed['calls'], name: string) =>
        Object.keys(calls).filter((each) => each.startsWith('src/engine/index/') && each.endsWith(` ${name}`))
      expect([lookupsNamed(before!.calls, 'firstOwn').length, lookupsNamed(after!.calls, 'firstOwn').length]).toEqual([
        1, 0,
      ])
      expect([lookupsNamed(before!.calls, 'byId').length, lookupsNamed(after!.calls, 'byId').length]).toEqual([1, 1])
      expect(Object.keys(after!.calls).filter((each) => each.startsWith('bench/'))).toEqual([])
    }
  } finally {
    child.disconnect()
    rmSync(dir, { recursive: true, force: true })
  }
})
