// The interpreter compared with a table of jobs whose results were computed by hand; the results of ratings; the
// requests of a job; its bounds of time.
import { describe, expect, it } from 'vitest'
import { JobOracle } from '../../src/oracle/oracle.ts'
import type { DataKind } from '../../src/contract/market-data.ts'
import { http, HTTP, json, NUMBERS, PATHS, tasks, TEXTS, utf8, value, type Row } from './jobs.ts'
import { ARRAYS, MALFORMED, PARTS, VARIABLES } from './more-jobs.ts'
import { HOST, PAGES, worldOf } from './world.ts'

const TABLE: Readonly<Record<string, readonly Row[]>> = {
  requests: HTTP,
  paths: PATHS,
  texts: TEXTS,
  numbers: NUMBERS,
  parts: PARTS,
  variables: VARIABLES,
  arrays: ARRAYS,
  malformed: MALFORMED,
}

async function outcome(definition: unknown, kind: DataKind = 'PRICE', world = worldOf()) {
  const checked = new JobOracle(world).check(typeof definition === 'string' ? definition : JSON.stringify(definition))
  return checked.ok
    ? { ...(await checked.execute(kind)), refused: null }
    : { value: null, error: null, jobs: [], refused: checked.reason }
}

describe.each(Object.entries(TABLE))('%s', (_, rows) => {
  it.each(rows)('%s', async (_what, definition, expected) => {
    const { value: jobValue, error, refused } = await outcome(definition)
    if (typeof expected === 'string')
      expect({ found: jobValue, error, refused }).toEqual({ found: expected, error: null, refused: null })
    else if ('fails' in expected)
      expect({ refused, error }).toEqual({ refused: null, error: expect.stringContaining(expected.fails) as string })
    else expect(refused).toContain(expected.refused)
  })
})

it('has at least 150 different jobs', () => {
  const rows = Object.values(TABLE).flat()
  expect(rows.length).toBeGreaterThanOrEqual(150)
  const distinct = new Set(rows.map(([, definition]) => JSON.stringify(definition)))
  expect(distinct.size).toBeGreaterThanOrEqual(150)
})

describe('a rating', () => {
  it('is the text that the job returns', async () => {
    const grades = { stringMapTask: { mappings: [{ key: 'aa-', value: 'AA-' }] } }
    expect((await outcome(tasks(http('/rating'), json('$.grade'), grades), 'RATING')).value).toBe('AA-')
    expect((await outcome(tasks(value(4.5)), 'RATING')).value).toBe('4.5')
  })

  it('fits into its account', async () => {
    expect((await outcome(tasks(utf8('x'.repeat(40))), 'RATING')).value).toBe('x'.repeat(40))
    for (const text of ['x'.repeat(41), 'a|b', 'naïve', '', '  ', 'a\nb']) {
      expect((await outcome(tasks(utf8(text)), 'RATING')).error, text).toContain('the result is no rating')
    }
  })

  it('is the value of more than half of the jobs', async () => {
    const say = (...texts: string[]) =>
      outcome(
        texts.map((text) => tasks(utf8(text))),
        'RATING',
      )
    expect((await say('A', 'B', 'A')).value).toBe('A')
    expect((await say('A', 'B')).error).toContain('disagree')
    // A weight does not make a minority of the jobs a majority.
    const heavy = { ...tasks(utf8('A')), weight: 3 }
    expect((await outcome([heavy, tasks(utf8('B')), tasks(utf8('B'))], 'RATING')).value).toBe('B')
  })
})

describe('a request', () => {
  it('contains exactly what the job defines, within the limits', async () => {
    const world = worldOf()
    const headers = [{ key: 'X-Key', value: 'secret' }]
    await outcome(tasks(http('/number', { method: 'METHOD_POST', headers, body: '{"a":1}' })), 'PRICE', world)
    expect(world.requests).toEqual([
      {
        url: `${HOST}/number`,
        method: 'POST',
        headers: { 'X-Key': 'secret' },
        body: '{"a":1}',
        maxBytes: 1_048_576,
        timeoutMs: 5_000,
      },
    ])
  })

  it('does not quote an answer in an error', async () => {
    const secret = { ...PAGES, '/inside': '{"token":"hunter2"}' }
    for (const job of [
      tasks(http('/inside')),
      tasks(http('/inside'), json('$.x')),
      tasks(http('/inside'), json('$.token')),
      tasks(http('/inside'), { roundTask: {} }),
    ]) {
      const { error, jobs } = await outcome(job, 'PRICE', worldOf(secret))
      expect(error).not.toBeNull()
      expect(JSON.stringify([error, jobs])).not.toContain('hunter2')
    }
  })

  it('is limited to its share of the time of its job', async () => {
    const pages = { ...PAGES, '/slow': '1' }
    const slow = await outcome(tasks(http('/slow')), 'PRICE', worldOf(pages, { '/slow': 6_000 }))
    expect(slow.error).toContain('it takes too long')
    const world = worldOf(pages, { '/slow': 4_900 })
    const long = await outcome(tasks(...Array.from({ length: 8 }, () => http('/slow'))), 'PRICE', world)
    expect(long.error).toContain('it takes too long')
    expect(world.requests.length).toBeLessThan(5)
    expect(world.requests.at(-1)!.timeoutMs).toBeLessThan(1_000)
  })
})

describe('the hash of a definition', () => {
  const hashOf = (text: string): string => {
    const checked = new JobOracle(worldOf()).check(text)
    if (!checked.ok) throw new Error(checked.reason)
    return checked.hash
  }

  it('is of the canonical JSON: white space and the order of members do not change it, anything else does', () => {
    const plain = hashOf('{"tasks":[{"addTask":{"scalar":1}},{"valueTask":{"value":1}}],"weight":1}')
    expect(hashOf(' { "weight" : 1.0 , "tasks":[ {"addTask":{"scalar":1e0}}, {"valueTask":{"value":1}} ] } ')).toBe(
      plain,
    )
    expect(hashOf('{"tasks":[{"addTask":{"scalar":1}},{"valueTask":{"value":2}}],"weight":1}')).not.toBe(plain)
    // SHA-256 of {"tasks":[{"valueTask":{"value":1}}]}
    expect(hashOf('{"tasks":[{"valueTask":{"value":1}}]}')).toBe('a6aec382c986da0e4af9808a3dc25d83')
  })
})
