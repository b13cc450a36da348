// Search for a record by id, address, signature, code, name, reference or memo.
import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { bulk, RequestRefused, type Answer, type Filter, type Page } from '../api.ts'
import { Heading } from '../records/heading.tsx'
import { Rows } from './list-page.tsx'
import { Loading, useLoaded } from '../loading.tsx'
import type { Resource } from '../resource.ts'
import { fetchNamed, RESOURCES } from '../resources.ts'
import { go, href, withQuery, type Route } from '../route.ts'
import { querySchema, type QueryField } from '../schema.ts'
import { may } from '../session.ts'
import { Text } from '../text.tsx'

const SHOWN = 10
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const BASE58 = /^[1-9A-HJ-NP-Za-km-z]{32,90}$/
/** Fields with the id or the address of the record or of its owner. */
const OWN_IDS = /^(?:offchainId|(?:escrow|nonceAccount|onchainDataSource|strategyAccount)OffchainId)$/
const OWN_ADDRESSES = /^(?:onchainId|address|(?:escrow|nonceAccount|onchainDataSource|strategyAccount|owner)OnchainId)$/
const NAMES = new Set([
  'code',
  'offchainReferenceName',
  'name',
  'externalReference',
  'memo',
  'externalId',
  'keyId',
  'nonceAccountCode',
  'accountNumber',
  'alId',
])

interface Found {
  readonly resource: Resource
  readonly page: Page
}

/** Fields of a resource in which a text can be found. */
export function searchedFields(text: string, fields: readonly QueryField[]): string[] {
  const named = (pattern: RegExp): string[] => fields.map(({ name }) => name).filter((name) => pattern.test(name))
  const texts = fields.map(({ name }) => name).filter((name) => NAMES.has(name))
  // References and memos of clients often are ids.
  if (UUID.test(text)) return [...named(OWN_IDS), ...texts]
  if (BASE58.test(text)) return [...named(OWN_ADDRESSES), ...texts]
  return texts
}

export function SearchForm({ text = '' }: { text?: string }): VNode {
  const [typed, setTyped] = useState(text)
  useEffect(() => setTyped(text), [text])
  const submit = (event: Event): void => {
    event.preventDefault()
    if (typed.trim() !== '') go(withQuery({ parts: ['search'], query: new URLSearchParams() }, { q: typed.trim() }))
  }
  return (
    <form class="search" role="search" onSubmit={submit}>
      <input
        type="search"
        aria-label="Search by id, address, signature, code, name, reference or memo"
        placeholder="Id, address, code, reference"
        dir="auto"
        maxLength={256}
        value={typed}
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
      <button type="submit">Search</button>
    </form>
  )
}

export function SearchPage({ route }: { route: Route }): VNode {
  const text = (route.query.get('q') ?? '').trim()
  const found = useLoaded(text === '' ? null : text, async (signal) => await search(text, signal))
  return (
    <>
      <Heading>Search</Heading>
      {text === '' ? (
        <p class="quiet">
          Whatever is known of a record: its id, its address, a signature, a code, a name, a reference or a memo.
        </p>
      ) : (
        <Loading of={found}>
          <p role="status">
            {found.value?.length === 0 ? 'No results for' : 'Results for'} <Text>{text}</Text>.
          </p>
          {found.value?.map(({ resource, page }) => (
            <section key={resource.name} aria-labelledby={`found-${resource.name}`}>
              <h2 id={`found-${resource.name}`}>
                <a href={href(resource.name)}>{resource.title}</a>
              </h2>
              <Rows resource={resource} page={page} query={{ conditions: [], sort: null, page: 1, size: SHOWN }} />
            </section>
          ))}
        </Loading>
      )}
    </>
  )
}

async function search(text: string, signal: AbortSignal): Promise<Found[]> {
  const asked = RESOURCES.filter(({ roles, name }) => may(...roles) && name !== 'audit')
  const found = await Promise.all(asked.map(async (resource) => await searchIn(resource, text, signal)))
  return found.filter((each) => each !== null)
}

/** Lists of holdings have no field for the id or the address of the record itself. */
async function itself({ single }: Resource, text: string, signal: AbortSignal): Promise<readonly Answer[]> {
  if (single === undefined) return []
  const lookup = UUID.test(text) ? { offchainId: text } : { onchainId: text }
  return await fetchNamed(single, lookup, signal).then(
    (item) => [item],
    (error: unknown) => {
      if (error instanceof RequestRefused && error.status !== 0) return []
      throw error
    },
  )
}

async function searchIn(resource: Resource, text: string, signal: AbortSignal): Promise<Found | null> {
  const { fields } = await querySchema(resource.path)
  const searched = searchedFields(text, fields)
  const isExact = UUID.test(text) || BASE58.test(text)
  const pages = await Promise.all(
    searched.map(async (fieldName) => {
      const value = { filterType: isExact ? 'EQUALS' : 'CONTAINS', valueString: text }
      const filter: Filter[] = [{ fieldName, filterValues: [value] }]
      return await bulk(resource.path, { filter, limit: SHOWN }, signal).catch((error: unknown) => {
        if (signal.aborted) throw error
        // A field that does not accept this text cannot contain it.
        return { count: 0, items: [] }
      })
    }),
  )
  const isListed = searched.some((name) => !NAMES.has(name) && !name.startsWith('owner'))
  const own = isExact && !isListed ? await itself(resource, text, signal) : []
  const rows = [...own, ...pages.flatMap(({ items }) => items)]
  const distinct = [...new Map(rows.map((item) => [JSON.stringify(item), item])).values()].slice(0, SHOWN)
  return distinct.length === 0 ? null : { resource, page: { count: distinct.length, items: distinct } }
}
