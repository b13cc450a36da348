import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { Secret } from '../../src/config/secret.ts'
import { generateApiKey } from '../../src/keys/api-key.ts'
import { generateKeypair } from '../../src/keys/keypair.ts'
import { createLog } from '../../src/telemetry/log.ts'
import { redactText } from '../../src/telemetry/redact.ts'

function collect(level = 'trace') {
  const lines: string[] = []
  return { lines, log: createLog({ level, write: (line) => lines.push(line) }) }
}

const { apiKey, keyId } = generateApiKey()
const keypair = generateKeypair()
const privateKey = keypair.privateKeyText()
const seedText = keypair.seed().toString('base64')
const planted = [
  apiKey.slice(16),
  privateKey,
  seedText,
  'whsec_C2FVsBQIhrscChlQIMV',
  'hunter2-hunter2',
  'rpc-provider-key',
]

test('planted secrets do not reach the log, at any place', () => {
  const { lines, log } = collect()
  const libraryError = Object.assign(
    new Error(`refused https://user:hunter2-hunter2@rpc.example/?api-key=rpc-provider-key`),
    {
      config: { headers: { authorization: `Bearer ${apiKey}` } },
      cause: new Error(`while using ${apiKey}`),
    },
  )
  const headers = { Authorization: `Bearer ${apiKey}`, cookie: 'session=hunter2-hunter2', 'x-request-id': 'r' }
  log.info({ req: { headers } }, 'request')
  log.info(
    { body: { itemData: { onchainData: { privateKeyDetails: { privateKey, publickKey: keypair.address } } } } },
    'body',
  )
  log.info({ accounts: [{ deep: [{ private_key: privateKey }, { seed: seedText }] }] }, 'list')
  log.warn(
    { text: `key ${apiKey} was given`, hook: { url: 'https://h.example/?token=hunter2-hunter2' } },
    `unknown key ${apiKey}`,
  )
  log.error({ err: libraryError }, 'failed')
  log.error(libraryError)
  log.fatal({ reason: libraryError, signingSecret: 'whsec_C2FVsBQIhrscChlQIMV' }, 'and again whsec_C2FVsBQIhrscChlQIMV')
  log.child({ apiKey, masterKey: new Secret('hunter2-hunter2') }).info('child')
  log
    .child({ requestId: 'r' })
    .child({ signer: keypair, bytes: keypair.seed(), other: new Secret(privateKey) })
    .info('signer')

  expect(lines).toHaveLength(9)
  for (const line of lines) {
    JSON.parse(line)
    for (const secret of planted) expect(line).not.toContain(secret)
  }
  const all = lines.join('')
  for (const text of [keyId, keypair.address, 'x-request-id', 'refused https://', 'rpc.example'])
    expect(all).toContain(text)
})

test('lines are JSON with level, time, bindings and message', () => {
  const { lines, log } = collect('info')
  const child = log.child({ requestId: 'a-request' }).child({ transactionId: 'a-transaction' })
  child.debug('not this one')
  child.info({ feeLamports: 5_000n, slot: 7 }, 'settled')
  expect(lines).toHaveLength(1)
  expect(JSON.parse(lines[0]!)).toEqual({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-.*Z$/) as string,
    requestId: 'a-request',
    transactionId: 'a-transaction',
    feeLamports: '5000',
    slot: 7,
    msg: 'settled',
  })
})

test('errors contain type, code, message, stack and causes', () => {
  const { lines, log } = collect()
  log.error({ err: Object.assign(new TypeError('outer', { cause: new Error('inner') }), { code: 'E_CODE' }) }, 'failed')
  expect(JSON.parse(lines[0]!)).toMatchObject({
    err: {
      type: 'TypeError',
      code: 'E_CODE',
      message: 'outer',
      stack: expect.stringContaining('log.test') as string,
      cause: { message: 'inner' },
    },
  })
})

test('text that only resembles a secret is not redacted', () => {
  const text = `signature ${'5'.repeat(88)} of account ${keypair.address}, hf_short, https://rpc.example/path?page=2, the bearer of news`
  expect(redactText(text)).toBe(text)
})

test('cycles and unusual values do not break a line', () => {
  const { lines, log } = collect()
  const cycle: Record<string, unknown> = { name: 'cycle' }
  cycle.self = cycle
  log.info({ cycle, when: new Date(0), nothing: null, missing: undefined, list: [1n, undefined] }, 'odd')
  expect(JSON.parse(lines[0]!)).toMatchObject({
    when: '1970-01-01T00:00:00.000Z',
    nothing: null,
    list: ['1', null],
    msg: 'odd',
  })
})

test('a secret is printed only on explicit access', () => {
  const secret = new Secret('hunter2-hunter2')
  expect(
    `${String(secret)} ${JSON.stringify({ secret })} ${inspect({ secret }, { showHidden: true, depth: 5 })}`,
  ).not.toContain('hunter2')
  expect(secret.reveal()).toBe('hunter2-hunter2')
})
