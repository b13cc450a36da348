// HTTP requests of jobs, with the same protection as every request to a client's host. Redirects are failures: a job
// names its host.
import { OutboundFailed, OutboundRefused, type Outbound } from '../context/outbound/outbound.ts'
import type { JobAnswer, JobRequest } from '../../contract/market-data.ts'

export function guardedFetch(outbound: Pick<Outbound, 'fetch'>): (request: JobRequest) => Promise<JobAnswer> {
  return async ({ url, method, headers, body, maxBytes, timeoutMs }) => {
    try {
      const answer = await outbound.fetch(url, {
        method,
        headers,
        maxBytes,
        timeoutMs,
        ...(body === null ? {} : { body }),
      })
      return { ok: true, status: answer.status, body: answer.body }
    } catch (error) {
      if (error instanceof OutboundRefused) return { ok: false, reason: `the request is not allowed: ${error.message}` }
      if (error instanceof OutboundFailed) return { ok: false, reason: `the request fails: ${error.message}` }
      // Node's HTTP client refuses a request that a substituted variable has made malformed.
      if (error instanceof TypeError) return { ok: false, reason: 'the request is malformed' }
      throw error
    }
  }
}
