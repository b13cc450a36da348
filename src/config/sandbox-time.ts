// By how much the time of a sandbox (a service whose only chain is the embedded one) is ahead of the machine's: a file
// in the data directory, written by `holdfast sandbox travel`.
import { readFileSync, writeFileSync } from 'node:fs'
import { dataLayout } from './data-layout.ts'
import type { Settings } from './settings.ts'

/** Milliseconds; 0 for a service that is no sandbox, or whose time is the machine's. */
export function sandboxAheadMs({ dataDir, clusters }: Pick<Settings, 'dataDir' | 'clusters'>): number {
  if (clusters.some(({ endpoints }) => endpoints !== 'embedded')) return 0
  try {
    const { aheadMs } = JSON.parse(readFileSync(dataLayout(dataDir).sandbox, 'utf8')) as { aheadMs?: unknown }
    return Number.isSafeInteger(aheadMs) ? Number(aheadMs) : 0
  } catch {
    return 0
  }
}

export function setSandboxAhead(dataDir: string, aheadMs: number): void {
  writeFileSync(dataLayout(dataDir).sandbox, `${JSON.stringify({ aheadMs })}\n`, { mode: 0o600 })
}
