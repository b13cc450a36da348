// Rows of accounts and positions as lists. Their rows are written with each change of a balance, and in an object the
// member names would be most of the row. A context with unusual members is written as an object.
import type { AccountContext } from '../../../machines/account.ts'
import type { AccountRef, Book, Holding, References } from '../../../machines/holding.ts'
import { REFERENCES } from '../../../machines/left-out.ts'
import type { PositionContext } from '../../../machines/position.ts'
import type { Touch } from '../../../machines/protocol.ts'
import { packMembers, unpackerOf, type Members } from './packing.ts'

const LAYOUT = 1
/** Value of the last touch if it equals the creation. */
const SAME = 0
/** Value of `otherAuthorities` if they are unknown, as in rows of earlier releases. Usually there are none. */
const UNKNOWN = 0

type Only<Type, Names extends keyof Type> = Exclude<keyof Type, Names> extends never ? Type : never
type TouchRow = readonly [transactionId: string | null, signature: string, at: string]

/** The first parts of the rows of both kinds. */
type Beginning = readonly [
  layout: typeof LAYOUT,
  address: string,
  organization: string,
  /** Only the type, if the other references are the record's organization or null; else packed by `REFERENCES`. */
  references: string | Members,
  balance: string,
  reserved: string,
  creation: TouchRow | null,
  last: TouchRow | null | typeof SAME,
  /** null: absent. */
  madeAt: string | null,
]
export type AccountRow = readonly [...Beginning, others?: Members]
export type PositionRow = readonly [
  ...Beginning,
  owner: string,
  ownerId: string | null,
  mint: string,
  mintId: string | null,
  /** Index in `PROGRAMS`. */
  program: number,
  decimals: number,
  tokens: string,
  reservedTokens: string,
  /** Only the payer, if the paid amount equals the balance; null: absent. */
  rentPaid: string | readonly [by: string, lamports: string] | null,
  others?: Members,
]

type Placed = 'address' | 'organization' | 'references' | 'lamports' | 'creation' | 'last' | 'madeAt'
type PlacedOfPosition = Placed | 'owner' | 'mint' | 'program' | 'decimals' | 'tokens' | 'rentPaid' | 'otherAuthorities'
/** A member with neither a position nor a usual value causes a compile error. undefined: it is usually absent. */
type Usual<Context, Names extends keyof Context> = {
  readonly [Name in Exclude<keyof Context, Names | 'keyLocation'>]-?: string | number | boolean | null | undefined
}

const USUAL_OF_BOTH = {
  comments: null,
  domain: null,
  isGenesis: false,
  subscribeToNetworkEvents: false,
  shared: false,
  wasOnchainAlready: false,
  canPayFees: false,
  globalFeePayerForOrgs: null,
  orgsAllowedToSignWithPrivateKey: null,
  solDebitApiKeys: null,
  tokenDebitApiKeys: null,
  networkCurrencyDebitLimits: null,
  tokenDebitLimits: null,
  destinationPolicy: undefined,
  setByPolicyKey: undefined,
  frozenByOperator: false,
  rentPayer: null,
  lastOfOthers: undefined,
} as const

const ACCOUNT: Usual<AccountContext, Placed> = {
  ...USUAL_OF_BOTH,
  managed: true,
  keyOrigin: 'service',
  isDerived: false,
  dataLength: 0,
  ownerProgram: '11111111111111111111111111111111',
  rentPaid: undefined,
  tokenDecimals: null,
  tokenVersion: undefined,
}

const POSITION: Usual<PositionContext, PlacedOfPosition> = {
  ...USUAL_OF_BOTH,
  managed: false,
  keyOrigin: 'none',
  isDerived: true,
  dataLength: 165,
  ownerProgram: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
}

const PROGRAMS: readonly PositionContext['program'][] = ['SPL', 'TOKEN_2022']

/** The members without a position, and the templates of new contexts. */
class Form {
  readonly #names: readonly string[]
  readonly #values: readonly unknown[]
  /** The only key location of a usual record; undefined: it has none. */
  readonly #location: string | undefined
  readonly #template: Members
  /** Templates with members that most contexts lack, by the names of those members. */
  readonly #templates = new Map<string, Members>()

  constructor(usual: Members, placed: readonly string[], location: string | undefined) {
    this.#names = Object.keys(usual)
    this.#values = Object.values(usual)
    this.#location = location
    const members = { ...Object.fromEntries(placed.map((name) => [name, null])), keyLocation: null, ...usual }
    this.#template = templateOf(members)
  }

  /**
   * A context with the usual values. V8 takes microseconds to copy members from one object into another, and Node 20
   * gives every object that gets a member after it was copied a hidden class of its own. So the template has every
   * member, and the caller sets those that differ.
   * @param more the members of this context that most contexts lack
   */
  context(more: readonly string[]): Record<string, unknown> {
    if (more.length === 0) return { ...this.#template }
    const names = more.join()
    let template = this.#templates.get(names)
    if (template === undefined) {
      template = templateOf({ ...this.#template, ...Object.fromEntries(more.map((name) => [name, null])) })
      this.#templates.set(names, template)
    }
    return { ...template }
  }

  has(member: string): boolean {
    return member in this.#template
  }

  get keyLocation(): readonly string[] {
    return this.#location === undefined ? [] : [this.#location]
  }

  /** The members with an unusual value; undefined: there are none; null: a member that is usually present is absent. */
  others(context: Members): Others {
    let others: Record<string, unknown> | undefined
    for (let at = 0; at < this.#names.length; at += 1) {
      const value = context[this.#names[at]!]
      if (value === this.#values[at]) continue
      if (value === undefined) return null
      others ??= {}
      others[this.#names[at]!] = value
    }
    const locations = context['keyLocation']
    if (!Array.isArray(locations)) return null
    if (locations.length === this.#locations && locations[0] === this.#location) return others
    return { ...others, keyLocation: locations }
  }

  get #locations(): number {
    return this.#location === undefined ? 0 : 1
  }
}

/** Copies of one parsed object take half the memory of objects built member by member. */
function templateOf(members: Members): Members {
  return JSON.parse(JSON.stringify(members)) as Members
}

const OF_BOTH = ['address', 'organization', 'references', 'lamports', 'creation', 'last']
const OF_POSITION = [...OF_BOTH, 'owner', 'mint', 'program', 'decimals', 'tokens']
const ACCOUNT_FORM = new Form(ACCOUNT, OF_BOTH, 'DATABASE')
const POSITION_FORMS = [
  new Form(POSITION, OF_POSITION, undefined),
  new Form(
    { ...POSITION, dataLength: 170, ownerProgram: 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb' },
    OF_POSITION,
    undefined,
  ),
]

/** undefined: the context must be written as an object. */
export function accountRow(context: AccountContext): AccountRow | undefined {
  const others = ACCOUNT_FORM.others(context as unknown as Members)
  const row = others === null ? undefined : beginningOf(context)
  if (row === undefined) return undefined
  if (others !== undefined) row.push(others)
  return row as unknown as AccountRow
}

/** undefined: the context must be written as an object. */
export function positionRow(context: PositionContext): PositionRow | undefined {
  const { owner, mint, decimals, tokens, rentPaid, lamports } = context
  const program = PROGRAMS.indexOf(context.program)
  if (program < 0 || !isObject(owner) || !isObject(mint) || !isObject(tokens)) return undefined
  const others = withAuthorities(POSITION_FORMS[program]!.others(context as unknown as Members), context)
  const row = others === null ? undefined : beginningOf(context)
  const rent = rentRow(rentPaid, lamports)
  if (row === undefined || rent === undefined) return undefined
  pushRef(row, owner)
  pushRef(row, mint)
  row.push(program, decimals)
  pushBook(row, tokens)
  row.push(rent)
  if (others !== undefined) row.push(others)
  return row as unknown as PositionRow
}

type Ref = Only<AccountRef, 'address' | 'id'>
type Balances = Only<Book, 'balance' | 'reserved'>
type NamedReferences = Only<References, 'type' | 'organizationExternalId' | 'code' | 'alId' | 'accountNumber' | 'name'>
type Rent = Only<NonNullable<Holding['rentPaid']>, 'by' | 'lamports'>

type Others = Members | undefined | null

function withAuthorities(others: Others, { otherAuthorities }: PositionContext): Others {
  if (otherAuthorities === null || others === null) return others
  if (otherAuthorities === undefined) return { ...others, otherAuthorities: UNKNOWN }
  return isObject(otherAuthorities) ? { ...others, otherAuthorities } : null
}

function pushRef(row: unknown[], { address, id }: Ref): void {
  row.push(address, id)
}

function pushBook(row: unknown[], { balance, reserved }: Balances): void {
  row.push(balance, reserved)
}

function beginningOf(context: Holding): unknown[] | undefined {
  const { address, organization, lamports, creation, last, madeAt } = context
  const references = referencesRow(context)
  const made = touchRow(creation)
  const touched = sameTouch(creation, last) ? SAME : touchRow(last)
  const isUsual = references !== undefined && made !== undefined && touched !== undefined && isObject(lamports)
  if (!isUsual || (madeAt as unknown) === null) return undefined
  const { balance, reserved }: Balances = lamports
  return [LAYOUT, address, organization, references, balance, reserved, made, touched, madeAt ?? null]
}

/** undefined: the references are unusual. */
function referencesRow({ references, organization }: Holding): string | Members | undefined {
  if (!isObject(references)) return undefined
  const { type, organizationExternalId, code, alId, accountNumber, name }: NamedReferences = references
  const isPlain = code === null && alId === null && accountNumber === null && name === null
  if (isPlain && organizationExternalId === organization && typeof type === 'string') return type
  return packMembers(references as unknown as Members, REFERENCES)
}

/** undefined: the value is not a touch. */
function touchRow(touch: Touch | null): TouchRow | null | undefined {
  if (touch === null) return null
  if (!isObject(touch)) return undefined
  const { transactionId, signature, at }: Only<Touch, 'transactionId' | 'signature' | 'at'> = touch
  return [transactionId, signature, at]
}

function sameTouch(one: Touch | null, other: Touch | null): boolean {
  if (!isObject(one) || !isObject(other)) return false
  return one.at === other.at && one.signature === other.signature && one.transactionId === other.transactionId
}

/** undefined: the value is unusual. */
function rentRow(rentPaid: Rent | undefined, lamports: Balances): PositionRow[17] | undefined {
  if (rentPaid === undefined) return null
  if (!isObject(rentPaid)) return undefined
  const { by, lamports: paid } = rentPaid
  return paid === lamports.balance && typeof by === 'string' ? by : [by, paid]
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** Throws `TypeError` for a row of a later layout. */
export function accountOfRow(row: AccountRow): AccountContext {
  return contextOfRow(ACCOUNT_FORM, row, row[9]) as unknown as AccountContext
}

/** Throws `TypeError` for a row of a later layout. */
export function positionOfRow(row: PositionRow): PositionContext {
  const [, , , , paid, , , , , owner, ownerId, mint, mintId, program, decimals, balance, reserved, rent, others] = row
  const { otherAuthorities = null, ...rest } = others ?? {}
  const more = {
    ...rest,
    ...(rent === null ? {} : { rentPaid: rentOfRow(rent, paid) }),
    ...(otherAuthorities === UNKNOWN ? {} : { otherAuthorities }),
  }
  const context = contextOfRow(POSITION_FORMS[program]!, row, more)
  context['owner'] = { address: owner, id: ownerId }
  context['mint'] = { address: mint, id: mintId }
  context['program'] = PROGRAMS[program]
  context['decimals'] = decimals
  context['tokens'] = { balance, reserved }
  return context as unknown as PositionContext
}

const referencesOf = unpackerOf(REFERENCES)

/** @param others the members without a position */
function contextOfRow(
  form: Form,
  row: readonly [...Beginning, ...unknown[]],
  others: Members | undefined,
): Record<string, unknown> {
  const [layout, address, organization, references, balance, reserved, creation, last, madeAt] = row
  if ((layout as number) !== LAYOUT) throw new TypeError(`a row of layout ${layout}; known: ${LAYOUT}`)
  const more = madeAt === null ? [] : ['madeAt']
  for (const name in others) if (!form.has(name)) more.push(name)
  const context = form.context(more)
  context['address'] = address
  context['organization'] = organization
  context['references'] = referencesOf(
    typeof references === 'string' ? { type: references, organizationExternalId: organization } : references,
  )
  context['lamports'] = { balance, reserved }
  context['creation'] = touchOfRow(creation)
  context['last'] = touchOfRow(last === SAME ? creation : last)
  context['keyLocation'] = form.keyLocation
  if (madeAt !== null) context['madeAt'] = madeAt
  for (const name in others) context[name] = others[name]
  return context
}

function touchOfRow(row: TouchRow | null): Touch | null {
  if (row === null) return null
  const [transactionId, signature, at] = row
  return { transactionId, signature, at }
}

function rentOfRow(row: NonNullable<PositionRow[17]>, balance: string): Rent {
  if (typeof row === 'string') return { by: row, lamports: balance }
  const [by, lamports] = row
  return { by, lamports }
}
