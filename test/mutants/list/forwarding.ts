// Requests that one node forwards to another.
import { mutantOf, type Mutant } from '../mutant.ts'

const SEAL = 'src/nodes/seal.ts'
const SEALS = 'test/nodes/seal.test.ts'
const GATEWAY = 'test/http/node-gateway.test.ts'
const HOP = 'src/nodes/hop.ts'
const HOPS = 'test/nodes/hop.test.ts'
const GROUPED = 'src/nodes/grouped-hops.ts'
const GROUPS = 'test/nodes/grouped-hops.test.ts'
const READS = 'test/http/grouped-reads.test.ts'
const REACHED = 'test/nodes/reach-owner.test.ts'
const CELL_GATEWAY = 'test/nodes/cell-gateway.test.ts'

const mutant = mutantOf('forwarding')

export const FORWARDING: readonly Mutant[] = [
  mutant(
    'the tenant of a forwarded request is not sealed',
    SEAL,
    ['if (servedFor !== undefined) sealed.push(servedFor)', ''],
    { file: GATEWAY, name: 'are valid once' },
  ),
  mutant(
    'long bodies of strangers take any amount of memory',
    'src/http/body/held-bytes.ts',
    ['if (this.#held + more > SERVER_CAPS.heldBodyBytes)', 'if (more > SERVER_CAPS.heldBodyBytes)'],
    { file: GATEWAY, name: 'take too much memory' },
  ),
  mutant(
    'a node joins those with another secret',
    'src/nodes/common-settings.ts',
    ['if (differ(mine.secretTag, secretTag))', 'if (differ(mine.secretTag, mine.secretTag))'],
    { file: 'test/postgres/nodes.test.ts', name: 'another secret' },
  ),
  mutant(
    'the lease of a killed node with other settings refuses a start',
    'src/nodes/member.ts',
    ['if (clock.elapsed() > untilMs && lasting !== null) throw lasting', 'throw problem'],
    { file: 'test/postgres/nodes.test.ts', name: 'that has ended' },
  ),
  mutant(
    'the tag of the secret of the nodes needs no master key',
    'src/keys/node-secret-tag.ts',
    ["hkdfSync('sha256', masterKey,", "hkdfSync('sha256', '',"],
    { file: 'test/keys/node-secret-tag.test.ts' },
  ),
  mutant('a seal counts twice', SEAL, ['page.bits[place >> 3]! |= bit', ''], { file: SEALS }),
  mutant('a seal is forgotten while it is valid', SEAL, ['nowMs + 2 * SKEW_MS', 'nowMs + SKEW_MS'], {
    file: SEALS,
    name: 'as long as it is valid',
  }),
  mutant('a seal is forgotten a moment too early', SEAL, ['if (untilMs < nowMs)', 'if (untilMs <= nowMs)'], {
    file: SEALS,
    name: 'in the last millisecond',
  }),
  mutant('a request that begins again keeps its place', 'src/http/node-gateway.ts', ['      state.leave?.()\n', ''], {
    file: GATEWAY,
    name: 'leaves its place',
  }),
  mutant(
    'a request that was sent counts as not sent',
    HOP,
    ["kind: this.#controller === null ? 'unreached' : 'unanswered'", "kind: 'unreached'"],
    { file: HOPS, name: 'is not sent again' },
  ),
  mutant(
    'a request is sent although it was aborted before',
    HOP,
    ["if (this.#isAborted) controller.abort(new Error('aborted before it was sent'))\n    else ", ''],
    { file: HOPS, name: 'is not sent if it was aborted' },
  ),
  mutant('a long answer is read faster than its client reads', HOP, ['controller.pause()', 'controller.resume()'], {
    file: HOPS,
    name: 'arrives as it is read',
  }),
  mutant(
    'reads without an answer wait for ever',
    GROUPED,
    ["  for (const { report } of waiting.values()) report({ kind: 'unanswered' })\n", ''],
    { file: GROUPS, name: 'are unanswered' },
  ),
  mutant(
    'a group has no time limit',
    GROUPED,
    ['setPatientTimeout(answerMs, () => hop.cancel())', 'setPatientTimeout(answerMs, () => undefined)'],
    { file: GROUPS, name: 'their time is over' },
  ),
  mutant('reads for two nodes travel together', GROUPED, ['`${node} ${url}`', '`${url} ${node.length}`'], {
    file: GROUPS,
    name: 'travel apart',
  }),
  mutant(
    'the client of a group ends it for all',
    GROUPED,
    ['(queue.some(isAwaited) ? undefined : hop.cancel())', 'hop.cancel()'],
    { file: GROUPS, name: 'only some of their clients leave' },
  ),
  mutant('an abandoned read is sent', GROUPED, ['this.#queues.get(key)?.filter(isAwaited)', 'this.#queues.get(key)'], {
    file: GROUPS,
    name: 'are not sent if their client leaves before',
  }),
  mutant(
    'a group may contain writes',
    'src/http/node-gateway.ts',
    ["if (!isShortRead(exchange)) throw frontRefusal(404, 'ROUTE_NOT_FOUND', 'the endpoint does not exist')\n", ''],
    { file: READS, name: 'nothing but short reads' },
  ),
  mutant(
    'a read of a group loses the tenant that it is about',
    'src/http/node-gateway.ts',
    ['if (servedFor !== undefined) exchange.state.servedFor = servedFor\n      await', 'await'],
    { file: READS, name: 'in the cell of the tenant' },
  ),
  mutant(
    'an answer of a group waits for all',
    'src/http/grouped-reads.ts',
    ['else if (ready.length > 0) this.#res.write(ready)', 'else this.#ready = [ready]'],
    { file: READS, name: 'do not wait for each other' },
  ),
  mutant(
    'a request waits for its owner longer than it may',
    'src/nodes/reach-owner.ts',
    ['const untilMs = clock.elapsed() + movingMs', 'const untilMs = clock.elapsed() + 2 * movingMs'],
    { file: REACHED, name: 'for the given time, and no longer' },
  ),
  mutant(
    'a node waits for its open requests for ever',
    'src/nodes/cell-gateway.ts',
    ['while (this.#open > 0 && this.#clock.elapsed() < untilMs)', 'while (this.#open > 0)'],
    { file: CELL_GATEWAY, name: 'does not wait for them longer' },
  ),
  mutant('a request that has ended counts as open', 'src/nodes/cell-gateway.ts', ['      this.#open -= 1\n', ''], {
    file: CELL_GATEWAY,
    name: 'until the last one has ended',
  }),
  mutant(
    'a request does not leave the cell that served it',
    'src/http/node-gateway.ts',
    ['next(exchange).finally(leave)', 'next(exchange)'],
    { file: GATEWAY, name: 'with everything that the client sent' },
  ),
  mutant(
    'an attempt that was not taken leaves its listener',
    'src/http/request-forwarder.ts',
    ["res.off('close', onClose)", 'void onClose'],
    { file: GATEWAY, name: 'leaves no listener behind' },
  ),
  mutant('a hop outlives its client', 'src/http/request-forwarder.ts', ["res.once('close', onClose)", 'void onClose'], {
    file: GATEWAY,
    name: 'is aborted at the owner',
  }),
  mutant('a request that waited keeps its place', 'src/http/node-gateway.ts', ['      waiting -= 1\n', ''], {
    file: GATEWAY,
    name: 'leave their places when they are answered',
  }),
  mutant(
    'the log of an event stream is released at the next heartbeat',
    'src/http/event-streams.ts',
    ["response.once('close', () => newEvents.notify())\n", ''],
    { file: 'test/http/event-streams.test.ts', name: 'releases the log with its client' },
  ),
]
