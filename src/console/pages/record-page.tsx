// The page of one record: its members, its state, its actions, its events and its transactions.
import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { actionsOn } from '../actions.ts'
import type { Answer } from '../api.ts'
import { Badge } from '../badge.tsx'
import { BatchProgress } from '../forms/batch-progress.tsx'
import { confirm } from '../forms/confirm.tsx'
import { Details } from '../records/details.tsx'
import { EventFeed } from '../event-feed.ts'
import { formsFrom } from '../forms/form-definitions.ts'
import { Heading } from '../records/heading.tsx'
import { History } from '../records/history.tsx'
import { Loading, useLoaded } from '../loading.tsx'
import { LoanFigures } from '../records/loan.tsx'
import { Machine } from '../records/machine.tsx'
import { machineState } from '../records/machine-state.ts'
import { Movements } from '../records/movements.tsx'
import type { Resource } from '../resource.ts'
import { fetchOne, nameOf, PAGES_OF_TYPES } from '../resources.ts'
import { href, withQuery } from '../route.ts'
import { Sentence } from '../sentence.tsx'
import { States } from '../states.tsx'
import { Copy, Id, Text } from '../text.tsx'
import { Transaction } from '../records/transaction.tsx'
import { at, textAt } from '../value.ts'

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
  /** Number of reloads. */
  readonly round: number
  readonly again: () => void
}

function Found({ resource, id, item, round, again }: FoundProps): VNode {
  const name = nameOf(resource, item)
  const address = textAt(item, resource.id.replace(/offchain\.id$/, 'onchain.id').replace(/^offchainId$/, 'onchainId'))
  const elsewhere = resource.name === 'accounts' ? PAGES_OF_TYPES[textAt(item, 'offchain.type') ?? ''] : undefined
  const details = (
    <section aria-labelledby="details-title">
      <h2 id="details-title">Details</h2>
      <Details of={item} leaveOut={resource.name === 'transactions' ? ['history', 'accounts'] : []} />
    </section>
  )
  return (
    <>
      <Heading badges={<Badges item={item} />}>
        <>
          {resource.one.charAt(0).toUpperCase() + resource.one.slice(1)} <Text>{name ?? id}</Text>
        </>
      </Heading>
      {resource.name === 'transactions' && (
        <p class="sentence">
          <Sentence of={item} withPayer />.
        </p>
      )}
      {isFrozen(item) && <p class="stopped">An operator has frozen it: nothing is signed with it, on any path.</p>}
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
      <Starts list={resource.name} id={id} />
      {resource.name === 'batches' && <BatchProgress id={id} item={item} round={round} again={again} />}
      {resource.name === 'transactions' && <Transaction item={item} round={round} />}
      {resource.name === 'loans' && <LoanFigures id={id} item={item} />}
      {/* The QR code and the page for the payer are what it is for. */}
      {resource.name === 'payment-requests' && details}
      {resource.machine !== null && elsewhere === undefined && (
        <Machine kind={resource.machine} reading={machineState(resource.machine, item)} />
      )}
      {resource.name !== 'payment-requests' && details}
      {resource.moves && <Movements offchainId={id} round={round} />}
      <History offchainId={id} round={round} />
    </>
  )
}

/** The states, and the parts that only some kinds have. */
function Badges({ item }: { item: Answer }): VNode {
  return (
    <span class="badges">
      <States item={item} />
      {item['inUse'] !== undefined && <Badge>{item['inUse'] === null ? 'FREE' : 'IN_USE'}</Badge>}
      {item['stale'] !== undefined && <Badge>{item['stale'] === true ? 'STALE' : 'FRESH'}</Badge>}
    </span>
  )
}

/** The account of a record that has one, or the record itself. */
function isFrozen(item: Answer): boolean {
  return ['frozenByOperator', 'mintAccount.frozenByOperator', 'nonceAccount.frozenByOperator'].some(
    (member) => at(item, member) === true,
  )
}

/** Forms that begin with this record. */
function Starts({ list, id }: { list: string; id: string }): VNode | null {
  const forms = formsFrom(list)
  if (forms.length === 0) return null
  return (
    <p class="makers">
      {forms.map(([{ name, title }, path]) => (
        <a
          key={name}
          class="button"
          href={withQuery({ parts: ['new', name], query: new URLSearchParams() }, { [path]: id })}
        >
          {title}
        </a>
      ))}
    </p>
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
