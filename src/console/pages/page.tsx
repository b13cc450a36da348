// Selects the page of a route. Less frequent pages are loaded on first use.
import type { ComponentType, VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { EventsPage } from './events-page.tsx'
import { mayMake } from '../forms/form-definitions.ts'
import { Heading } from '../records/heading.tsx'
import { InboxPage } from './inbox-page.tsx'
import { ListPage } from './list-page.tsx'
import { Overview } from './overview.tsx'
import type { Resource } from '../resource.ts'
import { resourceNamed } from '../resources.ts'
import type { Route } from '../route.ts'
import { SearchPage } from './search-page.tsx'
import { may } from '../session.ts'
import { SwitchesPage } from './switches-page.tsx'
import { Text } from '../text.tsx'

export function pageFor(route: Route): VNode {
  const [place, id] = route.parts
  if (place === undefined) return <Overview />
  if (place === 'events' && may('EVENTS_READ')) return <EventsPage />
  if (place === 'switches' && may('PLATFORM_ADMIN', 'TENANT_ADMIN')) return <SwitchesPage />
  if (place === 'inbox' && may('DEBIT_LIMIT_APPROVE')) return <InboxPage />
  if (place === 'search') return <SearchPage route={route} />
  if (place === 'new' && mayMake()) return <MakePage key={id ?? ''} name={id} route={route} />
  const resource = resourceNamed(place)
  if (resource === undefined || !may(...resource.roles)) return <Nowhere place={place} />
  return id === undefined ? (
    <ListPage key={place} resource={resource} route={route} />
  ) : (
    <RecordPage key={`${place}/${id}`} resource={resource} id={id} />
  )
}

/** The same page for what does not exist and what this key may not read. */
function Nowhere({ place }: { place: string }): VNode {
  return (
    <>
      <Heading>Nothing here</Heading>
      <p>
        There is no page <Text>{place}</Text> for this key.
      </p>
    </>
  )
}

type MakePageType = ComponentType<{ name: string | undefined; route: Route }>

let loadedMake: MakePageType | null = null

function MakePage(given: { name: string | undefined; route: Route }): VNode {
  const [Page, setPage] = useState<MakePageType | null>(() => loadedMake)
  useEffect(() => {
    if (Page !== null) return
    void import('../forms/make-page.tsx').then(({ MakePage: page }) => {
      loadedMake = page
      setPage(() => page)
    })
  }, [])
  return Page === null ? <p class="quiet">Loading…</p> : <Page {...given} />
}

type RecordPageType = ComponentType<{ resource: Resource; id: string }>

let loaded: RecordPageType | null = null

function RecordPage(given: { resource: Resource; id: string }): VNode {
  const [Page, setPage] = useState<RecordPageType | null>(() => loaded)
  useEffect(() => {
    if (Page !== null) return
    void import('./record-page.tsx').then(({ RecordPage: page }) => {
      loaded = page
      setPage(() => page)
    })
  }, [])
  return Page === null ? <p class="quiet">Loading…</p> : <Page {...given} />
}
