import { notFound } from '@stithy/core'
import { type Commit, listCommits } from '@stithy/git'
import { type Page, type PageRequest, uncountedPage } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import type { RepositoryLocation } from '../../platform/repositories/repository-location.ts'
import { findByHash } from '../revisions/object-hash.ts'
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
  request: PageRequest,
): Promise<Page<Commit>> {
  const wiki = await openWiki(app, project)
  const found = await findWikiPage(app, wiki, slug)
  if (found === undefined || wiki.head === undefined) throw notFound('Wiki Page')
  const { page, perPage } = request
  const rows = { skip: (page - 1) * perPage, limit: perPage + 1 }
  const history = { tip: wiki.head, path: found.path, ...rows }
  return uncountedPage(await listCommits(app.git, wiki.repository, history), request)
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
  const info =
    wiki.head === undefined ? undefined : await findByHash(app.git, wiki.repository, version)
  if (info?.type !== 'commit') throw notFound('Wiki Page')
  const found = await findWikiPage(app, { ...wiki, head: info.oid }, slug)
  if (found === undefined) throw notFound('Wiki Page')
  return readWikiPage(app, wiki, found)
}
