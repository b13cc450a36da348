// The pages of the site: the path each is served at, and the HTML file it is built from, below `src/`. A page that is
// not there is left out.

export interface SitePage {
  readonly path: string
  readonly entry: string
}

export const SITE_PAGES: readonly SitePage[] = [
  { path: '/console', entry: 'console/index.html' },
  { path: '/docs/reference', entry: 'reference/index.html' },
]
