// From a JSON Schema: a body with every member, and every way to make one of them invalid.

export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly items?: Schema
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly format?: string
  readonly pattern?: string
  readonly examples?: readonly unknown[]
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
}

export type Components = Readonly<Record<string, Schema>>

const ADDRESS = 'So11111111111111111111111111111111111111112'
const UUID = '6f0f0a4e-6c2c-4c53-9c0e-0d7f2f2f1a11'

/** The schema behind a reference, or behind a choice with null. */
export function resolveSchema(schema: Schema, components: Components): Schema {
  if (schema.$ref !== undefined) return resolveSchema(components[schema.$ref.split('/').at(-1)!]!, components)
  const other = schema.anyOf?.find((variant) => variant.type !== 'null')
  return other === undefined ? schema : resolveSchema(other, components)
}

/** A value with every member, each of them valid by itself. */
export function sample(schemaOrRef: Schema, components: Components): unknown {
  const schema = resolveSchema(schemaOrRef, components)
  const types = [schema.type ?? []].flat()
  if (schema.enum !== undefined) return schema.enum[0]
  if (types.includes('object')) {
    return Object.fromEntries(
      Object.entries(schema.properties ?? {}).map(([name, member]) => [name, sample(member, components)]),
    )
  }
  if (types.includes('array')) {
    const { items, minItems = 1 } = schema
    return items === undefined ? [] : Array.from({ length: minItems }, () => sample(items, components))
  }
  if (types.includes('boolean')) return false
  if (types.includes('number') || types.includes('integer')) return Math.max(schema.minimum ?? 1, 1)
  return sampleText(schema)
}

function sampleText(schema: Schema): string {
  if (schema.format === 'uuid') return UUID
  if (schema.format === 'date-time') return '2030-01-01T00:00:00Z'
  if (schema.maxLength === 44) return ADDRESS
  if (typeof schema.examples?.[0] === 'string') return schema.examples[0]
  if (schema.minLength === 64) return '5'.repeat(88)
  if (schema.maxLength === 88) return '2'.repeat(64)
  if (schema.pattern?.includes('{12}') === true) return 'abcdef012345'
  return 'A1'
}

export interface Spoiled {
  readonly what: string
  readonly pointer: string
  readonly codes: readonly string[]
  readonly body: unknown
}

type Path = readonly (string | number)[]

/** Every member of the schema, invalid in every way, one at a time, in an otherwise valid body. */
export function listSpoiled(root: Schema, components: Components): Spoiled[] {
  const example = sample(root, components)
  const results: Spoiled[] = []
  const add = (what: string, path: Path, codes: readonly string[], value: unknown): void => {
    results.push({
      what,
      pointer: path.map((part) => `/${part}`).join(''),
      codes,
      body: replaceAt(example, path, value),
    })
  }
  visit(root, [])
  return results

  function visit(schemaOrRef: Schema, path: Path): void {
    const schema = resolveSchema(schemaOrRef, components)
    const types = [schema.type ?? []].flat()
    add('wrong type', path, ['INVALID_TYPE', 'INVALID_VALUE'], types.includes('boolean') ? 'yes' : true)
    if (types.includes('object')) members(schema, path)
    else if (types.includes('array')) entries(schema, path)
    else if (types.includes('number') || types.includes('integer')) numbers(schema, types, path)
    else if (types.includes('string')) texts(schema, path)
  }

  function members(schema: Schema, path: Path): void {
    if (schema.additionalProperties === false) {
      add('unknown member', [...path, 'mispelt'], ['UNKNOWN_MEMBER'], 1)
      add('unknown member', [...path, 'constructor'], ['UNKNOWN_MEMBER'], {})
    }
    for (const name of schema.required ?? []) add('missing', [...path, name], ['REQUIRED'], undefined)
    for (const [name, member] of Object.entries(schema.properties ?? {})) visit(member, [...path, name])
  }

  function entries(schema: Schema, path: Path): void {
    if (schema.items === undefined) return
    visit(schema.items, [...path, 0])
    if ((schema.minItems ?? 0) > 1) add('too few', path, ['TOO_SHORT'], [sample(schema.items, components)])
    if (schema.maxItems !== undefined) {
      add(
        'too many',
        path,
        ['TOO_LONG'],
        Array.from({ length: schema.maxItems + 1 }, () => sample(schema.items!, components)),
      )
    }
  }

  function numbers(schema: Schema, types: readonly string[], path: Path): void {
    const text = types.includes('string')
    const bounded = schema.minimum !== undefined || schema.exclusiveMinimum !== undefined
    if (bounded) add('negative', path, ['NOT_POSITIVE', 'TOO_SMALL'], -1)
    // Any number of records may be skipped.
    if (path.at(-1) !== 'skip') add('too large', path, ['TOO_LARGE', 'INVALID_TYPE'], 1e300)
    if (schema.maximum !== undefined && schema.maximum < 1e9) add('too large', path, ['TOO_LARGE'], schema.maximum + 1)
    if (types.includes('integer')) add('fraction', path, ['INVALID_TYPE', 'TOO_PRECISE'], 1.5)
    if (schema.exclusiveMinimum === 0) add('zero', path, ['NOT_POSITIVE'], 0)
    if (text) add('no number', path, ['INVALID_VALUE'], '12,5')
    if (text) add('too large', path, ['TOO_LARGE'], '184467440737095516160')
  }

  function texts(schema: Schema, path: Path): void {
    if (schema.enum !== undefined) {
      add('no such value', path, ['INVALID_VALUE'], 'NO_SUCH_VALUE')
      return
    }
    if (schema.format === 'uuid') {
      add('no uuid', path, ['MALFORMED_UUID'], '6f0f0a4e')
      return
    }
    if (schema.format === 'date-time') {
      add('no time', path, ['INVALID_FORMAT'], 'tomorrow')
      return
    }
    if (schema.pattern !== undefined || (schema.minLength ?? 0) > 1) {
      add('malformed', path, MALFORMED, '0OIl')
      return
    }
    if (schema.minLength === 1) add('empty', path, ['TOO_SHORT'], '')
    if (schema.maxLength !== undefined) add('too long', path, ['TOO_LONG'], 'x'.repeat(schema.maxLength + 1))
    add('control character', path, ['INVALID_TEXT'], 'a\u0000b')
  }
}

const MALFORMED = ['MALFORMED_ADDRESS', 'MALFORMED_SIGNATURE', 'MALFORMED_KEY_ID', 'MALFORMED_KEY', 'INVALID_FORMAT']

function replaceAt(value: unknown, path: Path, by: unknown): unknown {
  const [first, ...rest] = path
  if (first === undefined) return by
  // Shares everything beside the path: the bodies of one schema are many, and nobody changes them.
  const copy = (value instanceof Array ? [...(value as unknown[])] : { ...(value as object) }) as Record<
    string | number,
    unknown
  >
  copy[first] = replaceAt(copy[first], rest, by)
  return copy
}
