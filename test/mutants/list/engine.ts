// Settlement, messages between tenants, recovery and debit windows.
import { mutantOf, type Mutant } from '../mutant.ts'

const mutant = mutantOf('engine')

export const ENGINE: readonly Mutant[] = [
  {
    name: 'engine: message to another tenant cleared although it was not taken',
    file: 'src/engine/outbox/outbox.ts',
    edits: [
      {
        find: 'else this.#fail(message, error)\n      return false',
        replace: 'else this.#fail(message, error)',
      },
    ],
    tests: [{ file: 'test/engine/outbox/outbox.test.ts' }],
  },
  {
    name: 'engine: message to another tenant cleared although its process has not taken it',
    file: 'src/engine/outbox/outbox.ts',
    edits: [
      {
        find: '        this.#deps.failed(first, error)',
        replace:
          '        this.#deps.failed(first, error)\n        for (const { message } of batch) this.#clear(message)',
      },
    ],
    tests: [{ file: 'test/engine/outbox/outbox.test.ts' }],
  },
  {
    name: 'engine: message to another tenant taken twice',
    file: 'src/engine/outbox/outbox.ts',
    edits: [
      {
        find: 'return sequence <= (this.#processed',
        replace: 'return sequence < (this.#processed',
      },
    ],
    tests: [{ file: 'test/engine/outbox/delivery.test.ts' }],
  },
  {
    name: 'engine: message to another tenant that overtakes an undelivered one',
    file: 'src/engine/outbox/outbox.ts',
    edits: [
      {
        find: 'if (stuck.has(to) || !this',
        replace: 'if (!this',
      },
    ],
    tests: [{ file: 'test/engine/outbox/outbox.test.ts' }],
  },
  {
    name: 'engine: undo in the order of the facts',
    file: 'src/engine/settlement/carry-out.ts',
    edits: [
      {
        find: 'of facts.toReversed()) {',
        replace: 'of facts) {',
      },
    ],
    tests: [{ file: 'test/engine/settlement/settlement.test.ts', name: 'are undone in reverse order' }],
  },
  {
    name: 'engine: failure that frees at confirmed',
    file: 'machines/transactions/transaction.ts',
    edits: [
      {
        find: "event.commitment === 'finalized' && event.error !== null",
        replace: "event.commitment !== 'processed' && event.error !== null",
      },
    ],
    tests: [
      { file: 'test/engine/settlement/settlement.test.ts' },
      { file: 'test/machines/transactions/transaction.test.ts' },
    ],
  },
  {
    name: 'engine: failure that reserves nothing from confirmed on',
    file: 'src/engine/records/consequences.ts',
    edits: [
      {
        find: 'return transaction.context.error !== null',
        replace: 'return false',
      },
    ],
    tests: [{ file: 'test/engine/index/index-keys.test.ts' }],
  },
  {
    name: 'engine: countersigned failure that frees at confirmed',
    file: 'src/engine/settlement/countersigned.ts',
    edits: [
      {
        find: "return final ? (settle('undo') ?? settle('charge', { signature, slot })) : null",
        replace: "return settle('undo') ?? settle('charge', { signature, slot })",
      },
    ],
    tests: [{ file: 'test/engine/settlement/countersigned.test.ts' }],
  },
  {
    name: 'engine: countersigned undo of what has not landed',
    file: 'src/engine/settlement/countersigned.ts',
    edits: [
      {
        find: "return value === 'landed' ? unit.trySend",
        replace: "return value !== 'settled' ? unit.trySend",
      },
    ],
    tests: [{ file: 'test/engine/settlement/countersigned.test.ts' }],
  },
  {
    name: 'engine: countersignature settled twice',
    file: 'src/engine/settlement/countersigned.ts',
    edits: [
      {
        find: "if (consequence === 'apply' && previous.value === 'landed') return null",
        replace: '',
      },
    ],
    tests: [{ file: 'test/engine/settlement/countersigned.test.ts' }],
  },
  {
    name: 'engine: countersignature freed when the requester gives up',
    file: 'src/engine/settlement/countersigned.ts',
    edits: [
      {
        find: "    case 'abandon':\n      //",
        replace:
          "    case 'abandon':\n      return unit.trySend<'countersignature'>(entry, { type: 'chain.expired', at, proof: null })\n      //",
      },
    ],
    tests: [{ file: 'test/engine/settlement/countersigned.test.ts' }],
  },
  {
    name: 'engine: restart that sends what waits for Submit',
    file: 'src/engine/settlement/recovery.ts',
    edits: [
      {
        find: 'signedBytes === null || held === true ||',
        replace: 'signedBytes === null ||',
      },
    ],
    tests: [{ file: 'test/engine/settlement/recovery.test.ts' }],
  },
  {
    name: 'engine: restart that sends what was asked to be cancelled',
    file: 'src/engine/settlement/recovery.ts',
    edits: [
      {
        find: 'held === true || transaction.context.cancelAskedAt !== null',
        replace: 'held === true',
      },
    ],
    tests: [{ file: 'test/engine/settlement/recovery.test.ts' }],
  },
  {
    name: 'engine: restart that forgets what was seen',
    file: 'src/engine/settlement/recovery.ts',
    edits: [
      {
        find: 'seen === null || slot === null ? undefined : {',
        replace: 'seen !== null || slot === null ? undefined : {',
      },
    ],
    tests: [{ file: 'test/engine/settlement/recovery.test.ts' }],
  },
  {
    name: 'engine: restart that leaves a countersignature alone',
    file: 'src/engine/settlement/recovery.ts',
    edits: [
      {
        find: 'if (resumeAlone(engine, links, countersignature)) resumed += 1',
        replace: '',
      },
    ],
    tests: [{ file: 'test/engine/settlement/recovery.test.ts' }],
  },
  {
    name: 'engine: window a second too short',
    file: 'src/engine/limits/debit-windows.ts',
    edits: [
      {
        find: 'secondOf(now - windowMs) - 1',
        replace: 'secondOf(now - windowMs)',
      },
    ],
    tests: [{ file: 'test/engine/limits/debit-windows.test.ts', name: 'leaves a window not a millisecond early' }],
  },
  {
    name: 'engine: window read back a second too short',
    file: 'src/engine/limits/debit-windows.ts',
    edits: [
      {
        find: 'now - windowMs - 1000)',
        replace: 'now - windowMs)',
      },
    ],
    tests: [{ file: 'test/engine/limits/debit-windows.test.ts' }],
  },
  {
    name: 'engine: window that forgets what leaves memory',
    file: 'src/engine/limits/debit-windows.ts',
    edits: [
      {
        find: 'if (account !== undefined && account.oldMs > 0) addOld(account, landed, this.#nowMs)',
        replace: '',
      },
    ],
    tests: [{ file: 'test/engine/limits/debit-windows.test.ts' }],
  },
  {
    name: 'engine: window that forgets what leaves memory while it is read back',
    file: 'src/engine/limits/debit-windows.ts',
    edits: [
      {
        find: 'this.#recalling.get(key)?.left.push(landed)',
        replace: '',
      },
    ],
    tests: [{ file: 'test/engine/limits/debit-windows.test.ts' }],
  },
  {
    name: 'engine: window that drops old sums too early',
    file: 'src/engine/limits/debit-windows.ts',
    edits: [
      {
        find: 'secondOf(account.oldMs) + 2 +',
        replace: 'secondOf(account.oldMs) / 4 +',
      },
    ],
    tests: [{ file: 'test/engine/limits/debit-windows.test.ts' }],
  },
  {
    name: 'engine: window that counts twice what is only leaving',
    file: 'src/engine/limits/debit-windows.ts',
    edits: [
      {
        find: 'filter(({ id }) => !this.#inMemory.has(id))',
        replace: 'filter(() => true)',
      },
    ],
    tests: [{ file: 'test/engine/limits/debit-windows.test.ts' }],
  },
  {
    name: 'engine: failed transaction that debits nothing',
    file: 'src/engine/limits/debit-windows.ts',
    edits: [
      {
        find: 'debits: feesOf(debits), at: landedAt(context)',
        replace: 'debits: [], at: landedAt(context)',
      },
    ],
    tests: [{ file: 'test/engine/limits/debit-windows.test.ts' }],
  },
  {
    name: 'engine: settled countersignature that debits nothing',
    file: 'src/engine/limits/debit-windows.ts',
    edits: [
      {
        find: "if (context.debits.length === 0 || value === 'released') return null",
        replace: "if (context.debits.length === 0 || value === 'released' || value === 'settled') return null",
      },
    ],
    tests: [{ file: 'test/engine/limits/debit-windows.test.ts' }],
  },
  {
    name: 'engine: longest window remembered as the shortest',
    file: 'src/engine/limits/debit-windows.ts',
    edits: [
      {
        find: '(account?.oldMs ?? 0) < windowMs',
        replace: '(account?.oldMs ?? 0) === 0',
      },
    ],
    tests: [{ file: 'test/engine/limits/debit-windows.test.ts' }],
  },
  {
    name: 'engine: what is seen before it is on disk',
    file: 'src/engine/commits.ts',
    edits: [
      {
        find: '    await written\n    for (const { id, payload } of payloads)',
        replace: '    for (const { id, payload } of payloads)',
      },
    ],
    tests: [{ file: 'test/engine/reads.test.ts' }],
  },
  {
    name: 'engine: release of what was not reserved',
    file: 'src/engine/records/consequences.ts',
    edits: [{ find: 'if (unreserved.length === 0) return own', replace: 'if (unreserved.length >= 0) return own' }],
    tests: [{ file: 'test/trust/siblings/pledges.test.ts', name: 'and no more, when it expires' }],
  },
  {
    name: 'engine: rejection of a consequence that does not end the settlement',
    file: 'src/engine/settlement/settlement.ts',
    edits: [{ find: '    if (rejection !== null) return rejection\n', replace: '' }],
    tests: [{ file: 'test/engine/settlement/settlement.test.ts', name: 'waits for the creation' }],
  },
  {
    name: 'engine: rejected settlement that keeps what it changed before',
    file: 'src/engine/settlement/settlement.ts',
    edits: [{ find: '    if (rejection !== null) unit.discard()\n', replace: '' }],
    tests: [{ file: 'test/engine/settlement/settlement.test.ts', name: 'waits for the creation' }],
  },
  {
    name: 'engine: rejected message of which the first notices are applied',
    file: 'src/engine/settlement/take-message.ts',
    edits: [{ find: '    unit.rollBack()\n    onRejected(', replace: '    onRejected(' }],
    tests: [{ file: 'test/engine/outbox/taken-messages.test.ts' }],
  },
  {
    name: 'engine: notice after a rejected one',
    file: 'src/engine/settlement/take-message.ts',
    edits: [{ find: '    if (rejection !== null) return rejection\n', replace: '' }],
    tests: [{ file: 'test/engine/outbox/taken-messages.test.ts' }],
  },
  {
    name: 'engine: message not taken because its switch is turned already',
    file: 'src/engine/settlement/take-message.ts',
    edits: [{ find: "  unit.trySend<'suspension'>(entry, event)", replace: "  unit.send<'suspension'>(entry, event)" }],
    tests: [{ file: 'test/engine/outbox/taken-messages.test.ts' }],
  },
  {
    name: 'engine: fact whose rejection by another record is final',
    file: 'src/engine/settlement/chain-facts.ts',
    edits: [{ find: 'if (record.id !== entry.head.id) return false', replace: '' }],
    tests: [{ file: 'test/engine/settlement/chain-facts.test.ts' }],
  },
  {
    name: 'engine: unit of work that was discarded is committed',
    file: 'src/engine/engine.ts',
    edits: [{ find: '    if (unit.isDiscarded) {', replace: '    if (unit.isDiscarded && unit.home === null) {' }],
    tests: [{ file: 'test/engine/records/unit-of-work.test.ts' }],
  },
  {
    name: 'engine: landing rounded down to its second',
    file: 'src/engine/limits/debit-windows.ts',
    edits: [
      {
        find: 'cell.landed.add(secondOf(at), raw',
        replace: 'cell.landed.add(secondOf(at - 999), raw',
      },
    ],
    tests: [{ file: 'test/engine/limits/debit-windows.test.ts' }],
  },
  mutant(
    'the service clock follows a machine that the chain does not confirm',
    'src/time/clock-correction.ts',
    ['Math.abs(wallMs - chainMs) > TOLERATED_MS || ', ''],
    { file: 'test/time/clock-correction.test.ts', name: 'stays off if' },
  ),
  mutant(
    'the service clock goes back',
    'src/time/service-clock.ts',
    ['Math.max(0, toMs - this.now())', 'toMs - this.now() - 1'],
    { file: 'test/time/clock-correction.test.ts', name: 'is moved to the time' },
  ),
  {
    name: 'query: timestamps compared to the millisecond',
    file: 'src/engine/query/quantity.ts',
    edits: [{ find: 'long: places > 0, exact', replace: 'long: false, exact' }],
    tests: [{ file: 'test/engine/query/differential.test.ts' }],
  },
  {
    name: 'engine: a resumed lane not reviewed again after a crash',
    file: 'src/engine/settlement/recovery.ts',
    edits: [
      { find: 'submission.bytes !== null && resumedLanes', replace: 'submission.bytes === null && resumedLanes' },
    ],
    tests: [
      {
        file: 'test/engine/settlement/recovery.test.ts',
        name: 'what was signed before the resumption of',
      },
      {
        file: 'test/crash/suspended.test.ts',
        name: 'after the resumption, before it was decided what may be sent, which is decided after the start',
      },
    ],
  },
]
