// What the records know to fail on chain, refused before it costs a fee.
import { mutantOf, type Mutant } from '../mutant.ts'

const mutant = mutantOf('known failures')

const RULES = 'src/operations/transactions/known-failures.ts'
const PAUSED = 'test/e2e/instruments/paused-since.test.ts'
const UNDER_WAY = 'test/e2e/instruments/under-way.test.ts'

export const KNOWN_FAILURES: readonly Mutant[] = [
  mutant(
    'a prepared message signed after its instrument was paused',
    'src/operations/signing/sign-recorded.ts',
    ['if (!isDecided(platform, transaction)) checkFirst', 'if (pointer === transaction.id) checkFirst'],
    { file: PAUSED, name: 'is not signed while the instrument is paused' },
  ),
  mutant(
    'a signed message sent after its instrument was paused',
    'src/operations/transactions/signing/send.ts',
    ['  checkNotPausedSince(platform, transaction)\n', ''],
    { file: PAUSED, name: 'keeps the signatures that it got before the pause' },
  ),
  mutant(
    'a position frozen twice at once',
    RULES,
    ['return switches.length > 0 && ', 'return switches.length > 9 && '],
    { file: UNDER_WAY, name: 'is refused while another is being sent' },
  ),
  mutant(
    'a transfer that restores the freeze keeps the next one out',
    RULES,
    ['switches[0]?.kind === switches.at(-1)?.kind', 'switches[0] !== undefined'],
    { file: UNDER_WAY, name: 'unless the operation restores the state' },
  ),
  mutant(
    'tokens moved while their position is being frozen',
    RULES,
    ["switches.every(({ kind }) => kind === 'freeze')", "switches.every(({ kind }) => kind === 'thaw')"],
    { file: UNDER_WAY, name: 'are not moved' },
  ),
  mutant(
    'tokens moved while their instrument is being paused',
    RULES,
    ['effects?.some(pauses))', 'effects?.some(pauses) === null)'],
    { file: UNDER_WAY, name: 'are not moved' },
  ),
  mutant('a position paid while it is being closed', RULES, ['closers.length > 0 && ', 'closers.length > 9 && '], {
    file: UNDER_WAY,
    name: 'exclude each other while one of them is being sent',
  }),
  mutant(
    'a position closed while it is paid',
    RULES,
    ['paidPosition(effect) === address', "paidPosition(effect) === ''"],
    { file: UNDER_WAY, name: 'exclude each other while one of them is being sent' },
  ),
  mutant(
    'a payment to a position that nothing signed opens',
    'src/operations/holdings/destination.ts',
    ['if (mustExist && token === null &&', 'if (mustExist && token !== null &&'],
    { file: UNDER_WAY, name: 'is not paid while nothing of it is signed' },
  ),
  mutant(
    'tokens minted while their mint is being closed',
    RULES,
    ['effects?.some(closes))', 'effects?.every(closes))'],
    { file: UNDER_WAY, name: 'has nothing minted' },
  ),
  mutant(
    'freezes and mints prevented by a message that lacks a signature',
    'src/operations/lookup/open-messages.ts',
    ['message?.context.complete === true && ', 'message !== undefined && '],
    { file: 'test/e2e/instruments/under-way.test.ts', name: 'lacks the signature of the authority' },
  ),
  mutant(
    'a message of another organization that lacks the signature of the owner counts',
    'src/operations/lookup/awaited-owners.ts',
    ['|| transaction.context.complete)', "|| transaction.id !== '')"],
    { file: 'test/trust/siblings/messages.test.ts', name: 'uses up no limit of a supply' },
  ),
  mutant(
    'a message that another organization signed first is not judged again when the owner signs',
    'src/operations/signing/sign-recorded.ts',
    ['return transaction.context.ourSignature && !awaits', 'return transaction.context.ourSignature || !awaits'],
    { file: 'test/trust/siblings/messages.test.ts', name: 'uses up no limit of a supply' },
  ),
]
