// The work of one definition is bounded, over all its jobs, and other work of the process runs between its tasks.
import { describe, expect, it } from 'vitest'
import { parseDecimal, power, printDecimal } from '../../src/oracle/decimal.ts'
import { JobOracle } from '../../src/oracle/oracle.ts'
import { big, http, json, tasks } from './jobs.ts'
import { worldOf } from './world.ts'

const TOO_MUCH = 'the jobs need too much computation'
const BASE = '1.0000000000000000000000000000000000001'
const LARGEST = { powTask: { scalar: 1_000 } }

const many = <T>(count: number, each: T): readonly T[] => Array.from({ length: count }, () => each)
/** Members of one task all start from the same value. */
const members = (count: number, task: object): object => ({ meanTask: { tasks: many(count, task) } })

/** The outcome, and the number of turns of the event loop that the jobs left to others. */
async function outcome(definition: object, pages: Readonly<Record<string, string>> = {}) {
  // A clock that advances with each look: no job depends on the speed of the machine.
  let now = 0
  const world = { ...worldOf(pages), elapsedMs: () => (now += 1) }
  const checked = new JobOracle(world).check(JSON.stringify(definition))
  if (!checked.ok) throw new Error(checked.reason)
  let [turns, isOver] = [0, false]
  const count = (): void => {
    turns += 1
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  const { value, error } = await checked.execute('PRICE')
  isOver = true
  return { value, error, turns }
}

describe('the work of a definition', () => {
  it('is limited over all its jobs, and leaves turns to others', async () => {
    const { value, error, turns } = await outcome(many(16, tasks(big(BASE), members(62, LARGEST))))
    expect(value).toBeNull()
    expect(error).toContain(TOO_MUCH)
    expect(turns).toBeGreaterThan(100)
  })

  it('may be 400 of the largest powers', async () => {
    const { value, error } = await outcome(many(16, tasks(big(BASE), members(25, LARGEST))))
    expect({ value, error }).toEqual({ value: '1.0000000000000000000000000000000001', error: null })
  })

  it('may be a page of 1 MiB in each of 8 jobs, read 10 times', async () => {
    const page = `[${'{"a":[1,2,3]},'.repeat(70_000)}{"a":[4]}]`
    const jobs = many(8, tasks(http('/page'), members(10, json('$[-1].a[0]'))))
    expect(await outcome(jobs, { '/page': page })).toMatchObject({ value: '4', error: null })
  })

  it.each([
    ['searches', { regexExtractTask: { pattern: '(?:x+x+)+([0-9])', groupNumber: 1 } }, `${'x'.repeat(700_000)}7`],
    ['filters', json('$[?(@.a == 2)].a'), `[${'1,'.repeat(500_000)}{"a":2}]`],
    ['aggregations', json('$[*]', 'MEDIAN'), `[${'7.1e50,'.repeat(9_999)}1]`],
  ])('counts %s', async (_, task, page) => {
    expect(await outcome(tasks(http('/page'), task), { '/page': page })).toMatchObject({ error: null })
    const { error, turns } = await outcome(many(8, tasks(http('/page'), members(40, task))), { '/page': page })
    expect(error).toContain(TOO_MUCH)
    expect(turns).toBeGreaterThan(4)
  })

  it('ends a text that grows beyond its limit before it is in memory', async () => {
    const item = (variableName: string, text: string): object => ({
      cacheTask: { cacheItems: [{ variableName, job: tasks({ valueTask: { utf8: text } }) }] },
    })
    // 8,000 times 64,000 characters are close to the longest string that exists.
    const grown = { valueTask: { utf8: '${B}'.repeat(7_500) } }
    const { error } = await outcome(tasks(item('A', 'x'.repeat(640)), item('B', '${A}'.repeat(100)), grown))
    expect(error).toContain('a text is longer than 65536 characters')
  })
})

it('a power of many digits has the digits of its exact value', () => {
  for (const [units, count] of [
    [10n ** 37n - 1n, 3],
    [10n ** 38n - 1n, 30],
    [10n ** 37n + 1n, 30],
    [123_456_789n, 99],
    [3n, 250],
  ] as const) {
    const exact = units ** BigInt(count)
    const length = exact.toString().length
    const base = parseDecimal(`${units}e-${units.toString().length - 1}`)!
    const result = printDecimal(power(base, parseDecimal(String(count))!)).replace('.', '')
    const unit = 10n ** BigInt(length - 38)
    const rounded = (exact + unit / 2n) / unit
    expect(result.padEnd(38, '0').slice(0, 38), `${units}^${count}`).toBe(rounded.toString().slice(0, 38))
  }
})
