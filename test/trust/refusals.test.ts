// Refusals in the audit log: the first of its kind at once, its repeats as one row with their count, and an intact
// chain.
import { createHash, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import type { AuditRow } from '../../src/engine/audit/audit-row.ts'
import { verifyAudit } from '../../src/engine/audit/verify-audit.ts'
import { Refusals } from '../../src/operations/admin/refusals.ts'
import { generateKeypair } from '../../src/keys/keypair.ts'
import { startWorld } from '../e2e/harness.ts'
import { EngineFixture, TENANT } from '../engine/engine-fixture.ts'

const MINUTE_MS = 60_000

/** A clock that stops until the test advances it. */
class HandClock {
  #nowMs = 0
  #timers: { readonly atMs: number; readonly callback: () => void }[] = []
  elapsed = (): number => this.#nowMs
  soon = (callback: () => void): void => callback()
  clearTimeout = (timer: object): void => void (this.#timers = this.#timers.filter((each) => each !== timer))
  setTimeout = (callback: () => void, delayMs: number): object => {
    const timer = { atMs: this.#nowMs + delayMs, callback }
    this.#timers.push(timer)
    return timer
  }

  move(byMs: number): void {
    this.#nowMs += byMs
    for (const timer of this.#timers.filter(({ atMs }) => atMs <= this.#nowMs)) {
      this.clearTimeout(timer)
      timer.callback()
    }
  }
}

async function open(): Promise<{
  fixture: EngineFixture
  clock: HandClock
  refusals: Refusals
  rows: () => Promise<AuditRow[]>
}> {
  const fixture = await EngineFixture.open()
  const clock = new HandClock()
  const rows = (): Promise<AuditRow[]> => fixture.engine.journal.audit.after(fixture.store, TENANT, 0, 10_000)
  return { fixture, clock, refusals: new Refusals(fixture.engine, clock), rows }
}

const refusalOf = (keyId: string, action: string, offchainId?: string): Parameters<Refusals['note']>[0] => ({
  caller: { keyId, tenant: TENANT },
  bearer: undefined,
  action,
  requestId: randomUUID(),
  body: offchainId === undefined ? undefined : { offchainId },
})

describe('attack 18: refusals that are repeated', () => {
  it('write the first row at once, and one row with the count of the others after a minute', async () => {
    const { clock, refusals, rows } = await open()
    for (let n = 0; n < 100; n += 1) await refusals.note(refusalOf('key', 'POST /a', 'one'))
    await refusals.note(refusalOf('key', 'POST /a', 'two'))
    await refusals.note(refusalOf('key', 'POST /b', 'one'))
    await refusals.note(refusalOf('other', 'POST /a', 'one'))
    const readRows = async (): Promise<unknown[]> =>
      (await rows()).map(({ keyId, action, resource, count }) => [keyId, action, resource.offchainId, count])
    const firsts = [
      ['key', 'POST /a', 'one', undefined],
      ['key', 'POST /a', 'two', undefined],
      ['key', 'POST /b', 'one', undefined],
      ['other', 'POST /a', 'one', undefined],
    ]
    expect(await readRows()).toEqual(firsts)
    clock.move(MINUTE_MS - 1)
    expect(await readRows()).toEqual(firsts)
    clock.move(1)
    await vi.waitFor(async () => expect(await readRows()).toEqual([...firsts, ['key', 'POST /a', 'one', 99]]), 60_000)
    await refusals.note(refusalOf('key', 'POST /a', 'one'))
    expect((await readRows()).at(-1)).toEqual(['key', 'POST /a', 'one', undefined])
    clock.move(10 * MINUTE_MS)
    expect(await readRows()).toHaveLength(6)
  })

  it('are counted completely when the service stops, and their rows are in the chain', async () => {
    const { fixture, refusals, rows } = await open()
    const key = generateKeypair()
    fixture.engine.journal.audit.signBy((text) => Buffer.from(key.sign(Buffer.from(text))).toString('base64'))
    for (let n = 0; n < 3; n += 1) await refusals.note(refusalOf('key', 'POST /a'))
    await refusals.stop()
    await fixture.engine.sealAudit()
    expect((await rows()).map(({ count }) => count)).toEqual([undefined, 2])
    expect(await verifyAudit(fixture.store, { publicKey: key.address })).toMatchObject({
      ok: true,
      tenants: [{ rows: 2, unsigned: 0 }],
    })
    await fixture.restart()
    expect((await fixture.engine.journal.audit.after(fixture.store, TENANT, 0, 10)).map(({ count }) => count)).toEqual([
      undefined,
      2,
    ])
  })

  it('with different resources are combined by endpoint beyond 60 per key and minute', async () => {
    const { refusals, rows } = await open()
    for (let n = 0; n < 1_000; n += 1) await refusals.note(refusalOf('key', 'POST /a', randomUUID()))
    await refusals.note(refusalOf('other', 'POST /a', 'named'))
    await refusals.stop()
    const all = await rows()
    expect(all).toHaveLength(60 + 1 + 1 + 1)
    expect(all.reduce((sum, { count = 1 }) => sum + count, 0)).toBe(1_001)
    expect(all.at(-1)).toMatchObject({ keyId: 'key', action: 'POST /a', resource: { offchainId: null }, count: 939 })
  })

  it('are answered once the row of the first is on disk', async () => {
    const { fixture, refusals } = await open()
    fixture.hold()
    let answerCount = 0
    const notes = Array.from({ length: 3 }, () =>
      refusals.note(refusalOf('key', 'POST /a')).then(() => (answerCount += 1)),
    )
    await new Promise(setImmediate)
    expect(answerCount).toBe(0)
    fixture.letGo()
    await Promise.all(notes)
    expect(answerCount).toBe(3)
  })
})

describe('attack 18: the log over HTTP', () => {
  /** RFC 8785, for the values that a row can contain. */
  function canonical(value: unknown): string {
    if (typeof value !== 'object' || value === null) return JSON.stringify(value)
    const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
    return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`
  }

  it('does not grow with every 403, and a reader can verify the hashes', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'holdfast-refusals-'))
    let world = await startWorld({ HOLDFAST_DATA_DIR: dataDir })
    const rows = async (itemQuery: object): Promise<{ count: number; items: AuditRow[] }> =>
      (await world.api.bulk('/audit/bulk', itemQuery)) as { count: number; items: AuditRow[] }
    const everything = { limit: 1_000, sort: [{ fieldName: 'sequence', sortDirection: 'ASC' }] }
    const refusals = async (): Promise<unknown[]> =>
      (await rows(everything)).items
        .filter(({ outcome }) => outcome === 'REFUSED')
        .map(({ action, count }) => [action, count])
    try {
      const { apiKey, keyId } = await world.api.ok<{ apiKey: string; keyId: string }>(201, 'POST', '/admin/api-keys', {
        organizationExternalId: 'SYSTEM',
        name: 'less',
        roles: ['ACCOUNTS_READ'],
      })
      for (let n = 0; n < 40; n += 1) await world.api.as(apiKey).refuses(403, 'ROLE_REQUIRED', 'POST', '/accounts', {})
      expect(await refusals()).toEqual([['POST /api/v1/accounts', undefined]])
      await world.stop()
      world = await startWorld({ HOLDFAST_DATA_DIR: dataDir })
      expect(await refusals()).toEqual([
        ['POST /api/v1/accounts', undefined],
        ['POST /api/v1/accounts', 39],
      ])
      let previous = '0'.repeat(64)
      for (const { hash, ...row } of (await rows(everything)).items) {
        expect(row.previousHash).toBe(previous)
        expect(createHash('sha256').update(canonical(row)).digest('hex')).toBe(hash)
        previous = hash
      }
      const many = { fieldName: 'count', filterValues: [{ filterType: 'GREATER_THAN', valueNumber: 1 }] }
      expect(await rows({ filter: [many] })).toMatchObject({ count: 1, items: [{ keyId, count: 39 }] })
    } finally {
      await world.stop()
      rmSync(dataDir, { recursive: true, force: true })
    }
  })
})
