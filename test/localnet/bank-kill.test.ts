// kill -9 at any instant: acknowledged transactions exist, none is executed twice, heights and blockhashes continue.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Keypair, PublicKey } from '@solana/web3.js'
import { expect, it } from 'vitest'
import { lamportsOf, openTestBank } from './bank-chain.ts'

const SCRIPT = join(import.meta.dirname, 'bank-run.ts')

interface Line {
  readonly ready?: boolean
  readonly height?: number
  readonly slot?: number
  readonly blockhash?: string
  readonly sending?: string
  readonly done?: string
  readonly to?: string
}

/** Runs the script until `enough` lines acknowledged a transfer, then for `moreMs` longer, and kills it. */
async function runAndKill(dataDir: string, seed: string, enough: number, moreMs: number): Promise<Line[]> {
  const child = spawn(process.execPath, ['--import', 'tsx', SCRIPT, dataDir, '30', seed], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines: Line[] = []
  let doneCount = 0
  for await (const text of createInterface({ input: child.stdout })) {
    // The kill may truncate the last line, if the pipe was full.
    if (!text.endsWith('}')) continue
    const line = JSON.parse(text) as Line
    lines.push(line)
    if (line.done !== undefined && (doneCount += 1) === enough) setTimeout(() => child.kill('SIGKILL'), moreMs)
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  expect(child.signalCode).toBe('SIGKILL')
  return lines
}

it('loses nothing acknowledged and runs no transaction twice', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'bank-kill-'))
  const payer = Keypair.generate()
  const seed = Buffer.from(payer.secretKey.subarray(0, 32)).toString('hex')
  const doneLines: Line[] = []
  const hashes = new Set<string>()
  let height = 0
  let old: Uint8Array[] = []
  for (let round = 0; round < 4; round += 1) {
    const lines = await runAndKill(dataDir, seed, 30 + round * 20, round * 7)
    for (const line of lines) {
      if (line.height === undefined) continue
      expect(line.height).toBeGreaterThan(height)
      height = line.height
      // The newest blockhash at a start may be one of the last run; every other is new.
      if (!line.ready) expect(hashes.has(line.blockhash!)).toBe(false)
      hashes.add(line.blockhash!)
    }
    doneLines.push(...lines.filter((line) => line.done !== undefined))
    const test = await openTestBank({ dataDir })
    const before = lamportsOf(test.bank, payer.publicKey)
    for (const line of doneLines) {
      expect(test.bank.signatureStatus(line.done!, true)).toMatchObject({
        error: null,
        confirmationStatus: 'finalized',
      })
      expect(test.bank.transaction(line.done!)?.signature).toBe(line.done)
      expect(lamportsOf(test.bank, new PublicKey(line.to!))).toBe(1_000_000n)
    }
    // All messages are sent again: only those that had not reached the disk may be executed, and only once.
    const messages = [
      ...old,
      ...lines.flatMap((line) => (line.sending === undefined ? [] : [Buffer.from(line.sending, 'hex')])),
    ]
    let ran = 0n
    for (let repeat = 0; repeat < 2; repeat += 1) {
      for (const outcome of await Promise.all(messages.map((bytes) => test.bank.send(bytes))))
        if (outcome.kind === 'executed') ran += 1n
    }
    expect(lamportsOf(test.bank, payer.publicKey)).toBe(before - ran * 1_005_000n)
    expect(ran).toBeLessThanOrEqual(8n)
    // Every lamport that left the payer arrived once.
    const rows = test.bank.signaturesForAddress(payer.publicKey.toBytes(), { limit: 1_000_000 })
    const receivers = rows.flatMap((row) => row.accountKeys.slice(1, 2))
    expect(new Set(rows.map((row) => row.signature)).size).toBe(rows.length)
    expect(new Set(receivers).size).toBe(receivers.length)
    expect(test.bank.transactionCount()).toBe(rows.length)
    height = Math.max(height, test.bank.blockHeight('processed'))
    old = messages
    await test.bank.close()
  }
  rmSync(dataDir, { recursive: true, force: true })
})
