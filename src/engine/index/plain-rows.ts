// Reads, at a start, the rows of plain records: accounts and positions of which a start needs only the index keys.
// Their rows are not parsed; only the hashes of their keys are computed. All other records are parsed: those that have
// a reservation, pay fees, are shared, granted to others or subscribed to, and rows of earlier versions.
import { KINDS, type Kind } from '../../../machines/kinds.ts'
import { recordPlace, recordKey } from '../../../snapshots/keys.ts'
import { OneOf, RowScan, ScannedMembers, type MemberScan } from '../records/row-scan.ts'
import { RowSlabs, type RecordGroup, type StoredRecord } from '../records/stored-record.ts'
import {
  addressKey,
  closedAddressKey,
  ownerKey,
  positionKey,
  REFERENCE_MEMBERS,
  referenceIdentityKey,
  referenceKey,
  typeKey,
} from './index-keys.ts'
import { EMPTY_TEXT, finalHash, extendHash, type HashList } from './text-index.ts'

const OF_REFERENCES = ['type', 'organization', ...REFERENCE_MEMBERS] as const
const SLOTS = ['address', ...OF_REFERENCES, 'owner', 'mint', 'reserved', 'held', 'ofRecord'] as const
type Slot = (typeof SLOTS)[number]
const slot = (name: Slot): number => SLOTS.indexOf(name)
const [ADDRESS, TYPE, ORGANIZATION] = [slot('address'), slot('type'), slot('organization')]
const [CODE, ACCOUNT_NUMBER, OWNER, MINT] = [slot('code'), slot('accountNumber'), slot('owner'), slot('mint')]
const [RESERVED, HELD] = [slot('reserved'), slot('held')]
/** Slot of the record's organization, which is also that of its references if they name none. */
const OF_RECORD = slot('ofRecord')

const REFERENCES = new ScannedMembers({
  type: TYPE,
  organizationExternalId: ORGANIZATION,
  ...Object.fromEntries(REFERENCE_MEMBERS.map((name) => [name, slot(name)])),
})

/** Members of both kinds that have no position in list rows and that a start does not need. */
const WITHOUT_PLACE = {
  managed: 'skip',
  keyOrigin: 'skip',
  keyLocation: 'skip',
  comments: 'skip',
  domain: 'skip',
  isDerived: 'skip',
  isGenesis: 'skip',
  wasOnchainAlready: 'skip',
  solDebitApiKeys: 'skip',
  tokenDebitApiKeys: 'skip',
  networkCurrencyDebitLimits: 'skip',
  tokenDebitLimits: 'skip',
  destinationPolicy: 'skip',
  setByPolicyKey: 'skip',
  frozenByOperator: 'skip',
  dataLength: 'skip',
  ownerProgram: 'skip',
  rentPayer: 'skip',
  lastOfOthers: 'skip',
} as const

/** Members of rows that are objects. */
const HOLDING = {
  ...WITHOUT_PLACE,
  address: ADDRESS,
  organization: 'skip',
  references: REFERENCES,
  rentPaid: 'skip',
  creation: 'skip',
  last: 'skip',
  madeAt: 'skip',
} as const

const OF_ACCOUNT = { tokenDecimals: 'skip', tokenVersion: 'skip' } as const

/** The first positions of list rows (`holding-row.ts`). */
const places = (reserved: number): readonly MemberScan[] => [
  new OneOf(['1']),
  ADDRESS,
  OF_RECORD,
  new OneOf([], { text: TYPE, object: REFERENCES }),
  'skip',
  reserved,
  new OneOf(['null'], { array: true }),
  new OneOf(['null', '0'], { array: true }),
  'skip',
]

const reference = (of: number): ScannedMembers => new ScannedMembers({ address: of, id: 'skip' })
const book = (of: number): ScannedMembers => new ScannedMembers({ balance: 'skip', reserved: of })

const beginning = (kind: 'account' | 'position'): string => `["${kind}",${KINDS[kind].version},`

const PLAIN = [
  {
    kind: 'account',
    beginning: beginning('account'),
    members: new ScannedMembers({ ...HOLDING, lamports: book(RESERVED), ...OF_ACCOUNT }),
    places: places(RESERVED),
    others: new ScannedMembers({ ...WITHOUT_PLACE, rentPaid: 'skip', ...OF_ACCOUNT }),
    required: [ADDRESS, TYPE, ORGANIZATION],
  },
  {
    kind: 'position',
    beginning: beginning('position'),
    members: new ScannedMembers({
      ...HOLDING,
      lamports: book(HELD),
      tokens: book(RESERVED),
      owner: reference(OWNER),
      mint: reference(MINT),
      otherAuthorities: 'skip',
      program: 'skip',
      decimals: 'skip',
    }),
    places: [
      ...places(HELD),
      ...([OWNER, 'skip', MINT, 'skip'] as const),
      new OneOf(['0', '1']),
      ...(['skip', 'skip', RESERVED] as const),
      new OneOf(['null'], { text: 'skip', array: true }),
    ],
    others: new ScannedMembers({ ...WITHOUT_PLACE, otherAuthorities: 'skip' }),
    required: [ADDRESS, TYPE, ORGANIZATION, OWNER, MINT],
  },
] as const

type PlainKind = (typeof PLAIN)[number]

/** Placeholder for the text of a slot in a template of keys. */
const GAP = '\uE000'

/** A template of keys with placeholders for texts of a row. */
class KeyForm {
  readonly #slots: readonly number[]
  readonly #first: string
  readonly #start: number
  readonly #between: readonly string[]

  constructor(key: string, slots: readonly number[]) {
    const [first = '', ...between] = key.split(GAP)
    this.#slots = slots
    this.#first = first
    this.#start = extendHash(EMPTY_TEXT, first)
    this.#between = between
  }

  hash(text: string, { from, to }: RowScan): number {
    let hash = this.#start
    for (let at = 0; at < this.#slots.length; at += 1) {
      const slot = this.#slots[at]!
      hash = extendHash(hash, text, from[slot], to[slot])
      const between = this.#between[at]!
      if (between !== '') hash = extendHash(hash, between)
    }
    return finalHash(hash)
  }

  key(text: string, { from, to }: RowScan): string {
    const parts = this.#slots.map((slot, at) => text.slice(from[slot], to[slot]) + this.#between[at]!)
    return this.#first + parts.join('')
  }
}

/** Records with one type and organization. They share one key, so a list of numbers replaces a hash for each record. */
export interface TypeList {
  readonly key: string
  readonly numbers: number[]
  readonly organization: string
  readonly type: string
}

/** The records of a tenant in a cluster. */
interface Place {
  readonly tenant: string
  readonly cluster: string
  /** Prefix of the keys of their rows. */
  readonly prefix: string
  readonly address: KeyForm
  readonly ofClosed: readonly KeyForm[]
  readonly identity: KeyForm
  readonly references: readonly (readonly [slot: number, form: KeyForm])[]
  readonly type: KeyForm
  readonly position: KeyForm
  readonly owner: KeyForm
  readonly groups: Grouped[]
  readonly types: Map<number, TypeList[]>
}

interface Grouped extends RecordGroup {
  readonly place: Place
  /** The text of a row after the revision: the state. */
  readonly follows: string
}

/** Number of characters of `,"` and `",` around the state in a row. */
const SURROUNDING = 4
const STATE = /^,"([a-zA-Z]+)",/
/** Maximum length of a state. */
const STATE_UNITS = 64

/** The group of a row, by the state after the revision; undefined: the row is unusual. */
function groupOf(place: Place, kind: Kind, text: string, revision: number): Grouped | undefined {
  for (const group of place.groups) if (group.kind === kind && text.startsWith(group.follows, revision)) return group
  const value = STATE.exec(text.slice(revision, revision + STATE_UNITS))?.[1]
  if (value === undefined) return undefined
  const { tenant, cluster } = place
  const group = { kind, tenant, cluster, value, follows: `,"${value}",`, place }
  place.groups.push(group)
  return group
}

const ZERO = 0x30
const NINE = 0x39
const COMMA = 0x2c
/** Offset from the type to the character before its quotation mark, which is a comma if the type is a list element. */
const TYPE_TO_PREVIOUS = -2

/** The offset after a positive integer; undefined: there is none. */
function integerEnd(text: string, from: number): number | undefined {
  let at = from
  while (text.charCodeAt(at) >= ZERO && text.charCodeAt(at) <= NINE) at += 1
  // A number has no leading zeros.
  return at === from || text.charCodeAt(from) === ZERO ? undefined : at
}

function doubled(list: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const longer = new Uint32Array(list.length * 2)
  longer.set(list)
  return longer
}

/** A list of hashes that grows. */
class Hashes implements HashList {
  hashes = new Uint32Array(1 << 10)
  numbers = new Uint32Array(1 << 10)
  count = 0

  add(hash: number, number: number): void {
    if (this.count === this.hashes.length) {
      this.hashes = doubled(this.hashes)
      this.numbers = doubled(this.numbers)
    }
    this.hashes[this.count] = hash
    this.numbers[this.count] = number
    this.count += 1
  }
}

/** Plain records of all tenants. The number of a record is its index in the list. */
export class PlainRows {
  readonly records: StoredRecord[] = []
  readonly ids = new Hashes()
  readonly keys = new Hashes()
  readonly types: TypeList[] = []
  readonly #scan = new RowScan(SLOTS.length)
  readonly #slabs = new RowSlabs()
  #place: Place | undefined

  /** False: the row must be parsed. */
  take(tenant: string, key: string, text: string): boolean {
    const kind = PLAIN.find(({ beginning }) => text.startsWith(beginning))
    const place = kind === undefined ? undefined : this.#placeOf(tenant, key)
    // Unless it is escaped, the id is the end of the key.
    if (kind === undefined || place === undefined || key.includes('%', place.prefix.length)) return false
    const revision = integerEnd(text, kind.beginning.length)
    const group = revision === undefined ? undefined : groupOf(place, kind.kind, text, revision)
    if (revision === undefined || group === undefined) return false
    const context = revision + group.value.length + SURROUNDING
    if (!this.#read(kind, text, context) || !this.#isPlain(kind, text)) return false
    const stored = this.#slabs.add(group, key.slice(place.prefix.length), text)
    if (stored === undefined) return false
    for (const form of this.#formsOf(group)) this.keys.add(form.hash(text, this.#scan), this.records.length)
    if (group.value !== 'closed') this.#typeOf(place, group, text).numbers.push(this.records.length)
    this.ids.add(finalHash(extendHash(EMPTY_TEXT, key, place.prefix.length)), this.records.length)
    this.records.push(stored)
    return true
  }

  #read({ members, places, others }: PlainKind, text: string, context: number): boolean {
    if (!text.startsWith('[', context)) return this.#scan.read(text, context, members)
    if (!this.#scan.readPlaces(text, context, places, others)) return false
    const { from, to } = this.#scan
    if (text.charCodeAt(from[TYPE]! + TYPE_TO_PREVIOUS) === COMMA) {
      from[ORGANIZATION] = from[OF_RECORD]!
      to[ORGANIZATION] = to[OF_RECORD]!
    }
    return true
  }

  #isPlain({ required }: PlainKind, text: string): boolean {
    const { from, to } = this.#scan
    for (const each of required) if (from[each] === 0) return false
    for (const each of [RESERVED, HELD])
      if (from[each] !== 0 && (to[each]! !== from[each]! + 1 || text[from[each]!] !== '0')) return false
    return from[RESERVED] !== 0
  }

  /** The key of a record with this hash. */
  keyOf(number: number, hash: number): string {
    const { group, text } = this.records[number]!
    const kind = PLAIN.find(({ kind }) => kind === group.kind)!
    const context = integerEnd(text, kind.beginning.length)! + group.value.length + SURROUNDING
    this.#read(kind, text, context)
    const form = this.#formsOf(group as Grouped).find((each) => each.hash(text, this.#scan) === hash)
    if (form === undefined) throw new Error(`a record of ${group.tenant} has no key with the hash ${String(hash)}`)
    return form.key(text, this.#scan)
  }

  /** The templates of the keys of the last scanned record, except that of its type. */
  #formsOf({ kind, value, place }: Grouped): readonly KeyForm[] {
    if (value === 'closed') return place.ofClosed
    const { from } = this.#scan
    const forms = [place.address]
    if (from[CODE] !== 0 || from[ACCOUNT_NUMBER] !== 0) forms.push(place.identity)
    for (const [slot, form] of place.references) if (from[slot] !== 0) forms.push(form)
    if (kind === 'position') forms.push(place.position, place.owner)
    return forms
  }

  #typeOf(place: Place, { tenant, cluster }: RecordGroup, text: string): TypeList {
    const hash = place.type.hash(text, this.#scan)
    const lists = place.types.get(hash)
    const existing = lists?.find(
      (each) => this.#has(text, ORGANIZATION, each.organization) && this.#has(text, TYPE, each.type),
    )
    if (existing !== undefined) return existing
    const [organization, type] = [this.#textOf(text, ORGANIZATION), this.#textOf(text, TYPE)]
    const list = { key: typeKey(tenant, cluster, organization, type), numbers: [], organization, type }
    place.types.set(hash, [...(lists ?? []), list])
    this.types.push(list)
    return list
  }

  #textOf(text: string, slot: number): string {
    return text.slice(this.#scan.from[slot], this.#scan.to[slot])
  }

  #has(text: string, slot: number, part: string): boolean {
    const from = this.#scan.from[slot]!
    return this.#scan.to[slot]! - from === part.length && text.startsWith(part, from)
  }

  /** Rows arrive in key order, so caching the last place is enough. */
  #placeOf(tenant: string, key: string): Place | undefined {
    if (this.#place === undefined || !key.startsWith(this.#place.prefix)) this.#place = newPlace(tenant, key)
    return this.#place
  }
}

function newPlace(tenant: string, key: string): Place | undefined {
  const { cluster } = recordPlace(key)
  if (tenant.includes(GAP) || cluster.includes(GAP)) return undefined
  const form = (text: string, ...slots: number[]): KeyForm => new KeyForm(text, slots)
  const identity = { organizationExternalId: GAP, accountNumber: GAP, code: GAP, type: GAP }
  return {
    tenant,
    cluster,
    prefix: recordKey(tenant, cluster, ''),
    address: form(addressKey(cluster, GAP), ADDRESS),
    ofClosed: [form(closedAddressKey(cluster, GAP), ADDRESS)],
    identity: form(referenceIdentityKey(tenant, cluster, identity), ORGANIZATION, ACCOUNT_NUMBER, CODE, TYPE),
    references: REFERENCE_MEMBERS.map((name) => [
      slot(name),
      form(referenceKey(tenant, cluster, name, GAP), slot(name)),
    ]),
    type: form(typeKey(tenant, cluster, GAP, GAP), ORGANIZATION, TYPE),
    position: form(positionKey(tenant, cluster, GAP, GAP), OWNER, MINT),
    owner: form(ownerKey(tenant, cluster, GAP), OWNER),
    groups: [],
    types: new Map(),
  }
}
