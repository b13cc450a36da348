// The chain of the audit log is complete and in commit order through refusals, group commits and restarts; and any
// change on disk without its key is detected.
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  CHECKPOINT_EVERY,
  checkpointName,
  earlierCheckpointName,
  lastCheckpointName,
  type AuditEntry,
} from '../../../src/engine/audit/audit-row.ts'
import { verifyAudit, type AuditReport, type AuditStore } from '../../../src/engine/audit/verify-audit.ts'
import type { SequencedRow } from '../../../snapshots/store.ts'
import { generateKeypair } from '../../../src/keys/keypair.ts'
import { EngineFixture, newAccount, TENANT } from '../engine-fixture.ts'

const OTHER = 'ÖTHER!'
const KEY = generateKeypair()

async function open(): Promise<EngineFixture> {
  const fixture = await EngineFixture.open()
  sign(fixture)
  return fixture
}

function sign(fixture: EngineFixture): void {
  fixture.engine.journal.audit.signBy((text) => Buffer.from(KEY.sign(Buffer.from(text))).toString('base64'))
}

const entryOf = (tenant = TENANT, more: Partial<AuditEntry> = {}): AuditEntry => ({
  tenant,
  keyId: 'abcdefghijkl',
  action: 'POST /api/v1/accounts',
  outcome: 'DONE',
  resource: { kind: 'account', onchainId: 'address', offchainId: randomUUID() },
  requestId: randomUUID(),
  ...more,
})

const verify = (store: AuditStore, publicKey = KEY.address): Promise<AuditReport> => verifyAudit(store, { publicKey })

/** A chain with more than a thousand rows and a signed end. */
async function chain(rows: number): Promise<EngineFixture> {
  const fixture = await open()
  await fixture.commit((unit) => {
    for (let n = 0; n < rows; n += 1) unit.audit(entryOf())
  })
  await fixture.engine.sealAudit()
  return fixture
}

describe('checkpoints', () => {
  const text = fc.oneof(fc.stringMatching(/^[!%120A]{1,8}$/), fc.string({ unit: 'grapheme', maxLength: 6 }))

  it('of two tenants never share a name', () => {
    fc.assert(
      fc.property(text, text, fc.integer({ min: 1, max: 3 }), (one, other, thousands) => {
        fc.pre(one !== other)
        const names = (tenant: string) => [lastCheckpointName(tenant), checkpointName(tenant, thousands * 1_000)]
        for (const name of names(one)) expect(names(other)).not.toContain(name)
      }),
    )
    expect(earlierCheckpointName(`${TENANT}!1000`)).toBeUndefined()
  })

  it('of a tenant whose name continues that of another with a number are its own', async () => {
    const fixture = await open()
    const longer = `${TENANT}!${CHECKPOINT_EVERY}`
    for (const [tenant, rows] of [
      [TENANT, CHECKPOINT_EVERY],
      [longer, 5],
    ] as const)
      await fixture.commit((unit) => {
        for (let n = 0; n < rows; n += 1) unit.audit(entryOf(tenant))
      })
    await fixture.engine.sealAudit()
    const { tenants } = await verify(fixture.engine.store)
    expect(tenants.map(({ tenant, problems, unsigned }) => [tenant, problems, unsigned])).toEqual([
      [TENANT, [], 0],
      [longer, [], 0],
    ])
  })

  it('are found under the names of earlier releases', async () => {
    const fixture = await open()
    await fixture.commit((unit) => {
      for (let n = 0; n < CHECKPOINT_EVERY + 2; n += 1) unit.audit(entryOf(OTHER))
    })
    await fixture.engine.sealAudit()
    const { store } = fixture.engine
    const renamed = new Map(
      [undefined, CHECKPOINT_EVERY].map((sequence) => [
        earlierCheckpointName(OTHER, sequence)!,
        store.meta(sequence === undefined ? lastCheckpointName(OTHER) : checkpointName(OTHER, sequence)),
      ]),
    )
    const earlier = new Proxy(store, {
      get: (target, name: string) => {
        if (name === 'meta')
          return (fact: string) => (fact.includes('%21') ? undefined : (renamed.get(fact) ?? store.meta(fact)))
        const member: unknown = Reflect.get(target, name)
        return typeof member === 'function' ? (member as () => unknown).bind(target) : member
      },
    })
    expect((await verify(earlier)).tenants).toEqual((await verify(store)).tenants)
  })
})

describe('the audit chain', () => {
  const round = fc.array(
    fc.record({ tenant: fc.constantFrom(TENANT, OTHER), refused: fc.boolean(), count: fc.integer({ min: 1, max: 3 }) }),
    { maxLength: 6 },
  )

  it('has a row for each committed action, and none for a rolled back one', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(round, { maxLength: 6 }), async (rounds) => {
        const fixture = await open()
        const expected: Record<string, string[]> = { [TENANT]: [], [OTHER]: [] }
        let records = 0
        for (const steps of rounds) {
          const writes: Promise<void>[] = []
          for (const { tenant, refused, count } of steps) {
            const entries = Array.from({ length: count }, () => entryOf(tenant))
            try {
              const { durable } = fixture.engine.transact((unit) => {
                newAccount(unit, `record ${records++}`)
                for (const one of entries) unit.audit(one)
                if (refused) throw new Error('refused')
              })
              writes.push(durable)
              expected[tenant]!.push(...entries.map(({ requestId }) => requestId))
            } catch (error) {
              if ((error as Error).message !== 'refused') throw error
            }
          }
          await Promise.all(writes)
          if (steps.length % 2 === 1) {
            await fixture.restart()
            sign(fixture)
          }
          await fixture.engine.sealAudit()
        }
        const { audit } = fixture.engine.journal
        for (const tenant of [TENANT, OTHER]) {
          const rows = await audit.after(fixture.store, tenant, 0, 1_000)
          expect(rows.map(({ requestId }) => requestId)).toEqual(expected[tenant])
          expect(rows.map(({ sequence }) => sequence)).toEqual(rows.map((_, index) => index + 1))
          expect(audit.lastSequence(tenant)).toBe(rows.length)
        }
        const report = await verify(fixture.store)
        expect(report).toMatchObject({ ok: true })
        expect(report.tenants.reduce((sum, { unsigned }) => sum + unsigned, 0)).toBe(0)
      }),
      { numRuns: 15 },
    )
  })

  it('is visible once it is durable, and not before', async () => {
    const fixture = await open()
    fixture.hold()
    const { durable } = fixture.engine.transact((unit) => unit.audit(entryOf()))
    expect(fixture.engine.journal.audit.lastSequence(TENANT)).toBe(0)
    fixture.letGo()
    await durable
    expect(fixture.engine.journal.audit.lastSequence(TENANT)).toBe(1)
  })
})

describe('a change on disk', () => {
  /** The store, with the changed rows of its audit log. */
  function with_(store: AuditStore, change: (rows: SequencedRow[]) => SequencedRow[]): AuditStore {
    return {
      tenants: () => store.tenants(),
      meta: (name) => store.meta(name),
      lastSequence: async (log, tenant) =>
        change([...(await store.audit(tenant, -1, 9_999))]).at(-1)?.sequence ?? (log === 'audit' ? 0 : 0),
      audit: async (tenant, after, limit) =>
        change([...(await store.audit(tenant, -1, 9_999))])
          .filter(({ sequence }) => sequence > after)
          .slice(0, limit),
    }
  }

  it('is detected in every row and member', async () => {
    const { store } = await chain(CHECKPOINT_EVERY + 20)
    expect(await verify(store)).toMatchObject({
      ok: true,
      tenants: [{ rows: CHECKPOINT_EVERY + 20, checkpoints: 2, unsigned: 0 }],
    })
    const anyRow = fc.integer({ min: 0, max: CHECKPOINT_EVERY + 19 })
    const tampering = fc.oneof(
      fc.record({ do: fc.constant('member' as const), at: anyRow, member: fc.nat(9), text: fc.string() }),
      fc.record({
        do: fc.constantFrom('remove' as const, 'longer' as const, 'null' as const, 'swap' as const, 'again' as const),
        at: anyRow,
        member: fc.constant(0),
        text: fc.constant(''),
      }),
    )
    await fc.assert(
      fc.asyncProperty(tampering, async (how) => {
        const tamperedStore = with_(store, (rows) => {
          const { sequence, row } = rows[how.at]!
          const parts = row as string[]
          switch (how.do) {
            case 'member':
              return rows.with(how.at, {
                sequence,
                row: parts.with(how.member, how.text === parts[how.member] ? `${how.text}!` : how.text),
              })
            case 'longer':
              return rows.with(how.at, { sequence, row: [...parts, ''] })
            case 'null':
              return rows.with(how.at, { sequence, row: null })
            case 'remove':
              return rows.toSpliced(how.at, 1)
            case 'swap': {
              const next = (how.at + 1) % rows.length
              return rows
                .with(how.at, { sequence, row: rows[next]!.row })
                .with(next, { sequence: rows[next]!.sequence, row })
            }
            case 'again':
              return [...rows, { sequence: rows.length + 1, row }]
          }
        })
        const { ok, tenants } = await verify(tamperedStore)
        expect(ok).toBe(false)
        expect(tenants[0]!.problems.length).toBeGreaterThan(0)
      }),
      { numRuns: 60 },
    )
  })

  it('is detected by the checkpoints if all later hashes were recomputed', async () => {
    const { store } = await chain(40)
    const forged = await chain(40)
    const rows = await forged.store.audit(TENANT, 0, 99)
    const report = await verify(with_(store, () => rows))
    expect(report.tenants[0]!.problems).toEqual([{ sequence: 40, problem: 'has another hash than its checkpoint' }])
  })

  it('is detected if a checkpoint has another key, or the end is missing', async () => {
    const { store } = await chain(40)
    expect(await verify(store, generateKeypair().address)).toMatchObject({ ok: false })
    expect(await verify(store, 'no key')).toMatchObject({ ok: false })
    expect(await verify(with_(store, (rows) => rows.slice(0, 39)))).toMatchObject({ ok: false })
    const withoutCheckpoint: AuditStore = {
      tenants: () => store.tenants(),
      lastSequence: (...asked) => store.lastSequence(...asked),
      audit: (...asked) => store.audit(...asked),
      meta: () => undefined,
    }
    expect(
      await verify(withoutCheckpoint),
      'without its checkpoint the chain is whole, and says that nobody signed it',
    ).toMatchObject({
      ok: true,
      tenants: [{ unsigned: 40 }],
    })
  })
})
