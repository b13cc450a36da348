// One request to another node, over a real connection.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { bytesOf, Hops, type HopOutcome } from '../../src/nodes/hop.ts'

let server: Server
let hops: Hops

beforeEach(async () => {
  server = createServer((_request, response) => void response.end('served'))
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  hops = new Hops()
})
afterEach(async () => {
  hops.close()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

function send(connectMs: number, answerMs: number): Promise<HopOutcome> {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return hops.send({ url, method: 'POST', path: '/', headers: {}, body: Buffer.from('{}'), connectMs, answerMs })
    .outcome
}

/** Blocks the event loop; arriving data waits. */
function standStill(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until;);
}

it('reaches a node that accepted the connection while this process stood still', async () => {
  const response = send(50, 60_000)
  // It is connecting, and has not checked whether it is connected.
  for (let turn = 0; turn < 5; turn += 1) await new Promise<void>((resolve) => process.nextTick(resolve))
  standStill(200)
  const outcome = await response
  expect(outcome.kind).toBe('answered')
  if (outcome.kind === 'answered') expect((await bytesOf(outcome.answer)).toString()).toBe('served')
})

it('does not wait for longer than it may', async () => {
  server.removeAllListeners('request')
  expect((await send(60_000, 50)).kind).toBe('unanswered')
})
