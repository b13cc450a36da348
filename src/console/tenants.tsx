// The organizations that this key administers, with their record counts, for keys that may act for other organizations.
import type { VNode } from 'preact'
import { bulk, count, type Answer } from './api.ts'
import { Loading } from './loading.tsx'
import { useRound } from './rounds.ts'
import { RESOURCES } from './resources.ts'
import { href } from './route.ts'
import { may } from './session.ts'
import { States } from './states.tsx'
import { grouped, Text } from './text.tsx'
import { textAt } from './value.ts'

const SHOWN = 8
const COUNTED = ['accounts', 'positions', 'instruments', 'loans', 'transactions']

export function Tenants({ round }: { round: number }): VNode {
  const page = useRound(
    'tenants',
    round,
    async (signal) => await bulk('/admin/organizations/bulk', { limit: SHOWN }, signal),
  )
  const counted = may('ORGANIZATION_OVERRIDE')
    ? RESOURCES.filter(({ name, roles }) => COUNTED.includes(name) && may(...roles))
    : []
  return (
    <section aria-labelledby="tenants-title">
      <h2 id="tenants-title">Tenants and organizations</h2>
      <Loading of={page}>
        <table class="rows" aria-label="Organizations">
          <thead>
            <tr>
              <th scope="col">Organization</th>
              <th scope="col">Name</th>
              <th scope="col">Parent</th>
              <th scope="col">Status</th>
              {counted.map(({ name, title }) => (
                <th key={name} scope="col" class="number">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {(page.value?.items ?? []).map((item) => (
              <Organization key={textAt(item, 'externalId')} item={item} counted={counted} round={round} />
            ))}
          </tbody>
        </table>
        {(page.value?.count ?? 0) > SHOWN && (
          <p>
            <a href={href('organizations')}>All {grouped(String(page.value?.count))} of them</a>
          </p>
        )}
      </Loading>
    </section>
  )
}

interface OrganizationProps {
  readonly item: Answer
  readonly counted: typeof RESOURCES
  readonly round: number
}

function Organization({ item, counted, round }: OrganizationProps): VNode {
  const externalId = textAt(item, 'externalId') ?? ''
  const counts = useRound(
    `counts ${externalId}`,
    round,
    async (signal) => await Promise.all(counted.map(async ({ path }) => await count(path, [], signal, externalId))),
  )
  return (
    <tr>
      <th scope="row" data-label="Organization">
        <a href={href('organizations', externalId)}>
          <Text>{externalId}</Text>
        </a>
      </th>
      <td data-label="Name">
        <Text>{textAt(item, 'name') ?? ''}</Text>
      </td>
      <td data-label="Parent">
        {item['parentExternalId'] === null ? (
          <span class="quiet">–</span>
        ) : (
          <Text>{textAt(item, 'parentExternalId') ?? ''}</Text>
        )}
      </td>
      <td data-label="Status">
        <States item={item} />
      </td>
      {counted.map(({ name, title }, index) => (
        <td key={name} data-label={title} class="number">
          {counts.error !== null ? '–' : counts.value === null ? '…' : grouped(String(counts.value[index]))}
        </td>
      ))}
    </tr>
  )
}
