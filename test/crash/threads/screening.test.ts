// One process with two threads and two cells on LevelDB: BANK in `main` lends an account to ACME in `red`, and has its
// payments screened by a service that takes longer than a blockhash stays the newest.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { PublicKey } from '@solana/web3.js'
import { afterAll, expect, it } from 'vitest'
import { apiOf } from '../api.ts'
import { openFixture, repeatUntilDecided, runCommand, startThreads } from '../threads-fixture.ts'

const SLOW_MS = 2_500
const LAMPORTS = 5_000_000

let questions = 0
const server = createServer((request, response) => {
  questions += 1
  request.resume()
  void sleep(SLOW_MS).then(() =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"decision":"ALLOW"}'),
  )
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

it('a payment is made although the owner of the account, in another cell, takes its time to screen it', async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const { dataDir, systemKey, acme, bank } = await openFixture()
  await runCommand(dataDir, 'cells', 'create', 'red')
  await runCommand(dataDir, 'cells', 'move', 'ACME', 'red')
  const service = await startThreads(dataDir, { OUTBOUND_ALLOW: host })
  const [main, red] = service.urls as [string, string]
  const system = apiOf(main, systemKey)
  const change = async (path: string, itemData: object, key: string): Promise<void> => {
    const { status, body } = await repeatUntilDecided(() => apiOf(main, key).send('PATCH', path, itemData))
    expect(status, JSON.stringify(body)).toBe(200)
  }
  const grant = { account: { offchainId: bank.source.offchainId }, orgsAllowedToSignWithPrivateKey: ['ACME'] }
  await change('/accounts', grant, bank.key)
  const key = { organizationExternalId: 'BANK', name: 'admin', bundle: 'ADMIN' }
  const { apiKey } = await system.make('/admin/api-keys', key)
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  const screening = { url: `http://${host}/`, secret, timeoutMs: 10_000 }
  await change('/admin/organizations', { externalId: 'BANK', screening }, apiKey as string)
  const itemData = {
    source: { onchainId: bank.source.onchainId },
    destination: { onchainId: acme.destination.onchainId },
    lamports: LAMPORTS,
  }
  const { status, body } = await apiOf(red, acme.key).send('POST', '/positions/transfer-network-currency', itemData)
  expect([status, body['success']], JSON.stringify(body)).toEqual([201, true])
  expect(await service.connection.getBalance(new PublicKey(acme.destination.onchainId), 'confirmed')).toBe(LAMPORTS)
  // Once before the transaction is recorded, and once when the key signs.
  expect(questions).toBe(2)
})
