// A service that is killed while a change is approved: the approval and the change are one write, so that the change is
// made exactly once, or still waits with nothing changed.
import { describe, expect, it } from 'vitest'
import { apiOf } from './api.ts'
import { newDataDir, startService, type Service } from './service.ts'

const KILLS = 6

interface Change {
  readonly offchainId: string
  readonly status: 'PENDING' | 'APPLIED'
  readonly approval: { readonly given: number }
}

interface Key {
  readonly keyId: string
  readonly apiKey: string
}

describe('a pending change', () => {
  it('is applied once, wherever the service is killed between the approval and its answer', async () => {
    const dataDir = newDataDir()
    let service = await startService({ dataDir })
    const newKey = (name: string, roles: readonly string[]) => ({ organizationExternalId: 'SYSTEM', name, roles })
    const approver = (await service.api.make(
      '/admin/api-keys',
      newKey('approver', ['DEBIT_LIMIT_APPROVE', 'TRANSACTIONS_READ']),
    )) as unknown as Key
    await service.api.make('/approval-policies', {
      operations: ['API_KEYS'],
      approvers: [approver.keyId],
      requiredApproversCount: 1,
    })
    const keysNamed = async ({ api }: Service, name: string): Promise<readonly Key[]> => {
      const filter = [{ fieldName: 'name', filterValues: [{ filterType: 'EQUALS', valueString: name }] }]
      return (
        (await api.query('/admin/api-keys/bulk', { itemQuery: { filter } })) as unknown as { items: readonly Key[] }
      ).items
    }
    const statuses = new Set<string>()
    for (let kill = 0; kill < KILLS; kill += 1) {
      const name = `made ${kill}`
      const response = await service.api.send('POST', '/admin/api-keys', newKey(name, ['ACCOUNTS_READ']))
      expect(response.status, JSON.stringify(response.body)).toBe(202)
      const { offchainId } = response.body['pendingChange'] as Change
      const approve = (of: Service) =>
        apiOf(of.url, approver.apiKey).send(
          'POST',
          '/pending-changes/approve',
          { offchainId },
          { headers: { 'idempotency-key': name } },
        )
      const answer = approve(service).then(
        ({ status }) => status,
        () => null,
      )
      // The first runs are killed at once, each later one after a longer time, the last one after its answer.
      if (kill === KILLS - 1) await answer
      else
        await Promise.race([
          answer,
          new Promise((resolve) => {
            setTimeout(resolve, kill * 3)
          }),
        ])
      await service.kill()
      const status = await answer
      service = await startService({ dataDir })
      const change = (await service.api.get('/pending-changes/single', { offchainId })) as unknown as Change
      statuses.add(change.status)
      if (status === 200) expect(change.status).toBe('APPLIED')
      expect([change.approval.given, (await keysNamed(service, name)).length]).toEqual(
        change.status === 'APPLIED' ? [1, 1] : [0, 0],
      )
      // The repeated approval is the same one.
      const approval = await approve(service)
      expect([approval.status, (approval.body['pendingChange'] as Change).status]).toEqual([200, 'APPLIED'])
      const keys = await keysNamed(service, name)
      expect(keys.map(({ keyId }) => keyId)).toEqual([response.body['keyId']])
    }
    expect(statuses.has('APPLIED')).toBe(true)
    expect(await service.stop()).toBe(0)
  })
})
