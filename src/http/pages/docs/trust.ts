// The page "Trust": which records decide about money. Its tables are generated from the tables that the service uses.
import {
  ANSWERS,
  FORMS,
  RELATIONS,
  type LookupAnswer,
  type Relation,
} from '../../../operations/lookup/whose-records.ts'
import { CONTROL, WITHDRAWABLE } from '../../../operations/authorization/control.ts'
import {
  CONTROL_TITLES,
  type AuthorityKind,
  type ControlledKind,
} from '../../../operations/authorization/account-shape.ts'
import { markdown } from './markdown.ts'

const RELATION_TITLES: Readonly<Record<Relation, string>> = {
  OWN_ORGANIZATION: 'Own organization',
  OWN_TENANT: 'Own tenant',
  SHARED: 'Shared by the system',
  GRANTED: 'Another tenant, granted',
  STRANGER: 'Another tenant',
}

const ANSWER_TITLES: Readonly<Record<LookupAnswer, string>> = {
  RECORD: 'record',
  SIGNER: 'signer',
  ADDRESS: 'address',
  NONE: 'none',
}

const keysOf = <K extends string>(table: Readonly<Record<K, unknown>>): K[] => Object.keys(table) as K[]

export function trustPage(): string {
  return markdown(`## Whose records answer

A decision about money depends on who can withdraw the money. The service reads this from the compiled message, the records of the tenant
and the chain, never from a record that another tenant wrote. Any tenant can onboard any address under any references. Without a grant, a
record of another tenant is therefore found only by an exact id, and the account itself is then read from the chain.

${lookupTable()}

${legend(RELATIONS, RELATION_TITLES)}

${legend(ANSWERS, ANSWER_TITLES)}

## Who controls an account

An account is controlled by every party that can move its holdings, now or after a message has run. A destination, rent and a seed get
the worst class of their controllers: \`OFF_PLATFORM\`, then \`NON_MANAGED\`, then \`MANAGED\`. If keys that the service generated, and
that were never exported, control the account, its record is used. For every other account, the controllers are read from the chain at
the time of the decision.

The lender of a loan can liquidate its collateral, so the lender controls the tokens in escrow, as the key of the escrow does. A pledge,
and a refinance with another lender, are debits of the borrower to the class of the vault: \`OFF_PLATFORM\` for a vault of another tenant,
unless the own tenant has onboarded the vault or the system shares it. Collateral released to an account that other parties control, and
principal that \`transferTo\` sends to such an account, are debits of the borrower.

${controlTable()}

${legend(WITHDRAWABLE, HELD_TITLES)}`)
}

const HELD_TITLES = { RENT: 'RENT', LAMPORTS: 'LAMPORTS', TOKENS: 'TOKENS' } as const

function controlTable(): string {
  const kinds = keysOf(CONTROL)
  const authorities = [
    ...new Set(kinds.flatMap((kind) => keysOf(CONTROL[kind] as Readonly<Record<AuthorityKind, unknown>>))),
  ]
  const cell = (kind: ControlledKind, authority: AuthorityKind): string => {
    const held = CONTROL[kind][authority]
    return held === undefined ? '' : held.length === 0 ? 'nothing' : held.join(', ')
  }
  const head = ['Authority', ...kinds.map((kind) => CONTROL_TITLES[kind])]
  const rows = authorities.map((authority) => [authority, ...kinds.map((kind) => cell(kind, authority))])
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

function lookupTable(): string {
  const relations = keysOf(RELATIONS)
  const head = ['Named by', ...relations.map((relation) => RELATION_TITLES[relation]), 'Remarks']
  const rows = Object.values(FORMS).map(({ title, answers, note }) => [
    title,
    ...relations.map((relation) => ANSWER_TITLES[answers[relation]]),
    note,
  ])
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

function legend<K extends string>(about: Readonly<Record<K, string>>, titles: Readonly<Record<K, string>>): string {
  return keysOf(about)
    .map((key) => `- **${titles[key]}**: ${about[key]}`)
    .join('\n')
}
