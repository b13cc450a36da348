// The embedded chain as a real process: one ready line, a clean exit, and no acknowledged transaction lost by a kill.

import { spawn } from 'node:child_process'
import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import bs58 from 'bs58'
import { Keypair, SystemProgram, Transaction } from '@solana/web3.js'
import type { Connection, PublicKey } from '@solana/web3.js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { connectionTo } from '../connection.ts'
import { at } from './rpc-chain.ts'

const MAIN = join(import.meta.dirname, '../../src/localnet/main.ts')
/** Each with its end: the process has exited, and its whole output has arrived. */
const children = new Map<ChildProcessWithoutNullStreams, Promise<unknown>>()
let dataDir = ''

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'localnet-'))
})
afterEach(async () => {
  for (const [child, ended] of children) {
    child.kill('SIGKILL')
    await ended
  }
  children.clear()
  rmSync(dataDir, { recursive: true, force: true })
})

interface Running {
  readonly child: ChildProcessWithoutNullStreams
  readonly connection: Connection
  readonly ready: unknown
  /** Lines on stdout so far. */
  readonly lines: string[]
}

/** `fileKilobytes`: the largest file that the process can write, as on a full disk. */
function launch(
  settings: Record<string, unknown>,
  fileKilobytes: number | 'unlimited' = 'unlimited',
): ChildProcessWithoutNullStreams {
  const json = JSON.stringify({ dataDir, port: 0, slotMs: 50, ...settings })
  const script = `ulimit -f ${fileKilobytes}; exec "$@"`
  const child = spawn('bash', ['--norc', '-c', script, 'bash', process.execPath, '--import', 'tsx', MAIN, json])
  children.set(child, once(child, 'close'))
  return child
}

async function start(settings: Record<string, unknown> = {}, fileKilobytes?: number): Promise<Running> {
  const child = launch(settings, fileKilobytes)
  const lines: string[] = []
  const reader = createInterface(child.stdout)
  reader.on('line', (line) => lines.push(line))
  await Promise.race([once(reader, 'line'), once(child, 'exit')])
  const ready: unknown = JSON.parse(lines[0] ?? 'null')
  const connection = connectionTo(`http://127.0.0.1:${String(at(ready, 'rpcPort'))}`, {
    commitment: 'confirmed',
    wsEndpoint: `ws://127.0.0.1:${String(at(ready, 'wsPort'))}`,
    disableRetryOnRateLimit: true,
  })
  return { child, connection, ready, lines }
}

async function exitOf(child: ChildProcessWithoutNullStreams): Promise<unknown> {
  await children.get(child)
  return child.exitCode ?? child.signalCode
}

async function allSignatures(connection: Connection, address: PublicKey): Promise<string[]> {
  const signatures: string[] = []
  for (;;) {
    const before = signatures.at(-1)
    const page = await connection.getSignaturesForAddress(address, before === undefined ? {} : { before }, 'confirmed')
    if (page.length === 0) return signatures
    signatures.push(...page.map((entry) => entry.signature))
  }
}

describe('the process', () => {
  it('prints its addresses in one line, and exits on SIGTERM with 0', async () => {
    const { child, connection, ready, lines } = await start()
    expect(ready).toEqual({
      ready: true,
      rpcPort: expect.any(Number) as number,
      wsPort: Number(at(ready, 'rpcPort')) + 1,
      genesisHash: await connection.getGenesisHash(),
    })
    child.kill('SIGTERM')
    expect(await exitOf(child)).toBe(0)
    expect(lines).toHaveLength(1)
  })

  it('exits when the pipe of its parent closes', async () => {
    const { child } = await start({ parentPipe: true })
    child.stdin.end()
    expect(await exitOf(child)).toBe(0)
  })

  it('continues without a parent to watch', async () => {
    const { child, connection } = await start()
    child.stdin.end()
    expect(await connection.getSlot()).toEqual(expect.any(Number))
    child.kill('SIGINT')
    expect(await exitOf(child)).toBe(0)
  })

  it('loses nothing acknowledged when it is killed', async () => {
    // A blockhash lasts 150 slots: five minutes for the transactions of the test.
    const first = await start({ slotMs: 2_000 })
    const payer = Keypair.generate()
    await first.connection.requestAirdrop(payer.publicKey, 10_000_000_000)
    const lifetime = await first.connection.getLatestBlockhash()
    const to = Keypair.generate().publicKey
    const all = Array.from({ length: 120 }, (_, index) => {
      const transaction = new Transaction({ feePayer: payer.publicKey, ...lifetime })
      transaction.add(
        SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: to, lamports: 1_000_000 + index }),
      )
      transaction.sign(payer)
      return {
        bytes: transaction.serialize(),
        signature: bs58.encode(transaction.signature!),
        lamports: 1_000_000 + index,
      }
    })
    const acknowledged = new Set<string>()
    const sending = all.map(async ({ bytes }) => {
      acknowledged.add(await first.connection.sendRawTransaction(bytes, { skipPreflight: true }))
      if (acknowledged.size === 40) first.child.kill('SIGKILL')
    })
    await Promise.allSettled(sending)
    expect(await exitOf(first.child)).toBe('SIGKILL')
    expect(acknowledged.size).toBeGreaterThanOrEqual(40)

    const { connection } = await start({ slotMs: 400 })
    expect(await connection.getGenesisHash()).toBe(at(first.ready, 'genesisHash'))
    const signatures = all.map((sent) => sent.signature)
    const statuses = (await connection.getSignatureStatuses(signatures, { searchTransactionHistory: true })).value
    const landed = all.filter((_, index) => statuses[index] !== null)
    const survived = new Set(landed.map((sent) => sent.signature))
    expect([...acknowledged].filter((signature) => !survived.has(signature))).toEqual([])
    const movedLamports = landed.reduce((sum, sent) => sum + sent.lamports, 0)
    expect(await connection.getBalance(to)).toBe(movedLamports)
    expect(await connection.getSignaturesForAddress(to, {}, 'confirmed')).toHaveLength(landed.length)
    // Transactions that were executed before the kill are not executed again.
    await Promise.all(landed.map(({ bytes }) => connection.sendRawTransaction(bytes, { skipPreflight: true })))
    expect(await connection.getBalance(to)).toBe(movedLamports)
  })

  it('exits with 74 when a write fails, and has everything it acknowledged', async () => {
    const first = await start({}, 512)
    const to = Keypair.generate().publicKey
    const acknowledged: string[] = []
    const drop = async (): Promise<void> => {
      for (;;) acknowledged.push(await first.connection.requestAirdrop(to, 1_000_000))
    }
    await Promise.allSettled(Array.from({ length: 50 }, drop))
    expect(await exitOf(first.child)).toBe(74)
    const { connection } = await start()
    const landed = new Set(await allSignatures(connection, to))
    expect(acknowledged.length).toBeGreaterThan(100)
    expect(acknowledged.filter((signature) => !landed.has(signature))).toEqual([])
    expect(await connection.getBalance(to)).toBe(landed.size * 1_000_000)
  })

  it('waits for the lock of a process that is exiting', async () => {
    const first = await start()
    const second = start()
    setTimeout(() => first.child.kill('SIGKILL'), 500)
    expect(at((await second).ready, 'genesisHash')).toBe(at(first.ready, 'genesisHash'))
  })

  it('refuses bad settings with 78, a directory in use with 75, a port in use with 69', async () => {
    const { ready } = await start()
    const second = launch({})
    const output: string[] = []
    second.stderr.on('data', (text: Buffer) => output.push(text.toString('utf8')))
    expect(await exitOf(launch({ port: 'many' }))).toBe(78)
    expect(await exitOf(launch({ prot: 1 }))).toBe(78)
    const other = mkdtempSync(join(tmpdir(), 'localnet-'))
    expect(await exitOf(launch({ port: at(ready, 'rpcPort'), dataDir: other }))).toBe(69)
    rmSync(other, { recursive: true, force: true })
    expect(await exitOf(second)).toBe(75)
    expect(output.join('')).toContain(dataDir)
  })
})
