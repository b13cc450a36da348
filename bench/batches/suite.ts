// The bulk operations of an asset manager: 10,000 payouts by one batch compared with as many single transfers, a
// statement of a year with 100,000 movements, and 100,000 holders as of last week compared with those of now.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Connection } from '@solana/web3.js'
import { dataLayout } from '../../src/config/data-layout.ts'
import { startService } from '../service/process.ts'
import { makeInstrument, makeWallet } from '../service/assets.ts'
import type { Ids } from '../service/rest.ts'
import type { Options, Suite, SuiteResult } from '../suite.ts'
import { fill } from './fill.ts'
import { holders, statements } from './history.ts'
import { payouts, type Payouts } from './payouts.ts'
import { prepare, type Scene } from './scene.ts'

const ITEMS = 10_000
const RECORDS = 100_000
const about =
  'payouts in one batch beside as many single transfers; a statement of a year; holders as of last week beside now'

export const batches: Suite = { name: 'batches', about, run }

async function run(options: Options): Promise<SuiteResult> {
  const dataDir = mkdtempSync(join(tmpdir(), 'holdfast-bench-'))
  try {
    const { scene, held, paid } = await pay(dataDir, options)
    const count = options.records ?? RECORDS
    const nowMs = Date.now()
    const wanted = { movements: count, holders: count, held: held.onchainId, nowMs }
    const filled = await fill(dataLayout(dataDir).store, scene, wanted)
    options.note(`a year of ${count} movements and ${count} holders are in the store`)
    await using service = await startService({ ...options, profileDir: null }, dataDir)
    const target = { service, apiKey: scene.apiKey }
    const year = { position: scene.source.offchainId, movements: count, nowMs }
    const stated = await statements(target, year, options)
    const { rounds } = options
    const holding = await holders(target, held.offchainId, filled, { nowMs, count, rounds })
    return {
      suite: 'batches',
      about,
      figures: [...paid.figures, ...stated.figures, ...holding.figures],
      checks: [...paid.checks, ...stated.checks, ...holding.checks],
      profile: [],
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

interface Made {
  readonly scene: Scene
  /** The instrument of the many holders. */
  readonly held: Ids
  readonly paid: Payouts
}

async function pay(dataDir: string, options: Options): Promise<Made> {
  await using service = await startService({ ...options, profileDir: null }, dataDir)
  const chain = new Connection(service.chainRpcUrl, 'confirmed')
  const startedAt = performance.now()
  const scene = await prepare(service, chain, options.items ?? ITEMS)
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  options.note(`${scene.positions.length} holders and their positions were made by two batches within ${seconds} s`)
  const code = { offchainReferences: { type: 'TOKEN_MANAGEMENT_AUTHORITY', code: 'HELD' } }
  const held = await makeInstrument(scene.rest, await makeWallet(scene.rest, code))
  return { scene, held, paid: await payouts(service, chain, scene, options) }
}
