// The page "Roles": what each role allows, the bundles that hold it, and the endpoints that require it.
import { BUNDLES, ROLES, type Bundle, type Role } from '../../../contract/roles.ts'
import type { Document } from '../openapi.ts'
import { bundlesWith } from '../openapi-rights.ts'
import { operationsOf, type Operation } from './endpoints.ts'
import { escape } from './frame.ts'

const BUNDLE_TEXTS: Readonly<Record<Bundle, string>> = {
  VIEWER: 'Reads everything of its organization and changes nothing.',
  OPERATOR:
    'Reads and writes everything of daily work; changes no policy of accounts, approves and administers nothing.',
  ADMIN: 'Every role of a tenant: also policy, approvals, exports of keys and administration.',
}

/** Roles whose name does not say all. Those that end in `_READ` and `_WRITE` are described by their endpoints. */
const ROLE_TEXTS: Readonly<Record<string, string>> = {
  ACCOUNT_POLICY_WRITE:
    'Changes who may take funds out of an account: debit limits, approvers, signing organizations, fee payers; looser limits at creation too.',
  PRIVATE_KEY_EXPORT:
    'Reads the private key of an account. Each export is audited, and the key counts as exported from then on.',
  PLATFORM_UPDATE_DEBIT_API_KEYS: 'Sets which API keys may debit an account (`solDebitApiKeys`, `tokenDebitApiKeys`).',
  DEBIT_LIMIT_APPROVE: 'Approves a transaction above a debit limit, for accounts that name the key as approver.',
  ORGANIZATION_OVERRIDE:
    'Acts for another organization of its tenant (`tenancyConfig.overrideOrganizationExternalId`).',
  TENANT_ADMIN:
    'Administers organizations, API keys, freezes and submission lanes of its tenant, or of its own organization below the root.',
  PLATFORM_ADMIN:
    'Administers every tenant of the server. It is for keys of the system tenant: others give no key above their own organization. No bundle holds it.',
  AUDIT_READ: 'Reads the audit log.',
  EVENTS_READ: 'Reads events, event streams and webhooks.',
  EVENTS_WRITE: 'Creates and changes webhooks.',
}

export function rolesPage(document: Document): string {
  const operations = operationsOf(document)
  return `<p>An API key has roles. An endpoint requires one of the roles that it names; a key without any of them is refused with 403
<a href="/docs/errors#ROLE_REQUIRED"><code>ROLE_REQUIRED</code></a>. A new key gets roles one by one (<code>roles</code>) or as a bundle
(<code>bundle</code>), and never a role that its maker lacks. A key reads and changes records of its own organization only.</p>
<h2 id="bundles">Bundles</h2>
<dl>${(Object.keys(BUNDLES) as Bundle[]).map(bundleEntry).join('')}</dl>
<h2 id="roles">Roles</h2>
${ROLES.map((role) => roleSection(role, operations)).join('\n')}`
}

/** The description of a role; empty if there is none. */
export function aboutRole(role: Role): string {
  const [, group = '', kind] = /^(.+)_(READ|WRITE)$/.exec(role) ?? []
  const what = group.toLowerCase().replaceAll('_', ' ')
  return (
    ROLE_TEXTS[role] ?? (kind === undefined ? '' : kind === 'READ' ? `Reads ${what}.` : `Creates and changes ${what}.`)
  )
}

function bundleEntry(bundle: Bundle): string {
  const roles = BUNDLES[bundle].map((role) => `<a href="#${role}"><code>${role}</code></a>`).join(', ')
  return `<dt id="bundle-${bundle}"><code>${bundle}</code></dt><dd>${BUNDLE_TEXTS[bundle]} ${roles}</dd>`
}

/** Names between backticks as code, which breaks anywhere on a narrow page. */
function withCode(text: string): string {
  return escape(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')
}

function roleSection(role: Role, operations: readonly Operation[]): string {
  const bundles = bundlesWith([role])
  const mine = operations.filter(({ about }) => (about['x-required-role'] as readonly string[]).includes(role))
  const rows = mine.map(
    ({ method, path, anchor }) =>
      `<li><a href="/docs/endpoints#${anchor}"><code>${method} ${escape(path)}</code></a></li>`,
  )
  const among =
    bundles.length === 0
      ? 'In no bundle.'
      : `In ${bundles.map((each) => `<a href="#bundle-${each}">${each}</a>`).join(', ')}.`
  return `<h3 id="${role}">${role}</h3><p>${withCode(aboutRole(role))} ${among}</p><ul>${rows.join('')}</ul>`
}
