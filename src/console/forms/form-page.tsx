// The page of every form: its fields, the estimate (fee and verdict of each limit) before anything is sent, and the
// result. `form-definitions.ts` defines the fields of each form.
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { RequestRefused, type Problem } from '../api.ts'
import { Estimate, MeantRecords } from './estimate.tsx'
import { FeePayerChoice, useFeePayers } from './fee-payer.tsx'
import { FORMS, formsFor, mayMakeBatches, type FormDefinition, type FormField } from './form-definitions.ts'
import { Field, labelOfField } from './form-fields.tsx'
import { lookupFor, type ResolvedRecord } from './form-lookups.ts'
import { requestSchema, type RequestSchema } from './form-schema.ts'
import { fieldOfPointer, fieldsOf, itemDataOf, type TypedValues } from './form-values.ts'
import { Heading } from '../records/heading.tsx'
import { Loading, Problems, useLoaded } from '../loading.tsx'
import type { Content } from './maker.ts'
import { useMaking } from './making.ts'
import { Outcome } from './outcome.tsx'
import { Unsure } from './unsure.tsx'
import { href, type Route } from '../route.ts'
import { may } from '../session.ts'

export function FormPage({ name, route }: { name: string; route: Route }): VNode {
  const form = FORMS.find((each) => each.name === name && may(...each.roles))
  const schema = useLoaded(form === undefined ? null : form.name, async () =>
    form === undefined ? null : await requestSchema(form.method, form.path),
  )
  if (form === undefined) return <Heading>Nothing here</Heading>
  return (
    <>
      <p class="way">
        <a href={href('new')}>New</a>
      </p>
      <Heading>{form.title}</Heading>
      <p class="quiet">{form.says}</p>
      <Loading of={schema}>
        {schema.value !== null && <Form form={form} schema={schema.value} given={Object.fromEntries(route.query)} />}
      </Loading>
    </>
  )
}

interface FormProps {
  readonly form: FormDefinition
  readonly schema: RequestSchema
  readonly given: TypedValues
}

function Form({ form, schema, given }: FormProps): VNode {
  const least = form.group?.least ?? 0
  const [legs, setLegs] = useState(least)
  const fields = fieldsOf(form, legs)
  const [typed, setTyped] = useState<TypedValues>(() => ({ ...firstOf(fields), ...given }))
  const [feePayer, setFeePayer] = useState('')
  const feePayers = useFeePayers(schema.hasDryRun ? form.path : null)
  // What is sent names the records that the texts were found to mean: they are shown before.
  const isCheckedFirst = schema.hasDryRun || fields.some(({ pick, path }) => pick !== undefined && isTyped(typed, path))
  const making = useMaking({
    ...form,
    hasDryRun: schema.hasDryRun,
    isCheckedFirst,
    feePayer: feePayer === '' ? null : feePayer,
    content: async () => await contentOf(fields, typed, schema),
  })
  const set = (path: string, value: string): void =>
    making.change(() => setTyped((before) => ({ ...before, [path]: value })))
  if (making.made !== null) return <Outcome form={form} answer={making.made} again={making.restart} />
  return (
    <form class="make" onSubmit={making.submit}>
      <fieldset class="entries" disabled={making.isFixed}>
        <Fields form={form} schema={schema} legs={legs} typed={typed} error={making.error} set={set} />
        {form.group !== undefined && (
          <Legs
            one={form.group.one}
            count={legs}
            least={least}
            repeat={(count) => making.change(() => setLegs(count))}
          />
        )}
        {feePayers.choice.length > 0 && (
          <FeePayerChoice
            choice={feePayers.choice}
            chosen={feePayer}
            choose={(offchainId) => making.change(() => setFeePayer(offchainId))}
          />
        )}
      </fieldset>
      {making.meant.length > 0 && <MeantRecords of={making.meant} />}
      {making.estimate !== null && <Estimate of={making.estimate} />}
      {making.error !== null && (
        <div class="trouble" role="alert">
          <Problems error={making.error} />
        </div>
      )}
      {making.isUnsure && !making.busy && <Unsure label={form.title} leave={making.restart} />}
      <div class="buttons">
        <button type="submit" class="primary" disabled={making.busy}>
          {making.busy ? 'Working…' : !making.isChecked && isCheckedFirst ? 'Check' : form.title}
        </button>
      </div>
    </form>
  )
}

interface LegsProps {
  readonly one: string
  readonly count: number
  readonly least: number
  readonly repeat: (count: number) => void
}

function Legs({ one, count, least, repeat }: LegsProps): VNode {
  return (
    <div class="buttons">
      <button type="button" onClick={() => repeat(count + 1)}>
        Add a {one.toLowerCase()}
      </button>
      {count > least && (
        <button type="button" onClick={() => repeat(count - 1)}>
          Remove the last {one.toLowerCase()}
        </button>
      )}
    </div>
  )
}

interface FieldsProps {
  readonly form: FormDefinition
  readonly schema: RequestSchema
  readonly legs: number
  readonly typed: TypedValues
  readonly error: unknown
  readonly set: (path: string, value: string) => void
}

function Fields({ form, schema, legs, typed, error, set }: FieldsProps): VNode {
  const all = fieldsOf(form, legs)
  const problems: readonly Problem[] = error instanceof RequestRefused ? error.problems : []
  const wrong = (field: FormField): string[] =>
    problems.filter(({ pointer }) => fieldOfPointer(all, pointer) === field).map(({ message }) => message)
  const show = (field: FormField): VNode => (
    <Field
      key={field.path}
      field={field}
      member={schema.member(field.path)}
      value={typed[field.path] ?? ''}
      wrong={wrong(field)}
      set={(value) => set(field.path, value)}
    />
  )
  const { group } = form
  if (group === undefined) return <>{all.map(show)}</>
  const under = (index: number): FormField[] => all.filter(({ path }) => path.startsWith(`${group.path}.${index}.`))
  return (
    <>
      {Array.from({ length: legs }, (_, index) => (
        <fieldset key={index}>
          <legend>
            {group.one} {index + 1}
          </legend>
          {under(index).map(show)}
        </fieldset>
      ))}
      {all.filter(({ path }) => !path.startsWith(`${group.path}.`)).map(show)}
    </>
  )
}

function firstOf(fields: readonly FormField[]): TypedValues {
  return Object.fromEntries(fields.flatMap(({ path, first }) => (first === undefined ? [] : [[path, first]])))
}

const isTyped = (typed: TypedValues, path: string): boolean => (typed[path] ?? '').trim() !== ''

async function contentOf(fields: readonly FormField[], typed: TypedValues, schema: RequestSchema): Promise<Content> {
  const found = new Map<FormField, ResolvedRecord>()
  for (const field of fields) {
    const { path, pick } = field
    if (pick === undefined || !isTyped(typed, path)) continue
    found.set(field, await lookupFor(pick, (typed[path] ?? '').trim(), `/itemData/${path.replaceAll('.', '/')}`))
  }
  const itemData = itemDataOf(fields, typed, {
    typeOf: (path) => schema.member(path).type,
    lookupOf: (field) => found.get(field)?.lookup ?? {},
  })
  return { itemData, meant: [...found].map(([field, { shown }]) => ({ label: labelOfField(field), shown })) }
}

/** All forms that this key may use. */
export function NewPage(): VNode {
  const forms = formsFor(null)
  return (
    <>
      <Heading>New</Heading>
      <ul class="plain choices-of-forms">
        {forms.map(({ name, title, says }) => (
          <li key={name} class="card">
            <a href={href('new', name)}>{title}</a>
            <p class="quiet">{says}</p>
          </li>
        ))}
        {mayMakeBatches() && (
          <li class="card">
            <a href={href('new', 'batch')}>Batch from a file</a>
            <p class="quiet">Checks a CSV file, shows what it costs, and makes all of its rows.</p>
          </li>
        )}
      </ul>
    </>
  )
}
