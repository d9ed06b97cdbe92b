import { type Commit, findTag, readCommit } from '@stithy/git'
import { findReleaseLinks, findUserRefs, type ReleaseRow } from '@stithy/store'
import type { App } from '../app.ts'
import type { Caller } from '../http/call.ts'
import { viewFlavoredAll } from '../markdown/markdown-view.service.ts'
import type { ProjectSubject } from '../projects/project-subject.ts'
import { type CodePlace, repositoryOf } from '../repositories/repository.service.ts'
import type { ReleaseView } from './release-found.ts'

/** What the caller is shown of releases of one project; two queries, and those for what their texts refer to. */
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
  const html = await viewFlavoredAll(app, caller, project, texts)
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

/** `viewReleases` for a single one. */
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

async function commitOf(app: App, place: CodePlace, tag: string): Promise<Commit | undefined> {
  const repository = repositoryOf(app, place)
  const ref = await findTag(app.git, repository, tag)
  return ref && readCommit(app.git, repository, ref.peeled ?? ref.oid)
}
