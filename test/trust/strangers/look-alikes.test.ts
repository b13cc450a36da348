// External ids that resemble those of another organization, and names of internal hosts.
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { outboundRule } from '../../../src/config/networks.ts'
import { organizationKey } from '../../../src/engine/index/index-keys.ts'
import { EVERY_CLUSTER } from '../../../src/engine/records/record.ts'
import { skeletonOf } from '../../../src/engine/records/skeleton.ts'
import { createOrganization } from '../../../src/operations/admin/create-organization.ts'
import { updateOrganization } from '../../../src/operations/admin/update-organization.ts'
import { Outbound } from '../../../src/operations/context/outbound/outbound.ts'
import { House, verdict } from '../../operations/admin/house.ts'

describe('attack 18: external ids', () => {
  const open = async (): Promise<{ house: House; create: (externalId: string) => Promise<string> }> => {
    const house = await House.open()
    return { house, create: (externalId) => verdict(() => house.run(createOrganization, { externalId, name: 'n' })) }
  }

  it('that resemble the system tenant are reserved, with any further characters', async () => {
    const { create } = await open()
    for (const like of [
      'SYSTEM\u200b',
      'SYS\u00adTEM',
      '\u2066SYSTEM\u2069',
      'ЅYSTEM',
      'SУSТЕМ',
      'ＳＹＳＴＥＭ',
      'system',
      'SYSTEM\ufe0f',
      'SYSTEM\u3164',
      'ꓢYSTEM'.replace('ꓢ', 'ѕ'),
    ]) {
      expect([like, await create(like)]).toEqual([like, '400 EXTERNAL_ID_RESERVED /itemData/externalId'])
    }
  })

  it('contain no control, format or invisible characters, and are normalized (NFKC)', async () => {
    const { create } = await open()
    const malformed = [
      'AC\u200bME',
      'AC\u202eME',
      'AC\u00adME',
      'AC\u2060ME',
      'AC\u2028ME',
      'AC\u034fME',
      'AC\u115fME',
      'AC\ue000ME',
      'AC\u0085ME',
      'ＡＣＭＥ',
      'AC\u00a0ME',
      'ﬁrm',
      '①',
    ]
    for (const bad of malformed)
      expect([bad, await create(bad)]).toEqual([bad, '400 INVALID_TEXT /itemData/externalId'])
  })

  it('are reserved together with all that resemble them', async () => {
    const { create } = await open()
    expect(await create('ACME-1 Fund')).toBe('done')
    for (const like of [
      'ACME-1 FUND',
      'acme-1 fund',
      'АСМЕ-1 Fund',
      'ΑCΜΕ-1 Fund',
      'ACME‐1 Fund',
      'ACME–1 Fund',
      'ACME-1  Fund',
    ]) {
      expect([like, await create(like)]).toEqual([like, '400 ALREADY_EXISTS /itemData/externalId'])
    }
    for (const other of [
      'ACME-2 Fund',
      'ÄCME-1 Fund',
      'ACME-1 Fond',
      'АО Вектор',
      'Ελλάς',
      '株式会社',
      'MAIL',
      'MALL',
    ]) {
      expect([other, await create(other)]).toEqual([other, 'done'])
    }
  })

  it('that were stored before remain usable, even two that resemble each other, also after a restart', async () => {
    const { house, create } = await open()
    const old = ['SYSTEM\u200b', 'ACME', 'АСМЕ']
    await house.engine.transact((unit) => {
      for (const externalId of old) {
        unit.orderNew(
          'organization',
          { tenant: externalId, cluster: EVERY_CLUSTER, id: randomUUID() },
          {
            organization: { externalId, name: 'n', parentExternalId: null, allowedPrograms: [], system: false },
          },
        )
      }
    }).durable
    await house.restart()
    for (const externalId of old) {
      expect(house.engine.directory.first(organizationKey(externalId))?.committed?.tenant).toBe(externalId)
      expect(await verdict(() => house.run(updateOrganization, { externalId, name: 'still here' }))).toBe('done')
    }
    expect(await create('acme')).toBe('400 ALREADY_EXISTS /itemData/externalId')
  })

  it('have one skeleton for upper and lower case letters with the same appearance', () => {
    for (const [one, other] of [
      ['НЕΝRΥ', 'HENRY'],
      ['рауреr', 'payper'],
      ['Ѕсоре', 'Scope'],
    ] as const)
      expect(skeletonOf(one)).toBe(skeletonOf(other))
    for (const [one, other] of [
      ['FUND', 'FIND'],
      ['O', '0'],
      ['I', 'L'],
    ] as const)
      expect(skeletonOf(one)).not.toBe(skeletonOf(other))
  })
})

describe('attack 18: names of internal hosts', () => {
  const fetchOutcome = async (address: string | null, uri: string, ...rules: string[]): Promise<string> => {
    const resolve = (): Promise<{ address: string; family: 4 }[]> =>
      Promise.resolve(address === null ? [] : [{ address, family: 4 }])
    const outbound = new Outbound(
      rules.map((rule) => outboundRule(rule)),
      resolve,
    )
    const outcomeOf = async (work: Promise<unknown>): Promise<string> =>
      await work.then(
        () => 'taken',
        (error: unknown) => (error as Error).message,
      )
    return `${await outcomeOf(outbound.check(uri))} | ${await outcomeOf(outbound.fetch(uri, { timeoutMs: 5_000, maxBytes: 1_000 }))}`
  }

  it('are answered like names that do not exist, when a target is created and when it is called', async () => {
    for (const uri of [
      'https://vault.corp.example/',
      'https://vault.corp.example:8443/',
      'http://vault.corp.example/',
      'http://vault.corp.example:8200/x',
    ]) {
      const nowhere = await fetchOutcome(null, uri)
      for (const inside of ['10.0.0.7', '127.0.0.1', '169.254.169.254'])
        expect(await fetchOutcome(inside, uri)).toBe(nowhere)
      expect(await fetchOutcome('10.0.0.7', uri, '192.168.0.0/16')).toBe(nowhere)
    }
  })

  it('are refused at once as addresses and as names of this machine', async () => {
    const refusal = 'the host is not on the public internet, or its name does not resolve'
    for (const uri of ['https://10.0.0.7/', 'https://[::1]/', 'https://localhost/']) {
      expect(await fetchOutcome(null, uri)).toBe(`${refusal} | ${refusal}`)
    }
  })
})
