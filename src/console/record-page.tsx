// One record: what it is, the state it is in, what can be done to it, what happened to it, and the transactions that
// moved it.
import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { actionsOn } from './actions.ts'
import type { Answer } from './api.ts'
import { Badge } from './badge.tsx'
import { confirm } from './confirm.tsx'
import { Details } from './details.tsx'
import { EventFeed } from './event-feed.ts'
import { Heading } from './heading.tsx'
import { History } from './history.tsx'
import { Loading, useLoaded } from './loading.tsx'
import { LoanFigures } from './loan.tsx'
import { Machine } from './machine.tsx'
import { machineState } from './machine-state.ts'
import { Movements } from './movements.tsx'
import type { Resource } from './resource.ts'
import { fetchOne, nameOf, PAGES_OF_TYPES } from './resources.ts'
import { href } from './route.ts'
import { Copy, Id, Text } from './text.tsx'
import { Transaction } from './transaction.tsx'
import { textAt } from './value.ts'

export function RecordPage({ resource, id }: { resource: Resource; id: string }): VNode {
  const record = useLoaded(id, async (signal) => await fetchOne(resource, id, signal))
  const [round, setRound] = useState(0)
  const again = (): void => {
    record.again()
    setRound((number) => number + 1)
  }
  useEffect(() => EventFeed.listen((event) => event?.resource.offchainId === id && again()), [id])
  return (
    <>
      <p class="way">
        <a href={href(resource.name)}>{resource.title}</a>
      </p>
      <Loading
        of={
          record.loading && record.value === null && record.error === null
            ? { ...record, value: null }
            : { ...record, value: record.value ?? 'none' }
        }
      >
        {record.value === null ? (
          <Heading>Nothing here</Heading>
        ) : (
          <Found resource={resource} id={id} item={record.value} round={round} again={again} />
        )}
      </Loading>
    </>
  )
}

interface FoundProps {
  readonly resource: Resource
  readonly id: string
  readonly item: Answer
  /** Counts the times it was asked for again. */
  readonly round: number
  readonly again: () => void
}

function Found({ resource, id, item, round, again }: FoundProps): VNode {
  const name = nameOf(resource, item)
  const address = textAt(item, resource.id.replace(/offchain\.id$/, 'onchain.id').replace(/^offchainId$/, 'onchainId'))
  const elsewhere = resource.name === 'accounts' ? PAGES_OF_TYPES[textAt(item, 'offchain.type') ?? ''] : undefined
  return (
    <>
      <Heading badges={<States item={item} />}>
        <>
          {resource.one.charAt(0).toUpperCase() + resource.one.slice(1)} <Text>{name ?? id}</Text>
        </>
      </Heading>
      <dl class="pairs head-ids">
        <div>
          <dt>Record</dt>
          <dd>
            <Id>{id}</Id> <Copy text={id} what="the id of the record" />
          </dd>
        </div>
        {address !== null && address !== id && (
          <div>
            <dt>{resource.name === 'transactions' ? 'Signature' : 'Address'}</dt>
            <dd>
              <Id>{address}</Id> <Copy text={address} what="the address" />
            </dd>
          </div>
        )}
      </dl>
      {elsewhere !== undefined && (
        <p>
          <a href={href(elsewhere, id)}>What this account is besides</a>
        </p>
      )}
      <Actions resource={resource} item={item} after={again} />
      {resource.name === 'transactions' && <Transaction item={item} round={round} />}
      {resource.name === 'loans' && <LoanFigures id={id} item={item} />}
      {resource.machine !== null && elsewhere === undefined && (
        <Machine kind={resource.machine} state={machineState(resource.machine, item)} />
      )}
      <section aria-labelledby="details-title">
        <h2 id="details-title">Details</h2>
        <Details of={item} leaveOut={resource.name === 'transactions' ? ['history', 'accounts'] : []} />
      </section>
      {resource.moves && <Movements offchainId={id} round={round} />}
      <History offchainId={id} round={round} />
    </>
  )
}

function States({ item }: { item: Answer }): VNode {
  const states = ['lifecycleState', 'state', 'status']
    .map((member) => textAt(item, member))
    .filter((state) => state !== null)
  const shown = states.slice(0, 1)
  return (
    <span class="badges">
      {shown.map((state) => (
        <Badge key={state}>{state}</Badge>
      ))}
      {item['approval'] !== undefined && item['status'] === 'PREPARED' && <Badge>WAITING_FOR_APPROVAL</Badge>}
      {item['disabled'] !== undefined && states.length === 0 && (
        <Badge>{item['disabled'] === true ? 'DISABLED' : 'ACTIVE'}</Badge>
      )}
      {item['paused'] === true && <Badge>PAUSED</Badge>}
      {item['inUse'] !== undefined && <Badge>{item['inUse'] === null ? 'FREE' : 'IN_USE'}</Badge>}
      {item['stale'] !== undefined && <Badge>{item['stale'] === true ? 'STALE' : 'FRESH'}</Badge>}
    </span>
  )
}

function Actions({ resource, item, after }: { resource: Resource; item: Answer; after: () => void }): VNode | null {
  const actions = actionsOn(resource, item)
  if (actions.length === 0) return null
  return (
    <div class="actions" role="group" aria-label="Actions">
      {actions.map((action) => (
        <button
          key={action.label}
          type="button"
          class={action.danger === true ? 'danger' : undefined}
          onClick={() => confirm(action, after)}
        >
          {action.label}…
        </button>
      ))}
    </div>
  )
}
