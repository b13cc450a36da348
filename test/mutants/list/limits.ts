// Rules of debit limits: what counts as a debit, and to whom.
import { mutantOf, type Mutant, type MutantTest } from '../mutant.ts'

const mutant = mutantOf('limits')

const CLOSED = 'test/e2e/limits/closed-accounts.test.ts'
const closing = (name: string): MutantTest => ({ file: CLOSED, name })
const AMOUNTS = 'src/operations/authorization/limits/closing-amounts.ts'

const FOREIGN = 'test/e2e/limits/foreign-positions.test.ts'

export const LIMITS: readonly Mutant[] = [
  mutant(
    "position of another organization's wallet that binds the wallet",
    'src/operations/lookup/governing.ts',
    ['if (owner === undefined || organization === tenant) return true', 'if (owner !== tenant) return true'],
    { file: FOREIGN },
  ),
  mutant(
    'position that its organization freezes for the owner of another one',
    'src/operations/admin/freeze-target.ts',
    ['|| bindsOwner(platform.engine.directory, head)', '|| head.tenant !== organization'],
    { file: FOREIGN, name: 'is not frozen by its organization' },
  ),
  mutant(
    'position frozen with the organization that recorded it for another one',
    'src/operations/authorization/signers.ts',
    [' && isSwitched(organization) && bindsOwner(records, state)', ' && isSwitched(organization)'],
    { file: FOREIGN, name: 'does not stop the wallet if its organization is frozen' },
  ),
  mutant(
    'wrapped currency that enters a closed account not counted',
    AMOUNTS,
    [
      'effect.from !== account && isNative(inputs, effect) ? effect.amount : 0n',
      'effect.from === account && isNative(inputs, effect) ? effect.amount : 0n',
    ],
    closing('counts what the same message transfers into it'),
  ),
  mutant(
    'contents of an account closed into a closed account not counted',
    AMOUNTS,
    ['else sources.add(emptied)', 'else sources.delete(emptied)'],
    closing('counts what another closing of the same message brings into it'),
  ),
  mutant(
    'signed messages that pay a closed account not counted',
    AMOUNTS,
    ['for (const message of [own, ...open])', 'for (const message of open.length > 0 ? [own] : [own, ...open])'],
    closing('counts what a signed message will bring into it'),
  ),
  mutant(
    'closing authority of a mint handed on for nothing',
    'src/operations/authorization/limits/legs.ts',
    ["if (which !== 'CLOSE_MINT' && which !== 'MINT_TOKENS') return []", "if (which !== 'MINT_TOKENS') return []"],
    { file: 'test/e2e/limits/handed-authorities.test.ts', name: 'when its closing authority goes outside' },
  ),
  mutant(
    'wrapped currency taken out by a closing past the keys of tokens',
    'src/operations/authorization/rights.ts',
    ['mayBeWrapped(records, call, effect.account))', 'effect.account === effect.authority)'],
    { file: 'test/e2e/limits/wrapped-closings.test.ts', name: 'is for the listed keys of the position' },
  ),
  mutant(
    'wrapped currency taken out by a closing past the limits of tokens',
    'src/operations/authorization/limits/legs.ts',
    ['if (mint === null || amount <= 0n) return []', 'if (mint !== null || amount <= 0n) return []'],
    { file: 'test/e2e/limits/wrapped-closings.test.ts', name: 'counts against the limits of tokens' },
  ),
  mutant(
    'signed closings forgotten where an account is paid',
    'src/engine/index/record-keys.ts',
    ["  'chain.closed': changingKey,\n", ''],
    { file: 'test/e2e/limits/kept-messages.test.ts', name: 'sends what is paid into the account to its destination' },
  ),
  mutant(
    'account closed under a signed transfer while others have its key',
    'src/operations/authorization/limits/enforce.ts',
    ['  checkClosings(inputs)\n', ''],
    { file: 'test/e2e/limits/kept-messages.test.ts', name: 'keeps an account open' },
  ),
  mutant(
    'rent of an associated account that exists not counted',
    'src/operations/authorization/limits/legs.ts',
    ['isUnstated ? associatedRent(tokenProgram) : stated', 'tokenProgram === account ? 1n : stated'],
    { file: 'test/e2e/limits/kept-messages.test.ts', name: 'counts as if they did not exist' },
  ),
  mutant(
    'rent of one creation counted for every transaction that would make it',
    'machines/holding-rules.ts',
    ['if (isPaid && creating !== undefined) {', 'if (isPaid && creating === by) {'],
    { file: 'test/machines/holdings.test.ts', name: 'counts the rent of its creation once' },
  ),
  mutant(
    'everything in an account owed as rent because a stranger paid it',
    'src/operations/authorization/rent-return.ts',
    ["(rentPaid.by === payer || kind === 'position')", 'rentPaid.by === payer'],
    { file: 'test/trust/payments/owed-rent.test.ts', name: 'is all that is returned to it' },
  ),
  mutant(
    'more rent returned without a debit than the account holds',
    'src/operations/authorization/limits/legs.ts',
    ['lamports < most ? lamports : most', 'lamports < most ? most : lamports'],
    { file: 'test/e2e/limits/shared-creations.test.ts', name: 'returns the rent that was paid once' },
  ),
  mutant(
    'approvals of a change hold whatever its lookups find',
    'src/operations/authorization/policies/covering.ts',
    ['resolved === undefined ? summary : {', 'resolved !== null ? summary : {'],
    { file: 'test/trust/pending-lookups.test.ts', name: 'is of the vault that the first of them approved' },
    { file: 'test/trust/pending-lookups.test.ts', name: 'waits for approvals of what it is now' },
  ),
  mutant(
    'rent of an account that another transaction is to create not counted',
    'src/operations/authorization/limits/legs.ts',
    ['(!isOpened || !this.#control.isManaged(owner))', '!isOpened'],
    {
      file: 'test/trust/payments/awaited-accounts.test.ts',
      name: 'the rent of an awaited account of a stranger counts against the limits of an own payer',
    },
  ),
  mutant(
    'rent of an account that another transaction is to create paid by another tenant',
    'src/operations/authorization/rent.ts',
    ['if (!paid.isStated) checkReturns(paid, call, directory)', 'if (!paid.isStated) continue'],
    {
      file: 'test/trust/payments/awaited-accounts.test.ts',
      name: 'pays no rent of an awaited account of a stranger',
    },
    {
      file: 'test/trust/payments/awaited-accounts.test.ts',
      name: 'pays no rent of an awaited account of the user, to whom it would return',
    },
  ),
  mutant(
    'debit that lands again after a dropped fork dated by its first landing',
    'machines/transactions/transaction-rules.ts',
    ["detail?.split(':', 1)[0] === slotText(slot)", 'detail !== undefined'],
    { file: 'test/engine/limits/debit-windows.test.ts', name: 'counts from the landing that lasts' },
  ),
  mutant(
    'debit evicted during two reads of its window counted by one of them only',
    'src/engine/limits/debit-windows.ts',
    ['if (underWay !== undefined) {', 'if (underWay === null) {'],
    { file: 'test/engine/limits/debit-windows.test.ts', name: 'that is evicted while a window is read back' },
  ),
  mutant(
    'limit of another organization used up before its account has signed',
    'src/engine/limits/debit-windows.ts',
    ['unreserved === undefined ? debits', 'unreserved?.length !== -1 ? debits'],
    { file: 'test/trust/siblings/pledges.test.ts', name: 'is not used up by what its owner has not signed' },
  ),
  mutant(
    'limit of another organization not evaluated again when its account signs',
    'src/operations/authorization/limits/gate.ts',
    ['if (exceeded.length > 0) throw', 'if (exceeded.length < 0) throw'],
    { file: 'test/trust/siblings/pledges.test.ts', name: 'and holds when the owner signs' },
  ),
  mutant('jobs compute without a limit', 'src/oracle/work.ts', ['if (this.#left < 0)', 'if (this.#left < -Infinity)'], {
    file: 'test/oracle/work.test.ts',
    name: 'is limited over all its jobs',
  }),
  mutant(
    'jobs leave no turn to others',
    'src/oracle/work.ts',
    ['this.#pacer.isDue ? this.#pacer.rest() : undefined', 'undefined'],
    { file: 'test/oracle/work.test.ts', name: 'is limited over all its jobs' },
  ),
  mutant(
    'an execution without requests is not charged',
    'src/operations/market-data/evaluate.ts',
    ['Math.max(1, definition.requests)', 'definition.requests'],
    { file: 'test/operations/market-data/evaluate.test.ts' },
  ),
]
