// The layout of Swagger UI on the page: its list of operations and the authorization, under the heading of the page.
// Omitted is what the page shows itself, and what a screen reader cannot follow: a main part within the main part, and
// links within buttons.
type Component = (props: Readonly<Record<string, unknown>>) => unknown

/** As much of Swagger UI as a plugin of it uses here. */
interface System {
  readonly React: {
    readonly createElement: (type: unknown, props: object | null, ...children: readonly unknown[]) => unknown
  }
}

interface LayoutProps {
  readonly getComponent: (name: string, connected?: boolean) => unknown
  readonly specSelectors: { loadingStatus(): string }
}

export const LAYOUT = 'WithinPage'

export function layout({ React: { createElement } }: System): object {
  const WithinPage = ({ getComponent, specSelectors }: LayoutProps): unknown => {
    const parts = ['AuthorizeBtnContainer', 'FilterContainer', 'errors', 'operations']
    const isThere = specSelectors.loadingStatus() === 'success'
    return createElement(
      'div',
      { className: 'swagger-ui' },
      createElement(getComponent('SvgAssets'), null),
      createElement('h2', null, 'Operations'),
      ...(isThere
        ? parts.map((name) => createElement(getComponent(name, true), null))
        : [createElement('p', { role: 'status' }, 'Loading …')]),
    )
  }
  const Words: Component = ({ text }) => createElement('span', null, text)
  return { components: { [LAYOUT]: WithinPage }, wrapComponents: { DeepLink: () => Words } }
}
