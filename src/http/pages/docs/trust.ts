// Who may decide what about money: the tables that the service itself decides by.
import { ANSWERS, FORMS, RELATIONS, type Answer, type Relation } from '../../../operations/lookup/whose-records.ts'
import { markdown } from './markdown.ts'

const RELATION_TITLES: Readonly<Record<Relation, string>> = {
  OWN_ORGANIZATION: 'Own organization',
  OWN_TENANT: 'Own tenant',
  SHARED: 'Shared by the system',
  GRANTED: 'Another tenant, granted',
  STRANGER: 'Another tenant',
}

const ANSWER_TITLES: Readonly<Record<Answer, string>> = { RECORD: 'record', SIGNER: 'signer', ADDRESS: 'address', NONE: 'none' }

const keysOf = <K extends string>(table: Readonly<Record<K, unknown>>): K[] => Object.keys(table) as K[]

export function trustPage(): string {
  return markdown(`## Whose records answer

A decision about money rests on who can take the money out, read from the compiled message, the records of the tenant and the chain; never
on a record that another tenant wrote. Anybody can onboard any address under any references, so a record of another tenant answers only to
an exact id, and then the chain says what is there.

${lookupTable()}

${legend(RELATIONS, RELATION_TITLES)}

${legend(ANSWERS, ANSWER_TITLES)}`)
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
