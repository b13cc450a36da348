// How the service works, for people who want to trust it with money before they read its code.
import { wide } from './frame.ts'
import { markdown } from './markdown.ts'
import { floorsPicture, wayPicture } from './pictures.ts'
import { documentOf } from './documents.ts'

export function howPage(): string {
  return `<h2 id="the-way-of-a-transfer">The way of a transfer</h2>
<figure>${wide('Drawing: the way of a transfer', wayPicture())}</figure>
<ol>
<li><strong>The request arrives</strong> with an API key, which says who asks, and with an idempotency key, which says which request
this is.</li>
<li><strong>It is checked</strong>: the rights of the key, the rate of its requests, every member of the body. An unknown member is
refused, for it is nearly always a misspelt one.</li>
<li><strong>In one stretch</strong>, which nothing can interrupt, all records concerned are asked, the amount is set aside in the books,
and the transaction is built and signed. Either all of them agree or nothing has happened.</li>
<li><strong>One write</strong> puts the records, the books, the idempotency key and the complete signed bytes on disk. Not a byte leaves
the process before that write is safe.</li>
<li><strong>It is sent</strong>, and sent again, always the very same bytes. The chain executes a signed message at most once, so
sending it twice cannot pay twice.</li>
<li><strong>It ends by what the chain shows</strong>: confirmed, and the books move; finalized, and it is over. Or by proof that it
never can land: then what was set aside is free again.</li>
</ol>

<h2 id="exactly-once">Exactly once</h2>
<p>A payment can go wrong in two ways that cost money: it is made twice, or somebody is told that it failed and makes it again while the
first one lands after all. Both come from guessing what became of a request when the line was cut.</p>
<p>Holdfast does not guess. A request that comes again with the same key gets the transaction that it made the first time, also after a
restart, and nothing moves. A transaction that was signed counts as one that may land until the chain has shown it, or until it is proven
that its time is over and no trace of it is there: one node has to show both at once, and where its memory is too short the blocks
themselves are read. An error, a silence or a gap proves nothing; the transaction stays <code>SUBMITTED</code> as long as it takes.</p>
<p>A crash changes nothing of this. What was acknowledged is on disk; what was not is as if it had never been asked. After a start every
transaction without an end is watched, sent and proven like before.</p>
<p>What may follow what is written down once, as a table: see <a href="/docs/machines#transaction">the states of a transaction</a>.</p>

<h2 id="custody">Who holds the keys</h2>
<p>Each managed account has a private key of its own. It is sealed with the master key, which is not in the data directory unless you
leave
it there, and bound to its tenant, account and address, so it opens for nothing else. It can be kept in the store, in a folder of its
own, in a
key service that signs and never shows it, or split between players who each hold a share and sign together. A key leaves the service only
for a caller who has the right to export it, and every use of that right is in the audit log.</p>
<p>A tenant never signs with the key of another one. Where a transaction needs both, the owner of the key judges the complete message by
its
own rules, sets aside what it may take, and signs that message or none: see <a
href="/docs/machines#countersignature">countersignatures</a>.</p>

<h2 id="limits">What limits what leaves</h2>
<p>What an account may lose is bounded by its own rules, not by who asks: whose keys may debit it, how much in one transaction, how much
in
a span of time, to whom. What a transaction takes is read off the message that is signed, instruction by instruction, whoever built it. A
debit above a limit that names approvers waits for as many other keys as the limit says; one above a limit that names none is refused.
Limits are judged
when a transaction is made, and again when it is signed.</p>
<p>An operator can stop everything at once: freeze an account, an organization or the whole service, so that nothing is signed, or suspend
sending. What has been sent already can still land, and is followed to its end.</p>

<h2 id="books">Books and chain</h2>
<p>The books say what is available at this moment: what the chain has confirmed, less what is set aside for transactions that may still
land.
What came in from outside is folded in when it is seen. Each balance shows both sides, <code>onchain</code> and <code>offchain</code>,
and says when
they differ.</p>

<h2 id="floors">The floors</h2>
<figure>${wide('Drawing: the floors of the service', floorsPicture())}</figure>
<p>Each folder stands on a floor, and imports go downward only; a test holds the code to it. Whoever changes the rulebook cannot reach
the network
by accident, and whoever changes an endpoint cannot reach the store around the rulebook.</p>
${markdown(documentOf('architecture'))}`
}
