import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import {
  branchesProject,
  changesProject,
  historyProject,
  measuredFile,
  measuredProject,
} from '../data/measured.ts'
import { median } from '../measure/pairs.ts'
import { openSession, pathOfProject, session } from '../measure/web-pages.ts'
import { startCgit, startStithy, type Target } from '../servers.ts'
import { hasCgit, writeCgitConfig } from './cgit.ts'

/** One page as a browser shows it, by cgit and by Stithy. */
export interface BrowserPageFigures {
  name: string
  cgit: PageTimes
  stithy: PageTimes
}

/** Medians of several loads of a page whose style and script are cached. */
export interface PageTimes {
  /** Milliseconds from the navigation to the last byte of the markup. */
  received: number
  /** To the first paint with content. */
  painted: number
  /** To the end of the load event. */
  loaded: number
  /** Bytes of everything that was received. */
  bytes: number
  /** The score of layout shifts: 0 if nothing moved while loading. */
  shift: number
}

const executablePath = '/usr/bin/chromium'
const loads = 12

interface PagePair {
  name: string
  cgit: string
  stithy: string
}

/** Loads the same pages of the same repositories in Chromium, of cgit and of Stithy, in turn. */
export async function measureBrowserPages(folder: string): Promise<BrowserPageFigures[]> {
  if (!hasCgit) throw new Error('cgit is not installed: apt-get install cgit')
  openSession(folder)
  const work = await mkdtemp(join(tmpdir(), 'stithy-browser-pages-'))
  const config = join(work, 'cgitrc')
  const projects = {
    measured: measuredProject.id,
    history: historyProject,
    branches: branchesProject,
    changes: changesProject,
  }
  writeCgitConfig(config, folder, projects)
  const started = await Promise.allSettled([startCgit(config), startStithy(folder)])
  try {
    const [cgit, stithy] = started.map((outcome) => {
      if (outcome.status === 'rejected') throw outcome.reason
      return outcome.value
    })
    if (cgit === undefined || stithy === undefined) throw new Error('A server did not start')
    const pairs = await listPairs(stithy)
    const context = await chromium.launchPersistentContext(join(work, 'profile'), {
      executablePath,
      args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    })
    try {
      return await measureAll(context, pairs, { cgit, stithy })
    } finally {
      await context.close()
    }
  } finally {
    for (const outcome of started) if (outcome.status === 'fulfilled') await outcome.value.stop()
    await rm(work, { recursive: true, force: true })
  }
}

async function listPairs(stithy: Target): Promise<PagePair[]> {
  const [code, long, branches, changes] = await Promise.all(
    [measuredProject.id, historyProject, branchesProject, changesProject].map((id) =>
      pathOfProject(stithy, id),
    ),
  )
  return [
    { name: 'project', cgit: '/measured/', stithy: `${code}` },
    { name: 'folder', cgit: '/measured/tree/src?h=main', stithy: `${code}/-/tree/main/src` },
    {
      name: 'file',
      cgit: `/measured/tree/${measuredFile}?h=main`,
      stithy: `${code}/-/blob/main/${measuredFile}`,
    },
    {
      name: 'blame',
      cgit: `/measured/blame/${measuredFile}?h=main`,
      stithy: `${code}/-/blame/main/${measuredFile}`,
    },
    { name: 'commits', cgit: '/history/log/?h=main', stithy: `${long}/-/commits/main` },
    {
      name: 'diff of many files',
      cgit: '/changes/commit/?h=large',
      stithy: `${changes}/-/commit/large`,
    },
    { name: 'branches', cgit: '/branches/refs/', stithy: `${branches}/-/branches` },
  ]
}

async function measureAll(
  context: BrowserContext,
  pairs: readonly PagePair[],
  { cgit, stithy }: { cgit: Target; stithy: Target },
): Promise<BrowserPageFigures[]> {
  await context.addCookies([
    { name: '_service_session', value: session.cookie, url: stithy.url, httpOnly: true },
  ])
  const page = await context.newPage()
  const figures: BrowserPageFigures[] = []
  for (const { name, cgit: other, stithy: own } of pairs) {
    process.stderr.write(`measuring ${name} in a browser\n`)
    const times: Record<'cgit' | 'stithy', PageTimes[]> = { cgit: [], stithy: [] }
    // The first load of each is not counted.
    for (let round = -1; round < loads; round += 1) {
      const first = await loadPage(page, cgit.url + other)
      const second = await loadPage(page, stithy.url + own)
      if (round < 0) continue
      times.cgit.push(first)
      times.stithy.push(second)
    }
    figures.push({ name, cgit: medians(times.cgit), stithy: medians(times.stithy) })
  }
  return figures
}

async function loadPage(page: Page, address: string): Promise<PageTimes> {
  const response = await page.goto(address, { waitUntil: 'load' })
  if (response?.status() !== 200) throw new Error(`${address} answers ${response?.status()}`)
  return page.evaluate(readTimes)
}

/** What the page's own global scope has, which the types of Node.js lack. */
interface BrowserScope {
  performance: {
    getEntriesByType: (type: string) => Partial<TimingEntry>[]
    getEntriesByName: (name: string) => TimingEntry[]
  }
  PerformanceObserver: new (
    listen: (list: { getEntries: () => { value: number }[] }) => void,
  ) => { observe: (options: { type: string; buffered: boolean }) => void }
  requestAnimationFrame: (callback: () => void) => void
}

interface TimingEntry {
  startTime: number
  responseEnd: number
  loadEventEnd: number
  transferSize: number
}

/** Evaluated in the page, once it has loaded and painted: it may use nothing of this file. */
function readTimes(): Promise<PageTimes> {
  const { performance, PerformanceObserver, requestAnimationFrame } =
    globalThis as unknown as BrowserScope
  let shift = 0
  const observer = new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) shift += value
  })
  observer.observe({ type: 'layout-shift', buffered: true })
  return new Promise((resolve) => {
    const read = () => {
      const [navigation] = performance.getEntriesByType('navigation')
      const [paint] = performance.getEntriesByName('first-contentful-paint')
      const { responseEnd: received, loadEventEnd: loaded, transferSize = 0 } = navigation ?? {}
      if (received === undefined || paint === undefined || !loaded) {
        requestAnimationFrame(read)
        return
      }
      const files = performance.getEntriesByType('resource')
      const bytes = files.reduce((sum, { transferSize: size = 0 }) => sum + size, transferSize)
      resolve({ received, painted: paint.startTime, loaded, bytes, shift })
    }
    read()
  })
}

function medians(times: readonly PageTimes[]): PageTimes {
  const of = (name: keyof PageTimes) => median(times.map((each) => each[name]))
  return {
    received: of('received'),
    painted: of('painted'),
    loaded: of('loaded'),
    bytes: of('bytes'),
    shift: of('shift'),
  }
}
