// Screening over HTTP: the screening service of an organization is called before a key signs, and its answer decides,
// for every kind of answer.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Counterparties, newAddress } from '../payouts/counterparty-setup.ts'
import { startWorld, type World } from '../harness.ts'
import { PAY, type Held } from './limit-fixture.ts'
import type { Problems } from '../models.ts'
import { SOL } from '../records.ts'
import { allows, says, Screener, SECRET, type Behaviour } from './screener.ts'

/** The longest time that may be set: an answer in time must be possible on a busy machine. */
const MAX_MS = 10_000
const silent: Behaviour = () => undefined

let world: World
let screener: Screener
let fixture: Counterparties
let address: string

beforeAll(async () => {
  screener = await Screener.start()
  world = await startWorld({ HOLDFAST_OUTBOUND_ALLOW: screener.host })
})
afterAll(async () => {
  await world.stop()
  await screener.stop()
})
beforeEach(async () => {
  screener.behave = allows
  fixture = await Counterparties.open(world)
  await fixture.rules({ screening: { url: screener.url, secret: SECRET, timeoutMs: MAX_MS } })
  address = newAddress()
  screener.asked.length = 0
})

const codeOf = ({ status, body }: { status: number; body: Partial<Problems> }) => [status, body.errors?.[0]?.code]

describe('a payment', () => {
  it('is screened before it is signed, and the verdict is stored', async () => {
    await fixture.list('ALLOWED', address)
    let balance: bigint | null = null
    screener.behave = (response, question) => {
      void world.chain.lamports(address).then((lamports) => {
        balance = lamports
        allows(response, question)
      })
    }
    const { body } = await fixture.pay(address)
    expect(body.success, JSON.stringify(body)).toBe(true)
    expect(balance).toBe(0n)
    const [question, ...more] = screener.asked
    expect(more).toEqual([])
    expect(question).toMatchObject({ type: 'screening.requested', tenantOrganizationId: fixture.party.externalId })
    expect(question!.movements).toEqual([
      {
        type: 'TRANSFER',
        payers: [fixture.wallet.onchainId],
        destination: address,
        controllers: [address],
        counterparties: [expect.stringContaining('ALLOWED') as string],
        lamports: String(SOL / 10n),
      },
    ])
    const explained = await fixture.api.read<{ checks: readonly { rule: string; judgedOn: object }[] }>(
      '/transactions/explain',
      { offchainId: body.offchainId },
    )
    expect(explained.checks.find(({ rule }) => rule === 'SCREENING')?.judgedOn).toMatchObject({
      answers: [{ organizationExternalId: fixture.party.externalId, decision: 'ALLOW', id: question!.id }],
    })
  })

  it('is refused with the reason of the screening service', async () => {
    screener.behave = says({ decision: 'DENY', reason: 'sanctioned\nparty' })
    const { status, body } = await fixture.pay(address)
    expect(codeOf({ status, body })).toEqual([403, 'SCREENING_DENIED'])
    expect(body.errors?.[0]?.message).toContain('sanctioned party')
    expect(await world.chain.lamports(address)).toBe(0n)
    expect(await fixture.api.bulk('/transactions/bulk/detailed', {})).toMatchObject({ count: 0 })
  })

  it('waits for approval under review, and is screened again when approved', async () => {
    screener.behave = says({ decision: 'REVIEW', reason: 'large' })
    const { body: transaction } = await fixture.pay(address)
    expect(transaction).toMatchObject({
      status: 'PREPARED',
      success: false,
      approval: { entries: [], required: 1, given: 0 },
    })
    expect(transaction.approval).toMatchObject({
      screenings: [{ screening: { organizationExternalId: fixture.party.externalId, reason: 'large' } }],
    })
    screener.behave = says({ decision: 'DENY' })
    expect(codeOf(await fixture.approve(transaction))).toEqual([403, 'SCREENING_DENIED'])
    screener.behave = says({ decision: 'REVIEW', reason: 'still large' })
    const response = await fixture.approve(transaction)
    expect({ status: response.status, success: response.body.success }, JSON.stringify(response.body)).toEqual({
      status: 200,
      success: true,
    })
    expect(new Set(screener.asked.map(({ intent }) => intent)).size).toBe(1)
    expect(await world.chain.lamports(address)).toBe(SOL / 10n)
  })

  it('is screened at signing, not when it is prepared or simulated', async () => {
    const itemData = {
      source: { ...fixture.wallet, autoSign: false },
      destination: { onchainId: address, offPlatform: true },
      lamports: '5000000',
    }
    const prepared = await fixture.api.ok<Held>(201, 'POST', PAY, itemData)
    await fixture.api.ok(
      200,
      'POST',
      PAY,
      { ...itemData, source: fixture.wallet },
      { headers: { 'holdfast-dry-run': 'true' } },
    )
    expect(screener.asked).toEqual([])
    screener.behave = says({ decision: 'DENY' })
    const transaction = { transaction: { offchainId: prepared.offchainId } }
    await fixture.api.refuses(403, 'SCREENING_DENIED', 'POST', '/transactions/sign', transaction)
    screener.behave = allows
    expect((await fixture.api.ok<Held>(200, 'POST', '/transactions/sign', transaction)).status).toBe('SIGNED')
    expect(screener.asked).toHaveLength(2)
  })

  it('of an organization without screening is not screened', async () => {
    const other = await Counterparties.open(world)
    await other.pays(address)
    expect(screener.asked).toEqual([])
  })

  it('is evaluated again after the verdict: an address blocked meanwhile is not paid', async () => {
    screener.behave = (response, question) =>
      void fixture.list('BLOCKED', address).then(() => allows(response, question))
    expect(codeOf(await fixture.pay(address))).toEqual([403, 'DESTINATION_NOT_ALLOWED'])
    expect(await world.chain.lamports(address)).toBe(0n)
  })

  it('does not delay other payments while the verdict is pending', async () => {
    const release: (() => void)[] = []
    const slow = newAddress()
    screener.behave = (response, question) => {
      if (question.movements[0]?.destination === slow) release.push(() => allows(response, question))
      else allows(response, question)
    }
    const slowPayment = fixture.pay(slow)
    await fixture.pays(address)
    while (release.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    await fixture.pays(address)
    expect(await world.chain.lamports(slow)).toBe(0n)
    release[0]!()
    expect((await slowPayment).body.success).toBe(true)
  })
})

describe('an unusable answer of the screening service', () => {
  const cases: Readonly<Record<string, Behaviour>> = {
    'does not answer in time': silent,
    'is away': (response) => void response.destroy(),
    'answers with an error': says({ decision: 'ALLOW' }, 500),
    redirects: (response) => void response.writeHead(307, { location: '/elsewhere' }).end(),
    'answers nonsense': says('yes'),
    'answers another decision': says({ decision: 'allow' }),
    'answers a list': says([{ decision: 'ALLOW' }]),
    'gives a reason that is no text': says({ decision: 'ALLOW', reason: {} }),
    'answers ten megabytes': says(`{"decision":"ALLOW","reason":"${'x'.repeat(10_000_000)}"}`),
  }

  it.each(Object.keys(cases))(
    '%s: the payment is refused, or reviewed if the organization chose that',
    async (name) => {
      screener.behave = cases[name]!
      const timeoutMs = screener.behave === silent ? 500 : MAX_MS
      await fixture.rules({ screening: { url: screener.url, timeoutMs } })
      expect(codeOf(await fixture.pay(address))).toEqual([503, 'SCREENING_UNAVAILABLE'])
      await fixture.reviewedByApprover()
      const reviewed = { url: screener.url, onUnavailable: 'REVIEW' }
      await fixture.rules({ screening: { ...reviewed, timeoutMs } })
      const { body: transaction } = await fixture.pay(address)
      expect(transaction, JSON.stringify(transaction)).toMatchObject({ status: 'PREPARED', success: false })
      expect(await world.chain.lamports(address)).toBe(0n)
      expect(screener.elsewhere).toEqual([])
      screener.behave = allows
      await fixture.rules({ screening: { ...reviewed, timeoutMs: MAX_MS } })
      expect((await fixture.approve(transaction)).body.success).toBe(true)
    },
  )
})

describe('the settings of screening', () => {
  it.each(['https://user:passw0rd@example.com/', 'https://user@example.com/', 'ftp://example.com/', 'screener', ''])(
    'refuse the URL %s, which is shown to readers and cannot be called',
    async (url) => {
      const { externalId } = fixture.party
      const body = { externalId, screening: { url, secret: SECRET } }
      const { pointer } = await fixture.api.refuses(400, 'MALFORMED_URL', 'PATCH', '/admin/organizations', body)
      expect(pointer).toBe('/itemData/screening/url')
    },
  )

  it('contain a secret only if no approval is needed, and never expose it in a pending change or log', async () => {
    const { externalId } = fixture.party
    await fixture.api.ok(201, 'POST', '/approval-policies', {
      operations: ['ACCOUNT_POLICY'],
      approvers: [fixture.approver.keyId],
      requiredApproversCount: 1,
    })
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
    const request = { externalId, screening: { url: screener.url, secret } }
    const { pointer } = await fixture.api.refuses(403, 'APPROVAL_REQUIRED', 'PATCH', '/admin/organizations', request)
    expect(pointer).toBe('/itemData/screening/secret')
    expect(await fixture.api.bulk('/pending-changes/bulk', {})).toMatchObject({ count: 0 })
    const { status } = await fixture.api.send('PATCH', '/admin/organizations', {
      externalId,
      screening: { url: screener.url, timeoutMs: 7_000 },
    })
    expect(status).toBe(202)
    const lists = ['/pending-changes/bulk', '/admin/organizations/bulk', '/audit/bulk']
    const text = JSON.stringify(await Promise.all(lists.map((path) => fixture.api.bulk(path, {}))))
    expect(text).toContain('"timeoutMs":7000')
    for (const each of [secret, SECRET]) expect(text).not.toContain(each)
  })

  it('never return the secret, keep it if it is not given, and require one', async () => {
    const externalId = fixture.party.externalId
    const organizations = JSON.stringify(await fixture.api.bulk('/admin/organizations/bulk', {}))
    expect(organizations).toContain(screener.url)
    expect(organizations).not.toContain(SECRET)
    await fixture.rules({ screening: { url: screener.url, timeoutMs: 9_000 } })
    await fixture.pays(address)
    await fixture.rules({ screening: null })
    await fixture.pays(address)
    expect(screener.asked).toHaveLength(1)
    const request = { externalId, screening: { url: screener.url } }
    await fixture.api.refuses(400, 'REQUIRED', 'PATCH', '/admin/organizations', request)
    await world.api.refuses(403, 'ROLE_REQUIRED', 'PATCH', '/admin/organizations', {
      externalId,
      screening: { url: screener.url, secret: SECRET },
    })
  })

  it('require a host that the service may call', async () => {
    const screening = { url: 'http://127.0.0.1:1/screen', secret: SECRET }
    await fixture.api.refuses(400, 'OUTBOUND_NOT_ALLOWED', 'PATCH', '/admin/organizations', {
      externalId: fixture.party.externalId,
      screening,
    })
  })
})
