// The lane of a fee payer that a tenant grants to a tenant of another cell, on another node: once its suspension is
// answered, no transaction that it pays for is sent, in any cell, until it is resumed.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../../e2e/harness.ts'
import type { Ids, Result } from '../../e2e/models.ts'
import { SOL } from '../../e2e/records.ts'
import { until as found } from '../../crash/until.ts'
import { openClusterFixture, type ClusterFixture, type NodeProcess } from '../cluster-fixture.ts'
import { askAt, divideCells, firstNode, killAndRestart, newTenant, untilServed, type Tenant } from '../two-nodes.ts'

const PAY = '/positions/transfer-network-currency'
const SUSPEND = '/admin/lanes/suspend'
const RESUME = '/admin/lanes/resume'
/** Longer than the interval at which a cell reads others, and than a send is repeated. */
const HELD_MS = 3_000

let fixture: ClusterFixture
let nodes: NodeProcess[]
let acme: Tenant
let beta: Tenant
/** Of ACME. */
let payer: Ids
let source: Ids
let destination: Ids

/** Each client uses the node that does not own its cell. */
function useNodes(): void {
  askAt(fixture, acme, nodes[0]!.url)
  askAt(fixture, beta, nodes[1]!.url)
}

beforeAll(async () => {
  fixture = await openClusterFixture({ LEASE_MS: '6000' })
  const node = await firstNode(fixture)
  acme = await newTenant(fixture, node, 'ACME')
  beta = await newTenant(fixture, node, 'BETA')
  payer = await acme.records.feePayer({ globalFeePayerForOrgs: ['BETA'], networkCurrencyDebitLimits: [] })
  const itemData = { externalId: 'BETA', acceptedFeePayers: [payer.onchainId] }
  await beta.api.ok(200, 'PATCH', '/admin/organizations', itemData)
  source = await beta.records.funded({}, 10n * SOL)
  destination = await beta.records.funded({}, SOL)
  nodes = await divideCells(fixture, node, acme)
  useNodes()
  await untilServed([acme, beta])
})
afterAll(async () => fixture[Symbol.asyncDispose]())

/** BETA pays with the key of ACME, and does not wait. */
async function pay(): Promise<string> {
  const headers = { Prefer: 'respond-async', 'idempotency-key': randomUUID() }
  const config = { feePayer: { onchainId: payer.onchainId } }
  const item = { source, destination, lamports: 1_000 }
  return await found(async () => {
    const answer = await beta.api.send<Result>('POST', PAY, item, { headers, config })
    if ([503, 504].includes(answer.status)) return undefined
    expect(answer.status, JSON.stringify(answer.body)).toBe(201)
    return answer.body.offchainId
  }, 'the payment is recorded')
}

interface Recorded {
  readonly status: string
  readonly history: readonly { readonly status: string }[]
}
const recordOf = (offchainId: string): Promise<Recorded> => beta.api.read('/transactions/single', { offchainId })

async function isHeld(offchainId: string): Promise<void> {
  await eventually(async () => expect((await recordOf(offchainId)).status).toBe('SIGNED'))
  await new Promise((resolve) => void setTimeout(resolve, HELD_MS))
  const { status, history } = await recordOf(offchainId)
  expect([status, history.filter((each) => each.status === 'SUBMITTED')]).toEqual(['SIGNED', []])
}

const ends = (offchainId: string): Promise<void> =>
  eventually(async () => expect((await recordOf(offchainId)).status).toBe('FINALIZED'), 60_000)

const lane = (): object => ({ account: { offchainId: payer.offchainId } })

describe('the suspended lane of a fee payer of another cell', () => {
  it('sends nothing once that is answered, and everything once it is resumed', async () => {
    await ends(await pay())
    for (let round = 0; round < 3; round += 1) {
      await acme.api.ok(200, 'PATCH', SUSPEND, lane())
      const heldPayment = await pay()
      await acme.api.refuses(400, 'ALREADY_SUSPENDED', 'PATCH', SUSPEND, lane())
      await isHeld(heldPayment)
      await acme.api.ok(200, 'PATCH', RESUME, lane())
      await acme.api.refuses(400, 'NOT_SUSPENDED', 'PATCH', RESUME, lane())
      await ends(heldPayment)
    }
  })

  it('stays suspended when each node is killed', async () => {
    await acme.api.ok(200, 'PATCH', SUSPEND, lane())
    for (const name of ['a', 'b']) {
      await killAndRestart(fixture, nodes, name)
      useNodes()
      await untilServed([acme, beta])
      await isHeld(await pay())
    }
    const { laneSuspended } = await acme.api.read<{ laneSuspended: boolean }>('/accounts/single', {
      offchainId: payer.offchainId,
    })
    expect(laneSuspended).toBe(true)
    await acme.api.ok(200, 'PATCH', RESUME, lane())
    await ends(await pay())
  })
})
