// The duration of an answer reveals nothing about an address: for one that another tenant onboarded and for an unknown
// one, a request reads the same from the chain and from the store, in each role, in a request or a dry run. Counted,
// not timed.
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PlatformCluster, Platform } from '../../src/operations/context/platform.ts'
import { eventually, startWorld, unwatched, type World } from '../e2e/harness.ts'
import { SOL } from '../e2e/records.ts'
import { answerTo, ownOf, ROWS, type Own, type Row } from './fixtures/address-roles.ts'
import { addressOf } from './fixtures/addresses.ts'
import { newParty, type Party } from './fixtures/parties.ts'

const CHAIN = [
  'accounts',
  'accountsAsOf',
  'finalizedAccounts',
  'lookupTables',
  'rentExemptLamports',
  'simulate',
] as const
const STORE = ['idempotency', 'transactionOfMessage', 'payload', 'secret', 'file', 'old', 'alias'] as const
/** Background work reads, too: a difference caused by the request occurs every time. */
const TRIES = 20

let world: World
let clusters: readonly PlatformCluster[] = []
let asker: Party
let own: Omit<Own, 'spare'>
let onboarded: string
let unknownAddress: string
/** The reads, by kind. */
let reads: string[] = []
/** Reads of the chain that name the address. */
let namedReads: string[] = []
let about = ''

beforeAll(async () => {
  world = await startWorld({}, unwatched, { opened: ({ platform }) => countReads(platform) })
  asker = await newParty(world, 'ASKER')
  const owner = await newParty(world, 'OWNER')
  own = await ownOf(asker)
  onboarded = (await owner.records.funded({}, SOL)).onchainId
  unknownAddress = addressOf('nobody knows it')
  await world.chain.airdrop(unknownAddress, SOL)
})
afterAll(() => world.stop())

function countReads(platform: Platform): void {
  const { engine } = platform
  clusters = [...platform.clusters.values()]
  for (const cluster of clusters) {
    observe<PlatformCluster>(cluster, CHAIN, (name, args) => {
      reads.push(name)
      if (JSON.stringify(args ?? null).includes(about)) namedReads.push(name)
    })
  }
  observe(engine.store, STORE, (name) => reads.push(`store.${name}`))
}

function observe<Of extends object>(
  of: Of,
  names: readonly (keyof Of & string)[],
  note: (name: string, given: unknown) => void,
): void {
  for (const name of names) {
    const read = (of[name] as (...given: unknown[]) => unknown).bind(of)
    Object.assign(of, {
      [name]: (...given: unknown[]) => {
        note(name, given[0])
        return read(...given)
      },
    })
  }
}

/** The reads of the request itself. */
async function workOf(
  row: Row,
  onchainId: string,
  members: object,
  headers: Readonly<Record<string, string>>,
): Promise<object> {
  about = onchainId
  await answerTo(row, { asker, own }, { onchainId, ...members }, headers, () => {
    reads = []
    namedReads = []
  })
  return { reads: reads.toSorted(), named: namedReads.toSorted() }
}

/** A message of an earlier request is looked up once more under the same blockhash. */
async function nextBlockhash(): Promise<void> {
  const now = () => clusters.map((cluster) => cluster.currentBlockhash()?.blockhash)
  const before = now()
  await eventually(() => {
    expect(now()).not.toEqual(before)
    return Promise.resolve()
  })
}

describe('14.11: the work for an address of another tenant and for an unknown one', () => {
  describe.each(ROWS)('$role of $method $path', (row) => {
    it.each([
      ['offPlatform', { offPlatform: true }, {}],
      ['dry run', { offPlatform: true }, { 'Holdfast-Dry-Run': 'true' }],
    ] as const)('14.11: %s', async (_title, members, headers) => {
      const works: object[] = []
      for (let tries = 0; tries < TRIES && !isDeepStrictEqual(works[0], works[1] ?? null); tries += 1) {
        if (tries > 0) await nextBlockhash()
        works.splice(
          0,
          2,
          await workOf(row, onboarded, members, headers),
          await workOf(row, unknownAddress, members, headers),
        )
      }
      expect(works[0]).toEqual(works[1])
    })
  })

  it('14.11 control: an address of the own tenant differs from both', async () => {
    const ownAddress = (await asker.records.funded({}, SOL)).onchainId
    const row = ROWS.find(({ role }) => role === 'source')!
    expect(await workOf(row, ownAddress, {}, {})).not.toEqual(await workOf(row, unknownAddress, {}, {}))
  })
})
