// Settings for a service as a process of its own: free ports, a data directory that is gone in the end.
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const HOST = '127.0.0.1'

export interface EngineFixture extends Disposable {
  readonly dataDir: string
  readonly port: number
  readonly rpcPort: number
  /** Of the process. */
  readonly environment: Record<string, string>
}

export async function freshFixture(): Promise<EngineFixture> {
  const dataDir = mkdtempSync(join(tmpdir(), 'holdfast-test-'))
  const [port, rpcPort] = await freePorts()
  return {
    dataDir,
    port,
    rpcPort,
    environment: {
      HOLDFAST_DATA_DIR: dataDir,
      HOLDFAST_PORT: String(port),
      HOLDFAST_EMBEDDED_RPC_PORT: String(rpcPort),
    },
    [Symbol.dispose]: () => rmSync(dataDir, { recursive: true, force: true }),
  }
}

/** One port, and one that is free with the port after it. */
async function freePorts(): Promise<[number, number]> {
  for (;;) {
    const servers = [await listening(0), await listening(0)]
    const [port, rpcPort] = servers.map((server) => (server.address() as AddressInfo).port) as [number, number]
    const next = await listening(rpcPort + 1).catch(() => null)
    const all = next === null ? servers : [...servers, next]
    await Promise.all(all.map((server) => new Promise((resolve) => server.close(resolve))))
    if (next !== null) return [port, rpcPort]
  }
}

function listening(port: number): Promise<ReturnType<typeof createServer>> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(port, HOST, () => resolve(server))
  })
}
