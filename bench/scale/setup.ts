// A service with this number of records, ready for transfers. The service itself creates the scene, the records are
// added to its store while it is stopped, and the start that loads them is measured.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Connection } from '@solana/web3.js'
import { dataLayout } from '../../src/config/data-layout.ts'
import { startGenerator, type Generator } from '../load/generator.ts'
import { fillStore } from '../query/fill.ts'
import { residentBytes } from '../service/metrics.ts'
import { startService, type ServiceProcess } from '../service/process.ts'
import type { Options } from '../suite.ts'
import { prepare, type Scene, settingsOf } from '../transfers/setup.ts'
import type { TransferSettings } from '../transfers/traffic.ts'

export interface Setup extends AsyncDisposable {
  readonly records: number
  readonly dataDir: string
  readonly service: ServiceProcess
  readonly scene: Scene
  readonly settings: TransferSettings
  readonly generator: Generator
  /** From the start of the process. */
  readonly readyMs: number
  /** Of the service when it is ready and has received no request. */
  readonly readyBytes: number
}

export async function openSetup(records: number, options: Options): Promise<Setup> {
  const dataDir = mkdtempSync(join(tmpdir(), 'holdfast-bench-'))
  try {
    const scene = await makeScene(dataDir, options)
    await fillStore(dataLayout(dataDir).store, records)
    const startedAt = performance.now()
    const service = await startService(options, dataDir)
    const [readyMs, readyBytes] = [performance.now() - startedAt, residentBytes(service.pid)]
    const settings = settingsOf(scene)
    const module = import.meta.resolve('../transfers/traffic.ts')
    const generator = await startGenerator({ target: service, clients: options.clients, module, settings })
    const stop = async (): Promise<void> => {
      await generator[Symbol.asyncDispose]()
      await service.stop()
      rmSync(dataDir, { recursive: true, force: true })
    }
    return { records, dataDir, service, scene, settings, generator, readyMs, readyBytes, [Symbol.asyncDispose]: stop }
  } catch (error) {
    rmSync(dataDir, { recursive: true, force: true })
    throw error
  }
}

async function makeScene(dataDir: string, options: Options): Promise<Scene> {
  await using service = await startService({ ...options, profileDir: null }, dataDir)
  return await prepare(service, new Connection(service.chainRpcUrl, 'confirmed'))
}
