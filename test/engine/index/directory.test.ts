// The directory compared with a scan: for any changes of records, each is found under exactly its keys.
import fc from 'fast-check'
import { describe, it } from 'vitest'
import { Directory } from '../../../src/engine/index/directory.ts'
import { Entry } from '../../../src/engine/records/entry.ts'
import * as keys from '../../../src/engine/index/index-keys.ts'
import type { RecordState } from '../../../src/engine/records/record.ts'
import { expectIdentical, expectSame } from '../../same.ts'
import { account, apiKey, fixed, instrument, organization, position } from '../../machines/records.ts'

const ref = (address: string) => ({ address, id: null })
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary)
const WORDS = ['x', 'y']
const word = fc.constantFrom(...WORDS)

const place = fc.record({
  id: fc.constantFrom('1', '2', '3', '4', '5', '6'),
  tenant: word,
  cluster: fc.constantFrom('C', 'D'),
})
const holdingMembers = fc.record({
  address: word,
  organization: word,
  canPayFees: fc.boolean(),
  globalFeePayerForOrgs: maybe(fc.uniqueArray(word)),
  orgsAllowedToSignWithPrivateKey: maybe(fc.uniqueArray(word)),
  shared: fc.boolean(),
  references: fc.record({
    type: fc.constantFrom('WALLET', 'ASSETS_WALLET'),
    organizationExternalId: word,
    code: maybe(word),
    alId: maybe(word),
    accountNumber: maybe(word),
    name: maybe(word),
  }),
})

const state = fc
  .oneof(
    fc
      .record({ place, held: holdingMembers, value: fc.constantFrom('active', 'closed') })
      .map(({ place: where, held: more, value }) => ({
        ...where,
        kind: 'account',
        value,
        context: { ...account, ...more },
      })),
    fc
      .record({
        place,
        held: holdingMembers,
        value: fc.constantFrom('pending', 'frozen', 'closed'),
        owner: word,
        mint: word,
      })
      .map(({ place: where, held: more, value, owner, mint }) => ({
        ...where,
        kind: 'position',
        value,
        context: { ...position, ...more, owner: ref(owner), mint: ref(mint) },
      })),
    fc
      .record({ place, held: holdingMembers, value: fc.constantFrom('active', 'closed'), authority: maybe(word) })
      .map(({ place: where, held: more, value, authority }) => ({
        ...where,
        kind: 'instrument',
        value,
        context: {
          ...instrument,
          ...more,
          authorities: { ...instrument.authorities, mintAuthority: authority === null ? null : ref(authority) },
        },
      })),
    fc
      .record({
        place,
        value: fc.constantFrom('prepared', 'signed', 'confirmed', 'finalized'),
        signature: maybe(word),
        records: fc.uniqueArray(word),
      })
      .map(({ place: where, value, signature, records }) => ({
        ...where,
        kind: 'transaction',
        value,
        context: {
          signature,
          error: null,
          ourSignature: true,
          fixed: {
            ...fixed,
            entries: records.map((record) => ({ tenant: 'x', record, movements: [], charge: [], facts: [] })),
          },
        },
      })),
    fc.record({ place, externalId: word, parentExternalId: maybe(word) }).map(({ place: where, ...more }) => ({
      ...where,
      kind: 'organization',
      value: 'active',
      context: { ...organization, ...more },
    })),
    fc
      .record({ place, keyId: word })
      .map(({ place: where, keyId }) => ({ ...where, kind: 'apiKey', value: 'active', context: { ...apiKey, keyId } })),
  )
  .map((each) => ({ revision: 1, ...each }) as unknown as RecordState)

/** A record as a scan sees it. */
interface Seen {
  readonly kind: string
  readonly cluster: string
  readonly tenant: string
  readonly value: string
  readonly context: Record<string, never> & {
    address: string
    organization: string
    canPayFees: boolean
    globalFeePayerForOrgs: string[] | null
    orgsAllowedToSignWithPrivateKey: string[] | null
    shared: boolean
    references: Record<string, string | null>
    owner: { address: string }
    mint: { address: string }
    authorities: { mintAuthority: { address: string } | null }
    signature: string | null
    keyId: string
    externalId: string
    parentExternalId: string | null
    fixed: { entries: { record: string }[] }
  }
}

/** Every lookup, as a key and as a predicate of a record. */
function lookups(): { readonly key: string; readonly holds: (record: Seen) => boolean }[] {
  const live = ({ kind, value }: Seen) => ['account', 'position', 'instrument'].includes(kind) && value !== 'closed'
  const holding = ({ kind }: Seen) => ['account', 'position', 'instrument'].includes(kind)
  return ['C', 'D'].flatMap((cluster) =>
    WORDS.flatMap((a) => {
      const inCluster = (holds: (record: Seen) => boolean) => (record: Seen) =>
        record.cluster === cluster && holds(record)
      return [
        { key: keys.addressKey(cluster, a), holds: inCluster((r) => live(r) && r.context.address === a) },
        {
          key: keys.closedAddressKey(cluster, a),
          holds: inCluster((r) => holding(r) && !live(r) && r.context.address === a),
        },
        ...[...WORDS, keys.SHARED_SCOPE].flatMap((scope) => scopedLookups(scope, cluster, a)),
        ...WORDS.map((b) => ({
          key: keys.grantKey(cluster, a, b),
          holds: inCluster(
            (r) =>
              live(r) &&
              r.context.organization === a &&
              [r.context.globalFeePayerForOrgs, r.context.orgsAllowedToSignWithPrivateKey].some(
                (list) => list?.includes(b) === true,
              ),
          ),
        })),
        {
          key: keys.feePayerKey(cluster, a),
          holds: inCluster((r) => live(r) && r.context.canPayFees && r.context.organization === a),
        },
        ...WORDS.map((tenant) => ({
          key: keys.globalFeePayerKey(tenant, cluster, a),
          holds: inCluster(
            (r) => live(r) && r.tenant === tenant && (r.context.globalFeePayerForOrgs ?? []).includes(a),
          ),
        })),
        ...WORDS.map((tenant) => ({
          key: keys.ownerKey(tenant, cluster, a),
          holds: inCluster(
            (r) => live(r) && r.tenant === tenant && r.kind === 'position' && r.context.owner.address === a,
          ),
        })),
        {
          key: keys.signatureKey(cluster, a),
          holds: inCluster((r) => r.kind === 'transaction' && r.context.signature === a),
        },
        {
          key: keys.underWayKey(a),
          holds: (r: Seen) =>
            r.kind === 'transaction' &&
            r.value === 'signed' &&
            r.context.fixed.entries.some(({ record }) => record === a),
        },
        { key: keys.organizationKey(a), holds: (r: Seen) => r.kind === 'organization' && r.context.externalId === a },
        { key: keys.childrenKey(a), holds: (r: Seen) => r.kind === 'organization' && r.context.parentExternalId === a },
        { key: keys.apiKeyKey(a), holds: (r: Seen) => r.kind === 'apiKey' && r.context.keyId === a },
        ...WORDS.flatMap((tenant) =>
          [null, ...WORDS].map((code) => ({
            key: keys.referenceIdentityKey(tenant, cluster, {
              organizationExternalId: a,
              accountNumber: 'x',
              code,
              type: 'WALLET',
            }),
            holds: inCluster(
              (r) =>
                live(r) &&
                r.tenant === tenant &&
                r.context.references['organizationExternalId'] === a &&
                r.context.references['accountNumber'] === 'x' &&
                r.context.references['code'] === code &&
                r.context.references['type'] === 'WALLET',
            ),
          })),
        ),
      ]
    }),
  )
}

/** Lookups of a tenant, and of the records that are shared with all. */
function scopedLookups(
  scope: string,
  cluster: string,
  a: string,
): { readonly key: string; readonly holds: (record: Seen) => boolean }[] {
  const within = (holds: (record: Seen) => boolean) => (record: Seen) =>
    record.cluster === cluster &&
    ['account', 'position', 'instrument'].includes(record.kind) &&
    record.value !== 'closed' &&
    (scope === keys.SHARED_SCOPE ? record.context.shared : record.tenant === scope) &&
    holds(record)
  return [
    ...keys.REFERENCE_MEMBERS.map((member) => ({
      key: keys.referenceKey(scope, cluster, member, a),
      holds: within(({ context }) => context.references[member] === a),
    })),
    ...['WALLET', 'ASSETS_WALLET'].map((type) => ({
      key: keys.typeKey(scope, cluster, a, type),
      holds: within(
        ({ context }) => context.references['organizationExternalId'] === a && context.references['type'] === type,
      ),
    })),
    ...WORDS.map((b) => ({
      key: keys.positionKey(scope, cluster, a, b),
      holds: within(
        ({ kind, context }) => kind === 'position' && context.owner.address === a && context.mint.address === b,
      ),
    })),
    {
      key: keys.mintAuthorityKey(scope, cluster, a),
      holds: within(({ kind, context }) => kind === 'instrument' && context.authorities.mintAuthority?.address === a),
    },
  ]
}

/** Members of a record that no event changes. */
const FOR_EVER = ['keyId', 'externalId', 'parentExternalId', 'owner', 'mint', 'fixed']

function mergeChange(previous: RecordState, next: RecordState): RecordState {
  const before = previous.context as unknown as Record<string, unknown>
  const permanentMembers = Object.fromEntries(
    FOR_EVER.flatMap((name) => (name in before ? [[name, before[name]]] : [])),
  )
  return {
    ...next,
    tenant: previous.tenant,
    cluster: previous.cluster,
    context: { ...next.context, ...permanentMembers },
  }
}

const PLACES = ['C', 'D'].flatMap((cluster) => WORDS.map((address) => [cluster, address] as const))

describe('the directory', () => {
  const LOOKUPS = lookups()

  it('finds the same as a scan, after any sequence of creations, changes and removals', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ state, gone: fc.nat(9) }), { maxLength: 25 }), (steps) => {
        const directory = new Directory()
        const entries = new Map<string, Entry>()
        for (const { state: next, gone } of steps) {
          const knownEntry = entries.get(next.id)
          // A result from before a change is not returned after it.
          if (gone % 3 === 0) {
            for (const { key } of LOOKUPS) expectIdentical(directory.first(key), directory.find(key)[0])
            for (const [cluster, address] of PLACES)
              expectSame(directory.atAddress(cluster, address), directory.find(keys.addressKey(cluster, address)))
          }
          // A record never changes its kind, tenant or cluster.
          if (knownEntry !== undefined && (knownEntry.head.kind !== next.kind || gone === 0)) {
            directory.moved(knownEntry, knownEntry.head, undefined)
            entries.delete(next.id)
            continue
          }
          const entry = knownEntry ?? new Entry(next, undefined, undefined)
          const head = knownEntry === undefined ? next : mergeChange(knownEntry.head, next)
          directory.moved(entry, knownEntry?.head, head)
          entry.head = head
          entries.set(head.id, entry)
        }
        expectSame(new Set([...directory.entries()]), new Set(entries.values()))
        const holdings = [...entries.values()].filter(({ head }) =>
          ['account', 'position', 'instrument'].includes(head.kind),
        )
        expectSame([...directory.holdings()], holdings)
        for (const [id, entry] of entries) expectIdentical(directory.byId(id), entry)
        for (const { key, holds } of LOOKUPS) {
          const scanned = [...entries.values()].filter(({ head }) => holds(head as unknown as Seen))
          const foundEntries = directory.find(key)
          expectSame(new Set(foundEntries), new Set(scanned))
          expectIdentical(foundEntries.length, scanned.length)
          expectIdentical(directory.first(key), foundEntries[0])
          expectSame([...directory.each(key)], foundEntries)
        }
        for (const [cluster, address] of PLACES)
          expectSame(directory.atAddress(cluster, address), directory.find(keys.addressKey(cluster, address)))
      }),
      { numRuns: 300 },
    )
  })
})
