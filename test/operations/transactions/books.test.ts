// The ledger effects of compiled messages: nothing is created or lost, and every refusal is expected.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileMessage } from '../../../src/solana/compile.ts'
import { associatedTokenAddress } from '../../../src/solana/derive.ts'
import { TOKEN_2022_PROGRAM } from '../../../src/solana/address.ts'
import { createAssociatedIdempotent } from '../../../src/solana/instructions/associated-token.ts'
import { createAccountInstruction, transferLamports } from '../../../src/solana/instructions/system.ts'
import { burnChecked, mintToChecked, transferChecked } from '../../../src/solana/instructions/token.ts'
import {
  closeTokenAccount,
  freezeTokenAccount,
  initializeAccount,
  thawTokenAccount,
} from '../../../src/solana/instructions/token-account.ts'
import type { Instruction } from '../../../src/solana/message.ts'
import { classify } from '../../../src/solana/table/classify.ts'
import { Directory } from '../../../src/engine/index/directory.ts'
import { Entry } from '../../../src/engine/records/entry.ts'
import { BookEntries } from '../../../src/operations/transactions/books.ts'
import type { Asset, Movement } from '../../../machines/protocol.ts'
import type { BookEntry } from '../../../machines/transactions/transaction-record.ts'
import { addressNumber } from '../../solana/arbitraries.ts'
import { account, instrument, position } from '../../machines/records.ts'

const C = 'CHAIN_DEVNET'
const FEE = 5_000n
const RENT = 2_039_280n
const program = TOKEN_2022_PROGRAM
const [PAYER, ALICE, BOB, MINT, BLOCKHASH] = [1, 2, 3, 4, 5].map(addressNumber) as [
  string,
  string,
  string,
  string,
  string,
]
const POSITIONS = [11, 12].map(addressNumber)
/** Associated accounts that the message creates. */
const MADE = [ALICE, BOB].map((owner) => associatedTokenAddress(owner, MINT, program))
const WALLETS = [PAYER, ALICE, BOB]

interface Onboarded {
  readonly directory: Directory
  readonly entries: ReadonlyMap<string, Entry>
}

function record(
  kind: 'account' | 'position' | 'instrument',
  address: string,
  more: object = {},
  tenant = 'MINE',
  value?: string,
): Entry {
  const context = { account, position, instrument }[kind]
  const state = {
    kind,
    tenant,
    cluster: C,
    id: `${kind} ${address} of ${tenant}`,
    revision: 1,
    value: value ?? (kind === 'position' ? 'initialized' : 'active'),
    context: { ...context, address, ...more },
  }
  return new Entry(state, undefined, undefined)
}

function onboard(...entries: readonly Entry[]): Onboarded {
  const directory = new Directory()
  for (const entry of entries) directory.moved(entry, undefined, entry.head)
  return { directory, entries: new Map(entries.map((entry) => [entry.head.id, entry])) }
}

function everyone(): Onboarded {
  const ref = (address: string) => ({ address, id: null })
  const buildPosition = (address: string, owner: string, value?: string) =>
    record(
      'position',
      address,
      { owner: ref(owner), mint: ref(MINT), lamports: { balance: String(RENT), reserved: '0' } },
      'MINE',
      value,
    )
  return onboard(
    ...WALLETS.map((each) => record('account', each)),
    record('instrument', MINT),
    buildPosition(POSITIONS[0]!, ALICE),
    buildPosition(POSITIONS[1]!, BOB),
    ...MADE.map((each, index) => buildPosition(each, [ALICE, BOB][index]!, 'pending')),
  )
}

function entriesOf(
  { directory }: Onboarded,
  instructions: readonly Instruction[],
  isNew: (entry: Entry) => boolean = () => false,
  fixture: { tenant: string; countersigns?: boolean } = { tenant: 'MINE' },
): BookEntry[] {
  const message = compileMessage({ feePayer: PAYER, instructions, blockhash: BLOCKHASH, version: 'V0' })
  const rents = new Map(MADE.map((each) => [each, RENT]))
  const books = new BookEntries({
    ...fixture,
    directory,
    cluster: C,
    transactionId: 't',
    signers: message.signers,
    rents,
    isNew,
  })
  books.fee(PAYER, FEE)
  for (const effect of classify(message, message.staticKeys)) {
    expect(effect.kind).not.toBe('refused')
    books.take(effect)
  }
  return books.entries()
}

const flow = (movements: readonly Movement[], asset: Asset): bigint =>
  movements
    .filter((each) => each.asset === asset)
    .reduce((sum, { credited, debited }) => sum + BigInt(credited) - BigInt(debited), 0n)
const total = (entries: readonly BookEntry[], asset: Asset): bigint =>
  entries.reduce((sum, { movements }) => sum + flow(movements, asset), 0n)
const of = (entries: readonly BookEntry[], address: string): BookEntry | undefined =>
  entries.find((each) => each.record.includes(address))

const amount = fc.bigInt({ min: 1n, max: 10n ** 12n })
const wallet = fc.constantFrom(...WALLETS)
const heldPosition = fc.constantFrom(...POSITIONS)
const authorityOf = (address: string): string => (address === POSITIONS[0] ? ALICE : BOB)
const token = { program, mint: MINT, decimals: 2 }

/** Instructions that do not change the supply. */
const movingInstruction = fc.oneof(
  fc
    .record({ from: wallet, to: wallet, lamports: amount })
    .map(({ from, to, lamports }) => transferLamports(from, to, lamports)),
  fc
    .record({ from: heldPosition, to: fc.constantFrom(...POSITIONS, ...MADE), units: amount })
    .map(({ from, to, units }) =>
      transferChecked({ ...token, source: from, destination: to, authority: authorityOf(from), amount: units }),
    ),
  fc
    .constantFrom(ALICE, BOB)
    .map((owner) => createAssociatedIdempotent({ payer: PAYER, owner, mint: MINT, tokenProgram: program })),
  heldPosition.map((each) => freezeTokenAccount({ program, account: each, mint: MINT, authority: ALICE })),
)
const supplying = fc.oneof(
  fc
    .record({ to: heldPosition, units: amount })
    .map(({ to, units }) => mintToChecked({ ...token, destination: to, authority: ALICE, amount: units })),
  fc
    .record({ from: heldPosition, units: amount })
    .map(({ from, units }) => burnChecked({ ...token, source: from, authority: authorityOf(from), amount: units })),
)

describe('the ledger effects of a message', () => {
  it('conserve lamports except for the fee, and tokens', () => {
    fc.assert(
      fc.property(fc.array(movingInstruction, { minLength: 1, maxLength: 6 }), (instructions) => {
        const entries = entriesOf(everyone(), instructions)
        expect(total(entries, 'lamports')).toBe(-FEE)
        expect(total(entries, 'tokens')).toBe(0n)
      }),
    )
  })

  it('change the supply by the sum of all positions', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(movingInstruction, supplying), { minLength: 1, maxLength: 6 }), (instructions) => {
        const entries = entriesOf(everyone(), instructions)
        expect(total(entries, 'supply')).toBe(total(entries, 'tokens'))
      }),
    )
  })

  it('reserve the amounts needed by each instruction in order, and no more', () => {
    const payment = fc.record({ from: wallet, to: wallet, lamports: amount })
    const delivery = fc.record({ from: heldPosition, to: heldPosition, units: amount })
    fc.assert(
      fc.property(fc.array(fc.oneof(payment, delivery), { minLength: 1, maxLength: 8 }), (legs) => {
        const instructions = legs.map((leg) =>
          'lamports' in leg
            ? transferLamports(leg.from, leg.to, leg.lamports)
            : transferChecked({
                ...token,
                source: leg.from,
                destination: leg.to,
                authority: authorityOf(leg.from),
                amount: leg.units,
              }),
        )
        // Every balance starts at zero: its lowest value below zero is the amount it should have started with.
        const balances = new Map([[PAYER, -FEE]])
        const least = new Map(balances)
        for (const { from, to, ...rest } of legs) {
          const units = 'lamports' in rest ? rest.lamports : rest.units
          const remaining = (balances.get(from) ?? 0n) - units
          balances.set(from, remaining)
          if (remaining < (least.get(from) ?? 0n)) least.set(from, remaining)
          balances.set(to, (balances.get(to) ?? 0n) + units)
        }
        const entries = entriesOf(everyone(), instructions)
        for (const address of [...WALLETS, ...POSITIONS]) {
          const movements = of(entries, address)?.movements ?? []
          expect(movements.reduce((sum, { released }) => sum + BigInt(released), 0n)).toBe(-(least.get(address) ?? 0n))
          expect(flow(movements, WALLETS.includes(address) ? 'lamports' : 'tokens')).toBe(balances.get(address) ?? 0n)
        }
      }),
    )
  })

  it('reserve at least the net loss, and a failure takes only the fee', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(movingInstruction, supplying), { minLength: 1, maxLength: 6 }), (instructions) => {
        for (const { record: id, movements, charge } of entriesOf(everyone(), instructions)) {
          for (const { asset, released, debited, credited } of movements) {
            if (asset === 'supply') continue
            expect(BigInt(released)).toBeGreaterThanOrEqual(BigInt(debited) - BigInt(credited))
            expect(BigInt(released)).toBeLessThanOrEqual(BigInt(debited))
          }
          const reservations = movements.filter(({ released }) => released !== '0')
          expect(charge.map(({ asset, released }) => [asset, released])).toEqual(
            reservations.map(({ asset, released }) => [asset, released]),
          )
          const lostLamports = charge.reduce(
            (sum, { debited, credited }) => sum + BigInt(debited) - BigInt(credited),
            0n,
          )
          expect(lostLamports).toBe(id.includes(PAYER) ? FEE : 0n)
        }
      }),
    )
  })

  it('transfer everything in a closed account to its destination', () => {
    const close = closeTokenAccount({ program, account: POSITIONS[0]!, destination: BOB, authority: ALICE })
    const entries = entriesOf(everyone(), [close])
    expect(flow(of(entries, BOB)!.movements, 'lamports')).toBe(RENT)
    const closing = { event: { type: 'chain.closed' }, undo: { type: 'chain.reopened', as: 'initialized' } }
    expect(of(entries, POSITIONS[0]!)!.facts).toEqual([closing])
    expect(total(entries, 'lamports')).toBe(-FEE)
  })

  it('create an account once, and abandon it only with the message that created its record', () => {
    const create = createAssociatedIdempotent({ payer: PAYER, owner: ALICE, mint: MINT, tokenProgram: program })
    const fixture = everyone()
    const factsOf = (isNew: boolean) =>
      of(
        entriesOf(fixture, [create, create], () => isNew),
        MADE[0]!,
      )!.facts
    const fact = { event: { type: 'chain.initialized', frozen: false }, undo: { type: 'chain.uncreated', by: 't' } }
    expect(factsOf(true)).toContainEqual({ ...fact, abandon: { type: 'chain.abandoned' } })
    expect(factsOf(false)).toContainEqual(fact)
    for (const isNew of [true, false])
      expect(factsOf(isNew).filter(({ event }) => event.type === 'chain.initialized')).toHaveLength(1)
  })

  it('initialize a position as its instrument requires', () => {
    const fixture = onboard(
      record('account', PAYER),
      record('instrument', MINT, { defaultPositionState: 'FROZEN' }),
      record(
        'position',
        MADE[0]!,
        { owner: { address: ALICE, id: null }, mint: { address: MINT, id: null } },
        'MINE',
        'pending',
      ),
    )
    const own = [
      createAccountInstruction({ payer: PAYER, account: MADE[0]!, lamports: RENT, space: 165, owner: program }),
      initializeAccount(program, MADE[0]!, MINT, ALICE),
    ]
    expect(of(entriesOf(fixture, own), MADE[0]!)!.facts.map(({ event }) => event)).toContainEqual({
      type: 'chain.initialized',
      frozen: true,
    })
  })
})

describe('an address with a record of another type', () => {
  const transfer = transferChecked({
    ...token,
    source: POSITIONS[0]!,
    destination: POSITIONS[1]!,
    authority: ALICE,
    amount: 5n,
  })
  const mint = mintToChecked({ ...token, destination: POSITIONS[0]!, authority: ALICE, amount: 5n })
  const thaw = thawTokenAccount({ program, account: POSITIONS[0]!, mint: MINT, authority: ALICE })

  it('gets no effects that its type lacks', () => {
    const fixture = onboard(record('account', PAYER), ...[...POSITIONS, MINT].map((each) => record('account', each)))
    for (const { record: id, movements, facts } of entriesOf(fixture, [thaw, transfer, mint]))
      expect({ id, movements, facts }).toEqual({
        id,
        movements: id.includes(PAYER) ? [expect.anything()] : [],
        facts: [],
      })
  })

  it("in another tenant's unmanaged record follows the chain and has no reservations", () => {
    const address = POSITIONS[0]!
    const owner = { owner: { address: ALICE, id: null }, mint: { address: MINT, id: null } }
    const fixture = onboard(
      record('account', PAYER),
      record('position', address, owner),
      record('position', address, { ...owner, managed: false }, 'OTHER'),
      record('account', PAYER, { managed: false }, 'OTHER'),
    )
    const entries = entriesOf(fixture, [transfer])
    const otherMovements = entries.filter(({ tenant }) => tenant === 'OTHER').flatMap(({ movements }) => movements)
    expect(otherMovements).toEqual([
      { asset: 'lamports', released: '0', debited: String(FEE), credited: '0' },
      { asset: 'tokens', released: '0', debited: '5', credited: '0' },
    ])
    expect(entries.find(({ tenant, record: id }) => tenant === 'OTHER' && id.includes(PAYER))?.charge).toEqual([
      { asset: 'lamports', released: '0', debited: String(FEE), credited: '0' },
    ])
  })

  it("has reservations only in its own tenant's books, and for another's transaction only if its key signs", () => {
    const owner = { owner: { address: ALICE, id: null }, mint: { address: MINT, id: null } }
    const fixture = onboard(
      record('account', PAYER),
      record('account', ALICE, {}, 'OTHER'),
      record('position', POSITIONS[0]!, owner, 'OTHER'),
    )
    const reservedFor = (instruction: Instruction, signer: { tenant: string; countersigns?: boolean }) =>
      of(entriesOf(fixture, [instruction], undefined, signer), POSITIONS[0]!)?.movements[0]?.released
    const byBob = transferChecked({
      ...token,
      source: POSITIONS[0]!,
      destination: POSITIONS[1]!,
      authority: BOB,
      amount: 5n,
    })
    for (const instruction of [transfer, byBob]) expect(reservedFor(instruction, { tenant: 'MINE' })).toBe('0')
    expect(reservedFor(transfer, { tenant: 'OTHER', countersigns: true })).toBe('5')
    expect(reservedFor(byBob, { tenant: 'OTHER', countersigns: true })).toBe('0')
  })
})
