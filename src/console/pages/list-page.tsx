// A list: one page of a bulk query, whatever the number of records. Only that page is requested and rendered.
import type { VNode } from 'preact'
import { bulk, type Answer, type Page } from '../api.ts'
import { Cell, isNumeric, Party, Sums } from '../cell.tsx'
import { Filters } from '../filters.tsx'
import { formsFor, mayMakeBatches } from '../forms/form-definitions.ts'
import { Heading } from '../records/heading.tsx'
import { LookedUp, Moved } from '../forms/item-data.tsx'
import { addressOf, bulkQueryOf, listQueryOf, PAGE_SIZES, type ListQuery } from './list-query.ts'
import { Trouble, useLoaded, type Loaded } from '../loading.tsx'
import type { Column, Resource } from '../resource.ts'
import { nameOf } from '../resources.ts'
import { go, href, type Route } from '../route.ts'
import { querySchema } from '../schema.ts'
import { Sentence } from '../sentence.tsx'
import { States } from '../states.tsx'
import { grouped } from '../text.tsx'
import { at, listAt, textAt } from '../value.ts'

export function ListPage({ resource, route }: { resource: Resource; route: Route }): VNode {
  const query = listQueryOf(route)
  const schema = useLoaded(resource.path, async () => await querySchema(resource.path))
  const typeOf = (name: string): string => schema.value?.fields.find((field) => field.name === name)?.type ?? 'TEXT'
  // Without filters the query does not need the OpenAPI document.
  const asked =
    schema.value !== null || query.conditions.length === 0 ? JSON.stringify(bulkQueryOf(query, typeOf)) : null
  const page = useLoaded(asked, async (signal) => await bulk(resource.path, bulkQueryOf(query, typeOf), signal))
  const change = (next: ListQuery): void => go(addressOf(route, next))
  return (
    <>
      <Heading>{resource.title}</Heading>
      <Makers of={resource.name} />
      {schema.value === null ? (
        <div class="filters quiet">…</div>
      ) : (
        <Filters schema={schema.value} query={query} change={change} />
      )}
      <Turner page={page} query={query} change={change} />
      {page.error !== null && <Trouble error={page.error} again={page.again} />}
      {page.value !== null && (
        <Rows resource={resource} page={page.value} query={query} change={change} busy={page.loading} />
      )}
    </>
  )
}

/** Links to the forms that create records of a list. */
function Makers({ of }: { of: string }): VNode | null {
  const forms = formsFor(of)
  const isBatches = of === 'batches' && mayMakeBatches()
  if (forms.length === 0 && !isBatches) return null
  return (
    <p class="makers">
      {forms.map(({ name, title }) => (
        <a key={name} class="button" href={href('new', name)}>
          {title}
        </a>
      ))}
      {isBatches && (
        <a class="button" href={href('new', 'batch')}>
          Batch from a file
        </a>
      )}
    </p>
  )
}

interface TurnerProps {
  readonly page: Loaded<Page>
  readonly query: ListQuery
  readonly change: (query: ListQuery) => void
}

/** The number of records, and the links to other pages. */
function Turner({ page, query, change }: TurnerProps): VNode {
  const count = page.value?.count ?? 0
  const last = Math.max(1, Math.ceil(count / query.size))
  const first = (query.page - 1) * query.size
  const shown =
    page.value === null
      ? '…'
      : count === 0
        ? 'none'
        : `${grouped(String(first + 1))}–${grouped(String(first + page.value.items.length))} of ${grouped(String(count))}`
  return (
    <div class="turner" role="group" aria-label="Pages">
      <span role="status" aria-busy={page.loading}>
        {shown}
      </span>
      <button
        type="button"
        data-key="previous"
        disabled={query.page <= 1}
        onClick={() => change({ ...query, page: query.page - 1 })}
      >
        Previous
      </button>
      <label>
        Page{' '}
        <input
          class="page-number"
          type="number"
          min={1}
          max={last}
          value={query.page}
          onChange={(event) =>
            change({ ...query, page: Math.max(1, Math.min(last, Math.floor(event.currentTarget.valueAsNumber) || 1)) })
          }
        />{' '}
        of {grouped(String(last))}
      </label>
      <button
        type="button"
        data-key="next"
        disabled={query.page >= last}
        onClick={() => change({ ...query, page: query.page + 1 })}
      >
        Next
      </button>
      <label>
        Rows{' '}
        <select
          value={query.size}
          onChange={(event) => change({ ...query, page: 1, size: Number(event.currentTarget.value) })}
        >
          {PAGE_SIZES.map((size) => (
            <option key={size}>{size}</option>
          ))}
        </select>
      </label>
      <button type="button" onClick={page.again}>
        Reload
      </button>
    </div>
  )
}

interface RowsProps {
  readonly resource: Resource
  readonly page: Page
  readonly query: ListQuery
  readonly busy?: boolean
  readonly change?: (query: ListQuery) => void
}

export function Rows({ resource, page, query, busy = false, change }: RowsProps): VNode {
  if (page.items.length === 0) return <p class="quiet nothing">There is nothing here.</p>
  return (
    <table class="rows" aria-label={resource.title} aria-busy={busy}>
      <thead>
        <tr>
          {resource.columns.map((column) => (
            <HeadCell key={column.label} column={column} query={query} change={change} />
          ))}
        </tr>
      </thead>
      <tbody>
        {page.items.map((item) => (
          <Row key={textAt(item, resource.id)} resource={resource} item={item} />
        ))}
      </tbody>
    </table>
  )
}

interface HeadCellProps {
  readonly column: Column
  readonly query: ListQuery
  readonly change: ((query: ListQuery) => void) | undefined
}

function HeadCell({ column: { label, field, shape }, query, change }: HeadCellProps): VNode {
  const className = isNumeric(shape) ? 'number' : undefined
  if (field === undefined || change === undefined) {
    return (
      <th scope="col" class={className}>
        {label}
      </th>
    )
  }
  const { sort } = query
  const sorted = sort?.field === field ? (sort.descending ? 'descending' : 'ascending') : undefined
  return (
    <th scope="col" class={className} aria-sort={sorted}>
      <button
        type="button"
        class="sorter"
        onClick={() => change({ ...query, page: 1, sort: { field, descending: sorted === 'ascending' } })}
      >
        {label}
        <span aria-hidden="true">{sorted === undefined ? '' : sorted === 'ascending' ? ' ↑' : ' ↓'}</span>
      </button>
    </th>
  )
}

function Row({ resource, item }: { resource: Resource; item: Answer }): VNode {
  const id = textAt(item, resource.id) ?? ''
  const [first, ...others] = resource.columns
  const name = nameOf(resource, item)
  return (
    <tr>
      {first !== undefined && (
        <th scope="row" data-label={first.label}>
          <a data-key="row" href={href(resource.name, id)} title={name ?? id}>
            <Shown column={first} item={item} />
          </a>
        </th>
      )}
      {others.map((column) => (
        <td key={column.label} data-label={column.label} class={isNumeric(column.shape) ? 'number' : undefined}>
          <Shown column={column} item={item} />
        </td>
      ))}
    </tr>
  )
}

function Shown({ column: { path, shape, of, to }, item }: { column: Column; item: Answer }): VNode {
  const id = to === undefined ? null : textAt(item, path)
  if (to !== undefined && id !== null) {
    return (
      <a href={href(to, id)}>
        <Cell value={id} shape={shape} />
      </a>
    )
  }
  switch (shape) {
    case 'lookup':
      return <LookedUp of={at(item, path)} />
    case 'moved':
      return <Moved of={at(item, path)} />
    case 'state':
      return <States item={item} path={path} />
    case 'sentence':
      return <Sentence of={item} />
    case 'payer':
      return <Party name={textAt(item, 'feePayerName')} address={textAt(item, 'feePayer.onchainId') ?? ''} />
    case 'sums':
      return <Sums of={listAt(item, path)} member={of ?? ''} />
    default:
      return <Cell value={at(item, path)} shape={shape} />
  }
}
