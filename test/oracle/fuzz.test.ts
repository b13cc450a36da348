// Random jobs with the real outbound policy: for any job, the interpreter answers in time, and never connects to an
// address that is not public, in any spelling, by any name, or through a redirect.
import { once as event } from 'node:events'
import { createServer, type Server } from 'node:net'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { outboundRule } from '../../src/config/networks.ts'
import { guardedFetch } from '../../src/operations/market-data/guarded-fetch.ts'
import { Outbound } from '../../src/operations/context/outbound/outbound.ts'
import { JobOracle } from '../../src/oracle/oracle.ts'
import type { World } from '../../src/oracle/run.ts'
import { worldOf } from './world.ts'

let trap: Server
let port: number
let connections = 0

beforeAll(async () => {
  trap = createServer((socket) => {
    connections += 1
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\n1')
  })
  trap.listen(0, '::')
  await event(trap, 'listening')
  port = (trap.address() as AddressInfo).port
})
afterAll(() => trap.close())

/** The addresses of the names in this world: none is public. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  'loop.example': ['127.0.0.1'],
  'six.example': ['::1'],
  'mapped.example': ['::ffff:127.0.0.1'],
  'metadata.example': ['169.254.169.254'],
  'mixed.example': ['93.184.216.34', '127.0.0.1'],
  'inside.example': ['10.1.2.3'],
  'cgnat.example': ['100.64.0.1'],
  'nat64.example': ['64:ff9b::7f00:1'],
  'unspecified.example': ['0.0.0.0'],
}

const resolve = (name: string) =>
  Promise.resolve(
    (NAMES[name] ?? ['127.0.0.1']).map((address) => ({
      address,
      family: address.includes(':') ? (6 as const) : (4 as const),
    })),
  )

function world(rules: readonly string[] = []): World {
  const outbound = new Outbound(rules.map(outboundRule), resolve)
  return {
    fetch: guardedFetch(outbound),
    unixSeconds: () => 1_795_000_000,
    elapsedMs: () => performance.now(),
    soon: (callback) => void setImmediate(callback),
  }
}

const SPELLINGS = [
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f.1',
  '0x7f000001',
  '0177.0.0.1',
  '017700000001',
  '127.0.0.1.',
  '0',
  '0.0.0.0',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[0:0:0:0:0:ffff:127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[2002:7f00:1::]',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '[fe80::1]',
  '[fc00::1]',
  '[ff02::1]',
  '１２７.０.０.１',
  '①②⑦.0.0.1',
  'localhost',
  ...Object.keys(NAMES),
]

async function execute(definition: string, through: World = world()) {
  const checked = new JobOracle(through).check(definition)
  return checked.ok ? await checked.execute('PRICE') : { value: null, error: checked.reason, jobs: [] }
}

describe('a request of a feed job', () => {
  it.each(SPELLINGS)('is never sent to %s', async (host) => {
    for (const url of [
      `https://${host}/`,
      `http://${host}:${port}/`,
      `https://${host}:${port}/x`,
      `https://user@${host}/`,
      `http://${host}/`,
    ]) {
      const { value, error } = await execute(JSON.stringify({ tasks: [{ httpTask: { url } }] }))
      expect(value, url).toBeNull()
      expect(error, url).toContain('not allowed')
    }
    const parts = {
      tasks: [
        { cacheTask: { cacheItems: [{ variableName: 'H', job: { tasks: [{ valueTask: { utf8: host } }] } }] } },
        { httpTask: { url: `http://\${H}:${port}/` } },
      ],
    }
    expect((await execute(JSON.stringify(parts))).error).toContain('not allowed')
    expect(connections).toBe(0)
  })

  it('follows no redirect, even from an allowed host', async () => {
    const redirecting = createServer((socket) => {
      socket.on('error', () => undefined)
      socket.end(`HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:${port}/\r\ncontent-length: 0\r\n\r\n`)
    })
    redirecting.listen(0, '127.0.0.1')
    await event(redirecting, 'listening')
    const host = `127.0.0.1:${(redirecting.address() as AddressInfo).port}`
    const { error } = await execute(
      JSON.stringify({ tasks: [{ httpTask: { url: `http://${host}/` } }] }),
      world([host]),
    )
    redirecting.close()
    expect(error).toBe('job 1, task 1 (httpTask): the request fails: it is redirected')
    expect(connections).toBe(0)
  })
})

const TEXT = fc.oneof(
  fc.constantFrom(
    '$',
    '$.a',
    '$[*]',
    '$..a',
    '${A}',
    '${',
    '1',
    '-1.5e3',
    '0x7f',
    '',
    'constructor',
    '__proto__',
    '(a+)+$',
    '[',
    'A',
  ),
  fc.string({ maxLength: 20 }),
)
const NUMBER = fc.oneof(
  fc.integer({ min: -5, max: 5 }),
  fc.double({ noNaN: true }),
  fc.constantFrom(0, 1e300, 1e-300, 0.1),
)
const URL_TEXT = fc.oneof(
  fc.constantFrom(...SPELLINGS).map((host) => `https://${host}/`),
  fc.constant('https://feeds.example/list'),
  TEXT,
)
const ENUM = fc.oneof(
  fc.constantFrom(
    'METHOD_GET',
    'METHOD_POST',
    'MEDIAN',
    'SUM',
    'NONE',
    'EQ',
    'GT',
    'LT',
    'METHOD_ROUND_DOWN',
    'NONSENSE',
  ),
  fc.integer({ min: 0, max: 6 }),
)

/** Tasks that look valid, and often are not. */
const { job } = fc.letrec<{ job: unknown; task: unknown; list: unknown[] }>((tie) => {
  const some = (members: Record<string, fc.Arbitrary<unknown>>) => fc.record(members, { requiredKeys: [] })
  const source = (name: string) => ({ [name]: tie('job'), [`${name}Value`]: TEXT })
  const operand = some({ scalar: NUMBER, big: TEXT, job: tie('job') })
  const several = some({
    tasks: tie('list'),
    jobs: fc.array(tie('job'), { maxLength: 2 }),
    minSuccessfulRequired: fc.nat(2),
    maxRangePercent: fc.oneof(TEXT, NUMBER),
  })
  const bodies: Record<string, fc.Arbitrary<unknown>> = {
    httpTask: some({
      url: URL_TEXT,
      method: ENUM,
      body: TEXT,
      headers: fc.array(some({ key: TEXT, value: TEXT }), { maxLength: 2 }),
    }),
    jsonParseTask: some({ path: TEXT, aggregationMethod: ENUM }),
    regexExtractTask: some({ pattern: TEXT, groupNumber: fc.nat(2) }),
    stringMapTask: some({
      mappings: fc.array(some({ key: TEXT, value: TEXT }), { maxLength: 2 }),
      defaultValue: TEXT,
      caseSensitive: fc.boolean(),
      input: TEXT,
    }),
    valueTask: fc.oneof(
      some({ value: NUMBER, big: TEXT, hex: TEXT, utf8: TEXT }),
      fc.record({ value: fc.integer({ min: -9, max: 9 }) }),
    ),
    addTask: operand,
    subtractTask: operand,
    multiplyTask: operand,
    divideTask: operand,
    powTask: operand,
    medianTask: several,
    meanTask: several,
    minTask: several,
    maxTask: several,
    roundTask: some({ method: ENUM, decimals: fc.nat(5) }),
    boundTask: some({
      ...source('lowerBound'),
      ...source('upperBound'),
      ...source('onExceedsLowerBound'),
      ...source('onExceedsUpperBound'),
    }),
    conditionalTask: some({ attempt: tie('list'), onFailure: tie('list') }),
    comparisonTask: some({
      op: ENUM,
      ...source('lhs'),
      ...source('rhs'),
      ...source('onTrue'),
      ...source('onFalse'),
      ...source('onFailure'),
    }),
    cacheTask: some({ cacheItems: fc.array(some({ variableName: TEXT, job: tie('job') }), { maxLength: 2 }) }),
    unixTimeTask: some({ offset: NUMBER }),
    strangeTask: fc.anything({ maxDepth: 1 }),
  }
  const task = fc.oneof(
    { maxDepth: 4, depthIdentifier: 'job' },
    fc.constant({ valueTask: { value: 2 } }),
    ...Object.entries(bodies).map(([name, body]) => fc.record({ [name]: body })),
  )
  return {
    task,
    list: fc.array(tie('task'), { minLength: 1, maxLength: 3, depthIdentifier: 'job' }),
    job: fc.record({ tasks: tie('list') }),
  }
})

describe('any feed definition', () => {
  it('is either refused or executed', async () => {
    let executed = 0
    await fc.assert(
      fc.asyncProperty(fc.oneof(job, fc.array(job, { maxLength: 3 })), async (definition) => {
        const text = JSON.stringify(definition)
        const checked = new JobOracle(worldOf()).check(text)
        if (!checked.ok) {
          expect(checked.reason).not.toBe('')
          return
        }
        executed += 1
        for (const kind of ['PRICE', 'RATING'] as const) {
          const { value, error, jobs } = await checked.execute(kind)
          expect(value === null).not.toBe(error === null)
          expect(jobs.length).toBeGreaterThan(0)
        }
        await execute(text)
      }),
      { numRuns: 3_000 },
    )
    expect(executed).toBeGreaterThan(100)
    expect(connections).toBe(0)
  })

  it('of arbitrary text is either refused or executed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string(), fc.json(), fc.string({ unit: 'binary' })), async (text) => {
        const { value } = await execute(text)
        expect(value).toBeNull()
      }),
      { numRuns: 1_000 },
    )
  })

  it('can parse any answer of a host', async () => {
    const definition = JSON.stringify({
      tasks: [
        { httpTask: { url: 'https://feeds.example/any' } },
        { jsonParseTask: { path: '$[*]', aggregationMethod: 'MEDIAN' } },
      ],
    })
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.json(), fc.string(), fc.uint8Array()), async (page) => {
        const { value, error } = await execute(definition, worldOf({ '/any': page }))
        expect(value === null).not.toBe(error === null)
      }),
      { numRuns: 1_000 },
    )
  })
})
