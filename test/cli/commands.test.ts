// The commands of an operator as real processes: their output, exit codes for scripts, and their failures.
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStore } from '../../snapshots/level-store.ts'
import { examine, type DoctorCheck } from '../../src/cli/doctor.ts'
import { loadSettings } from '../../src/config/settings.ts'
import { startCommand, type Ended } from '../config/command-line.ts'
import { apiOf, refOf } from '../crash/api.ts'
import { startProcess, type ServiceProcess } from './service-process.ts'

/** With slots of 50 ms: ten seconds more than the doctor reports. */
const SLOTS_BEHIND = 230
const scratch = mkdtempSync(join(tmpdir(), 'holdfast-commands-'))
let service: ServiceProcess
let feePayer: string

const holdfast = (
  words: readonly string[],
  environment: Record<string, string> = service.fixture.environment,
): Promise<Ended> => startCommand(words, environment).ended

async function checksOf(command: Promise<Ended>, code: number): Promise<Record<string, DoctorCheck>> {
  const { code: exitCode, stdout } = await command
  expect(exitCode).toBe(code)
  const { checks } = JSON.parse(stdout) as { checks: DoctorCheck[] }
  return Object.fromEntries(checks.map((check) => [check.check, check]))
}

beforeAll(async () => {
  // Slots pass fast, so that an endpoint can be behind.
  service = await startProcess({ HOLDFAST_EMBEDDED_SLOT_MS: '50' })
  const key = readFileSync(join(service.fixture.dataDir, 'bootstrap.key'), 'utf8').trim()
  const api = apiOf(service.url, key)
  feePayer = refOf(await api.make('/accounts', { canPayFees: true }), 'newAccount').onchainId
  for (let n = 0; n < 3; n += 1) await api.make('/accounts', {})
})

afterAll(async () => {
  await service[Symbol.asyncDispose]()
  rmSync(scratch, { recursive: true, force: true })
})

async function slotOf(rpcUrl: string): Promise<number> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getSlot', params: [{ commitment: 'confirmed' }] })
  const answer = await fetch(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  return ((await answer.json()) as { result: number }).result
}

/** The chain through an endpoint that is this number of slots behind. */
async function relay(
  rpcUrl: string,
  late: Record<'confirmed' | 'finalized', number>,
): Promise<{ url: string; close(): void }> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      const headers = { 'content-type': 'application/json' }
      void fetch(rpcUrl, { method: 'POST', headers, body }).then(async (answer) => {
        const reply: unknown = await answer.json()
        const questions = [JSON.parse(body)].flat() as {
          id: unknown
          method: string
          params?: [{ commitment?: 'confirmed' | 'finalized' }]
        }[]
        for (const one of [reply].flat() as { id: unknown; result: number }[]) {
          const question = questions.find(({ id }) => id === one.id)
          if (question?.method === 'getSlot') one.result -= late[question.params?.[0].commitment ?? 'finalized']
        }
        response.writeHead(200, headers).end(JSON.stringify(reply))
      })
    })
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

describe('an invalid command line', { concurrent: true }, () => {
  it.each([
    ['a word too many', ['serve', 'now'], 'serve'],
    ['an option that no command has', ['backup', 'x', '--fast'], '--fast'],
    ['a number that is none', ['export', '--events', '--after', 'yesterday'], 'whole number'],
    ['neither of two', ['export'], '--events and --records'],
    ['a tenant that there is not', ['export', '--events', '--tenant', 'TYPO'], 'TYPO'],
  ])('%s exits with 64 and names the argument', async (_, words, argument) => {
    const { code, stdout, stderr } = await holdfast(words)
    expect({ code, stdout }).toEqual({ code: 64, stdout: '' })
    expect(stderr).toContain(argument)
  })
})

describe('a command that fails', () => {
  it('prints one sentence: for a backup into a missing folder, for a port in use', async () => {
    const folder = join(scratch, 'none')
    const backup = await holdfast(['backup', join(folder, 'x.hfb')])
    expect({ code: backup.code, stderr: backup.stderr.trim().split('\n') }).toMatchObject({
      code: 73,
      stderr: [expect.stringContaining(folder)],
    })
    const { port } = new URL(service.url)
    const dataDir = mkdtempSync(join(scratch, 'second-'))
    const environment = {
      ...service.fixture.environment,
      HOLDFAST_DATA_DIR: dataDir,
      HOLDFAST_PORT: port,
      HOLDFAST_EMBEDDED_RPC_PORT: '0',
    }
    const second = await holdfast(['serve'], environment)
    expect(second.code).toBe(78)
    const [last] = second.stderr.trim().split('\n').slice(-1)
    expect(last).toContain(`HOLDFAST_PORT ${port}`)
    expect(second.stderr).not.toMatch(/^ +at /m)
  })
})

describe('help', () => {
  it('of doctor shows the default of its option', async () => {
    const { code, stdout } = await holdfast(['doctor', '--help'], {})
    expect(code).toBe(0)
    expect(stdout).toContain('10000000')
  })

  it('of the program lists every command and every setting; of a command, examples', async () => {
    const { code, stdout } = await holdfast(['--help'], {})
    expect(code).toBe(0)
    const commands = [
      'serve',
      'localnet',
      'tour',
      'backup',
      'restore',
      'verify',
      'export',
      'import',
      'audit',
      'keys',
      'orgs',
      'clock',
      'sandbox',
      'doctor',
      'completion',
    ]
    for (const command of commands) expect(stdout).toMatch(new RegExp(`^  ${command} `, 'm'))
    expect(stdout).toContain('HOLDFAST_DATA_DIR  [./data]')
    expect((await holdfast(['restore', '--help'], {})).stdout).toContain('Examples:\n  holdfast restore')
  })

  it('is printed also after serve, as npm start passes it', async () => {
    expect((await holdfast(['serve', 'verify', '--help'], {})).stdout).toContain('holdfast verify')
  })
})

describe('keys and orgs', () => {
  it('are created, listed, rotated and disabled on the running service', async () => {
    expect(await holdfast(['orgs', 'create', 'BANK', '--name', 'The bank'])).toMatchObject({
      code: 0,
      stdout: 'BANK was created\n',
    })
    expect((await holdfast(['orgs', 'list'])).stdout).toContain('BANK\t-\tThe bank')
    const result = await holdfast([
      'keys',
      'create',
      '--org',
      'BANK',
      '--name',
      'reports',
      '--bundle',
      'VIEWER',
      '--json',
    ])
    const { keyId, apiKey } = JSON.parse(result.stdout) as { keyId: string; apiKey: string }
    const file = join(scratch, 'reports.key')
    writeFileSync(file, `${apiKey}\n`)
    expect(await holdfast(['orgs', 'list', '--api-key-file', file])).toMatchObject({ code: 1, stdout: '' })

    const rotated = await holdfast(['keys', 'rotate', keyId])
    expect(rotated).toMatchObject({ code: 0 })
    expect(rotated.stdout.trim()).toMatch(/^hf_/)
    expect(rotated.stdout.trim()).not.toBe(apiKey)
    expect((await holdfast(['keys', 'disable', keyId])).code).toBe(0)
    expect((await holdfast(['keys', 'list'])).stdout).toMatch(new RegExp(`^${keyId}\tBANK\tdisabled`, 'm'))
  })

  it('report that no service answers', async () => {
    expect(await holdfast(['keys', 'list', '--url', 'http://127.0.0.1:1'])).toMatchObject({ code: 69, stdout: '' })
  })
})

describe('export', () => {
  it('writes the events after a sequence number, without gaps, and the records', async () => {
    const events = (await holdfast(['export', '--events', '--after', '1'])).stdout.trim().split('\n')
    const exported = events.map((line) => JSON.parse(line) as { tenant: string; sequence: number; type: string })
    const { tenant } = exported[0]!
    const sequences = exported.filter((event) => event.tenant === tenant).map(({ sequence }) => sequence)
    expect(sequences.length).toBeGreaterThanOrEqual(3)
    expect(sequences).toEqual(sequences.map((_, index) => index + 2))
    const records = (await holdfast(['export', '--records', '--tenant', tenant])).stdout.trim().split('\n')
    for (const line of records) expect(JSON.parse(line), line).not.toHaveProperty('context.length')
    const addresses = records.map((line) => (JSON.parse(line) as { context: { address?: string } }).context.address)
    expect(addresses).toContain(feePayer)
  })
})

describe('doctor', () => {
  it('reports the empty fee payer of a running service, and nothing else', async () => {
    const checks = await checksOf(holdfast(['doctor', '--json']), 1)
    const failedChecks = Object.values(checks).filter(({ verdict }) => verdict === 'failed')
    expect(failedChecks).toMatchObject([
      { check: 'CHAIN_DEVNET fee payer', says: `${feePayer} has 0 lamports, less than 10000000` },
    ])
    expect(checks['master key']).toMatchObject({ verdict: 'warning' })
    expect(checks['CHAIN_DEVNET clock']).toMatchObject({ verdict: 'ok' })
    expect((await holdfast(['doctor', '--least-balance', '0'])).code).toBe(0)
  })

  it.each([
    ['one cell', []],
    ['several cells', ['cells']],
  ])('reports a service that holds its store of %s and answers no question', async (name, folders) => {
    const dataDir = join(scratch, name)
    const store = await openStore({ path: join(dataDir, 'store'), onFatal: () => undefined })
    for (const folder of folders) mkdirSync(join(dataDir, folder, 'red'), { recursive: true })
    chmodSync(dataDir, 0o700)
    try {
      const checks = await checksOf(holdfast(['doctor', '--json', '--data-dir', dataDir], {}), 0)
      expect(checks['service']).toMatchObject({ verdict: 'ok', says: `runs on ${dataDir}` })
      expect(checks['store']).toMatchObject({ verdict: 'warning' })
    } finally {
      await store.close()
    }
  })

  it('reports a directory open to others, a wrong master key, and a cluster that does not answer', async () => {
    const { dataDir } = service.fixture
    const deaf = createServer((_, response) => response.writeHead(500).end()).listen(0, '127.0.0.1')
    await new Promise((resolve) => deaf.once('listening', resolve))
    chmodSync(dataDir, 0o755)
    try {
      const checks = await checksOf(
        holdfast(['doctor', '--json'], {
          HOLDFAST_DATA_DIR: dataDir,
          HOLDFAST_MASTER_KEY: randomBytes(32).toString('base64'),
          HOLDFAST_CLUSTERS: JSON.stringify({
            CHAIN_DEVNET: `http://127.0.0.1:${(deaf.address() as AddressInfo).port}`,
          }),
        }),
        1,
      )
      expect(checks['data directory']).toMatchObject({ verdict: 'warning' })
      expect(checks['master key']).toMatchObject({
        verdict: 'failed',
        says: expect.stringContaining('not the key that seals') as string,
      })
      expect(checks['CHAIN_DEVNET answers']).toMatchObject({ verdict: 'failed' })
    } finally {
      chmodSync(dataDir, 0o700)
      deaf.close()
    }
    expect(statSync(dataDir).mode & 0o777).toBe(0o700)
  })

  it('reports a full disk, a wrong clock, an endpoint that lags, and finality that does not advance', async () => {
    const { environment, dataDir } = service.fixture
    const lag = { confirmed: 0, finalized: 0 }
    const lagging = await relay(service.rpcUrl, lag)
    const CHAIN_DEVNET = [service.rpcUrl, lagging.url]
    const readChecks = async (
      options: object = {},
      clusters: object = { CHAIN_DEVNET: service.rpcUrl },
    ): Promise<Record<string, DoctorCheck>> => {
      const settings = loadSettings({ ...environment, HOLDFAST_CLUSTERS: JSON.stringify(clusters) })
      const checks = await examine(settings, { leastBalance: 0n, ...options })
      return Object.fromEntries(
        checks.filter(({ verdict }) => verdict !== 'ok' && verdict !== 'warning').map((check) => [check.check, check]),
      )
    }
    try {
      expect(await readChecks()).toEqual({})
      const full = await readChecks({
        freeBytes: (path: string) => Promise.resolve(path === dataDir ? 200 * 1024 * 1024 : Infinity),
      })
      expect(Object.keys(full)).toEqual(['disk'])
      expect(full['disk']!.says).toBe(`200 MiB are free in ${dataDir}`)
      for (const offMs of [90_000, -90_000]) {
        const wrong = await readChecks({ now: () => Date.now() + offMs })
        expect(Object.keys(wrong)).toEqual(['CHAIN_DEVNET clock'])
        expect(wrong['CHAIN_DEVNET clock']!.says).toContain('the clock is wrong')
      }
      await expect.poll(() => slotOf(service.rpcUrl), { timeout: 120_000 }).toBeGreaterThan(SLOTS_BEHIND)
      // Far enough behind, though the chain advances for seconds between the two queries.
      lag.confirmed = SLOTS_BEHIND
      const behind = await readChecks({}, { CHAIN_DEVNET })
      expect(Object.keys(behind)).toEqual([`CHAIN_DEVNET endpoint ${lagging.url}`])
      expect(behind[`CHAIN_DEVNET endpoint ${lagging.url}`]!.says).toMatch(/^is \d+ slots behind/)
      Object.assign(lag, { confirmed: -1_000, finalized: 0 })
      const still = await readChecks({}, { CHAIN_DEVNET: lagging.url })
      expect(still['CHAIN_DEVNET finality']!.says).toMatch(/slots behind confirmed/)
      const checks = await readChecks({}, { CHAIN_DEVNET: [service.rpcUrl, 'http://127.0.0.1:1'] })
      expect(Object.keys(checks)).toEqual(['CHAIN_DEVNET endpoint http://127.0.0.1:1'])
    } finally {
      lagging.close()
    }
  })

  it('reports a missing data directory', async () => {
    const checks = await checksOf(holdfast(['doctor', '--json', '--data-dir', join(scratch, 'nothing')]), 1)
    expect(checks['data directory']).toMatchObject({ verdict: 'failed' })
  })
})

describe('shell completion', () => {
  it('is a valid bash script that completes commands and options', async () => {
    const { code, stdout } = await holdfast(['completion', 'bash'], {})
    expect(code).toBe(0)
    const ask = (words: string): string[] => {
      const script = `${stdout}\nCOMP_WORDS=(holdfast ${words} ''); COMP_CWORD=$((\${#COMP_WORDS[@]}-1)); _holdfast; echo "\${COMPREPLY[@]}"`
      return execFileSync('bash', ['-c', script]).toString().trim().split(' ')
    }
    expect(ask('keys')).toEqual(['list', 'create', 'rotate', 'disable', 'rotate-master', '--help'])
    expect(ask('export --events')).toContain('--after')
    expect((await holdfast(['completion', 'zsh'], {})).stdout).toMatch(/^#compdef holdfast\n/)
  })
})
