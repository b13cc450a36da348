// Webhooks over real kills in the middle of deliveries, right after the receiver accepted one and before that is
// stored. Nothing is lost, each resource keeps its order, and repeated deliveries are equal. The secret is stored
// nowhere in the clear.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { accept, Receiver, verify, type Delivery } from '../e2e/receiver.ts'
import { newDataDir, startService, type Service } from './service.ts'
import { refOf } from './api.ts'
import { until } from './until.ts'

const ROUNDS = 3
const ACCOUNTS = 8
const CHANGES = 6

let receiver: Receiver
afterAll(() => receiver.stop())

interface Made {
  readonly secret: string
  readonly newWebhook: { readonly offchainId: string }
}

/** Acknowledged changes, by account: their comments. Ends when the service does. */
async function work({ api }: Service, round: number): Promise<Map<string, string[]>> {
  const acknowledged = new Map<string, string[]>()
  const one = async (): Promise<void> => {
    const { offchainId } = refOf(await api.make('/accounts', {}), 'newAccount')
    const comments: string[] = []
    acknowledged.set(offchainId, comments)
    for (let change = 1; change <= CHANGES; change += 1) {
      const answer = await api.send('PATCH', '/accounts', { account: { offchainId }, comments: `${round}.${change}` })
      if (answer.status === 200) comments.push(`${round}.${change}`)
    }
  }
  await Promise.all(Array.from({ length: ACCOUNTS }, () => one().catch(() => undefined)))
  return acknowledged
}

function textOfFiles(path: string): string {
  return readdirSync(path, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n')
}

it('are all delivered when the service is killed during the delivery', async () => {
  receiver = await Receiver.start()
  const dataDir = newDataDir()
  const settings = { OUTBOUND_ALLOW: receiver.host }
  let service = await startService({ dataDir, settings })
  const { secret, newWebhook } = (await service.api.make('/webhooks', { url: receiver.url() })) as unknown as Made
  const expected = new Map<string, string[]>()
  for (let round = 1; round <= ROUNDS; round += 1) {
    const dying = service
    let remainingDeliveries = 5 + 7 * round
    let killing: Promise<void> | undefined
    receiver.behave = (response, delivery, attempt) => {
      remainingDeliveries -= 1
      if (remainingDeliveries === 0)
        response.on('finish', () => {
          killing = dying.killBoth()
        })
      // Some fail, and wait for a retry when the service is killed.
      if (attempt === 1 && delivery.event.sequence % 5 === 0) response.writeHead(503).end()
      else accept(response, delivery, attempt)
    }
    for (const [account, comments] of await work(dying, round)) expected.set(account, comments)
    await until(() => (killing === undefined ? undefined : true), 'it is killed while it delivers')
    await killing
    receiver.behave = accept
    service = await startService({ dataDir, settings })
  }
  const { offchainId } = newWebhook
  const filter = [{ fieldName: 'offchainId', filterValues: [{ filterType: 'EQUALS', valueString: offchainId }] }]
  await service.api.send('PATCH', '/webhooks/redeliver', { offchainId })
  await until(
    async () => {
      const { items } = (await service.api.query('/webhooks/bulk', { itemQuery: { filter } })) as {
        items: { lastSequence: number; waiting: readonly unknown[] }[]
      }
      const sequences = new Set(receiver.taken.map(({ event }) => event.sequence))
      const highest = Math.max(...sequences)
      return items[0]!.waiting.length === 0 && items[0]!.lastSequence >= highest && sequences.size === highest
        ? true
        : undefined
    },
    () => `every event arrives: ${receiver.taken.length} did`,
  )

  const texts = new Map<string, string>()
  for (const delivery of receiver.came) {
    verify(secret, delivery)
    const id = delivery.headers['webhook-id']!
    expect(delivery.text).toBe(texts.get(id) ?? delivery.text)
    texts.set(id, delivery.text)
  }
  for (const sequences of receiver.order().values()) expect(sequences).toEqual([...sequences].sort((a, b) => a - b))
  for (const [account, comments] of expected) {
    const arrived = receiver.taken.filter(({ event }) => event.resource.offchainId === account).map(commentsOf)
    expect(arrived).toEqual(expect.arrayContaining([undefined, ...comments]))
  }
  expect(receiver.taken.length).toBeGreaterThan(ROUNDS * ACCOUNTS)
  expect(await service.stop()).toBe(0)
  const bare = secret.slice('whsec_'.length)
  expect(textOfFiles(dataDir)).toContain(newWebhook.offchainId)
  expect(textOfFiles(dataDir)).not.toContain(bare)
  expect(service.program.lines.join('\n')).not.toContain(bare)
})

function commentsOf({ event }: Delivery): unknown {
  return event.data['comments'] ?? undefined
}
