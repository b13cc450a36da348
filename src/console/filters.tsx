// The filters of a list: any field of the resource with any filter type that fits it, as the OpenAPI document names
// them.
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { Condition, ListQuery } from './pages/list-query.ts'
import { filterTypesFor, type QueryField, type QuerySchema } from './schema.ts'

interface FiltersProps {
  readonly schema: QuerySchema
  readonly query: ListQuery
  readonly change: (query: ListQuery) => void
}

export function Filters({ schema, query, change }: FiltersProps): VNode {
  const { conditions, sort } = query
  return (
    <section class="filters" aria-label="Filter and order">
      {conditions.length > 0 && (
        <ul class="conditions" aria-label="Conditions">
          {conditions.map((condition, index) => (
            <li key={index}>
              <code>{condition.field}</code> {wordsFor(condition)}
              <button
                type="button"
                class="icon small"
                aria-label={`Remove the condition on ${condition.field}`}
                onClick={() =>
                  change({ ...query, page: 1, conditions: conditions.filter((_, each) => each !== index) })
                }
              >
                ✕
              </button>
            </li>
          ))}
        </ul>
      )}
      <NewCondition
        schema={schema}
        add={(condition) => change({ ...query, page: 1, conditions: [...conditions, condition] })}
      />
      <label class="order">
        <span>Order by</span>
        <select
          value={sort === null ? '' : `${sort.field}.${sort.descending ? 'desc' : 'asc'}`}
          onChange={(event) => {
            const [field = '', direction] = event.currentTarget.value.split('.')
            change({ ...query, page: 1, sort: field === '' ? null : { field, descending: direction === 'desc' } })
          }}
        >
          <option value="">usual order</option>
          {schema.fields.flatMap(({ name }) => [
            <option key={`${name} up`} value={`${name}.asc`}>
              {name} ↑
            </option>,
            <option key={`${name} down`} value={`${name}.desc`}>
              {name} ↓
            </option>,
          ])}
        </select>
      </label>
    </section>
  )
}

function NewCondition({ schema, add }: { schema: QuerySchema; add: (condition: Condition) => void }): VNode {
  const [name, setName] = useState(schema.fields[0]?.name ?? '')
  const field = schema.fields.find((each) => each.name === name) ?? schema.fields[0]
  const types = field === undefined ? [] : filterTypesFor(field, schema.filterTypes)
  const [chosen, setChosen] = useState('EQUALS')
  const filterType = types.includes(chosen) ? chosen : (types[0] ?? '')
  const [value, setValue] = useState('')
  const [to, setTo] = useState('')
  if (field === undefined) return <></>
  const ranged = filterType === 'IN_RANGE'
  const choose = (chosenName: string): void => {
    setName(chosenName)
    setValue('')
    setTo('')
  }
  const submit = (event: Event): void => {
    event.preventDefault()
    add({
      field: field.name,
      filterType,
      value: field.type === 'BOOLEAN' && value === '' ? 'true' : value.trim(),
      to: ranged ? to.trim() : '',
    })
    setValue('')
    setTo('')
  }
  return (
    <form class="new-condition" onSubmit={submit}>
      <select
        aria-label="Field"
        data-key="filter"
        value={field.name}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        {schema.fields.map((each) => (
          <option key={each.name}>{each.name}</option>
        ))}
      </select>
      <select aria-label="Filter type" value={filterType} onChange={(event) => setChosen(event.currentTarget.value)}>
        {types.map((each) => (
          <option key={each} value={each}>
            {wordOf(each)}
          </option>
        ))}
      </select>
      <Operand field={field} filterType={filterType} label={ranged ? 'From' : 'Value'} value={value} set={setValue} />
      {ranged && <Operand field={field} filterType={filterType} label="To" value={to} set={setTo} />}
      <button type="submit">Filter</button>
    </form>
  )
}

interface OperandProps {
  readonly field: QueryField
  readonly filterType: string
  readonly label: string
  readonly value: string
  readonly set: (value: string) => void
}

function Operand({ field, filterType, label, value, set }: OperandProps): VNode | null {
  if (filterType.endsWith('_NULL')) return null
  if (field.type === 'BOOLEAN') {
    return (
      <select
        aria-label={label}
        value={value === '' ? 'true' : value}
        onChange={(event) => set(event.currentTarget.value)}
      >
        <option value="true">yes</option>
        <option value="false">no</option>
      </select>
    )
  }
  const hint =
    filterType === 'IN'
      ? 'a, b, c'
      : field.type === 'TIMESTAMP'
        ? '2026-01-31T00:00:00Z'
        : field.type === 'NUMBER'
          ? '0.5'
          : ''
  return (
    <input
      aria-label={label}
      value={value}
      placeholder={hint}
      dir="auto"
      maxLength={4096}
      required={filterType !== 'IN_RANGE'}
      onInput={(event) => set(event.currentTarget.value)}
    />
  )
}

const wordOf = (filterType: string): string => filterType.toLowerCase().replaceAll('_', ' ')

function wordsFor({ filterType, value, to }: Condition): VNode {
  return (
    <>
      {wordOf(filterType)} {value !== '' && <bdi>{value}</bdi>}
      {to !== '' && (
        <>
          {' '}
          to <bdi>{to}</bdi>
        </>
      )}
    </>
  )
}
