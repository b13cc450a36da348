// The peak memory of a process during some work, sampled from /proc (Linux).
import { residentBytes } from '../service/metrics.ts'

const SAMPLE_MS = 20

export interface MemoryUse<Result> {
  readonly result: Result
  /** When the work began. */
  readonly beforeBytes: number
  readonly peakBytes: number
}

/** Anonymous memory of the process: without the pages of files, which the system takes back when it needs them. */
export async function withMemory<Result>(pid: number, work: () => Promise<Result>): Promise<MemoryUse<Result>> {
  const beforeBytes = residentBytes(pid, 'RssAnon')
  let peakBytes = beforeBytes
  const sample = (): void => {
    peakBytes = Math.max(peakBytes, residentBytes(pid, 'RssAnon'))
  }
  const timer = setInterval(sample, SAMPLE_MS)
  try {
    const result = await work()
    sample()
    return { result, beforeBytes, peakBytes }
  } finally {
    clearInterval(timer)
  }
}
