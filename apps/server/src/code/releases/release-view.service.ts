import { type Commit, findTag, readCommit } from '@stithy/git'
import { findReleaseLinks, findUserRefs, type ReleaseRow } from '@stithy/store'
import type { ProjectSubject } from '../../directory/projects/project-subject.ts'
import type { App } from '../../platform/app.ts'
import type { Caller } from '../../platform/http/call.ts'
import { repositoryOf } from '../../platform/repositories/repository-location.ts'
import type { SourceRepository } from '../revisions/revision.service.ts'
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

/**
 * Loads what releases of one project show to the caller; two queries, and those for references in
 * their texts.
 */
export async function viewReleases(
  app: App,
  caller: Caller,
  project: ProjectSubject,
  rows: readonly ReleaseRow[],
): Promise<ReleaseView[]> {
  const authorIds = rows.flatMap(({ authorId }) => authorId ?? [])
  const links = await findReleaseLinks(
    app.db,
    rows.map(({ id }) => id),
  )
  const authors = await findUserRefs(app.db, [...new Set(authorIds)])
  const linksOf = Map.groupBy(links, ({ releaseId }) => releaseId)
  const texts = rows.map(({ description }) => description ?? '')
  const html = await app.renderFlavored(app, caller, project, texts)
  return Promise.all(
    rows.map(async (row, at) => ({
      row,
      html: html[at] ?? '',
      author: authors.find(({ id }) => id === row.authorId),
      commit: await commitOf(app, project.row, row.tag),
      links: linksOf.get(row.id) ?? [],
    })),
  )
}

/** `viewReleases` for a single release. */
export async function viewRelease(
  app: App,
  caller: Caller,
  project: ProjectSubject,
  row: ReleaseRow,
): Promise<ReleaseView> {
  const [view] = await viewReleases(app, caller, project, [row])
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
