// Finds the service for `tour`: the one at the configured address, or else a new one on free ports with a temporary
// data directory, which is removed afterwards.
import { readFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dataLayout } from '../config/data-layout.ts'
import { loadSettings, type Settings } from '../config/settings.ts'
import { startService } from '../service/service.ts'
import { reachable, serviceUrl } from './connect.ts'
import { temporaryFolder } from './temporary.ts'
import { TourFailed } from './tour-failed.ts'

/** A busy machine delays the answer of a service; where nothing listens, the refusal is immediate. */
const PROBE_TIMEOUT_MS = 10_000

export interface FoundService extends AsyncDisposable {
  readonly url: string
  readonly rpcUrl: string
  readonly key: string
  /** False if the service was running before. */
  readonly started: boolean
}

/** @throws TourFailed if a running service has no embedded chain, or its first key is not available */
export async function findService(settings: Settings): Promise<FoundService> {
  const url = serviceUrl(settings)
  if (settings.port === 0 || !(await answers(url))) return await startOwn(settings)
  if (settings.clusters[0]?.endpoints !== 'embedded') {
    throw new TourFailed(
      'the first cluster of HOLDFAST_CLUSTERS is not the embedded chain: the tour would need real funds',
    )
  }
  return {
    url,
    rpcUrl: urlOfChain(settings),
    key: keyOf(settings),
    started: false,
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) })
    return response.ok && typeof ((await response.json()) as { checks?: unknown }).checks === 'object'
  } catch {
    return false
  }
}

/** From the defaults: the settings name stores, keys and folders of other services, and clusters with real funds. */
async function startOwn({ logLevel }: Settings): Promise<FoundService> {
  // Not `using`: the data outlive this function. The chain's process ends with this one.
  const data = temporaryFolder(join(tmpdir(), 'holdfast-tour-'))
  const defaults = loadSettings({})
  const own: Settings = {
    ...defaults,
    port: 0,
    dataDir: data.path,
    embeddedRpcPort: await freePorts(defaults.embeddedRpcHost),
    // The warnings of a first start are irrelevant for a service that lives for seconds.
    logLevel: logLevel === 'info' ? 'error' : logLevel,
  }
  const service = await startService(own)
  const dispose = async (): Promise<void> => {
    await service.stop()
    data[Symbol.dispose]()
  }
  try {
    return {
      url: service.url,
      rpcUrl: urlOfChain(own),
      key: keyOf(own),
      started: true,
      [Symbol.asyncDispose]: dispose,
    }
  } catch (error) {
    await dispose()
    throw error
  }
}

function keyOf(settings: Settings): string {
  if (settings.bootstrapKey !== null) return settings.bootstrapKey.reveal()
  const path = dataLayout(settings.dataDir).bootstrapKey
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    throw new TourFailed(
      `a service is running, but its bootstrap key is neither in HOLDFAST_BOOTSTRAP_KEY nor in ${path}`,
    )
  }
}

function urlOfChain({ embeddedRpcHost, embeddedRpcPort }: Settings): string {
  return `http://${reachable(embeddedRpcHost)}:${embeddedRpcPort}`
}

/** A free port whose successor is free too: the embedded chain uses both. */
async function freePorts(host: string): Promise<number> {
  for (;;) {
    const first = await take(host, 0)
    const port = (first?.address() as AddressInfo | undefined)?.port ?? 0
    const second = port === 0 || port === 65_535 ? null : await take(host, port + 1)
    await Promise.all(
      [first, second].map(
        (server) => new Promise((resolve) => (server === null ? resolve(null) : server.close(resolve))),
      ),
    )
    if (second !== null) return port
  }
}

function take(host: string, port: number): Promise<ReturnType<typeof createServer> | null> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(null))
    server.listen(port, host, () => resolve(server))
  })
}
