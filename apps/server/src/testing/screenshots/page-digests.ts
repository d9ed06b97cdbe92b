import { hash } from 'node:crypto'
import { openBrowser } from '../clients/browser.ts'
import type { Sample } from './sample-data.ts'

/** The pages of which there are pictures, by the names of these. */
export const pictured = {
  home: '/',
  explore: '/explore',
  search: '/search?search=station&scope=blobs',
  group: '/harbor',
  project: '/harbor/tides',
  file: '/harbor/tides/-/blob/main/src/heights.js',
  blame: '/harbor/tides/-/blame/main/src/heights.js',
  commit: '/harbor/tides/-/commit/n2',
  issues: '/harbor/tides/-/issues',
  issue: '/harbor/tides/-/issues/3',
  board: '/harbor/tides/-/boards',
  'merge-request': '/harbor/tides/-/merge_requests/1',
  changes: '/harbor/tides/-/merge_requests/1/diffs',
  wiki: '/harbor/tides/-/wikis/home',
  administration: '/admin/users',
} as const

export type Pictured = keyof typeof pictured

/** What the pictures were made of: digests of the style sheet and of the markup of each page. */
export interface PageDigests {
  style: string
  pages: Record<string, string>
}

type Send = ReturnType<typeof openBrowser>['send']

/** Signs the viewer in, and returns the cookies. */
export async function signedIn({
  server,
  viewer,
}: Sample): Promise<ReturnType<typeof openBrowser>> {
  const browser = openBrowser(server)
  await browser.signIn(viewer.username, viewer.password)
  return browser
}

/** Reads the pictured pages and the style sheet. */
export async function digestPages(sample: Sample): Promise<PageDigests> {
  const { send } = await signedIn(sample)
  const pages: Record<string, string> = {}
  let style = ''
  for (const [name, path] of Object.entries(pictured)) {
    const text = await readSettled(send, path)
    pages[name] = digest(constantPart(text))
    style = /<link rel="stylesheet" href="([^"]+)"/.exec(text)?.[1] ?? ''
  }
  return { style: digest((await send('GET', style)).text), pages }
}

/**
 * A page once it is the same twice: what takes a busy server too long, such as the last commits of files, is left
 * out at first, and there when the page is asked again.
 */
async function readSettled(send: Send, path: string): Promise<string> {
  let last: string | undefined
  for (;;) {
    const { status, text } = await send('GET', path)
    if (status !== 200) throw new Error(`${path} answers ${status}`)
    if (last !== undefined && constantPart(text) === constantPart(last)) return text
    last = text
  }
}

/**
 * A page without what differs each time: tokens of forms, random ids of threads, and names of the style sheet,
 * which has a digest of its own, and of the script, which pictures are made without.
 */
function constantPart(markup: string): string {
  const page = markup
    .replace(/(name="csrf-token" content|name="authenticity_token" value)="[^"]*"/g, '$1=""')
    .replace(/\/-\/assets\/web-[0-9a-f]+\./g, '/-/assets/web.')
  const threads = new Set(page.match(/(?<= id="discussion_)[0-9a-f]{40}/g))
  return [...threads].reduce(
    // Names of fields have the beginning of the id.
    (text, id, index) => text.replaceAll(id, `${index}`).replaceAll(id.slice(0, 12), `${index}`),
    page,
  )
}

function digest(text: string): string {
  return hash('sha256', text, 'hex').slice(0, 16)
}
