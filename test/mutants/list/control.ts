// Who controls an account: records that wait, and accounts that a message closes. Keys that are disabled.
import { mutantOf, type Mutant } from '../mutant.ts'

const mutant = mutantOf('control')

const CONTROL = 'src/operations/authorization/control.ts'
const SHAPES = 'src/operations/authorization/account-shape.ts'
const FOREIGN = 'src/operations/signing/foreign.ts'
const POSITION = 'src/operations/lookup/position.ts'
const RESERVED = 'test/trust/payments/reserved-destinations.test.ts'
const TESTS = 'test/trust/unsettled-accounts.test.ts'

export const CONTROLLERS: readonly Mutant[] = [
  mutant(
    'principal goes where the borrower may not pay',
    'src/operations/authorization/destinations/outflows.ts',
    ['if (lent === undefined || effect.authority !== lent.vault) return []', 'if (lent !== undefined) return []'],
    { file: 'test/trust/principal-destinations.test.ts', name: 'if the borrowing account has an allow list' },
  ),
  mutant(
    'reserved space takes any seed under an allow list',
    'src/operations/authorization/destinations/outflows.ts',
    ['lamports <= RENT_OF_MINT && control', 'control'],
    { file: RESERVED, name: 'receives no seed, and no more rent than a mint needs' },
  ),
  mutant(
    'an own key admits what an unknown party controls',
    'src/operations/authorization/destinations/policy.ts',
    ['if (isUnknown) this', 'if (isUnknown && !this.#control.isHeldHere(address)) this'],
    { file: RESERVED, name: 'receives no payment, even if the key of its address is held here' },
  ),
  mutant(
    'a program pays the token account of a blocked address',
    'src/operations/authorization/destinations/policy.ts',
    ['new Set([address, ...this.#holdersOf(address)])', '[address]'],
    { file: 'test/trust/15-destinations.test.ts', name: 'is no account of a call of an allowed program' },
  ),
  mutant(
    'members of a multisig pay nobody',
    'src/operations/authorization/destinations/outflows.ts',
    ['signers.includes(authority) ? [authority] : [authority, ...signers]', '[authority, ...signers.slice(9)]'],
    { file: 'test/trust/multisig-destinations.test.ts', name: 'is admitted by the organization of the member' },
  ),
  mutant(
    'a pending record proves who controls an address',
    CONTROL,
    ['isSure && this.isAddressKept(address)', 'isSure'],
    { file: TESTS, name: 'pending nonce account' },
  ),
  mutant(
    'a pending instrument answers for a mint that exists',
    CONTROL,
    ["(state?.value === 'pending' && !this.isHeldHere(mint))", 'false'],
    { file: TESTS, name: 'by a pending instrument' },
  ),
  mutant(
    'a mint authority that is being given up still controls the mint',
    'src/operations/authorization/open-changes.ts',
    ["effect.which === 'MINT_TOKENS' && effect.next === null", 'false'],
    { file: 'test/e2e/limits/kept-messages.test.ts', name: 'as paid to the other holder of its key' },
  ),
  mutant(
    'a payment after the closing goes to the owner',
    SHAPES,
    ["if (effect.kind === 'close') return effect.account === address && hasKey(address)", ''],
    { file: TESTS, name: 'controls what the message then pays to it' },
  ),
  mutant(
    'a payment after a withdrawal goes to the nonce authority',
    SHAPES,
    ["effect.kind === 'lamports' && effect.from === address", "effect.kind === 'memo'"],
    { file: TESTS, name: 'or anybody controls' },
  ),
  mutant(
    'a payment before the closing goes to the key of the address',
    SHAPES,
    ['effects.slice(emptiedAt + 1)', 'effects'],
    { file: TESTS, name: 'is not asked about an account that is paid first' },
  ),
  mutant(
    'a transaction made elsewhere takes over a managed address',
    FOREIGN,
    ['return context.managed || ', 'return '],
    { file: TESTS, name: 'a transaction made elsewhere' },
  ),
  mutant(
    'a pending position answers for its owner',
    POSITION,
    ['return state.context.managed && state.context.keyOrigin', 'return true || state.context.keyOrigin'],
    { file: TESTS, name: 'receives nothing of' },
  ),
  mutant(
    'an escrow belongs to its lender alone',
    'src/operations/authorization/destinations/policy.ts',
    ['loan?.context.borrower.address ?? controller', 'loan?.context.lender.account.address ?? controller'],
    { file: 'test/trust/escrow-destinations.test.ts', name: 'receives nothing from the lender’s wallets' },
  ),
  mutant(
    "another tenant's token is minted by the id of its position",
    'src/operations/holdings/freezing.ts',
    ['if (address !== undefined && isUsable(address)) return', 'if (instrument.id === NO_RECORD) return'],
    { file: 'test/trust/strangers/authorities-of-strangers.test.ts', name: 'is refused by' },
  ),
  mutant(
    'a nonce that only an escrow can advance is taken',
    'src/operations/transactions/nonces/free.ts',
    ['return isOfEscrow(', 'return false && isOfEscrow('],
    { file: 'test/e2e/loans/escrow-nonces.test.ts' },
  ),
  mutant(
    'a nonce whose creation is only signed is not awaited',
    'src/operations/transactions/nonces/free.ts',
    ["return value === 'pending' || (value", 'return (value'],
    { file: 'test/e2e/transactions/nonce-signing.test.ts', name: 'only signed' },
  ),
  mutant(
    'the last of two amounts of a body counts',
    'src/http/body/parse.ts',
    ['&& membersOf(plain) !== members) throw', '&& membersOf(plain) > members) throw'],
    { file: 'test/http/body/duplicates.test.ts', name: 'is named' },
  ),
  mutant(
    'a body that arrives after its key was disabled is read',
    'src/http/endpoint.ts',
    ['if (isRevoked()) throw', "if (isRevoked() && route.kind === 'write') throw"],
    { file: 'test/trust/stolen-key.test.ts', name: 'is refused if its body arrives afterwards: ' },
  ),
  mutant(
    'a request that waits is carried out after its key was disabled',
    'src/operations/transactions/idempotency.ts',
    ['if (isRevoked?.() === true) throw', 'if (isRevoked === null) throw'],
    { file: 'test/trust/stolen-key.test.ts', name: 'signs nothing if it waited for a screening service' },
  ),
]
