import { wikiFileOf } from '@stithy/core'
import {
  findEntry,
  objectInfo,
  type Repository,
  readCommit,
  readHead,
  readObject,
} from '@stithy/git'
import { findUser, type ProjectRow } from '@stithy/store'
import { wikiText } from '../../../code/wikis/wiki-page.ts'
import { wikiRepositoryOf } from '../../../code/wikis/wiki-repository.ts'
import { sshUrlOf } from '../../../directory/projects/project.presenter.ts'
import type { App } from '../../../platform/app.ts'
import { webUrl } from '../../../platform/http/urls.ts'
import type { WikiPageSource } from '../webhook-events.ts'
import { hookProjectWithAliases, hookUser } from './shared.ts'

/** Builds the body of `wiki_page` hooks; undefined if the page can no longer be read. */
export async function buildWikiPagePayload(
  app: App,
  row: ProjectRow,
  { page, userId }: WikiPageSource,
): Promise<object | undefined> {
  const { config } = app
  const file = wikiFileOf(page.path)
  const repository = wikiRepositoryOf(app, row)
  const commit = await readCommit(app.git, repository, page.changedBy)
  if (file === undefined || commit === undefined) return undefined
  const user = userId === null ? undefined : await findUser(app.db, userId)
  return {
    object_kind: 'wiki_page',
    user: hookUser(config, user),
    project: hookProjectWithAliases(config, row),
    wiki: await hookWiki(app, row, repository),
    object_attributes: {
      title: file.title,
      content: await contentOf(app, repository, page),
      format: file.format,
      message: commit.message.toWellFormed(),
      slug: file.slug,
      url: pageUrl(app, row, file.slug),
      action: page.action,
    },
  }
}

/** `wiki` */
async function hookWiki({ config }: App, { fullPath }: ProjectRow, repository: Repository) {
  const path = `${fullPath}.wiki`
  return {
    web_url: `${webUrl(config, fullPath)}/wikis/home`,
    git_ssh_url: sshUrlOf(config, path),
    git_http_url: `${webUrl(config, path)}.git`,
    path_with_namespace: path,
    default_branch: (await readHead(repository)) ?? null,
  }
}

/** The browser address of a page. */
function pageUrl({ config }: App, { fullPath }: ProjectRow, slug: string): string {
  const path = slug.split('/').map(encodeURIComponent).join('/')
  return webUrl(config, `${fullPath}/wikis/${path}`)
}

/** The content of a page; that of a deleted one before. */
async function contentOf(
  app: App,
  repository: Repository,
  { commit, path }: WikiPageSource['page'],
): Promise<string> {
  const entry = await findEntry(app.git, repository, commit, path)
  const info = entry && (await objectInfo(app.git, repository, entry.oid))
  if (!info || info.size > app.config.codeLimits.wiki.maxHookContentBytes) return ''
  const object = await readObject(app.git, repository, info.oid)
  return object === undefined ? '' : wikiText(object.content)
}
