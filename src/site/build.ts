// Builds the site: Vite bundles the pages, the files are compressed once, and the folder gets its name when it is
// complete. Older builds are kept for a day, because a service that was started earlier may still serve them.
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build } from 'vite'
import { SITE_PAGES } from './pages.ts'
import { PROJECT } from '../config/programs.ts'
import { BUILDS, currentBuild, PREFIX } from './release.ts'

const COMPRESSIBLE = /\.(?:html|js|css|svg|json)$/
const KEPT_MS = 24 * 3_600_000

/** Does nothing if the build exists. Throws Vite's error for sources that cannot be bundled. */
export async function buildSite(): Promise<void> {
  const final = currentBuild()
  if (existsSync(final)) return
  const unfinished = `${final}.${process.pid}`
  await mkdir(BUILDS, { recursive: true })
  try {
    await bundle(unfinished)
    await compress(unfinished)
    await rename(unfinished, final)
  } catch (error) {
    // Another process was faster: it is the same build.
    if (!existsSync(final)) throw error
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
  await clear(final)
}

async function bundle(outDir: string): Promise<void> {
  const src = join(PROJECT, 'src')
  await build({
    configFile: false,
    envDir: false,
    publicDir: false,
    root: src,
    logLevel: 'error',
    clearScreen: false,
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2022',
      // The content security policy of the pages allows files of the service only: nothing is inlined.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      chunkSizeWarningLimit: 4_000,
      rolldownOptions: { input: SITE_PAGES.map(({ entry }) => join(src, entry)).filter((entry) => existsSync(entry)) },
    },
  })
}

async function compress(folder: string): Promise<void> {
  const files = (await readdir(folder, { recursive: true }))
    .filter((name) => COMPRESSIBLE.test(name))
    .map((name) => join(folder, name))
  await Promise.all(
    files.map(async (file) => {
      const bytes = await readFile(file)
      const params = { [constants.BROTLI_PARAM_QUALITY]: 9 }
      await writeFile(`${file}.br`, await promisify(brotliCompress)(bytes, { params }))
      await writeFile(`${file}.gz`, await promisify(gzip)(bytes))
    }),
  )
}

async function clear(current: string): Promise<void> {
  for (const name of (await readdir(BUILDS)).filter((each) => each.startsWith(PREFIX))) {
    const path = join(BUILDS, name)
    const found = await stat(path).catch(() => null)
    if (path === current || found === null || Date.now() - found.mtimeMs < KEPT_MS) continue
    await rm(path, { recursive: true, force: true })
  }
}
