// Planted bugs around the real parts: the product has no switch for them. The simulator must find each.
import { atHand } from '../../../snapshots/at-hand.ts'
import { assembleTransaction } from '../../../src/solana/message.ts'
import { parseTransaction } from '../../../src/solana/parse.ts'
import { openLink } from '../../../src/submission/link.ts'
import type { Submission } from '../../../src/submission/submission.ts'
import { addressBytes, signatureText } from '../../../src/solana/address.ts'
import type { AssemblyParts } from '../../../src/service/assemble.ts'
import type { Engine } from '../../../src/engine/engine.ts'
import { addressKey } from '../../../src/engine/index/index-keys.ts'
import { ofKind } from '../../../src/engine/records/record.ts'
import type { AccountKeys } from '../../../src/keys/account-keys.ts'

const CLUSTER = 'CHAIN_DEVNET'

/** A replacement for a part, given the present one. */
export type Planted = (dependencies: {
  readonly engine: Engine
  readonly keys: AccountKeys
}) => Pick<AssemblyParts, 'openLink'>
type OpenLink = NonNullable<AssemblyParts['openLink']>
type Link = ReturnType<OpenLink>

const PATIENCE_MS = 8_000

/** The link with some of its methods replaced. */
export function changedLink(link: Link, changes: Partial<Link>): Link {
  return new Proxy(link, {
    get(target, name) {
      const member: unknown = Reflect.get(changes, name) ?? Reflect.get(target, name, target)
      return typeof member === 'function' ? (member.bind(target) as unknown) : member
    },
  })
}

/**
 * After a lost reply the same payment is signed once more under a new blockhash and sent, "because the first one seems
 * to be lost".
 */
export const resendsUnderNewSignature: Planted = (dependencies) => {
  const open: OpenLink = (cluster, clock, listener) => {
    const submissions = new Map<string, Submission>()
    const link: Link = openLink(cluster, clock, {
      ...listener,
      onFacts(facts) {
        listener.onFacts(facts)
        for (const fact of facts) {
          const submission = submissions.get(fact.transactionId)
          if (fact.kind === 'sent' && fact.outcome === 'unanswered' && submission !== undefined)
            signsAgain(dependencies, cluster, link, submission)
        }
      },
    })
    return changedLink(link, {
      submit(submission) {
        submissions.set(submission.transactionId, submission)
        link.submit(submission)
      },
    })
  }
  return { openLink: open }
}

/** At a start, open transactions that were not seen are signed again under a new blockhash and sent. */
export const recoverySignsAnew: Planted = (dependencies) => {
  const open: OpenLink = (cluster, clock, listener) => {
    const link = openLink(cluster, clock, listener)
    return changedLink(link, {
      watch(submission, seen) {
        link.watch(submission, seen)
        if (seen === undefined) signsAgain(dependencies, cluster, link, submission)
      },
    })
  }
  return { openLink: open }
}

function signsAgain(
  { engine, keys }: Parameters<Planted>[0],
  cluster: Parameters<OpenLink>[0],
  link: Link,
  submission: Submission,
): void {
  const signs = (message: Uint8Array, signers: readonly string[]): readonly Uint8Array[] | null => {
    const signatures = signers.map((address) => {
      const head = engine.directory.firstOwn(addressKey(CLUSTER, address))?.head
      const signer =
        head === undefined ? null : keys.signerFor({ tenant: head.tenant, cluster: head.cluster, id: head.id, address })
      return signer === null || signer.remote ? null : signer.sign(message)
    })
    return signatures.every((signature) => signature !== null) ? signatures : null
  }
  const signAgain = async (): Promise<void> => {
    if (submission.bytes == null) return
    const { message } = parseTransaction(submission.bytes)
    const { blockhash } = await cluster.blockhash.fresh()
    const at = Buffer.from(message.bytes).indexOf(Buffer.from(addressBytes(submission.blockhash)))
    const bytes = Buffer.from(message.bytes)
    bytes.set(addressBytes(blockhash), at)
    const signatures = await atHand(engine, () => signs(bytes, message.signers))
    if (signatures === null) return
    const secondBytes = assembleTransaction({ ...message, bytes }, signatures)
    link.submit({
      ...submission,
      transactionId: `${submission.transactionId} again`,
      signature: signatureText(signatures[0]!),
      bytes: secondBytes,
      blockhash,
    })
  }
  // Without a blockhash the bug has no effect this time.
  signAgain().catch(() => undefined)
}

/** At a start no nonce is known to be leased. */
export const forgetsLeases: Planted = ({ engine }) => {
  for (const entry of [...engine.directory.entries()]) {
    const nonce = ofKind(entry.head, 'nonce')
    if (nonce?.value !== 'leased') continue
    entry.head = { ...nonce, value: 'active', context: { ...nonce.context, lease: null } }
    engine.moved(entry, nonce, entry.head)
    entry.committed = entry.head
  }
  return {}
}

/** A transaction that was not seen for some seconds counts as failed, and its reservation is released. */
export const releasesOnTimeout: Planted = () => {
  const open: OpenLink = (cluster, clock, listener) => {
    const seenIds = new Set<string>()
    const link = openLink(cluster, clock, {
      ...listener,
      onFacts(facts) {
        for (const { kind, transactionId } of facts) if (kind === 'seen') seenIds.add(transactionId)
        listener.onFacts(facts)
      },
    })
    return changedLink(link, {
      submit(submission) {
        link.submit(submission)
        const { transactionId } = submission
        clock.setTimeout(() => {
          if (seenIds.has(transactionId)) return
          link.forget(transactionId)
          listener.onFacts([{ kind: 'expired', transactionId, atMs: clock.now(), proof: { rule: 'timeout' } as never }])
        }, PATIENCE_MS)
      },
    })
  }
  return { openLink: open }
}
