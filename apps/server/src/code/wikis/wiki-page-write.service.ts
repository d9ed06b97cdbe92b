import {
  type BodyOf,
  isLongerThan,
  maxProseLength,
  newWikiFile,
  notFound,
  tooLong,
  validationFailed,
  type WikiFormat,
  wikiFolder,
  wikiSlugOf,
  type wikisContract,
} from '@stithy/core'
import { type TreeChange, TreeChangeError } from '@stithy/git'
import type { App } from '../../platform/app.ts'
import { withTreeChangeErrors } from '../commits/writes/tree-change-errors.ts'
import { pageMessage, type WikiPageEntry, type WrittenWikiPage } from './wiki-page.ts'
import { findWikiPage, isSlugTaken, readWikiPage } from './wiki-pages.service.ts'
import type { Wiki } from './wiki-repository.ts'
import {
  type WikiCommit,
  type WikiWrite,
  type WikiWriter,
  writeWiki,
} from './wiki-write.service.ts'

/** Creates a page. @throws DomainError `validation_failed`, `conflict` */
export async function createWikiPage(
  app: App,
  writer: WikiWriter,
  { title, content, format = 'markdown' }: BodyOf<typeof wikisContract.create>,
): Promise<WrittenWikiPage> {
  checkContent(content)
  const slug = slugOf(title, '')
  const page = writtenPage(slug, format, content)
  const { path } = page
  return writePage(app, writer, {
    async plan(wiki) {
      if (await isSlugTaken(app, wiki, slug)) throw taken()
      return {
        changes: [{ kind: 'write', path, content: Buffer.from(content), must: 'be_absent' }],
        message: messageOf(writer, 'created', page.title),
        page: { action: 'create', path },
        result: page,
      }
    },
  })
}

/**
 * Changes the content, title or format of a page, of which the last two give its file another name.
 * @throws DomainError `not_found`, `validation_failed`, `conflict`
 */
export async function updateWikiPage(
  app: App,
  writer: WikiWriter,
  slug: string,
  body: BodyOf<typeof wikisContract.update>,
): Promise<WrittenWikiPage> {
  checkContent(body.content)
  return writePage(app, writer, { plan: (wiki) => planUpdate(app, writer, wiki, slug, body) })
}

async function planUpdate(
  app: App,
  writer: WikiWriter,
  wiki: Wiki,
  slug: string,
  { title, content, format }: BodyOf<typeof wikisContract.update>,
): Promise<WikiCommit<WrittenWikiPage>> {
  const current = await requirePage(app, wiki, slug)
  const isMoved = title !== undefined && title !== current.title
  const target = isMoved ? slugOf(title, wikiFolder(current.slug)) : current.slug
  const page = await updatedPage(app, wiki, current, {
    slug: target,
    format: format ?? current.format,
    content,
  })
  if (page.path !== current.path && (await isSlugTaken(app, wiki, target, current))) throw taken()
  return {
    changes: changesBetween(current, page, content),
    message: messageOf(writer, 'updated', page.title),
    page: { action: 'update', path: page.path },
    result: page,
  }
}

/** The page after an update; its file keeps its name if neither slug nor format change. */
async function updatedPage(
  app: App,
  wiki: Wiki,
  current: WikiPageEntry,
  to: { slug: string; format: WikiFormat; content: string | undefined },
): Promise<WrittenWikiPage> {
  const content = to.content ?? (await readWikiPage(app, wiki, current)).content
  if (to.slug === current.slug && to.format === current.format) return { ...current, content }
  return writtenPage(to.slug, to.format, content)
}

function changesBetween(
  current: WikiPageEntry,
  page: WrittenWikiPage,
  content: string | undefined,
): TreeChange[] {
  const written = content === undefined ? {} : { content: Buffer.from(content) }
  const { path } = page
  if (path !== current.path) return [{ kind: 'rename', from: current.path, path, ...written }]
  if (written.content === undefined) return []
  return [{ kind: 'write', path, content: written.content, must: 'exist' }]
}

/** Deletes a page. @throws DomainError `not_found`, `bad_request`, `conflict` */
export async function deleteWikiPage(app: App, writer: WikiWriter, slug: string): Promise<void> {
  const deleting = writeWiki(app, writer, {
    async plan(wiki) {
      const { path, title } = await requirePage(app, wiki, slug)
      return {
        changes: [{ kind: 'delete', path }],
        message: messageOf(writer, 'deleted', title),
        page: { action: 'delete', path },
        result: undefined,
      }
    },
  })
  await withTreeChangeErrors(deleting)
}

async function requirePage(app: App, wiki: Wiki, slug: string): Promise<WikiPageEntry> {
  const page = await findWikiPage(app, wiki, slug)
  if (page === undefined) throw notFound('Wiki Page')
  return page
}

/** A page whose file has the usual name. @throws DomainError `validation_failed` */
function writtenPage(slug: string, format: WikiFormat, content: string): WrittenWikiPage {
  const file = newWikiFile(slug, format)
  if ('error' in file) throw validationFailed({ title: [file.error] })
  return { ...file, content }
}

/** Writes a page; what git refuses is wrong with its title. @throws DomainError `validation_failed` */
async function writePage<T>(app: App, writer: WikiWriter, write: WikiWrite<T>): Promise<T> {
  try {
    return await writeWiki(app, writer, write)
  } catch (error) {
    if (!(error instanceof TreeChangeError)) throw error
    throw error.reason === 'path' ? validationFailed({ title: ['is invalid'] }) : taken()
  }
}

/** @throws DomainError `validation_failed` */
function slugOf(title: string, folder: string): string {
  const found = wikiSlugOf(title, folder)
  if ('error' in found) throw validationFailed({ title: [found.error] })
  return found.slug
}

/** @throws DomainError `validation_failed` */
function checkContent(content: string | undefined): void {
  if (content === undefined) return
  if (content.trim() === '') throw validationFailed({ content: ["can't be blank"] })
  if (isLongerThan(content, maxProseLength)) {
    throw validationFailed({ content: [tooLong(maxProseLength)] })
  }
}

function taken() {
  return validationFailed({ title: ['has already been taken'] })
}

function messageOf({ caller }: WikiWriter, ...[action, title]: Parameters<typeof pageMessage>) {
  return `${caller.user?.username ?? ''} ${pageMessage(action, title)}`
}
