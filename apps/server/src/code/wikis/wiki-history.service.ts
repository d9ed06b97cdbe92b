import { notFound, wikiFileOf } from '@stithy/core'
import { type Commit, type FileMove, followFile, listFollowedCommits } from '@stithy/git'
import { type Page, type PageRequest, uncountedPage } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import type { RepositoryLocation } from '../../platform/repositories/repository-location.ts'
import { findByHash } from '../revisions/object-hash.ts'
import { pageMessage, type ReadWikiPage, type WikiPageEntry } from './wiki-page.ts'
import { findWikiPage, readWikiPage } from './wiki-pages.service.ts'
import { openWiki, type Wiki } from './wiki-repository.ts'

/**
 * Lists the commits that changed a page, newest first, also under the names that it had before. They are
 * not counted.
 * @throws DomainError `not_found`, GitError
 */
export async function listWikiPageCommits(
  app: App,
  project: RepositoryLocation,
  slug: string,
  request: PageRequest,
): Promise<Page<Commit>> {
  const wiki = await openWiki(app, project)
  const found = await findWikiPage(app, wiki, slug)
  if (found === undefined || wiki.head === undefined) throw notFound('Wiki Page')
  const { page, perPage } = request
  const rows = { skip: (page - 1) * perPage, limit: perPage + 1 }
  const file = { tip: wiki.head, path: found.path, isSame: isSamePage }
  return uncountedPage(await listFollowedCommits(app.git, wiki.repository, file, rows), request)
}

/** Whether a page is the same after a move. One that gave it another content, too, says so in its message. */
function isSamePage({ from, path, isAlike, commit }: FileMove): boolean {
  const page = wikiFileOf(path)
  if (page === undefined || wikiFileOf(from) === undefined) return false
  return isAlike || commit.title.endsWith(` ${pageMessage('updated', page.title)}`)
}

/**
 * Finds a page as it was at a commit, by its hash, under the name that it had then if it has moved since.
 * @throws DomainError `not_found`, GitError
 */
export async function requireWikiPageAt(
  app: App,
  project: RepositoryLocation,
  slug: string,
  version: string,
): Promise<ReadWikiPage> {
  const wiki = await openWiki(app, project)
  const info =
    wiki.head === undefined ? undefined : await findByHash(app.git, wiki.repository, version)
  if (info?.type !== 'commit') throw notFound('Wiki Page')
  const then = { ...wiki, head: info.oid }
  const found =
    (await findWikiPage(app, then, slug)) ?? (await findFormerPage(app, { wiki, then, slug }))
  if (found === undefined) throw notFound('Wiki Page')
  return readWikiPage(app, wiki, found)
}

/** Finds, as of `then`, what is today the page of a slug. */
async function findFormerPage(
  app: App,
  { wiki, then, slug }: { wiki: Wiki; then: Wiki; slug: string },
): Promise<WikiPageEntry | undefined> {
  const page = await findWikiPage(app, wiki, slug)
  if (page === undefined || wiki.head === undefined) return undefined
  const file = { tip: wiki.head, path: page.path, isSame: isSamePage }
  for await (const { path } of followFile(app.git, wiki.repository, file)) {
    const former = wikiFileOf(path)
    const found = former && (await findWikiPage(app, then, former.slug))
    if (found?.path === path) return found
  }
  return undefined
}
