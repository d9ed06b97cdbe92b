import { setImmediate } from 'node:timers/promises'
import {
  compareWikiFiles,
  DomainError,
  normalizePath,
  notFound,
  usualWikiPaths,
  wikiFileOf,
  wikiFolder,
} from '@stithy/core'
import { findEntry, listTree, readObject, type TreeEntry, walkBlobs } from '@stithy/git'
import type { App } from '../../platform/app.ts'
import type { RepositoryLocation } from '../../platform/repositories/repository-location.ts'
import { codeLimitsOf } from '../../platform/settings/code-settings.ts'
import type { ListedPage, ReadWikiPage, WikiPageEntry } from './wiki-page.ts'
import { openWiki, type Wiki } from './wiki-repository.ts'

/** Entries of a folder that are looked at in one go. */
const chunk = 2000

function isFile({ mode }: Pick<TreeEntry, 'mode'>): boolean {
  return mode.startsWith('100')
}

/**
 * Lists all pages of a wiki by title; of files with the same slug the first one.
 * @throws DomainError `payload_too_large` for more than the limit, GitError
 */
export async function listWikiPages(
  app: App,
  project: RepositoryLocation,
  { withContent = false }: { withContent?: boolean } = {},
): Promise<ListedPage[]> {
  const wiki = await openWiki(app, project)
  if (wiki.head === undefined) return []
  const { maxPages, maxContentBytes } = app.config.codeLimits.wiki
  const { pages, bytes, overflow } = await readWikiFiles(app, wiki, wiki.head)
  if (overflow) {
    throw new DomainError('payload_too_large', {
      message: `The wiki has more than ${maxPages} pages, which is too many for a list`,
    })
  }
  const listed = byTitle(pages)
  if (!withContent) return listed
  if (bytes > maxContentBytes) {
    throw new DomainError('payload_too_large', {
      message: `The pages have ${bytes} bytes, which is too large for one response`,
    })
  }
  const read: ListedPage[] = []
  for (const page of listed) read.push(await readWikiPage(app, wiki, page))
  return read
}

/** The pages of a commit, in no particular order. */
export interface WikiFiles {
  pages: WikiPageEntry[]
  /** Bytes of their contents. */
  bytes: number
  /** Whether there are more than the limit: then some are missing. */
  overflow: boolean
}

/** Reads which pages a commit of a wiki has: one git process. @throws GitError */
export async function readWikiFiles(
  app: App,
  { repository }: Wiki,
  commit: string,
): Promise<WikiFiles> {
  const { maxPages } = app.config.codeLimits.wiki
  const files: WikiFiles = { pages: [], bytes: 0, overflow: false }
  await walkBlobs(app.git, repository, commit, {
    limits: codeLimitsOf(app).tree,
    visit({ path, oid, size, mode }) {
      const file = isFile({ mode }) ? wikiFileOf(path) : undefined
      if (file === undefined) return
      files.bytes += size
      if (files.pages.length < maxPages) files.pages.push({ ...file, oid })
      else files.overflow = true
    },
  })
  return files
}

function byTitle(pages: readonly WikiPageEntry[]): WikiPageEntry[] {
  const bySlug = new Map<string, WikiPageEntry>()
  for (const page of pages) {
    const other = bySlug.get(page.slug)
    if (other === undefined || compareWikiFiles(page, other) < 0) bySlug.set(page.slug, page)
  }
  return [...bySlug.values()].sort((one, other) => {
    if (one.title !== other.title) return one.title < other.title ? -1 : 1
    return one.slug < other.slug ? -1 : 1
  })
}

/** Reads the content of a page. @throws GitError `output_limit` for one of over 8 MiB */
export async function readWikiPage(
  app: App,
  { repository }: Wiki,
  page: WikiPageEntry,
): Promise<ReadWikiPage> {
  const object = await readObject(app.git, repository, page.oid)
  if (object === undefined) throw notFound('Wiki Page')
  return { ...page, content: object.content.toString('utf8') }
}

/** Finds a page with its content. @throws DomainError `not_found`, GitError */
export async function requireWikiPage(
  app: App,
  project: RepositoryLocation,
  slug: string,
): Promise<ReadWikiPage> {
  const wiki = await openWiki(app, project)
  const page = await findWikiPage(app, wiki, slug)
  if (page === undefined) throw notFound('Wiki Page')
  return readWikiPage(app, wiki, page)
}

/** Finds a page by its slug, in the case in which it is spelled. */
export async function findWikiPage(
  app: App,
  wiki: Wiki,
  slug: string,
): Promise<WikiPageEntry | undefined> {
  const { repository, head } = wiki
  if (head === undefined || slug === '' || normalizePath(slug) !== slug) return undefined
  for (const path of usualWikiPaths(slug)) {
    const entry = await findEntry(app.git, repository, head, path)
    const page = entry && pageOf(entry)
    if (page?.slug === slug) return page
  }
  const pages = await pagesWhere(app, wiki, wikiFolder(slug), (page) => page.slug === slug)
  return pages.sort(compareWikiFiles)[0]
}

/** Whether a page of the same folder has a slug, in whatever case, apart from one page. */
export async function isSlugTaken(
  app: App,
  wiki: Wiki,
  slug: string,
  except?: WikiPageEntry,
): Promise<boolean> {
  const lower = slug.toLowerCase()
  const isSame = (page: WikiPageEntry) =>
    page.slug.toLowerCase() === lower && page.path !== except?.path
  return (await pagesWhere(app, wiki, wikiFolder(slug), isSame)).length > 0
}

/** The pages of one folder that match; others get their turn while a large one is searched. */
async function pagesWhere(
  app: App,
  { repository, head: commit }: Wiki,
  path: string,
  matches: (page: WikiPageEntry) => boolean,
): Promise<WikiPageEntry[]> {
  const found: WikiPageEntry[] = []
  if (commit === undefined) return found
  for (let skip = 0; ; skip += chunk) {
    const listed = await listTree(app.git, repository, { commit, path, skip, limit: chunk })
    const pages = listed?.entries.flatMap((entry) => pageOf(entry) ?? []) ?? []
    found.push(...pages.filter(matches))
    if (skip + chunk >= (listed?.total ?? 0)) return found
    await setImmediate()
  }
}

function pageOf(entry: TreeEntry): WikiPageEntry | undefined {
  const file = isFile(entry) ? wikiFileOf(entry.path) : undefined
  return file && { ...file, oid: entry.oid }
}
