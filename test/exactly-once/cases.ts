// Every case that the promise "exactly once" has to be shown in, and the tests that show it. The case is the key; a
// test is its file and the words its name has (of a test for several cases: the words of the row).

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
    'durable and sent: what never reached the chain is sent after the restart and lands once',
  ),
  'crash after the send': at(BETWEEN, 'sent and settled: every reply was lost'),
  'crash after the reply and before its write': at(STAGES, 'after the reply and before its write'),
  'crash while rebroadcasting': at(STAGES, 'while rebroadcasting what has landed already'),
  'crash while settling': at(STAGES, 'while settling: what was settled is'),
  'crash at any instant': [
    ...at('crash/service-killed', 'transfers, each of which takes effect exactly once'),
    ...at('crash/chain-killed', 'under two bursts; the service lives'),
  ],

  'RPC: reply lost': at(LINK, 'replies to sends are lost'),
  'RPC: duplicate': at(LINK, 'sends are made twice'),
  'RPC: behind by 1 to 200 slots': at(NODES, 'behind by %d slots'),
  'RPC: two nodes that disagree': [
    ...at(
      'submission/pool-link',
      'while nodes die, lag and come back',
      'only with the word of every node that answers',
    ),
    ...at('rpc/cluster-pool', 'reads what any of the nodes knows before something counts as forgotten'),
  ],
  'RPC: history gone': [
    ...at(NODES, 'whose history is gone proves nothing'),
    ...at('rpc/expiry/expiry', 'is never found for what landed, even where the history answers null'),
  ],
  'RPC: error answered as null': [
    ...at(BETWEEN, 'with a node that answers null for what it knows'),
    ...at(LINK, 'statuses are answered null'),
  ],
  'RPC: landed on a fork that dies': [
    ...at(NODES, 'whose fork dies takes back what it confirmed'),
    ...at(LINK, 'forgets what was on a fork that died, sends the same bytes again, and moves it once'),
  ],
  'RPC: landed at the last valid height': [
    ...at(NODES, 'that takes a transaction at the last valid height'),
    ...at('localnet/bank-lifetime', 'takes the last 151 blockhashes and no older one'),
  ],

  '50 equal transfers under 50 keys in one tick': at('e2e/concurrency', 'under 50 keys in one tick move 50 times'),

  'several transactions: a crash between them': at(
    'crash/loans-provided',
    'leaves one loan, whose transactions are those that were signed at first',
  ),
  'several transactions: one has no effect': at(
    'e2e/loans-provided-ends',
    'leaves the loan as the chain has it, says so, and what was pledged can be taken back without the provider',
    'sends nothing of the rest when the first never lands, nor before its turn, whoever asks',
  ),

  'nonce: consumed by a failed transaction': [
    ...at('e2e/nonces', 'that failed has used its nonce up, and the nonce goes on'),
    ...at('localnet/bank-nonce', 'is advanced by a failing transaction, whose fee is taken'),
  ],
  'nonce: advanced by an outsider': [
    ...at('e2e/nonces', 'is noticed: a free nonce has its new value, and what was signed under the old one is over'),
    ...at('localnet/bank-nonce', 'is advanced by an outsider transaction'),
  ],

  'clock: jumps both ways': [
    ...at('exactly-once/clock', 'clock jumps both ways under load'),
    ...at('localnet/bank-lifetime', 'keeps time when the wall clock jumps, and never goes back'),
  ],

  'disk: full in the middle of a batch, space freed, load goes on, then a kill': [
    ...at('crash/full-disk', 'ends the service with 74 in the middle of a load, and loses nothing acknowledged'),
    ...at('snapshots/full-disk', 'ends the store at the first failed write, and loses nothing it acknowledged'),
  ],
  'disk: a failed sync': [
    ...at('snapshots/simulated-store', 'is the last one, and nothing after it is acknowledged'),
    ...at('snapshots/group-commit', 'is the last one written, and is reported once'),
  ],
  'disk: the log cut at every byte of its last batch': at(
    'snapshots/torn-log',
    'opens whatever is left of the last batch, and gives all of it or nothing',
  ),
  'disk: sync on every batch': at('snapshots/group-commit', 'syncs every batch there is'),
  'disk: what was not synced is lost': [
    {
      file: 'test/snapshots/conformance-commits.ts',
      words: 'has every acknowledged commit afterwards, and none in part',
    },
  ],

  'after each: no request moved value twice, sums as before, records agree with the chain': [
    { file: 'test/crash/audit.ts', words: 'expectOnceEach' },
  ],
  'after each: every reservation is held by a live transaction or gone, every accepted request ends': [
    { file: 'test/crash/audit.ts', words: 'expectDiskAtRest' },
  ],
}
