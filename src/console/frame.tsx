// The frame of every page: navigation, identity, and the page itself. Navigation moves the focus to the heading of the
// new page, so that screen readers announce it.
import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Banner } from './banner.tsx'
import { ConfirmDialog } from './forms/confirm.tsx'
import { EventFeed } from './event-feed.ts'
import { mayMake } from './forms/form-definitions.ts'
import { UnansweredRequests } from './forms/unanswered.tsx'
import { HelpDialog } from './help.tsx'
import { watchKeys } from './keyboard.ts'
import { Mark } from './mark.tsx'
import { Notices } from './notices.tsx'
import { pageFor } from './pages/page.tsx'
import { RESOURCES } from './resources.ts'
import { href, useRoute } from './route.ts'
import { SearchForm } from './pages/search-page.tsx'
import { may, type Session } from './session.ts'
import { Switches } from './switches.ts'
import { Who } from './who.tsx'

interface Place {
  readonly name: string
  readonly title: string
}

function places(): readonly (readonly [group: string, places: readonly Place[]])[] {
  const listed = RESOURCES.filter(({ roles }) => may(...roles)).map(({ name, title }) => ({ name, title }))
  const among = (...names: readonly string[]): Place[] => listed.filter(({ name }) => names.includes(name))
  const administration = ['organizations', 'keys', 'webhooks', 'audit']
  return [
    [
      'Now',
      [
        { name: '', title: 'Overview' },
        ...(mayMake() ? [{ name: 'new', title: 'New' }] : []),
        ...(may('DEBIT_LIMIT_APPROVE') ? [{ name: 'inbox', title: 'Inbox' }] : []),
        ...(may('EVENTS_READ') ? [{ name: 'events', title: 'Live events' }] : []),
        ...(may('PLATFORM_ADMIN', 'TENANT_ADMIN') ? [{ name: 'switches', title: 'Switches' }] : []),
      ],
    ],
    ['Records', listed.filter(({ name }) => !administration.includes(name))],
    ['Administration', among(...administration)],
  ]
}

export function Frame({ session }: { session: Session }): VNode {
  const route = useRoute()
  const [open, setOpen] = useState(false)
  const main = useRef<HTMLElement>(null)
  const here = route.parts.join('/')
  const first = useRef(true)
  useEffect(() => watchKeys(), [])
  useEffect(() => EventFeed.follow(), [session])
  useEffect(() => Switches.follow(), [session])
  useEffect(() => {
    setOpen(false)
    const heading = main.current?.querySelector<HTMLElement>('h1')
    if (heading === null || heading === undefined) return
    document.title = `${heading.textContent} · Holdfast console`
    if (!first.current) heading.focus()
    first.current = false
    scrollTo(0, 0)
  }, [here])
  const { identity, scope } = session
  return (
    <div class="frame">
      <a
        class="skip"
        href="#main"
        onClick={(event) => (event.preventDefault(), main.current?.querySelector('h1')?.focus())}
      >
        Skip to the page
      </a>
      <header class="top">
        <a class="brand" href={href()}>
          <Mark /> Holdfast
        </a>
        <button
          type="button"
          class="menu-button"
          aria-expanded={open}
          aria-controls="places"
          onClick={() => setOpen(!open)}
        >
          Menu
        </button>
        <SearchForm text={route.parts[0] === 'search' ? (route.query.get('q') ?? '') : ''} />
        <a class="documentation" href="/docs">
          Documentation
        </a>
        <Who session={session} />
      </header>
      <Places open={open} here={route.parts[0] ?? ''} />
      <main
        id="main"
        ref={main}
        key={`${scope.organization ?? identity.organizationExternalId} ${scope.cluster ?? ''}`}
      >
        <Banner />
        <UnansweredRequests />
        {pageFor(route)}
      </main>
      <Notices />
      <ConfirmDialog />
      <HelpDialog />
    </div>
  )
}

function Places({ open, here }: { open: boolean; here: string }): VNode {
  return (
    <nav id="places" class={open ? 'places open' : 'places'} aria-label="Places">
      {places().map(
        ([group, list]) =>
          list.length > 0 && (
            <section key={group}>
              <h2>{group}</h2>
              <ul>
                {list.map(({ name, title }) => (
                  <li key={name}>
                    <a href={href(...(name === '' ? [] : [name]))} aria-current={here === name ? 'page' : undefined}>
                      {title}
                    </a>
                  </li>
                ))}
              </ul>
            </section>
          ),
      )}
    </nav>
  )
}
