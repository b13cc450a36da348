// kill -9 under full load: the time until the service is ready again, and a check that every open transfer lands
// exactly once, by repeating it under its key.
import { setTimeout as sleep } from 'node:timers/promises'
import { Connection } from '@solana/web3.js'
import { startService, type ServiceProcess } from '../service/process.ts'
import { inParallel, restClient } from '../service/rest.ts'
import type { Options } from '../suite.ts'
import { audit } from '../transfers/audit.ts'
import { transferBody, transferOf, type TransferTally } from '../transfers/traffic.ts'
import type { Setup } from './setup.ts'

const LOAD_MS = 2_000
const AT_ONCE = 16
const SETTLED_WITHIN_MS = 60_000
const AGAIN_MS = 200

export interface Killed {
  readonly readyMs: number
  readonly checks: readonly string[]
}

export async function killedUnderLoad(setup: Setup, options: Options): Promise<Killed> {
  const { generator, service, dataDir, scene } = setup
  const load = generator.round({ rampMs: 0, windowMs: 2 * LOAD_MS, pids: [], tolerant: true })
  await sleep(LOAD_MS)
  await service.kill()
  await load
  const tally = (await generator.tally()) as TransferTally
  if (tally.open.length === 0) throw new Error('nothing was under way when the service was killed')
  const startedAt = performance.now()
  await using again = await startService({ ...options, profileDir: null }, dataDir)
  const readyMs = performance.now() - startedAt
  await inParallel(tally.open.length, AT_ONCE, (index) => settle(again, setup, tally.open[index]!))
  const checks = await audit(new Connection(again.chainRpcUrl, 'confirmed'), scene, [
    { payer: scene.feePayer, tally: withOpen(tally) },
  ])
  return {
    readyMs,
    checks: [
      `${tally.open.length} transfers under way at kill -9, asked for again under their keys, took effect once`,
      ...checks,
    ],
  }
}

/** Resolves when the transfer is settled. */
async function settle({ host, port }: ServiceProcess, { settings }: Setup, n: number): Promise<void> {
  const rest = restClient(host, port, settings.apiKey)
  const body = JSON.parse(transferBody(settings, n)) as object
  const until = performance.now() + SETTLED_WITHIN_MS
  for (;;) {
    try {
      await rest.post('/positions/transfer', body)
      return
    } catch (error) {
      if (performance.now() > until) throw error
    }
    await sleep(AGAIN_MS)
  }
}

function withOpen({ acknowledged, moved, open }: TransferTally): Pick<TransferTally, 'acknowledged' | 'moved'> {
  const all = [...moved]
  for (const n of open) {
    const { source, destination, amount } = transferOf(n, moved.length)
    all[source]! -= amount
    all[destination]! += amount
  }
  return { acknowledged: acknowledged + open.length, moved: all }
}
