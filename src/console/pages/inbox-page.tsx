// The transactions and pending changes that the signed-in key may approve.
import type { VNode } from 'preact'
import { bulk } from '../api.ts'
import { Heading } from '../records/heading.tsx'
import { Rows } from './list-page.tsx'
import { Loading } from '../loading.tsx'
import { resourceNamed, type Resource } from '../resources.ts'
import { useRound, useRounds } from '../rounds.ts'
import { current, may } from '../session.ts'

const SHOWN = 100

export function InboxPage(): VNode {
  const round = useRounds()
  const waiting = ['transactions', 'batches', 'changes']
    .map((name) => resourceNamed(name)!)
    .filter(({ roles }) => may(...roles))
  return (
    <>
      <Heading>Inbox</Heading>
      <p class="quiet">
        What waits for an approval by this key. Open an entry to approve it, or to reject or cancel it.
      </p>
      {waiting.map((resource) => (
        <Waiting key={resource.name} resource={resource} round={round} />
      ))}
    </>
  )
}

function Waiting({ resource, round }: { resource: Resource; round: number }): VNode {
  const keyId = current()?.identity.keyId ?? ''
  const list = useRound(`inbox ${resource.name}`, round, async (signal) => {
    const filter = [{ fieldName: 'awaitsApprovalBy', filterValues: [{ filterType: 'EQUALS', valueString: keyId }] }]
    return await bulk(resource.path, { filter, limit: SHOWN }, signal)
  })
  return (
    <section aria-labelledby={`inbox-${resource.name}`}>
      <h2 id={`inbox-${resource.name}`}>{resource.title}</h2>
      <Loading of={list}>
        {list.value !== null && (
          <Rows resource={resource} page={list.value} query={{ conditions: [], sort: null, page: 1, size: SHOWN }} />
        )}
      </Loading>
    </section>
  )
}
