// The state machine of a record, drawn by the service from its definition, with the current state highlighted.
import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { beside } from '../api.ts'
import { Loading, useLoaded } from '../loading.tsx'

/** @param reading the state, as far as the answer shows it */
export function Machine({ kind, reading }: { kind: string; reading: string | null }): VNode {
  const drawing = useLoaded(kind, async (signal) => await drawingOf(kind, signal))
  const place = useRef<HTMLDivElement>(null)
  const [whole, setWhole] = useState(false)
  // Only a state that the machine has.
  const isDrawn = reading !== null && drawing.value?.querySelector(`[data-state="${CSS.escape(reading)}"]`) != null
  const state = isDrawn ? reading : null
  useEffect(() => {
    const { value } = drawing
    if (place.current === null || value === null) return
    const svg = document.importNode(value, true)
    if (state !== null) svg.querySelector(`[data-state="${CSS.escape(state)}"]`)?.classList.add('current')
    place.current.replaceChildren(svg)
    show(place.current, svg.querySelector('.current'))
  }, [drawing.value, state, whole])
  return (
    <section aria-labelledby="machine-title">
      <h2 id="machine-title">State machine</h2>
      <Loading of={drawing}>
        <p>
          {state === null ? (
            'The state of this record is not available here.'
          ) : (
            <>
              It is in the state <strong>{state}</strong>.
            </>
          )}{' '}
          <button type="button" class="small" aria-pressed={whole} onClick={() => setWhole(!whole)}>
            Fit to the page
          </button>
        </p>
        <div
          ref={place}
          class={whole ? 'machine-drawing whole' : 'machine-drawing'}
          tabIndex={0}
          role="group"
          aria-label="Drawing of the state machine"
        />
      </Loading>
    </section>
  )
}

/** Moves the part of the drawing with the state into view, and not the page. */
function show(place: HTMLElement, state: Element | null): void {
  if (state === null) return
  const [outer, inner] = [place.getBoundingClientRect(), state.getBoundingClientRect()]
  place.scrollTo(
    place.scrollLeft + inner.left - outer.left - (outer.width - inner.width) / 2,
    place.scrollTop + inner.top - outer.top - (outer.height - inner.height) / 2,
  )
}

async function drawingOf(kind: string, signal: AbortSignal): Promise<SVGElement> {
  const response = await beside(`/docs/machines/${kind}.svg`, signal)
  if (!response.ok) throw new Error('the drawing is not there')
  const { documentElement } = new DOMParser().parseFromString(await response.text(), 'image/svg+xml')
  if (documentElement.nodeName !== 'svg') throw new Error('the drawing cannot be read')
  return documentElement as unknown as SVGElement
}
