// The connection to a cluster: sends, forgotten transactions and proofs.
import type { Mutant } from '../mutant.ts'

export const CHAIN: readonly Mutant[] = [
  {
    name: 'chain: second subscription to an account whose first is not answered',
    file: 'src/rpc/chain-feed.ts',
    edits: [{ find: ' || this.#pendingSubjects.has(subject) || ', replace: ' || ' }],
    tests: [{ file: 'test/rpc/chain-feed.test.ts' }],
  },
  {
    name: 'chain: an answer without a block height contradicts claims of heights',
    file: 'src/rpc/chain-pace.ts',
    edits: [
      {
        find: 'Math.max(mark.since, this.#observedAt[part])',
        replace: 'Math.max(mark.since, this.#observedAt.slot)',
      },
    ],
    tests: [{ file: 'test/rpc/chain-pace.test.ts' }],
  },
  {
    name: 'chain: a second endpoint without a block height confirms a claim of one',
    file: 'src/rpc/chain-pace.ts',
    edits: [
      {
        find: 'others.some((other) => other[part] !== null && this.#agree(mark, other[part]))',
        replace: 'others.some((other) => other[part] === null || this.#agree(mark, other[part]))',
      },
    ],
    tests: [{ file: 'test/rpc/chain-pace.test.ts' }],
  },
  {
    name: 'chain: attempt not reported before the chain shows the transaction',
    file: 'src/submission/watcher.ts',
    edits: [
      {
        find: 'if (attempt === undefined || attempt.isReported) return',
        replace: 'if (attempt === undefined || !attempt.isReported) return',
      },
    ],
    tests: [{ file: 'test/submission/link-faults.test.ts' }],
  },
  {
    name: 'chain: attempt reported again with its late answer',
    file: 'src/submission/link.ts',
    edits: [
      {
        find: 'if (this.#attempts.get(transactionId)?.isReported !== true) unreported.push(attempt)',
        replace: 'unreported.push(attempt)',
      },
    ],
    tests: [{ file: 'test/submission/link-faults.test.ts' }],
  },
  {
    name: 'chain: transaction forgotten without asking the history',
    file: 'src/rpc/status-verdict.ts',
    edits: [
      {
        find: 'if (mustAskHistory && !deep)',
        replace: 'if (mustAskHistory && false)',
      },
    ],
    tests: [{ file: 'test/rpc/status-verdict.test.ts' }],
  },
  {
    name: 'chain: the same answer counted twice as a miss',
    file: 'src/rpc/status-verdict.ts',
    edits: [
      {
        find: 'contextSlot > Math.max(before.contextSlot, view.missSlot)',
        replace: 'contextSlot >= Math.max(before.contextSlot, view.missSlot)',
      },
    ],
    tests: [{ file: 'test/rpc/status-verdict.test.ts' }],
  },
  {
    name: 'chain: proof that overrules what was seen meanwhile',
    file: 'src/submission/watcher.ts',
    edits: [
      {
        find: 'if (this.#closed || !this.#list.holds(entry) || entry.view.seen !== null) return',
        replace: 'if (this.#closed || !this.#list.holds(entry)) return',
      },
    ],
    tests: [{ file: 'test/submission/watcher.test.ts' }],
  },
  {
    name: 'chain: history question that is answered while a proof wants another',
    file: 'src/submission/watcher.ts',
    edits: [
      {
        find: 'entry.deep = verdict.deep || (entry.deep && !deep)',
        replace: 'entry.deep = verdict.deep',
      },
    ],
    tests: [{ file: 'test/submission/watcher.test.ts' }],
  },
  {
    name: 'chain: watchers of other cells have their turns apart',
    file: 'src/submission/watcher.ts',
    edits: [{ find: 'this.#lastTurn.at + leastMs', replace: 'this.#turnAt + leastMs' }],
    tests: [{ file: 'test/submission/watcher.test.ts', name: 'together by all watchers of a cluster' }],
  },
  {
    name: 'chain: each cell subscribes up to the limit of the cluster',
    file: 'src/service/process-rates.ts',
    edits: [{ find: 'Math.max(1, Math.floor(limit / all()))', replace: 'limit' }],
    tests: [{ file: 'test/service/process-rates.test.ts', name: 'are shared by all cells' }],
  },
  {
    name: 'chain: recalled transaction sent again',
    file: 'src/submission/dispatch.ts',
    edits: [
      {
        find: 'if (entry.recalled || this.#suspensions',
        replace: 'if (this.#suspensions',
      },
    ],
    tests: [{ file: 'test/submission/watcher.test.ts' }],
  },
  {
    name: 'chain: recall forgotten when the bytes come',
    file: 'src/submission/watch-entry.ts',
    edits: [
      {
        find: 'const known = { ...fresh, view, everSeen, recalled }',
        replace: 'const known = { ...fresh, view, everSeen }',
      },
    ],
    tests: [{ file: 'test/submission/watcher.test.ts' }],
  },
  {
    name: 'chain: bytes sent after a restart before the history was asked',
    file: 'src/submission/watch-entry.ts',
    edits: [
      {
        find: '|| entry.sending || entry.deep ||',
        replace: '|| entry.sending ||',
      },
    ],
    tests: [{ file: 'test/submission/watcher.test.ts' }],
  },
  {
    name: 'chain: restart that does not ask the history',
    file: 'src/submission/watch-entry.ts',
    edits: [
      {
        find: 'return { ...entry, deep: true, askAt',
        replace: 'return { ...entry, askAt',
      },
    ],
    tests: [{ file: 'test/submission/watcher.test.ts' }],
  },
  {
    name: 'chain: bytes resumed before the history was asked',
    file: 'src/submission/dispatch.ts',
    edits: [
      {
        find: 'if (entry.deep || entry.view.seen !== null) entry.sendAt = this.#clock.elapsed()',
        replace: 'if (entry.view.seen !== null) entry.sendAt = this.#clock.elapsed()',
      },
    ],
    tests: [{ file: 'test/submission/watcher.test.ts' }],
  },
  {
    name: 'chain: bytes sent after the blockhash has died',
    file: 'src/submission/watch-entry.ts',
    edits: [
      {
        find: 'return last === null || blockHeight <= last',
        replace: 'return true',
      },
    ],
    tests: [{ file: 'test/submission/watcher.test.ts' }],
  },
  {
    name: 'chain: sent although it was seen',
    file: 'src/submission/watch-entry.ts',
    edits: [
      {
        find: 'entry.deep || entry.view.seen !== null || blockHeight',
        replace: 'entry.deep || blockHeight',
      },
    ],
    tests: [{ file: 'test/submission/watcher.test.ts' }],
  },
  {
    name: 'chain: expiry proven at the last valid height',
    file: 'src/rpc/expiry/prove.ts',
    edits: [
      {
        find: 'if (blockHeight <= last && !isLifetimePast',
        replace: 'if (blockHeight < last && !isLifetimePast',
      },
    ],
    tests: [{ file: 'test/rpc/expiry/expiry.test.ts' }],
  },
  {
    name: 'chain: expiry proven by statuses of an older slot',
    file: 'src/rpc/expiry/prove.ts',
    edits: [
      {
        find: 'if (contextSlot < finalized.slot)',
        replace: 'if (contextSlot < 0)',
      },
    ],
    tests: [{ file: 'test/rpc/expiry/expiry.test.ts' }],
  },
  {
    name: 'chain: expiry of a single signature not cross-checked',
    file: 'src/rpc/expiry/witnesses.ts',
    edits: [
      {
        find: 'if (signatures.length === 0) return null',
        replace: 'if (signatures.length <= 1) return null',
      },
    ],
    tests: [{ file: 'test/rpc/cluster-pool.test.ts' }],
  },
  {
    name: 'chain: expiry proven by the first page of a history',
    file: 'src/rpc/expiry/history.ts',
    edits: [
      {
        find: '...(before === undefined ? {} : { before })',
        replace: '...(before === null ? { before } : {})',
      },
    ],
    tests: [{ file: 'test/rpc/expiry/history.test.ts' }],
  },
  {
    name: 'chain: expiry proven up to a block that is not past the end',
    file: 'src/rpc/expiry/landing-blocks.ts',
    edits: [{ find: 'return block!.height === height ? block! : null', replace: 'return block!' }],
    tests: [{ file: 'test/rpc/expiry/busy-address.test.ts' }],
  },
  {
    name: 'chain: expiry proven from the history up to the last valid block',
    file: 'src/rpc/expiry/landing-blocks.ts',
    edits: [
      { find: 'lastValidBlockHeight!) + 1\n  const slots', replace: 'lastValidBlockHeight!) - 1\n  const slots' },
    ],
    tests: [{ file: 'test/rpc/expiry/busy-address.test.ts' }],
  },
  {
    name: 'chain: expiry of a disputed transaction proven without blocks',
    file: 'src/rpc/expiry/prove.ts',
    edits: [
      {
        find: 'if (request.disputed === true) return true',
        replace: 'if (request.disputed === null) return true',
      },
    ],
    tests: [{ file: 'test/rpc/expiry/expiry.test.ts' }],
  },
  {
    name: 'chain: expiry proven by a cache that has forgotten',
    file: 'src/rpc/expiry/prove.ts',
    edits: [
      {
        find: 'return distant || !isCounted ||',
        replace: 'return !isCounted ||',
      },
    ],
    tests: [{ file: 'test/rpc/expiry/expiry.test.ts' }],
  },
  {
    name: 'chain: expiry proven by a node of another chain',
    file: 'src/rpc/expiry/prove.ts',
    edits: [
      {
        find: 'if (resultOf(answers[0]) !== genesisHash)',
        replace: 'if (false)',
      },
    ],
    tests: [{ file: 'test/rpc/expiry/expiry.test.ts' }],
  },
  {
    name: 'chain: expiry proven against a witness',
    file: 'src/rpc/expiry/witnesses.ts',
    edits: [
      {
        find: 'if (against?.landed !== undefined) {',
        replace: 'if (against?.landed !== undefined && !verdict.proven) {',
      },
    ],
    tests: [{ file: 'test/submission/pool-link.test.ts' }, { file: 'test/rpc/cluster-pool.test.ts' }],
  },
  {
    name: 'chain: gap between blocks of a proof',
    file: 'src/rpc/expiry/blocks.ts',
    edits: [
      {
        find: 'if (block.previous !== previous.blockhash ||',
        replace: 'if (',
      },
    ],
    tests: [{ file: 'test/rpc/expiry/expiry.test.ts' }],
  },
  {
    name: 'chain: included by a slot that may die',
    file: 'src/rpc/inclusion.ts',
    edits: [
      {
        find: "before !== null && before.commitment !== 'processed' &&",
        replace: 'before !== null &&',
      },
    ],
    tests: [{ file: 'test/trust/payments/14.14-inclusion.test.ts' }],
  },
  {
    name: 'requests: sends do not wait for each other',
    file: 'src/rpc/request-queue.ts',
    edits: [{ find: 'if (waitMs > 0) this.#clock.setTimeout', replace: 'if (waitMs > 1e9) this.#clock.setTimeout' }],
    tests: [{ file: 'test/rpc/transport.test.ts', name: 'gathers the calls of a channel' }],
  },
  {
    name: 'requests: a send waits for a gap after a pause too',
    file: 'src/rpc/request-queue.ts',
    edits: [
      {
        find: 'return beganMs === undefined ? 0 : beganMs +',
        replace: 'return beganMs === undefined ? 0 : this.#clock.elapsed() +',
      },
    ],
    tests: [{ file: 'test/rpc/transport.test.ts', name: 'gathers the calls of a channel' }],
  },
]
