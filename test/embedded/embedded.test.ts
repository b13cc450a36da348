import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { PORTS_EXIT_CODE, type EmbeddedChainError } from '../../src/embedded/process.ts'
import { startEmbeddedChain } from '../../src/embedded/embedded.ts'
import type { EmbeddedChain, EmbeddedChainOptions } from '../../src/embedded/embedded.ts'
import { endOrphan, recordProcess } from '../../src/embedded/orphan.ts'
import { childEnvironment } from '../../src/config/environment.ts'
import { generateKeypair } from '../../src/keys/keypair.ts'
import { createLog } from '../../src/telemetry/log.ts'
import { startCommand } from '../config/command-line.ts'

const LAMPORTS = 5_000_000_000

let dataDir: string
let fatal: EmbeddedChainError[]
let lines: string[]
const cleanups: (() => unknown)[] = []

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'holdfast-embedded-'))
  fatal = []
  lines = []
})
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
  rmSync(dataDir, { recursive: true, force: true })
})

async function startChain(more: Partial<EmbeddedChainOptions> = {}): Promise<EmbeddedChain> {
  const chain = await startEmbeddedChain({
    host: '127.0.0.1',
    port: 0,
    dataDir: join(dataDir, 'chain'),
    slotMs: 50,
    finalitySlots: 1,
    faults: false,
    environment: childEnvironment(),
    log: createLog({ level: 'info', write: (line) => lines.push(line) }),
    onFatal: (error) => fatal.push(error),
    ...more,
  })
  cleanups.push(() => chain.stop())
  return chain
}

async function call(url: string, method: string, params: unknown[] = []): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  return ((await response.json()) as { result: unknown }).result
}

const isServing = (url: string): Promise<boolean> =>
  call(url, 'getHealth').then(
    (answer) => answer === 'ok',
    () => false,
  )
const balanceOf = (url: string, address: string): Promise<unknown> => call(url, 'getBalance', [address])

async function eventually(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await delay(20)
}

async function fund(url: string): Promise<string> {
  const { address } = generateKeypair()
  await call(url, 'requestAirdrop', [address, LAMPORTS])
  await eventually(async () => ((await balanceOf(url, address)) as { value: number }).value === LAMPORTS)
  return address
}

test('a killed chain restarts on the same ports with its state', async () => {
  const chain = await startChain()
  const { rpcUrl, wsUrl, genesisHash } = chain
  const address = await fund(rpcUrl)
  for (let kills = 1; kills <= 2; kills += 1) {
    const starts = chain.starts()
    process.kill(chain.pid()!, 'SIGKILL')
    await eventually(async () => chain.starts() > starts && (await isServing(rpcUrl)))
    expect(await balanceOf(rpcUrl, address)).toMatchObject({ value: LAMPORTS })
    expect(await call(rpcUrl, 'getGenesisHash')).toBe(genesisHash)
  }
  expect(chain).toMatchObject({ rpcUrl, wsUrl, genesisHash })
  expect(fatal).toEqual([])
  expect(lines.filter((line) => line.includes('ended by SIGKILL'))).toHaveLength(2)
})

test('a stopped chain is not restarted, and a later start finds its state', async () => {
  const first = await startChain()
  const address = await fund(first.rpcUrl)
  await Promise.all([first.stop(), first.stop()])
  expect(first.pid()).toBeUndefined()
  expect(await isServing(first.rpcUrl)).toBe(false)
  expect(lines.join('')).not.toContain('starting it again')

  const second = await startChain()
  expect(second.genesisHash).toBe(first.genesisHash)
  expect(await balanceOf(second.rpcUrl, address)).toMatchObject({ value: LAMPORTS })
})

test('a stop while the chain is down does not restart it', async () => {
  const chain = await startChain()
  process.kill(chain.pid()!, 'SIGKILL')
  await eventually(() => chain.pid() === undefined)
  await chain.stop()
  expect(chain.starts()).toBe(1)
  expect(await isServing(chain.rpcUrl)).toBe(false)
})

test('a chain killed during its restart is restarted once more', async () => {
  const chain = await startChain()
  process.kill(chain.pid()!, 'SIGKILL')
  await eventually(() => chain.starts() >= 2 && chain.pid() !== undefined)
  const starts = chain.starts()
  process.kill(chain.pid()!, 'SIGKILL')
  await eventually(async () => chain.starts() > starts && (await isServing(chain.rpcUrl)))
  expect(fatal).toEqual([])
})

// So does a directory that another process holds, after ten seconds: test/localnet/process.test.ts waits for it.
test('bad settings end a start with their exit code', async () => {
  const chain = await startChain()
  await expect(startChain({ dataDir: join(dataDir, 'other'), slotMs: -1 })).rejects.toMatchObject({ exitCode: 78 })
  expect(await isServing(chain.rpcUrl)).toBe(true)
})

test('a chain that restarts as another chain is fatal', async () => {
  const chain = await startChain()
  const pid = chain.pid()!
  rmSync(join(dataDir, 'chain'), { recursive: true })
  process.kill(pid, 'SIGKILL')
  await eventually(() => fatal.length > 0)
  expect(fatal).toEqual([expect.objectContaining({ exitCode: 78 })])
  // While it was down, another process may have taken one of its ports for a connection: it was restarted once more
  // then.
  const refusedPorts = lines.filter((line) => line.includes(`"exitCode":${PORTS_EXIT_CODE}`))
  expect(chain.starts()).toBe(2 + refusedPorts.length)
})

test('a chain that does not serve in time ends the start', async () => {
  await expect(startChain({ startWaitMs: 1 })).rejects.toThrow('did not serve within 1 ms')
})

test('the chain exits when its parent is killed, and releases its data', async () => {
  const environment = { HOLDFAST_DATA_DIR: dataDir, HOLDFAST_EMBEDDED_RPC_PORT: '0', HOLDFAST_EMBEDDED_SLOT_MS: '50' }
  const parent = startCommand(['localnet'], environment)
  cleanups.push(() => parent.child.kill('SIGKILL'))
  await eventually(() => parent.stdout().includes('\n'))
  const rpcUrl = /ready (http\S+) ws/.exec(parent.stdout())![1]!
  const address = await fund(rpcUrl)
  parent.child.kill('SIGKILL')
  await parent.ended
  await eventually(async () => !(await isServing(rpcUrl)))
  const chain = await startChain()
  expect(await balanceOf(chain.rpcUrl, address)).toMatchObject({ value: LAMPORTS })
})

test('a chain that hangs after its parent is killed is ended by the next start', async () => {
  const environment = { HOLDFAST_DATA_DIR: dataDir, HOLDFAST_EMBEDDED_RPC_PORT: '0', HOLDFAST_EMBEDDED_SLOT_MS: '50' }
  const parent = startCommand(['localnet'], environment)
  cleanups.push(() => parent.child.kill('SIGKILL'))
  await eventually(() => parent.stdout().includes('\n'))
  const rpcUrl = /ready (http\S+) ws/.exec(parent.stdout())![1]!
  const address = await fund(rpcUrl)
  const { pid } = JSON.parse(readFileSync(join(dataDir, 'chain', 'process.json'), 'utf8')) as { pid: number }
  process.kill(pid, 'SIGSTOP')
  parent.child.kill('SIGKILL')
  await parent.ended
  const chain = await startChain()
  expect(await balanceOf(chain.rpcUrl, address)).toMatchObject({ value: LAMPORTS })
  expect(lines.join('')).toContain('hangs; sending SIGKILL')
  expect(chain.pid()).not.toBe(pid)
})

test('neither another process with a recorded id, nor a chain with a living parent, is ended', async () => {
  const chainDir = join(dataDir, 'chain')
  const file = join(chainDir, 'process.json')
  const deadProcess = { pid: 2 ** 22 + 1, startedAt: 'long ago' }
  const bystander = spawn('sleep', ['600'])
  cleanups.push(() => bystander.kill('SIGKILL'))
  recordProcess(chainDir, bystander.pid)
  const recorded = JSON.parse(readFileSync(file, 'utf8')) as { startedAt: string; parent: { startedAt: string } }
  const log = { warn: () => undefined }
  for (const record of [
    recorded,
    { ...recorded, startedAt: `1${recorded.startedAt}`, parent: deadProcess },
    'nonsense',
    null,
  ]) {
    writeFileSync(file, JSON.stringify(record))
    await endOrphan(chainDir, log, 100)
    expect([bystander.exitCode, bystander.signalCode]).toEqual([null, null])
  }
  // The same process, orphaned by a parent that has ended.
  const exit = new Promise((resolve) => bystander.once('exit', resolve))
  writeFileSync(file, JSON.stringify({ ...recorded, parent: deadProcess }))
  await endOrphan(chainDir, log, 100)
  await exit
  expect(bystander.signalCode).toBe('SIGKILL')
})

test('the localnet command drains and exits with 0 on SIGTERM', async () => {
  const run = startCommand(['localnet'], { HOLDFAST_DATA_DIR: dataDir, HOLDFAST_EMBEDDED_RPC_PORT: '0' })
  cleanups.push(() => run.child.kill('SIGKILL'))
  await eventually(() => run.stdout().includes('\n'))
  const rpcUrl = /ready (http\S+) ws/.exec(run.stdout())![1]!
  run.child.kill('SIGTERM')
  run.child.kill('SIGINT')
  expect((await run.ended).code).toBe(0)
  expect(await isServing(rpcUrl)).toBe(false)
})

test("the chain inherits none of the service's variables", () => {
  process.env.HOLDFAST_MASTER_KEY = 'planted'
  try {
    expect(Object.keys(childEnvironment()).filter((name) => /^HOLDFAST_/i.test(name))).toEqual([])
    expect(childEnvironment().PATH).toBe(process.env.PATH)
  } finally {
    delete process.env.HOLDFAST_MASTER_KEY
  }
})
