// Every case in which the promise "exactly once" must be tested, and the tests of it. The case is the key; a test is
// its file and the words in its name (of a parameterized test the words of the row).

export interface Shown {
  readonly file: string
  readonly words: string
}

const at = (file: string, ...words: readonly string[]): Shown[] =>
  words.map((each) => ({ file: `test/${file}.test.ts`, words: each }))

const BETWEEN = 'crash/between'
const STAGES = 'exactly-once/stages'
const NODES = 'exactly-once/nodes'
const LINK = 'submission/link-faults'

export const CASES: Readonly<Record<string, readonly Shown[]>> = {
  'crash before 1': at(STAGES, 'before 1, the first durable write'),
  'crash after 1': at(
    BETWEEN,
    'the durable write and the send: an unsent transaction is sent after the restart and lands once',
  ),
  'crash after the send': at(BETWEEN, 'the send and the settlement, with every reply lost'),
  'crash after the reply and before its write': at(STAGES, 'after the reply and before its write'),
  'crash while rebroadcasting': at(STAGES, 'while rebroadcasting a landed transaction'),
  'crash while settling': at(STAGES, 'while settling: settled effects persist'),
  'crash at any instant': [
    ...at('crash/service-killed', 'transfers, each of which takes effect exactly once'),
    ...at('crash/chain-killed', 'under two bursts; the service lives'),
  ],

  'RPC: reply lost': at(LINK, 'replies to sends are lost'),
  'RPC: duplicate': at(LINK, 'sends are made twice'),
  'RPC: behind by 1 to 200 slots': at(NODES, 'that lags by %d slots'),
  'RPC: two nodes that disagree': [
    ...at(
      'submission/pool-link',
      'while nodes fail, lag and recover',
      'only with the agreement of every node that answers',
    ),
    ...at('rpc/cluster-pool', 'asks all nodes before a transaction counts as forgotten'),
  ],
  'RPC: history gone': [
    ...at(NODES, 'without history proves nothing'),
    ...at('rpc/expiry/expiry', 'is never made for a landed transaction, even if the history answers null'),
  ],
  'RPC: error answered as null': [
    ...at(BETWEEN, 'the send and the settlement, with a node that answers null'),
    ...at(LINK, 'statuses are answered null'),
  ],
  'RPC: landed on a fork that dies': [
    ...at(NODES, 'whose fork is dropped undoes confirmations'),
    ...at(LINK, 'forgets transactions of a dropped fork, sends the same bytes again, and moves them once'),
  ],
  'RPC: landed at the last valid height': [
    ...at(NODES, 'that includes a transaction at the last valid height'),
    ...at('localnet/bank-lifetime', 'accepts the last 151 blockhashes and no older one'),
  ],

  '50 equal transfers under 50 keys in one tick': at(
    'e2e/transactions/concurrency',
    'under 50 keys in one tick land 50 times',
  ),

  'several transactions: a crash between them': at(
    'crash/loans-provided',
    'leaves one loan, made of the transactions that were signed first',
  ),
  'several transactions: one has no effect': at(
    'e2e/loans/loans-provided-ends',
    'leaves the loan as it is on chain, and the pledges can be released without the provider',
    'sends no later transaction before or without the first, for any request',
  ),

  'nonce: consumed by a failed transaction': [
    ...at('e2e/transactions/nonces', 'that failed has used the value of its nonce, which can be leased again'),
    ...at('localnet/bank-nonce', 'is advanced by a failing transaction, whose fee is taken'),
  ],
  'nonce: advanced by an outsider': [
    ...at(
      'e2e/transactions/nonces',
      'is observed: a free nonce has its new value, and a transaction signed under the old one is void',
    ),
    ...at('localnet/bank-nonce', 'is advanced by a transaction with an ordinary blockhash'),
  ],

  'clock: jumps both ways': [
    ...at('exactly-once/clock', 'clock jumps in both directions under load'),
    ...at('localnet/bank-lifetime', 'advances steadily when the wall clock jumps, and never goes back'),
  ],

  'disk: full in the middle of a batch, space freed, load goes on, then a kill': [
    ...at('crash/full-disk', 'ends the service with 74 under load, and loses nothing acknowledged'),
    ...at('snapshots/full-disk', 'ends the store at the first failed write, and loses nothing it acknowledged'),
  ],
  'disk: a failed sync': [
    ...at('snapshots/simulated-store', 'is the last one, and nothing after it is acknowledged'),
    ...at('snapshots/group-commit', 'is the last one written, and is reported once'),
  ],
  'disk: the log cut at every byte of its last batch': at(
    'snapshots/torn-log',
    'opens any remainder of the last batch, and returns all of it or nothing',
  ),
  'disk: sync on every batch': at('snapshots/group-commit', 'and syncs every batch'),
  'disk: what was not synced is lost': [
    {
      file: 'test/snapshots/conformance-commits.ts',
      words: 'leave every acknowledged commit, and none in part',
    },
  ],

  'after each: no request moved value twice, sums as before, records agree with the chain': [
    { file: 'test/crash/audit.ts', words: 'expectOnceEach' },
  ],
  'after each: every reservation is held by a live transaction or gone, every accepted request ends': [
    { file: 'test/crash/audit.ts', words: 'expectDiskAtRest' },
  ],
}
