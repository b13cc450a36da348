// The page "How it works": the steps of a transfer, exactly-once behaviour, keys, limits, balances, and the
// architecture document.
import { scrollable } from './frame.ts'
import { markdown } from './markdown.ts'
import { floorsPicture, transferPicture } from './pictures.ts'
import { documentOf } from './documents.ts'

export function howPage(): string {
  return `<h2 id="the-way-of-a-transfer">A transfer in six steps</h2>
<figure>${scrollable('Drawing: a transfer in six steps', transferPicture())}</figure>
<ol>
<li><strong>The request arrives</strong> with an API key, which identifies the caller, and with an idempotency key, which identifies
the request.</li>
<li><strong>The service checks the request</strong>: the rights of the API key, its request rate, and every member of the body. An
unknown member is refused, because it is nearly always a misspelt one.</li>
<li><strong>One unit of work</strong>, which nothing can interrupt, checks all records involved, reserves the amount in the balances,
and builds and signs the transaction. Either all records accept or nothing changes.</li>
<li><strong>One write</strong> stores the records, the balances, the idempotency key and the complete signed bytes on disk. No byte
leaves the process before this write is durable.</li>
<li><strong>The service sends the transaction</strong>, and resends it, always with the same bytes. The chain executes a signed message
at most once, so sending it twice cannot pay twice.</li>
<li><strong>The chain decides the outcome</strong>. At <em>confirmed</em> the balances change; at <em>finalized</em> the transaction has
ended. If instead it is proven that the transaction can never land, the reservation is released.</li>
</ol>

<h2 id="exactly-once">Exactly once</h2>
<p>A payment can go wrong in two ways that cost money: it is made twice, or it is reported as failed and the caller repeats it although
the first payment lands later. Both errors come from guessing the outcome of a request when a connection was lost.</p>
<p>Holdfast does not guess. A request that is repeated with the same idempotency key returns the transaction of the first request, also
after a restart, and nothing moves. A signed transaction counts as one that may land until the chain has shown it, or until it is
proven that its validity has ended and that the chain has no trace of it. One node must show both at once; if the memory of the node is
too short, the service reads the blocks themselves. An error, a timeout or a gap proves nothing: the transaction stays
<code>SUBMITTED</code> for as long as necessary.</p>
<p>A crash does not change these rules. An acknowledged request is on disk; a request that was not acknowledged is either completely on
disk or has no effect. After a start, every transaction that has not ended is watched, resent and proven as before.</p>
<p>For the permitted sequences of states, see <a href="/docs/machines#transaction">the states of a transaction</a>.</p>

<h2 id="custody">Who holds the keys</h2>
<p>Each managed account has a private key of its own. The key is sealed under the master key and bound to its tenant, account and address,
so it cannot be opened for another account. The master key should not stay in the data directory; every start warns while it does. A
private key can be kept in the store, in a separate folder, in a key service or at a custodian that signs and never reveals the key, or
divided among threshold signers that each hold a share and sign together. A key leaves the service only for a caller with the right to
export it, and every use of that right is recorded in the audit log.</p>
<p>A tenant never signs with the key of another tenant. If a transaction needs keys of both, the owner of the key evaluates the complete
message by its own rules, reserves the amounts that the message may take, and signs either that message or none: see <a
href="/docs/machines#countersignature">countersignatures</a>.</p>

<h2 id="limits">What limits a debit</h2>
<p>The rules of an account limit its debits, whoever makes the request: whose API keys may debit it, how much in one transaction, how much
within a period, and to which destinations. The debit of a transaction is derived from the message that is signed, instruction by
instruction, whoever built the message. A debit above a limit that names approvers waits for as many other API keys as the limit
requires. A debit above a limit that names none is refused. Limits are evaluated when a transaction is made, and again when it is
signed later.</p>
<p>An operator can stop everything at once: freeze an account, an organization or the whole service, so that nothing is signed, or suspend
sending. A transaction that has been sent already can still land, and is followed to its end.</p>

<h2 id="books">Balances and the chain</h2>
<p>The balance of a record is the amount available now: the amount that the chain has confirmed, less the amounts reserved for transactions
that may still land. A deposit from outside is added when the service sees it. Each balance shows both sides, <code>onchain</code> and
<code>offchain</code>, and states when they differ.</p>

<h2 id="floors">Layers</h2>
<figure>${scrollable('Drawing: the layers of the service', floorsPicture())}</figure>
<p>Each folder belongs to a layer, and imports go downward only; a test enforces this rule. A change of the state machines cannot reach
the network by accident, and a change of an endpoint cannot bypass the state machines to reach the store.</p>
${markdown(documentOf('architecture'))}`
}
