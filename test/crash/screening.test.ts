// A kill during a screening, before and right after its answer: a payment is made at most once, never without an answer
// that allows it, and the same request continues after the start.
import { once as event } from 'node:events'
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Keypair, PublicKey } from '@solana/web3.js'
import { afterAll, expect, it } from 'vitest'
import type { Answer } from './api.ts'
import { fundWallet } from './fund-wallet.ts'
import { newDataDir, startService } from './service.ts'
import { until } from './until.ts'

const SOL = 1_000_000_000
const PAYMENTS = 6

const server = createServer()
/** Destinations that a screening allowed. */
const allowed = new Set<string>()
let behave: (destination: string, answer: () => void) => void = (_, answer) => answer()
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

async function listen(): Promise<string> {
  server.on('request', (request, response) => {
    const chunks: Buffer[] = []
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        const { movements } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as {
          movements: readonly { destination: string }[]
        }
        const { destination } = movements[0]!
        behave(destination, () => {
          allowed.add(destination)
          response.writeHead(200, { 'content-type': 'application/json' }).end('{"decision":"ALLOW"}')
        })
      })
  })
  server.listen(0, '127.0.0.1')
  await event(server, 'listening')
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

it('pays at most once, and never an unscreened payment', async () => {
  const host = await listen()
  const options = { dataDir: newDataDir(), settings: { OUTBOUND_ALLOW: host } }
  let service = await startService(options)
  await fundWallet(service, { canPayFees: true }, 10 * SOL)
  const source = await fundWallet(service, {}, 10 * SOL)
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  const screening = { url: `http://${host}/`, secret, timeoutMs: 10_000 }
  expect((await service.api.send('PATCH', '/admin/organizations', { externalId: 'SYSTEM', screening })).status).toBe(
    200,
  )

  for (let round = 0; round < PAYMENTS; round += 1) {
    const onchainId = Keypair.generate().publicKey.toBase58()
    const lamports = SOL / 10 + round
    const pay = (): Promise<Answer> =>
      service.api.send(
        'POST',
        '/positions/transfer-network-currency',
        { source, destination: { onchainId, offPlatform: true }, lamports },
        {
          headers: { 'idempotency-key': `payment ${round}` },
        },
      )
    const dying = service
    const killed: Promise<void>[] = []
    // In every other round the answer is sent first.
    behave = (_, answer) => {
      if (round % 2 === 1) answer()
      if (killed.length === 0) killed.push(dying.kill())
    }
    await pay().catch(() => null)
    await Promise.all(await until(() => (killed.length === 0 ? undefined : killed), 'it is killed while it asks'))
    behave = (_, answer) => answer()
    service = await startService(options)
    const balance = async (): Promise<number> => await service.connection.getBalance(new PublicKey(onchainId))
    if (!allowed.has(onchainId)) expect(await balance()).toBe(0)
    const { status, body } = await pay()
    expect(status, JSON.stringify(body)).toBe(201)
    await until(async () => ((await balance()) === lamports ? true : undefined), 'it is paid')
    expect(allowed.has(onchainId)).toBe(true)
    expect((await pay()).replayed).toBe(true)
    expect(await balance()).toBe(lamports)
  }
  expect(await service.stop()).toBe(0)
})
