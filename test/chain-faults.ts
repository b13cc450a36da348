// The methods that only an embedded chain with faults has (`HOLDFAST_EMBEDDED_FAULTS`).

/** More often than any test allows a call. */
export const ALWAYS = 1_000_000

/** The fault switches of the chain; `{}` clears them. They end with its process. */
export async function setFaults(rpcUrl: string, faults: object): Promise<void> {
  await call(rpcUrl, 'holdfast_setFaults', faults)
}

/** Opens this number of slots at once: the test decides when a blockhash expires, not the time. */
export async function passSlots(rpcUrl: string, slots: number): Promise<void> {
  await call(rpcUrl, 'holdfast_advance', { slots })
}

/** Drops the newest slots that are not final, like a cluster that abandons a fork. */
export async function forkAway(rpcUrl: string, slots: number): Promise<void> {
  await call(rpcUrl, 'holdfast_forkAway', { slots })
}

async function call(rpcUrl: string, method: string, settings: object): Promise<void> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [settings] })
  const response = await fetch(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const answer = (await response.json()) as { result?: unknown }
  if (answer.result !== true) throw new Error(`${method} failed: ${JSON.stringify(answer)}`)
}
