// The page for operators: what its forms send, and to whom.
import { mutantOf, type Mutant } from '../mutant.ts'

const mutant = mutantOf('console')

const MAKER = 'src/console/forms/maker.ts'
const LOOKUPS = 'src/console/forms/form-lookups.ts'
const OF_MAKER = 'test/console/maker.test.ts'
const OF_REQUESTS = 'test/ui/console-requests.test.ts'
const OF_LOOKUPS = 'test/console/form-lookups.test.ts'

export const CONSOLE: readonly Mutant[] = [
  mutant(
    'a request without an answer is forgotten when its form is left',
    'src/console/orders.ts',
    ['    if (isAnswer(error, wasSentBefore)) forget(request)', '    forget(request)'],
    { file: 'test/console/orders.test.ts', name: 'keeps a request without an answer' },
  ),
  mutant(
    'default debit limits shown as none',
    'src/console/records/details.tsx',
    ["listAt(of, DEFAULTS).includes(name) ? 'defaults' : 'none'", "'none'"],
    { file: 'test/ui/console-records.test.ts', name: 'default debit limits of an account' },
  ),
  mutant(
    'what was sent is still shown after the end of the session',
    'src/console/orders.ts',
    ['if (current() === null) store([])', ''],
    { file: 'test/console/orders.test.ts', name: 'all at the end of the session' },
  ),
  mutant(
    'a check is kept though a field was changed since',
    MAKER,
    [
      '      if (this.#changes !== before) return\n      this.#become({ ...this.#state, checked: next })',
      '      this.#become({ ...this.#state, checked: next })',
    ],
    { file: OF_MAKER, name: 'changed while it was checked' },
  ),
  mutant(
    'a field can be changed while the outcome of the request is unknown',
    MAKER,
    ['    if (this.#state.isFixed) return\n    apply()', '    apply()'],
    { file: OF_MAKER, name: 'can only be repeated' },
  ),
  mutant(
    'a refusal of the repetition settles a request whose answer was lost',
    'src/console/orders.ts',
    ['(!wasSentBefore && status > 400', '(status > 400'],
    { file: OF_MAKER, name: 'can only be repeated' },
  ),
  mutant(
    'a page that was left sends what it had begun',
    MAKER,
    ['  leave(): void {\n    this.#changes += 1', '  leave(): void {'],
    { file: OF_MAKER, name: 'page that was left' },
  ),
  mutant(
    'a symbol is looked for before a code',
    LOOKUPS,
    [
      '(await byCode(pick, typed, pointer)) ?? (await byName(pick, typed, pointer))',
      '(await byName(pick, typed, pointer)) ?? (await byCode(pick, typed, pointer))',
    ],
    { file: OF_LOOKUPS, name: 'finds an instrument by its code' },
  ),
  mutant(
    'the first of several records of a name is taken',
    LOOKUPS,
    ["if (found.length > 1) throw ambiguous(pick === 'parties' ? 'name' : 'symbol or name', pointer)", ''],
    { file: OF_LOOKUPS, name: 'unless several have it' },
  ),
  mutant(
    'the code of a closed account is looked for as a name',
    LOOKUPS,
    ['return coded.length > 0 ? [] : await', 'return coded.length < 0 ? [] : await'],
    { file: OF_LOOKUPS, name: 'the code of a closed one' },
  ),
  mutant(
    'an address is looked for as a code or a name',
    LOOKUPS,
    [
      "const exact = 'offchainReferences' in asTyped ? null : asTyped",
      "const exact = 'offchainId' in asTyped ? asTyped : null",
    ],
    { file: OF_LOOKUPS, name: 'before anything else' },
  ),
  mutant(
    'the answer of an action closes the dialog of another',
    'src/console/forms/confirm.tsx',
    ['if (mine === turn.current) close()', 'close()'],
    { file: OF_REQUESTS, name: 'out of the dialog of another' },
  ),
  mutant(
    'a fee payer has to be chosen',
    'src/console/forms/fee-payer.tsx',
    ['<select value={chosen}', '<select required value={chosen}'],
    { file: 'test/ui/console-fee-payers.test.ts', name: 'names none that was not chosen' },
  ),
  mutant(
    'a file that was chosen before stays in force',
    'src/console/forms/batch-upload.tsx',
    ['    choose(null)\n', ''],
    { file: OF_REQUESTS, name: 'the file that is shown' },
  ),
  mutant(
    'a request that exceeds a limit can be done',
    'src/console/forms/estimate.tsx',
    ["=== 'EXCEEDED'", "=== 'EXCEEDED '"],
    { file: 'test/console/words.test.ts', name: 'of a dry run what the service would do' },
  ),
  mutant(
    'a transaction that has ended waits for approval',
    'src/console/records/transaction.tsx',
    ["return status === 'PREPARED'", "return status !== 'EXPIRED'"],
    { file: 'test/console/words.test.ts', name: 'only while it does' },
  ),
  mutant('several choices are sent as one text', 'src/console/forms/form-values.ts', ["    case 'choices':\n", ''], {
    file: 'test/console/words.test.ts',
    name: 'to the type of its member',
  }),
]
