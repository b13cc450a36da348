// Who gets a webhook for a signature request of another tenant: only the organization that accepts such requests.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { eventually, startWorld, type World } from '../../e2e/harness.ts'
import { PAY } from '../../e2e/limits/limit-fixture.ts'
import type { Ids, Result } from '../../e2e/models.ts'
import { Receiver, verify, type Delivery } from '../../e2e/receiver.ts'
import { SOL } from '../../e2e/records.ts'
import { newParty, type Party } from '../fixtures/parties.ts'

const REQUESTED = 'transaction.signature_requested'

let world: World
let receiver: Receiver
let stranger: Party
let ownWallet: Ids
/** An organization that accepts requests; another of its tenant; one of another tenant that accepts none. */
let open: Party
let sibling: Party
let quiet: Party
const secrets = new Map<string, string>()

async function hears({ api }: Party, path: string, eventTypes?: readonly string[]): Promise<void> {
  const types = eventTypes === undefined ? {} : { eventTypes }
  const { secret } = await api.ok<{ secret: string }>(201, 'POST', '/webhooks', { url: receiver.url(path), ...types })
  secrets.set(path, secret)
}

beforeAll(async () => {
  receiver = await Receiver.start()
  world = await startWorld({ HOLDFAST_OUTBOUND_ALLOW: receiver.host })
  stranger = await newParty(world, 'STRANGER')
  await newParty(world, 'PARENT')
  open = await newParty(world, 'OPEN', 'PARENT')
  sibling = await newParty(world, 'SIBLING', 'PARENT')
  quiet = await newParty(world, 'QUIET')
  await open.api.ok(200, 'PATCH', '/admin/organizations', { externalId: 'OPEN', acceptsSigningRequests: true })
  await stranger.records.feePayer()
  ownWallet = await stranger.records.funded({}, SOL)
  await hears(open, '/open', [REQUESTED])
  await hears(open, '/open/all')
  for (const [party, path] of [
    [sibling, '/sibling'],
    [quiet, '/quiet'],
    [stranger, '/stranger'],
  ] as const) {
    await hears(party, path, [REQUESTED])
  }
})
afterAll(async () => {
  await world.stop()
  receiver.stop()
})

const asks = async (source: object): Promise<Result> =>
  await stranger.api.ok<Result>(201, 'POST', PAY, { source, destination: ownWallet, lamports: 1_000 })
const requestsTo = (path: string): readonly Delivery[] =>
  receiver.taken.filter((delivery) => delivery.path === path && delivery.event.type === REQUESTED)

it('14.10 a signature request is delivered, signed, only to webhooks of the organization that accepts it', async () => {
  const [openWallet, quietWallet] = [await open.records.funded({}, SOL), await quiet.records.funded({}, SOL)]
  const { offchainId, status } = await asks({ onchainId: openWallet.onchainId })
  expect(status).toBe('PREPARED')
  await asks({ onchainId: quietWallet.onchainId, offPlatform: true })
  for (const path of ['/open', '/open/all']) {
    const [delivery] = await eventually(() => {
      expect(requestsTo(path)).toHaveLength(1)
      return Promise.resolve(requestsTo(path))
    })
    expect(() => verify(secrets.get(path)!, delivery!)).not.toThrow()
    expect(() => verify(secrets.get('/quiet')!, delivery!)).toThrow()
    expect(delivery!.event.resource).toMatchObject({ kind: 'transaction', offchainId })
    // The transaction belongs to the requester.
    expect(delivery!.event.tenantOrganizationId).toBe('STRANGER')
  }
  // A later request arrives at the same receiver: a wrong delivery of the first would have arrived before it.
  const laterRequest = await asks({ onchainId: openWallet.onchainId })
  await eventually(() => {
    expect(requestsTo('/open').map(({ event }) => event.resource.offchainId)).toEqual([
      offchainId,
      laterRequest.offchainId,
    ])
    return Promise.resolve()
  })
  for (const path of ['/sibling', '/quiet', '/stranger']) expect(requestsTo(path), path).toEqual([])
  const others = receiver.came.filter(({ path }) => path === '/open/all').map(({ event }) => event.type)
  expect(others.filter((type) => type.startsWith('transaction.') && type !== REQUESTED)).toEqual([])
})
