// Converts the values typed into a form to the body of a request, and finds the field that an error of the answer is
// about.
import type { FormDefinition, FormField } from './form-definitions.ts'
import type { MemberType } from './form-schema.ts'

/** Path of a member -> the typed text. */
export type TypedValues = Readonly<Record<string, string>>

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/

/** All fields; those of a list once for each item, with the index in their path. */
export function fieldsOf({ fields, group }: FormDefinition, count: number): FormField[] {
  if (group === undefined) return [...fields]
  const under = (index: number, path: string): string => `${group.path}.${index}.${path}`
  const repeated = Array.from({ length: count }, (_, index) =>
    group.fields.map((field) => ({
      ...field,
      path: under(index, field.path),
      also: (field.also ?? []).map((path) => under(index, path)),
    })),
  )
  return [...repeated.flat(), ...fields]
}

interface Sources {
  readonly typeOf: (path: string) => MemberType
  /** How a record is named in a request. */
  readonly lookupOf: (field: FormField, typed: string) => object
}

/** Empty fields are left out, so that the defaults of the service apply. */
export function itemDataOf(fields: readonly FormField[], typed: TypedValues, { typeOf, lookupOf }: Sources): object {
  const itemData: Record<string, unknown> = {}
  for (const field of fields) {
    const text = (typed[field.path] ?? '').trim()
    if (text === '') continue
    const value = field.pick === undefined ? valueOf(text, typeOf(field.path)) : lookupOf(field, text)
    for (const path of [field.path, ...(field.also ?? [])]) put(itemData, path.split('.'), value)
  }
  return itemData
}

/** By id, by address, else by code. */
export function namedBy(text: string): { offchainId: string } | { onchainId: string } | { offchainReferences: object } {
  if (UUID.test(text)) return { offchainId: text }
  return ADDRESS.test(text) ? { onchainId: text } : { offchainReferences: { code: text } }
}

function valueOf(text: string, type: MemberType): unknown {
  switch (type) {
    case 'flag':
      return text === 'true'
    case 'integer':
      return /^-?\d{1,15}$/.test(text) ? Number(text) : text
    case 'list':
    case 'choices':
      return text
        .split(/[\s,]+/)
        .map((each) => each.trim())
        .filter((each) => each !== '')
    default:
      return text
  }
}

function put(holder: Record<string, unknown>, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    holder[name] = value
    return
  }
  const isList = /^\d+$/.test(rest[0] ?? '')
  holder[name] ??= isList ? [] : {}
  put(holder[name] as Record<string, unknown>, rest, value)
}

/** The field of an error: that of the named member, otherwise of a member around or below it. */
export function fieldOfPointer(fields: readonly FormField[], pointer: string | undefined): FormField | undefined {
  const path = pointer?.replace(/^\/itemData\/?/, '').replaceAll('/', '.') ?? ''
  if (path === '') return undefined
  const ways = (field: FormField): readonly string[] => [field.path, ...(field.also ?? [])]
  const is = (field: FormField): boolean => ways(field).includes(path)
  const around = (field: FormField): boolean => ways(field).some((way) => path.startsWith(`${way}.`))
  const below = (field: FormField): boolean => ways(field).some((way) => way.startsWith(`${path}.`))
  return fields.find(is) ?? fields.find(around) ?? fields.find(below)
}
