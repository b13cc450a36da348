// Corrects what Swagger UI renders for users of keyboards and screen readers: names of fields and buttons, keyboard
// access to scrolling parts, and headings without gaps. Applied to every element as it is added to the page.
function mend(root: HTMLElement): void {
  const all = (selector: string, each: (element: HTMLElement) => void): void =>
    root.querySelectorAll<HTMLElement>(selector).forEach(each)
  const set =
    (name: string, value: string) =>
    (element: HTMLElement): void => {
      if (element.getAttribute(name) !== value) element.setAttribute(name, value)
    }
  all('pre, .table-container, .renderedMarkdown table', set('tabindex', '0'))
  all('select, textarea, input:not([type=file])', (field) => {
    if (
      field.closest('label') !== null ||
      (field.id !== '' && root.querySelector(`label[for="${CSS.escape(field.id)}"]`) !== null)
    )
      return
    set('aria-label', nameOf(field))(field)
  })
  // Of no name of its own, and there once for each endpoint that is open.
  all('[role=region]', set('role', 'group'))
  all('.close-modal', set('aria-label', 'Close'))
  // Their own words say it.
  all('.modal-btn[aria-label]', (button) => button.removeAttribute('aria-label'))
  all('h5, h6', set('aria-level', '4'))
  all('h5, h6', set('role', 'heading'))
}

function nameOf(field: HTMLElement): string {
  const parameter = field.closest<HTMLElement>('[data-param-name]')?.dataset['paramName']
  if (parameter !== undefined) return parameter
  if (field.classList.contains('operation-filter-input')) return 'Filter by tag'
  if (field.classList.contains('body-param__text')) return 'Request body'
  return field.closest('.responses-wrapper, .response') === null
    ? 'Content type of the body'
    : 'Content type of the answer'
}

/** From now on. */
export function keepMended(root: HTMLElement): void {
  mend(root)
  new MutationObserver(() => mend(root)).observe(root, { childList: true, subtree: true })
}
