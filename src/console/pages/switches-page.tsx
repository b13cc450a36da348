// The switches for everything that signs, and for everything that is sent on this cluster. The switches of one
// organization, account or lane are on their own pages.
import type { VNode } from 'preact'
import { useEffect } from 'preact/hooks'
import { Badge } from '../badge.tsx'
import { confirm, type Action } from '../forms/confirm.tsx'
import { Heading } from '../records/heading.tsx'
import { href } from '../route.ts'
import { current, may } from '../session.ts'
import { Switches, useSwitches, type ActiveSwitches } from '../switches.ts'

interface Switch {
  readonly title: string
  readonly says: string
  /** The present state. */
  readonly state: string
  readonly isStopped: boolean
  readonly stop: Action
  readonly start: Action
}

const OPERATOR = ['PLATFORM_ADMIN']

function switches(inForce: ActiveSwitches | null): readonly Switch[] {
  const chosen = current()?.scope.cluster ?? null
  const cluster = chosen ?? 'the default cluster'
  const isFrozen = inForce?.everythingFrozen === true
  const suspended = inForce?.suspendedClusters ?? []
  // Without a choice the service means its default cluster; with one cluster that is the suspended one.
  const isSuspended = chosen === null ? suspended.length > 0 : suspended.includes(chosen)
  const common = { roles: OPERATOR, method: 'PATCH', itemData: {} } as const
  return [
    {
      title: 'Signing',
      says: 'Stops every signature of every tenant, on every path. What was sent before may still land.',
      state: isFrozen ? 'FROZEN' : 'OPEN',
      isStopped: isFrozen,
      stop: {
        ...common,
        label: 'Freeze everything',
        danger: true,
        about: [['Whose', 'every tenant']],
        path: '/admin/freeze',
        says: 'Nothing at all is signed any more, for any tenant and on any path, until it is unfrozen. What was sent before may still land.',
        done: 'Everything is frozen.',
      },
      start: {
        ...common,
        label: 'Unfreeze everything',
        about: [['Whose', 'every tenant']],
        path: '/admin/unfreeze',
        says: 'The switch over everything is opened again. What is frozen by itself stays frozen.',
        done: 'Everything is unfrozen.',
      },
    },
    {
      title: 'Sending',
      says: 'Stops everything that is sent on this cluster. Requests are taken as before, and what they sign waits.',
      state: isSuspended ? 'SUSPENDED' : 'OPEN',
      isStopped: isSuspended,
      stop: {
        ...common,
        label: 'Suspend the cluster',
        danger: true,
        about: [['Cluster', cluster]],
        path: '/admin/lanes/suspend',
        says: 'Nothing is sent on this cluster any more, for any tenant, until it is resumed. What is signed meanwhile waits.',
        done: 'The cluster is suspended.',
      },
      start: {
        ...common,
        label: 'Resume the cluster',
        about: [['Cluster', cluster]],
        path: '/admin/lanes/resume',
        says: 'What waits on this cluster is sent, and what follows too. What is suspended by itself stays suspended.',
        done: 'The cluster is resumed.',
      },
    },
  ]
}

export function SwitchesPage(): VNode {
  useSwitches()
  useEffect(() => void Switches.refresh(), [])
  const shown = switches(Switches.now()).filter(({ stop }) => may(...stop.roles))
  return (
    <>
      <Heading>Switches</Heading>
      <p class="quiet">
        Switches of one organization are on <a href={href('organizations')}>its page</a>, those of one account or lane
        on {may('ACCOUNTS_READ') ? <a href={href('accounts')}>the account’s</a> : 'the account’s'}.
      </p>
      <div class="cards">
        {shown.map((each) => (
          <SwitchCard key={each.title} of={each} />
        ))}
      </div>
    </>
  )
}

function SwitchCard({ of: { title, says, state, isStopped, stop, start } }: { of: Switch }): VNode {
  const action = isStopped ? start : stop
  return (
    <section class="card" aria-label={title}>
      <h2>{title}</h2>
      <p>
        <Badge>{state}</Badge>
      </p>
      <p>{says}</p>
      <div class="actions" role="group" aria-label={`Switch of ${title.toLowerCase()}`}>
        <button
          type="button"
          class={action.danger === true ? 'danger' : undefined}
          onClick={() => confirm(action, () => undefined)}
        >
          {action.label}…
        </button>
      </div>
    </section>
  )
}
