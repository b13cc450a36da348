// The large switches: everything that signs, and everything that is sent on this cluster. Those of one organization,
// account or lane are on their own pages.
import type { VNode } from 'preact'
import { confirm, type Action } from './confirm.tsx'
import { Heading } from './heading.tsx'
import { href } from './route.ts'
import { current, may } from './session.ts'

interface Switch {
  readonly title: string
  readonly says: string
  readonly actions: readonly Action[]
}

const OPERATOR = ['PLATFORM_ADMIN']

function switches(): readonly Switch[] {
  const cluster = current()?.scope.cluster ?? 'the default cluster'
  const common = { roles: OPERATOR, method: 'PATCH', itemData: {} } as const
  return [
    {
      title: 'Signing',
      says: 'Stops every signature of every tenant, on every path. What was sent before may still land.',
      actions: [
        {
          ...common,
          label: 'Freeze everything',
          danger: true,
          about: [['Whose', 'every tenant']],
          path: '/admin/freeze',
          says: 'Nothing at all is signed any more, for any tenant and on any path, until it is unfrozen. What was sent before may still land.',
          done: 'Everything is frozen.',
        },
        {
          ...common,
          label: 'Unfreeze everything',
          about: [['Whose', 'every tenant']],
          path: '/admin/unfreeze',
          says: 'The switch over everything is opened again. What is frozen by itself stays frozen.',
          done: 'Everything is unfrozen.',
        },
      ],
    },
    {
      title: 'Sending',
      says: 'Stops everything that is sent on this cluster. Requests are taken as before, and what they sign waits.',
      actions: [
        {
          ...common,
          label: 'Suspend the cluster',
          danger: true,
          about: [['Cluster', cluster]],
          path: '/admin/lanes/suspend',
          says: 'Nothing is sent on this cluster any more, for any tenant, until it is resumed. What is signed meanwhile waits.',
          done: 'The cluster is suspended.',
        },
        {
          ...common,
          label: 'Resume the cluster',
          about: [['Cluster', cluster]],
          path: '/admin/lanes/resume',
          says: 'What waits on this cluster is sent, and what follows too. What is suspended by itself stays suspended.',
          done: 'The cluster is resumed.',
        },
      ],
    },
  ]
}

export function SwitchesPage(): VNode {
  const shown = switches().map((each) => ({ ...each, actions: each.actions.filter(({ roles }) => may(...roles)) }))
  return (
    <>
      <Heading>Switches</Heading>
      <p class="quiet">
        Switches of one organization are on <a href={href('organizations')}>its page</a>, those of one account or lane
        on {may('ACCOUNTS_READ') ? <a href={href('accounts')}>the account’s</a> : 'the account’s'}.
      </p>
      <div class="cards">
        {shown
          .filter(({ actions }) => actions.length > 0)
          .map(({ title, says, actions }) => (
            <section key={title} class="card" aria-label={title}>
              <h2>{title}</h2>
              <p>{says}</p>
              <div class="actions" role="group" aria-label={`Switch of ${title.toLowerCase()}`}>
                {actions.map((action) => (
                  <button
                    key={action.label}
                    type="button"
                    class={action.danger === true ? 'danger' : undefined}
                    onClick={() => confirm(action, () => undefined)}
                  >
                    {action.label}…
                  </button>
                ))}
              </div>
            </section>
          ))}
      </div>
    </>
  )
}
