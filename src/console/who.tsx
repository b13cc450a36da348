// The signed-in key, its organization and cluster, and the sign-out.
import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { beside, bulk } from './api.ts'
import { useLoaded } from './loading.tsx'
import { changeScope, end, may, type Session } from './session.ts'
import { Text, visible } from './text.tsx'
import { onSystemTheme, theme, turnTheme } from './theme.ts'
import { at, listAt, textAt } from './value.ts'

const MAX_ORGANIZATIONS = 200

export function Who({ session: { identity, scope } }: { session: Session }): VNode {
  const [shown, setShown] = useState(theme())
  useEffect(() => onSystemTheme(() => setShown(theme())), [])
  const turn = (): void => {
    turnTheme()
    setShown(theme())
  }
  return (
    <div class="who">
      <Organizations identity={identity} organization={scope.organization} />
      <Clusters clusters={identity.clusters} cluster={scope.cluster} />
      <details class="identity">
        <summary>
          <Text>{identity.organizationExternalId}</Text>
        </summary>
        <dl class="card">
          <dt>Key</dt>
          <dd>
            <code>{identity.keyId}</code>
          </dd>
          <dt>Organization</dt>
          <dd>
            <Text>{identity.organizationExternalId}</Text>
          </dd>
          <dt>Tenant</dt>
          <dd>
            <Text>{identity.tenantOrganizationId}</Text>
          </dd>
          <dt>Roles</dt>
          <dd>{identity.roles.length === 0 ? 'none' : identity.roles.join(', ')}</dd>
          <dt>Clusters</dt>
          <dd>{identity.clusters.length === 0 ? 'all' : identity.clusters.join(', ')}</dd>
        </dl>
      </details>
      <button
        type="button"
        class="icon"
        aria-label={`Change to ${shown === 'dark' ? 'light' : 'dark'} colours`}
        title="Colours"
        onClick={turn}
      >
        <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
          <circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" stroke-width="1.5" />
          <path d="M8 2a6 6 0 0 1 0 12z" fill="currentColor" />
        </svg>
      </button>
      <button type="button" onClick={() => end('You are signed out.')}>
        Sign out
      </button>
    </div>
  )
}

/** Only for keys that may act for other organizations, and may list them. */
function Organizations({
  identity,
  organization,
}: {
  identity: Session['identity']
  organization: string | null
}): VNode | null {
  const offered = may('ORGANIZATION_OVERRIDE') && may('PLATFORM_ADMIN', 'TENANT_ADMIN')
  const loaded = useLoaded(
    offered ? identity.keyId : null,
    async (signal) => await bulk('/admin/organizations/bulk', { limit: MAX_ORGANIZATIONS }, signal),
  )
  const others = (loaded.value?.items ?? [])
    .map((item) => textAt(item, 'externalId') ?? '')
    .filter((id) => id !== identity.organizationExternalId)
  if (!offered || others.length === 0) return null
  return (
    <label class="scope">
      <span>Looking at</span>
      <select
        value={organization ?? ''}
        onChange={(event) => changeScope({ organization: event.currentTarget.value || null })}
      >
        <option value="">{visible(identity.organizationExternalId)}</option>
        {others.map((id) => (
          <option key={id} value={id}>
            {visible(id)}
          </option>
        ))}
      </select>
    </label>
  )
}

function Clusters({ clusters, cluster }: { clusters: readonly string[] | null; cluster: string | null }): VNode | null {
  const loaded = useLoaded('clusters', async (signal) => {
    const document = (await (await beside('/openapi.json', signal)).json()) as unknown
    return listAt(at(document, 'components.parameters.chainClusterId.schema'), 'enum').map(String)
  })
  const offered = (loaded.value ?? []).filter((id) => clusters === null || clusters.includes(id))
  if (offered.length < 2) return null
  return (
    <label class="scope">
      <span>Cluster</span>
      <select value={cluster ?? offered[0]} onChange={(event) => changeScope({ cluster: event.currentTarget.value })}>
        {offered.map((id) => (
          <option key={id}>{id}</option>
        ))}
      </select>
    </label>
  )
}
