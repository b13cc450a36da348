// The owner is killed while a change is approved through another node: the approval and the change are one write, so
// the next owner has made the change once, or it still waits.
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { apiOf, type Answer, type Body } from '../../crash/api.ts'
import { openClusterFixture, ownerOf, type NodeProcess } from '../cluster-fixture.ts'
import { showNodesOnFailure } from './show-nodes.ts'

const KILLS = 4
/** The first kill follows the request at once, each later one after a longer time, the last one after its answer. */
const LATER_MS = 8

interface Change {
  readonly status: 'PENDING' | 'APPLIED'
  readonly approval: { readonly given: number }
}

let nodes: NodeProcess[] = []
showNodesOnFailure(() => nodes)

it('a change is made once, whichever node owns the cell when it is approved', async () => {
  await using fixture = await openClusterFixture({ LEASE_MS: '3000' })
  nodes = await Promise.all(['a', 'b'].map((id) => fixture.start(id)))
  const owner = await ownerOf(nodes)
  const admin = apiOf(owner.url, fixture.apiKey)
  const newKey = (name: string, roles: readonly string[]) => ({ organizationExternalId: 'SYSTEM', name, roles })
  const approver = await admin.make('/admin/api-keys', newKey('approver', ['DEBIT_LIMIT_APPROVE', 'TRANSACTIONS_READ']))
  await admin.make('/approval-policies', {
    operations: ['API_KEYS'],
    approvers: [approver['keyId']],
    requiredApproversCount: 1,
  })
  const applied: number[] = []
  for (let kill = 0; kill < KILLS; kill += 1) {
    const name = `made ${kill}`
    const killed = await ownerOf(nodes)
    const gateway = nodes.find((node) => node !== killed)!
    const api = apiOf(gateway.url, fixture.apiKey)
    const request = await api.send('POST', '/admin/api-keys', newKey(name, ['ACCOUNTS_READ']))
    expect(request.status, JSON.stringify(request.body)).toBe(202)
    const { offchainId } = request.body['pendingChange'] as { readonly offchainId: string }
    const approve = (): Promise<Answer> =>
      apiOf(gateway.url, approver['apiKey'] as string).send(
        'POST',
        '/pending-changes/approve',
        { offchainId },
        { headers: { 'idempotency-key': name } },
      )
    const approved = approve().catch(() => null)
    await (kill === KILLS - 1 ? approved : delay(kill * LATER_MS))
    killed.signal('SIGKILL')
    await killed.ended
    expect(await ownerOf([gateway])).toBe(gateway)

    const answer = await approved
    const change = (await api.get('/pending-changes/single', { offchainId })) as unknown as Change
    const keysNamed = async (): Promise<readonly Body[]> => {
      const filter = [{ fieldName: 'name', filterValues: [{ filterType: 'EQUALS', valueString: name }] }]
      return (await api.query('/admin/api-keys/bulk', { itemQuery: { filter } }))['items'] as readonly Body[]
    }
    if (answer?.status === 200) expect(change.status).toBe('APPLIED')
    const made = (await keysNamed()).length
    expect([change.approval.given, made]).toEqual(change.status === 'APPLIED' ? [1, 1] : [0, 0])
    applied.push(made)
    expect([(await approve()).status, (await keysNamed()).map(({ keyId }) => keyId)]).toEqual([
      200,
      [request.body['keyId']],
    ])
    nodes = [gateway, await fixture.start(killed.name)]
  }
  expect(applied.at(-1)).toBe(1)
})
