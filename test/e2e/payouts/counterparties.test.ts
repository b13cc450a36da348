// Counterparties over HTTP: who maintains them, what they name, and which addresses they allow an organization to pay.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { systemClock, type Clock } from '../../../src/time/clock.ts'
import { keyOf } from '../../trust/fixtures/parties.ts'
import { COUNTERPARTIES, Counterparties, newAddress, REFUSED, type Counterparty } from './counterparty-setup.ts'
import { eventually, startWorld, type World } from '../harness.ts'
import { PAY, type Held } from '../limits/limit-fixture.ts'
import { SOL } from '../records.ts'

const HOUR = 3_600_000

/** The clock of the machine, shifted by the test. Timers stay unchanged. */
let turnedMs = 0
const shiftedClock: Clock = {
  ...systemClock,
  now: () => systemClock.now() + turnedMs,
  elapsed: () => systemClock.elapsed() + turnedMs,
}

let world: World
let setup: Counterparties
let address: string

beforeAll(async () => {
  world = await startWorld({}, undefined, { clock: shiftedClock })
})
afterAll(() => world.stop())
beforeEach(async () => {
  setup = await Counterparties.open(world)
  address = newAddress()
})

describe('a counterparty', () => {
  it('is created, changed, fetched and listed, and published as an event', async () => {
    const [main, other] = [address, newAddress()]
    const {
      newCounterparty: { offchainId },
    } = await setup.api.ok<{ newCounterparty: { offchainId: string } }>(201, 'POST', COUNTERPARTIES, {
      externalReference: 'CRM-7',
      name: 'Bank',
      status: 'REVIEW',
      addresses: [{ onchainId: main, label: 'main' }],
      note: 'new\nclient',
    })
    expect(await setup.api.read<Counterparty>('/counterparties/single', { offchainId })).toMatchObject({
      offchainId,
      externalReference: 'CRM-7',
      name: 'Bank',
      status: 'REVIEW',
      addresses: [{ onchainId: main, label: 'main' }],
      note: 'new\nclient',
      tenantOrganizationId: setup.party.externalId,
    })
    await setup.change(offchainId, {
      addresses: [{ onchainId: main, label: 'main' }, { onchainId: other }],
      externalReference: null,
    })
    await setup.api.ok(200, 'PATCH', '/counterparties', { offchainId, name: 'Bank two' })
    for (const both of [{}, { offchainId, counterparty: { offchainId } }])
      expect((await setup.api.send('PATCH', '/counterparties', { ...both, name: 'Three' })).status).toBe(400)
    const page = (await setup.api.bulk('/counterparties/bulk', {
      filter: [{ fieldName: 'onchainId', filterValues: [{ filterType: 'EQUALS', valueString: other }] }],
    })) as { count: number; items: readonly Counterparty[] }
    expect(
      page.items.map(({ name, externalReference, addresses }) => [
        name,
        externalReference,
        addresses.map(({ onchainId }) => onchainId),
      ]),
    ).toEqual([['Bank two', null, [main, other]]])
    const response = await fetch(`${world.url}/api/v1/events?after=0&limit=1000`, {
      headers: { authorization: setup.api.bearer },
    })
    const { items } = (await response.json()) as {
      items: readonly { type: string; resource: { offchainId: string } }[]
    }
    const types = items.filter(({ resource }) => resource.offchainId === offchainId).map(({ type }) => type)
    expect(types).toEqual(['counterparty.created', 'counterparty.updated', 'counterparty.updated'])
  })

  it('has an address that no other counterparty of the tenant has, and each address once', async () => {
    const body = { name: 'Bank', status: 'ALLOWED', addresses: [{ onchainId: address }] }
    await setup.list('ALLOWED', address)
    const pointed = async (itemData: object) =>
      (await setup.api.refuses(400, 'ALREADY_EXISTS', 'POST', COUNTERPARTIES, itemData)).pointer
    expect(await pointed({ ...body, addresses: [{ onchainId: newAddress() }, { onchainId: address }] })).toBe(
      '/itemData/addresses/1/onchainId',
    )
    const otherAddress = newAddress()
    await setup.api.refuses(400, 'DUPLICATE_ITEM', 'POST', COUNTERPARTIES, {
      ...body,
      addresses: [{ onchainId: otherAddress }, { onchainId: otherAddress }],
    })
    const below = await Counterparties.open(world, setup.party.externalId)
    await below.api.refuses(400, 'ALREADY_EXISTS', 'POST', COUNTERPARTIES, body)
    const elsewhere = await Counterparties.open(world)
    await elsewhere.list('BLOCKED', address)
  })

  it('is visible to and changed by its organization only', async () => {
    const offchainId = await setup.list('ALLOWED', address)
    for (const other of [await Counterparties.open(world, setup.party.externalId), await Counterparties.open(world)]) {
      await other.api.refuses(400, 'COUNTERPARTY_NOT_FOUND', 'POST', '/counterparties/single', { offchainId })
      await other.api.refuses(400, 'COUNTERPARTY_NOT_FOUND', 'PATCH', COUNTERPARTIES, {
        counterparty: { offchainId },
        status: 'BLOCKED',
      })
      expect(await other.api.bulk('/counterparties/bulk', {})).toMatchObject({ count: 0 })
    }
  })

  it('requires its own role, which operators lack', async () => {
    const body = { name: 'Bank', status: 'ALLOWED', addresses: [] }
    const operator = await keyOf(world, setup.party.externalId, { bundle: 'OPERATOR' })
    await operator.api.refuses(403, 'ROLE_REQUIRED', 'POST', COUNTERPARTIES, body)
    const keeper = await keyOf(world, setup.party.externalId, { roles: ['COUNTERPARTIES_WRITE'] })
    await keeper.api.ok(201, 'POST', COUNTERPARTIES, body)
    await keyOf(world, setup.party.externalId, { bundle: 'ADMIN' }).then(({ api }) =>
      api.ok(201, 'POST', COUNTERPARTIES, body),
    )
  })

  it('is created once for one idempotency key', async () => {
    const body = { name: 'Bank', status: 'ALLOWED', addresses: [{ onchainId: address }] }
    const options = { headers: { 'idempotency-key': 'one' } }
    const [first, replay] = [
      await setup.api.ok(201, 'POST', COUNTERPARTIES, body, options),
      await setup.api.ok(201, 'POST', COUNTERPARTIES, body, options),
    ]
    expect(replay).toEqual(first)
    expect(await setup.api.bulk('/counterparties/bulk', {})).toMatchObject({ count: 1 })
  })
})

it('labels addresses in the details of a transaction, for organizations that see the counterparty', async () => {
  const offchainId = await setup.list('ALLOWED', address)
  const { body } = await setup.pay(address)
  const read = (api = setup.api) =>
    api.read<{ accounts: readonly { onchainId: string; counterparty?: object }[] }>('/transactions/single', {
      offchainId: body.offchainId,
    })
  const accounts = (await read()).accounts.filter(({ counterparty }) => counterparty !== undefined)
  expect(accounts).toEqual([
    {
      onchainId: address,
      offchainId: null,
      counterparty: { offchainId, name: expect.stringContaining('ALLOWED') as string },
    },
  ])
  const page = (await setup.api.bulk('/transactions/bulk/detailed', {})) as {
    items: readonly { accounts: readonly { counterparty?: object }[] }[]
  }
  const labels = page.items.flatMap((item) => item.accounts).filter(({ counterparty }) => counterparty !== undefined)
  expect(labels).toEqual(accounts)
})

it('labels addresses in the events of a transaction, for organizations that see the counterparty', async () => {
  interface ListedEvent {
    readonly type: string
    readonly resource: { readonly offchainId: string }
    readonly data: { readonly counterparties?: readonly object[] }
  }
  const eventsOf = async (api: typeof setup.api, id: string): Promise<readonly ListedEvent[]> => {
    const { body } = await api.get<{ items: readonly ListedEvent[] }>('/events?after=0&limit=1000')
    return body.items.filter(({ resource }) => resource.offchainId === id)
  }
  const stranger = newAddress()
  const { body: unnamed } = await setup.pay(stranger)
  const offchainId = await setup.list('ALLOWED', address)
  const { body: payment } = await setup.pay(address)
  const published = await eventsOf(setup.api, payment.offchainId)
  expect(published.length).toBeGreaterThan(1)
  const counterparty = { offchainId, name: expect.stringContaining('ALLOWED') as string }
  for (const { data } of published) expect(data.counterparties).toEqual([{ onchainId: address, counterparty }])
  for (const { data } of await eventsOf(setup.api, unnamed.offchainId)) expect(data.counterparties).toBeUndefined()
  // Another organization of the tenant does not use the name, and another tenant does not know it.
  for (const parent of [setup.party.externalId, undefined]) {
    const other = await Counterparties.open(world, parent)
    await other.list('ALLOWED', newAddress())
    const { body } = await other.pay(address)
    const otherEvents = await eventsOf(other.api, body.offchainId)
    expect(otherEvents.length).toBeGreaterThan(1)
    // The names of the root organization of a tenant apply to all of its organizations.
    const expected = parent === undefined ? undefined : [{ onchainId: address, counterparty }]
    for (const { data } of otherEvents) expect(data.counterparties).toEqual(expected)
  }
})

it('is named in the statement of the account that paid it', async () => {
  interface Statement {
    readonly balances: readonly {
      readonly movements: readonly { readonly to: readonly { readonly onchainId: string; readonly name: string }[] }[]
    }[]
  }
  const from = new Date(Date.now() - 60_000).toISOString()
  const offchainId = await setup.list('ALLOWED', address)
  const { name } = await setup.api.read<Counterparty>(`${COUNTERPARTIES}/single`, { offchainId })
  await setup.pays(address)
  await eventually(async () => {
    const { balances } = await setup.api.read<Statement>('/statements', { account: setup.wallet, from })
    const recipients = balances.flatMap(({ movements }) => movements.flatMap(({ to }) => to))
    expect(recipients.filter(({ onchainId }) => onchainId === address)).toMatchObject([{ name }])
  })
  const response = await fetch(`${world.url}/api/v1/statements`, {
    method: 'POST',
    headers: { authorization: setup.api.bearer, 'content-type': 'application/json' },
    body: JSON.stringify({ itemData: { account: setup.wallet, from, format: 'CSV' } }),
  })
  expect(await response.text()).toContain(`${address},${name}`)
})

describe('under the rule OPEN', () => {
  it('every address that is not blocked can be paid', async () => {
    const offchainId = await setup.list('ALLOWED', address)
    await setup.pays(newAddress())
    await setup.pays(address)
    await setup.change(offchainId, { status: 'BLOCKED' })
    await setup.doesNotPay(address)
    await setup.change(offchainId, { addresses: [] })
    await setup.pays(address)
  })

  it('a block applies to every organization of the tenant, and to no other tenant', async () => {
    const [below, elsewhere] = [
      await Counterparties.open(world, setup.party.externalId),
      await Counterparties.open(world),
    ]
    await below.list('BLOCKED', address)
    await setup.doesNotPay(address)
    await below.doesNotPay(address)
    await elsewhere.pays(address)
  })

  it('without named approvers, another key that may approve debits approves a payment under review', async () => {
    await setup.list('REVIEW', address)
    const { body: hold } = await setup.pay(address)
    expect([hold.status, hold.approval?.required]).toEqual(['PREPARED', 1])
    expect((await setup.approve(hold)).body.success).toBe(true)
    expect(await world.chain.lamports(address)).toBe(SOL / 10n)
  })

  it('a counterparty under review is paid only after an approval', async () => {
    await setup.list('REVIEW', address)
    await setup.reviewedByApprover()
    const { body: hold } = await setup.pay(address)
    expect(hold).toMatchObject({ success: false, status: 'PREPARED', approval: { required: 1, given: 0, entries: [] } })
    expect(hold.approval).toMatchObject({
      reviews: [{ onchainId: address, organizationExternalId: setup.party.externalId }],
    })
    await setup.api.refuses(403, 'REQUESTER_CANNOT_APPROVE', 'POST', '/transactions/approve', {
      offchainId: hold.offchainId,
    })
    expect(await world.chain.lamports(address)).toBe(0n)
    const explained = async () => {
      const { checks } = await setup.api.read<{
        checks: readonly { rule: string; verdict: string; judgedOn: object }[]
      }>('/transactions/explain', { offchainId: hold.offchainId })
      return checks.find(({ rule }) => rule === 'DESTINATIONS')
    }
    expect(await explained()).toMatchObject({ verdict: 'PENDING' })
    const { status, body } = await setup.approve(hold)
    expect({ status, success: body.success }, JSON.stringify(body)).toEqual({ status: 200, success: true })
    expect(await world.chain.lamports(address)).toBe(SOL / 10n)
    expect(await explained()).toMatchObject({
      verdict: 'PASSED',
      judgedOn: {
        destinations: [
          { onchainId: address, verdict: 'REVIEW', counterparty: { name: expect.stringMatching(/^REVIEW/) as string } },
        ],
      },
    })
  })
})

describe('an allow list', () => {
  beforeEach(() => setup.rules({ destinationPolicy: 'ALLOW_LIST' }))

  it('admits only own managed accounts and allowed counterparties', async () => {
    await setup.doesNotPay(address)
    const offchainId = await setup.list('ALLOWED', address)
    await setup.pays(address)
    const own = await setup.party.records.account()
    await setup.pays(own.onchainId)
    await setup.change(offchainId, { addresses: [] })
    await setup.doesNotPay(address)
    const imported = await setup.party.records.account({ managed: false, onchainId: newAddress() })
    await setup.doesNotPay(imported.onchainId)
    await setup.rules({ destinationPolicy: 'OPEN' })
    await setup.pays(address)
  })

  it('uses the counterparties of the organization itself and of the root organization', async () => {
    const below = await Counterparties.open(world, setup.party.externalId)
    await below.rules({ destinationPolicy: 'ALLOW_LIST' })
    await setup.list('ALLOWED', address)
    await below.pays(address)
    const otherAddress = newAddress()
    await below.list('ALLOWED', otherAddress)
    await below.pays(otherAddress)
    await setup.doesNotPay(otherAddress)
  })

  it('of an account applies to that account only, and cannot be laxer than that of its organization', async () => {
    const strict = await setup.party.records.funded({ destinationPolicy: 'ALLOW_LIST', networkCurrencyDebitLimits: [] })
    const lax = await setup.party.records.funded({ destinationPolicy: 'OPEN', networkCurrencyDebitLimits: [] })
    const from = (source: object) => setup.pay(address, { source })
    expect((await from(lax)).body.errors?.[0]?.code).toBe(REFUSED)
    await setup.rules({ destinationPolicy: 'OPEN' })
    expect((await from(lax)).body.success).toBe(true)
    expect((await from(strict)).body.errors?.[0]?.code).toBe(REFUSED)
    const model = await setup.api.read<{ destinationPolicy: string }>('/accounts/single', {
      offchainId: strict.offchainId,
    })
    expect(model.destinationPolicy).toBe('ALLOW_LIST')
    const operator = await keyOf(world, setup.party.externalId, { bundle: 'OPERATOR' })
    await operator.api.refuses(403, 'ROLE_REQUIRED', 'PATCH', '/accounts', { account: strict, destinationPolicy: null })
    await setup.api.ok(200, 'PATCH', '/accounts', { account: strict, destinationPolicy: null })
    expect((await from(strict)).body.success).toBe(true)
  })

  it('admits a new or changed address after the cooling-off time', async () => {
    await setup.rules({ coolingOffHours: 24 })
    const offchainId = await setup.list('ALLOWED', address)
    expect(
      await setup.refuses('POST', PAY, {
        source: setup.wallet,
        destination: { onchainId: address, offPlatform: true },
        lamports: '5',
      }),
    ).toMatch(/may pay it from .* on/)
    turnedMs += 25 * HOUR
    await eventually(() => setup.pays(address))
    const second = newAddress()
    await setup.change(offchainId, { addresses: [{ onchainId: address, label: 'renamed' }, { onchainId: second }] })
    await setup.pays(address)
    await setup.doesNotPay(second)
    await setup.change(offchainId, { status: 'BLOCKED' })
    await setup.doesNotPay(address)
    await setup.change(offchainId, { status: 'ALLOWED' })
    await setup.doesNotPay(address)
    turnedMs += 25 * HOUR
    await eventually(() => setup.pays(second))
    await setup.pays(address)
  })

  it('is changed by administrators only, and its approvers are keys of the tenant', async () => {
    const api = setup.api
    const externalId = setup.party.externalId
    const [own] = ((await api.bulk('/admin/organizations/bulk', {})) as { items: readonly object[] }).items
    expect(own).toMatchObject({ destinationPolicy: 'ALLOW_LIST', coolingOffHours: 0, reviewApproval: null })
    const operator = await keyOf(world, externalId, { bundle: 'OPERATOR' })
    await operator.api.refuses(403, 'ROLE_REQUIRED', 'PATCH', '/admin/organizations', {
      externalId,
      destinationPolicy: 'OPEN',
    })
    const stranger = await Counterparties.open(world)
    const approval = (approvers: readonly string[], requiredApproversCount = 1) => ({
      externalId,
      reviewApproval: { approvers, requiredApproversCount },
    })
    await api.refuses(400, 'API_KEY_NOT_FOUND', 'PATCH', '/admin/organizations', approval([stranger.approver.keyId]))
    await api.refuses(400, 'TOO_FEW_APPROVERS', 'PATCH', '/admin/organizations', approval([setup.approver.keyId], 2))
  })
})

describe('at signing', () => {
  it('an address that was blocked after the request for approval is not paid', async () => {
    const offchainId = await setup.list('REVIEW', address)
    await setup.reviewedByApprover()
    const { body: transaction } = await setup.pay(address)
    await setup.change(offchainId, { status: 'BLOCKED' })
    const response = await setup.approve(transaction)
    expect([response.status, response.body.errors?.[0]?.code]).toEqual([403, REFUSED])
    expect(await world.chain.lamports(address)).toBe(0n)
    await setup.change(offchainId, { status: 'ALLOWED' })
    expect((await setup.approve(transaction)).body.success).toBe(true)
  })

  it('a prepared transaction is not signed, and a signed one not sent, once its address is blocked', async () => {
    const prepared = await setup.api.ok<Held>(201, 'POST', PAY, {
      source: { ...setup.wallet, autoSign: false },
      destination: { onchainId: address, offPlatform: true },
      lamports: '5000000',
    })
    expect(prepared.status).toBe('PREPARED')
    const offchainId = await setup.list('BLOCKED', address)
    await setup.refuses('POST', '/transactions/sign', { transaction: { offchainId: prepared.offchainId } })
    await setup.change(offchainId, { status: 'ALLOWED' })
    expect(
      (
        await setup.api.ok<Held>(200, 'POST', '/transactions/sign', {
          transaction: { offchainId: prepared.offchainId },
        })
      ).status,
    ).toBe('SIGNED')
    await setup.change(offchainId, { status: 'BLOCKED' })
    await setup.refuses('POST', '/transactions/submit', { transaction: { offchainId: prepared.offchainId } })
    expect(await world.chain.lamports(address)).toBe(0n)
  })
})
