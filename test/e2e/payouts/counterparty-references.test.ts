// Counterparties named by the reference of the client's own system, as its bodies give them: without any id.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { startWorld, unwatched, type World } from '../harness.ts'
import { newParty, type Party } from '../../trust/fixtures/parties.ts'
import { COUNTERPARTIES, newAddress, type Counterparty } from './counterparty-setup.ts'

const SINGLE = '/counterparties/single'

let world: World
let party: Party
let externalReference: string

beforeAll(async () => {
  world = await startWorld({}, unwatched)
  party = await newParty(world, `ORG-${randomUUID()}`)
})
afterAll(() => world.stop())
beforeEach(() => {
  externalReference = `CRM-${randomUUID()}`
})

async function create(members: object, api = party.api): Promise<string> {
  const body = { name: 'Bank', status: 'REVIEW', addresses: [], ...members }
  const made = await api.ok<{ newCounterparty: { offchainId: string } }>(201, 'POST', COUNTERPARTIES, body)
  return made.newCounterparty.offchainId
}
const single = (lookup: object): Promise<Counterparty> => party.api.read(SINGLE, lookup)

it('are changed by the body that created them', async () => {
  const body = {
    externalReference,
    name: 'Bank',
    status: 'ALLOWED',
    addresses: [{ onchainId: newAddress() }],
    note: 'n',
  }
  const offchainId = await create(body)
  const addresses = [{ onchainId: newAddress(), label: 'new' }]
  const changed = { ...body, name: 'Bank two', status: 'BLOCKED', addresses, note: null }
  expect(await party.api.ok(200, 'PATCH', COUNTERPARTIES, changed)).toEqual({ updatedCounterparty: { offchainId } })
  const found = await single({ externalReference })
  expect(found).toEqual(await single({ offchainId }))
  expect(found).toMatchObject({ ...changed, offchainId })
})

it('keep their reference, which an id is needed to change', async () => {
  const offchainId = await create({ externalReference })
  const other = `${externalReference}-2`
  await party.api.ok(200, 'PATCH', COUNTERPARTIES, { counterparty: { offchainId }, externalReference: other })
  await party.api.refuses(400, 'COUNTERPARTY_NOT_FOUND', 'POST', SINGLE, { externalReference })
  expect((await single({ externalReference: other })).offchainId).toBe(offchainId)
  await party.api.ok(200, 'PATCH', COUNTERPARTIES, { offchainId, externalReference: null })
  await party.api.refuses(400, 'COUNTERPARTY_NOT_FOUND', 'POST', SINGLE, { externalReference: other })
})

it('are refused if none or several have the reference, and those of others are none', async () => {
  const stranger = await newParty(world, `ORG-${randomUUID()}`)
  const below = await newParty(world, `ORG-${randomUUID()}`, party.externalId)
  for (const { api } of [stranger, below]) await create({ externalReference }, api)
  const pointers = async (code: string): Promise<readonly (string | undefined)[]> => [
    (await party.api.refuses(400, code, 'POST', SINGLE, { externalReference })).pointer,
    (await party.api.refuses(400, code, 'PATCH', COUNTERPARTIES, { externalReference, name: 'x' })).pointer,
  ]
  const at = '/itemData/externalReference'
  expect(await pointers('COUNTERPARTY_NOT_FOUND')).toEqual([at, at])
  const offchainId = await create({ externalReference })
  expect((await single({ externalReference })).offchainId).toBe(offchainId)
  await create({ externalReference })
  expect(await pointers('LOOKUP_AMBIGUOUS')).toEqual([at, at])
})

it('need a name and, to be changed, something to change', async () => {
  const offchainId = await create({ externalReference })
  for (const body of [{ externalReference }, { name: 'x' }, { externalReference: null, name: 'x' }, { offchainId }])
    expect(await party.api.refuses(400, 'REQUIRED', 'PATCH', COUNTERPARTIES, body)).toBeDefined()
  await party.api.refuses(400, 'REQUIRED', 'POST', SINGLE, {})
  await party.api.refuses(400, 'MUTUALLY_EXCLUSIVE', 'POST', SINGLE, { offchainId, externalReference })
})
