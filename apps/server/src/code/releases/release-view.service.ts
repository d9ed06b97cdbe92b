import { cutText, longestAllowed, maxListedMarkdown } from '@stithy/core'
import { type Commit, findTag, readCommit } from '@stithy/git'
import {
  findReleaseDescription,
  findReleaseLinks,
  findUserRefs,
  type ListedRelease,
  type ReleaseRow,
} from '@stithy/store'
import type { ProjectSubject } from '../../directory/projects/project-subject.ts'
import type { App } from '../../platform/app.ts'
import type { Caller } from '../../platform/http/call.ts'
import { listedText } from '../../platform/http/listed-text.ts'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import type { SourceRepository } from '../revisions/revision.service.ts'
import { releaseDescription } from '../tags/release-description.ts'
import type { ReleaseView } from './release-view.ts'

declare module '../../platform/app.ts' {
  interface App {
    /**
     * Renders texts in flavoured Markdown to HTML, with links to what they refer to, for one
     * reader.
     */
    renderFlavored: (
      app: App,
      caller: Caller,
      project: ProjectSubject | undefined,
      texts: readonly string[],
    ) => Promise<string[]>
  }
}

/** What views show of descriptions. */
export interface ShownDescriptions {
  /** In characters; default whole descriptions. */
  maxLength?: number | undefined
  /** Whether they have them as HTML too; default true. */
  withHtml?: boolean | undefined
}

/**
 * Loads what releases of one project show to the caller; two queries, and those for references in
 * their texts. Long texts of a list are read and rendered when they are written, one at a time.
 */
export async function viewReleases(
  app: App,
  caller: Caller,
  project: ProjectSubject,
  rows: readonly ListedRelease[],
  { maxLength = Number.POSITIVE_INFINITY, withHtml = true }: ShownDescriptions = {},
): Promise<ReleaseView[]> {
  const authorIds = rows.flatMap(({ authorId }) => authorId ?? [])
  const links = await findReleaseLinks(
    app.db,
    rows.map(({ id }) => id),
  )
  const authors = await findUserRefs(app.db, [...new Set(authorIds)])
  const linksOf = Map.groupBy(links, ({ releaseId }) => releaseId)
  const render: Render = (texts) => app.renderFlavored(app, caller, project, texts)
  const html = withHtml ? await listedHtml(app, rows, maxLength, render) : []
  return Promise.all(
    rows.map(async (row, at) => ({
      row: { ...row, description: releaseDescription(app, row, maxLength) },
      html: html[at],
      author: authors.find(({ id }) => id === row.authorId),
      commit: await commitOf(app, project.row, row.tag),
      links: linksOf.get(row.id) ?? [],
    })),
  )
}

type Render = (texts: readonly string[]) => Promise<string[]>

/** Descriptions as HTML: a long one of a list is read and rendered when it is written. */
async function listedHtml(
  app: App,
  rows: readonly ListedRelease[],
  maxLength: number,
  render: Render,
): Promise<string[]> {
  const lengths = rows.map(({ description, descriptionBytes }) =>
    Math.min(description?.length ?? descriptionBytes ?? 0, maxLength),
  )
  const longest = Math.min(longestAllowed(lengths, maxListedMarkdown), maxLength)
  const beginning = (text: string | null) => cutText(text ?? '', longest)
  const html = await render(rows.map(({ description }) => beginning(description)))
  return rows.map(({ id, description, descriptionBytes: bytes }, at) => {
    const read = async () => {
      const [later] = await render([beginning(await findReleaseDescription(app.db, id))])
      return later ?? ''
    }
    const text = description === null && longest > 0 ? null : (html[at] ?? null)
    return listedText({ text, bytes, read, isDated: false }) ?? ''
  })
}

/** `viewReleases` for a single release. */
export async function viewRelease(
  app: App,
  caller: Caller,
  project: ProjectSubject,
  row: ReleaseRow,
  shown?: ShownDescriptions,
): Promise<ReleaseView> {
  const [view] = await viewReleases(app, caller, project, [row], shown)
  if (view === undefined) throw new TypeError('a release has no view')
  return view
}

async function commitOf(
  app: App,
  project: SourceRepository,
  tag: string,
): Promise<Commit | undefined> {
  const repository = repositoryOf(app, project)
  const ref = await findTag(app.git, repository, tag)
  return ref && readCommit(app.git, repository, ref.peeled ?? ref.oid)
}
