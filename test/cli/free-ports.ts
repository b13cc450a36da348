// Settings for a service as a separate process: free ports, and a data directory that is removed at the end.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePorts } from '../free-ports.ts'

export interface EngineFixture extends Disposable {
  readonly dataDir: string
  readonly port: number
  readonly rpcPort: number
  /** Of the process. */
  readonly environment: Record<string, string>
}

export async function freshFixture(): Promise<EngineFixture> {
  const dataDir = mkdtempSync(join(tmpdir(), 'holdfast-test-'))
  const port = await freePorts(3)
  const rpcPort = port + 1
  return {
    dataDir,
    port,
    rpcPort,
    environment: {
      HOLDFAST_DATA_DIR: dataDir,
      HOLDFAST_PORT: String(port),
      HOLDFAST_EMBEDDED_RPC_PORT: String(rpcPort),
    },
    [Symbol.dispose]: () => rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }),
  }
}
