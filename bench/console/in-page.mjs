// Runs in the page and uses its clock: turns pages of a list, and requests the same pages from the service directly. A
// page turn begins with the click on "Next" and ends when the frame with the new rows has been drawn.

/** Pause between two page turns. It varies, so that the turns begin at different times within a frame. */
const PAUSE_MS = 10
const FRAME_MS = 17
const STEP_MS = 7
const MAX_MS = 60_000

/** Identifies the shown page of the list by its range and first row. null while a page is loading. */
function mark() {
  const status = document.querySelector('.turner [role="status"]')
  const table = document.querySelector('table.rows')
  if (status?.getAttribute('aria-busy') !== 'false' || table?.getAttribute('aria-busy') !== 'false') return null
  return `${status.textContent} ${table.querySelector('[data-key="row"]').getAttribute('href')}`
}

/** Calls `act`, which opens another page of the list, and waits for its rows. */
function turnPage(act) {
  return new Promise((resolve, reject) => {
    const before = mark()
    let startedAt = 0
    const observer = new MutationObserver(() => {
      const now = mark()
      if (now === null || now === before) return
      observer.disconnect()
      const insertedMs = performance.now() - startedAt
      requestAnimationFrame(() => {
        // The message arrives in the first task after the frame.
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => resolve({ insertedMs, tookMs: performance.now() - startedAt })
        port2.postMessage(null)
      })
    })
    observer.observe(document.querySelector('main'), {
      subtree: true,
      childList: true,
      characterData: true,
      attributes: true,
    })
    setTimeout(() => reject(new Error('the page does not show another page of the list')), MAX_MS)
    startedAt = performance.now()
    act()
  })
}

function shownPage() {
  const [, ...rows] = document.querySelector('table.rows').rows
  return {
    range: document.querySelector('.turner [role="status"]').textContent,
    rows: rows.map((row) => ({
      id: decodeURIComponent(row.querySelector('[data-key="row"]').getAttribute('href').split('/').at(-1)),
      ...Object.fromEntries([...row.cells].map((cell) => [cell.dataset.label, cell.textContent])),
    })),
  }
}

const pause = (number) => new Promise((resolve) => setTimeout(resolve, PAUSE_MS + ((number * STEP_MS) % FRAME_MS)))

globalThis.bench = {
  /** Opens a page of the list by its address. Resolves with the time in milliseconds. */
  async arrive(hash) {
    if (location.hash === hash) return 0
    return (await turnPage(() => (location.hash = hash))).tookMs
  },

  async turns(count) {
    const all = []
    for (let number = 0; number < count; number += 1) {
      await pause(number)
      const next = document.querySelector('[data-key="next"]')
      if (next.disabled) throw new Error('there is no next page')
      all.push({ ...(await turnPage(() => next.click())), ...shownPage() })
    }
    return all
  },

  /** Sends the console's requests without the console. Each ends when the answer has been read. */
  async asks({ path, apiKey, bodies }) {
    const all = []
    for (const [number, body] of bodies.entries()) {
      await pause(number)
      const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
      const startedAt = performance.now()
      const response = await fetch(path, { method: 'POST', headers, body, redirect: 'error', credentials: 'omit' })
      const text = await response.text()
      all.push({ tookMs: performance.now() - startedAt, text })
    }
    return all
  },
}
