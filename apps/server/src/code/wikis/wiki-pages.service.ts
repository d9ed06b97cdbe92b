import {
  compareWikiFiles,
  DomainError,
  normalizePath,
  notFound,
  usualWikiPaths,
  wikiFileOf,
} from '@stithy/core'
import { collectBlobs, findEntry, isLimit, readObject } from '@stithy/git'
import type { App } from '../../platform/app.ts'
import type { RepositoryLocation } from '../../platform/repositories/repository-location.ts'
import { codeLimitsOf } from '../../platform/settings/code-settings.ts'
import { type ListedPage, type ReadWikiPage, type WikiPageEntry, wikiText } from './wiki-page.ts'
import { openWiki, type Wiki } from './wiki-repository.ts'

/**
 * Lists all pages of a wiki by title; of files with the same slug the first one.
 * @throws DomainError `payload_too_large` for more than the limit, GitError
 */
export async function listWikiPages(
  app: App,
  project: RepositoryLocation,
  { withContent = false }: { withContent?: boolean } = {},
): Promise<readonly ListedPage[]> {
  const wiki = await openWiki(app, project)
  if (wiki.head === undefined) return []
  const { maxPages, maxContentBytes } = app.config.codeLimits.wiki
  const files = await readWikiFiles(app, wiki, wiki.head)
  if (files.overflow) {
    throw new DomainError('payload_too_large', {
      message: `The wiki has more than ${maxPages} pages, which is too many for a list`,
    })
  }
  const { byTitle } = indexOf(files)
  if (!withContent) return byTitle
  if (files.bytes > maxContentBytes) {
    throw new DomainError('payload_too_large', {
      message: `The pages have ${files.bytes} bytes, which is too large for one response`,
    })
  }
  const read: ListedPage[] = []
  for (const page of byTitle) read.push(await readWikiPage(app, wiki, page))
  return read
}

/** The files of the pages of a commit; shared by all who read them. */
export interface WikiFiles {
  pages: WikiPageEntry[]
  /** Bytes of their contents. */
  bytes: number
  /** Whether there are more than the limit: then some are missing. */
  overflow: boolean
}

/** Bytes of a page in memory, besides its path. */
const pageBytes = 500

/** Reads which pages a commit of a wiki has: one git process, once. @throws GitError */
export function readWikiFiles(
  app: App,
  { repository }: Wiki,
  commit: string,
): Promise<Readonly<WikiFiles>> {
  const { maxPages } = app.config.codeLimits.wiki
  return collectBlobs(app.git, repository, commit, {
    name: `wiki ${maxPages}`,
    limits: codeLimitsOf(app).tree,
    create: (): WikiFiles => ({ pages: [], bytes: 0, overflow: false }),
    add(files, entry) {
      const page = pageOf(entry)
      if (page === undefined) return true
      files.overflow = files.pages.length === maxPages
      if (files.overflow) return false
      files.bytes += entry.size
      files.pages.push(page)
      return true
    },
    sizeOf: ({ pages }) => pages.reduce((sum, { path }) => sum + pageBytes + 6 * path.length, 1000),
  })
}

/** The pages of a wiki without files that another one hides. */
interface WikiIndex {
  byTitle: readonly WikiPageEntry[]
  bySlug: ReadonlyMap<string, WikiPageEntry>
}

const indexes = new WeakMap<Readonly<WikiFiles>, WikiIndex>()

function indexOf(files: Readonly<WikiFiles>): WikiIndex {
  const known = indexes.get(files)
  if (known !== undefined) return known
  const bySlug = new Map<string, WikiPageEntry>()
  for (const page of files.pages) {
    const other = bySlug.get(page.slug)
    if (other === undefined || compareWikiFiles(page, other) < 0) bySlug.set(page.slug, page)
  }
  const byTitle = [...bySlug.values()].sort((one, other) => {
    if (one.title !== other.title) return one.title < other.title ? -1 : 1
    return one.slug < other.slug ? -1 : 1
  })
  const index = { byTitle, bySlug }
  indexes.set(files, index)
  return index
}

/** Reads the content of a page. @throws GitError `output_limit` for one of over 8 MiB */
export async function readWikiPage(
  app: App,
  { repository }: Wiki,
  page: WikiPageEntry,
): Promise<ReadWikiPage> {
  const object = await readObject(app.git, repository, page.oid)
  if (object === undefined) throw notFound('Wiki Page')
  return { ...page, content: wikiText(object.content) }
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
  // The names of others have blanks, or extensions in capitals.
  const files = await readFilesWithin(app, wiki, head)
  return files && indexOf(files).bySlug.get(slug)
}

/** `readWikiFiles`; undefined for a commit that is beyond the limits: what is known by name stays. */
async function readFilesWithin(app: App, wiki: Wiki, commit: string) {
  try {
    return await readWikiFiles(app, wiki, commit)
  } catch (error) {
    if (isLimit(error)) return undefined
    throw error
  }
}

/**
 * Whether another page has a slug, in whatever case: a work tree on many file systems could not
 * have both.
 */
export async function isSlugTaken(
  app: App,
  wiki: Wiki,
  slug: string,
  except?: WikiPageEntry,
): Promise<boolean> {
  const { head } = wiki
  if (head === undefined) return false
  const lower = slug.toLowerCase()
  const files = await readFilesWithin(app, wiki, head)
  const isOther = (page: WikiPageEntry) => page.path !== except?.path
  const isSame = (page: WikiPageEntry) => page.slug.toLowerCase() === lower
  if (files?.pages.some((page) => isSame(page) && isOther(page))) return true
  if (files?.overflow === false) return false
  const found = await findWikiPage(app, wiki, slug)
  return found !== undefined && isOther(found)
}

interface ListedFile {
  path: string
  oid: string
  mode: string
}

/** The page that a file is; symbolic links are none. */
function pageOf({ path, oid, mode }: ListedFile): WikiPageEntry | undefined {
  const file = mode.startsWith('100') ? wikiFileOf(path) : undefined
  return file && { ...file, oid }
}
