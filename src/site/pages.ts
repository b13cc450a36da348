// The pages of the site: the path of each, and the HTML file below `src/` from which it is built. A page whose file is
// missing is left out.

export interface SitePage {
  readonly path: string
  readonly entry: string
}

export const SITE_PAGES: readonly SitePage[] = [
  { path: '/console', entry: 'console/index.html' },
  { path: '/docs/reference', entry: 'reference/index.html' },
]
