import { notFound } from '@stithy/core'
import { type Commit, listCommits, objectInfo } from '@stithy/git'
import type { Page, PageRequest } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import type { RepositoryLocation } from '../../platform/repositories/repository-location.ts'
import type { ReadWikiPage } from './wiki-page.ts'
import { findWikiPage, readWikiPage } from './wiki-pages.service.ts'
import { openWiki } from './wiki-repository.ts'

/**
 * Lists the commits that changed a page under its current name, newest first. They are not counted.
 * @throws DomainError `not_found`, GitError
 */
export async function listWikiPageCommits(
  app: App,
  project: RepositoryLocation,
  slug: string,
  { page, perPage }: PageRequest,
): Promise<Page<Commit>> {
  const wiki = await openWiki(app, project)
  const found = await findWikiPage(app, wiki, slug)
  if (found === undefined || wiki.head === undefined) throw notFound('Wiki Page')
  const skip = (page - 1) * perPage
  const history = { tip: wiki.head, path: found.path, skip, limit: perPage + 1 }
  const commits = await listCommits(app.git, wiki.repository, history)
  const hasMore = commits.length > perPage
  return { items: commits.slice(0, perPage), total: skip + commits.length, page, perPage, hasMore }
}

/**
 * Finds a page as it was at a commit, by its hash.
 * @throws DomainError `not_found`, GitError
 */
export async function requireWikiPageAt(
  app: App,
  project: RepositoryLocation,
  slug: string,
  version: string,
): Promise<ReadWikiPage> {
  const wiki = await openWiki(app, project)
  const name = version.toLowerCase()
  const isHash = /^[0-9a-f]{4,40}$/.test(name) && wiki.head !== undefined
  const info = isHash ? await objectInfo(app.git, wiki.repository, name) : undefined
  // Git prefers a branch of that name to an abbreviated hash.
  if (info?.type !== 'commit' || !info.oid.startsWith(name)) throw notFound('Wiki Page')
  const found = await findWikiPage(app, { ...wiki, head: info.oid }, slug)
  if (found === undefined) throw notFound('Wiki Page')
  return readWikiPage(app, wiki, found)
}
