import { type Commit, findTag, readCommit } from '@stithy/git'
import { findReleaseLinks, findUserRefs, type ReleaseRow } from '@stithy/store'
import type { App } from '../app.ts'
import { renderMarkdown } from '../markdown/markdown.ts'
import { type CodePlace, repositoryOf } from '../repositories/repository.service.ts'
import type { ReleaseView } from './release-found.ts'

/** What is shown of releases of one project; two queries, however many they are. */
export async function viewReleases(
  app: App,
  place: CodePlace,
  rows: readonly ReleaseRow[],
): Promise<ReleaseView[]> {
  const authorIds = rows.flatMap(({ authorId }) => authorId ?? [])
  const links = await findReleaseLinks(
    app.db,
    rows.map(({ id }) => id),
  )
  const authors = await findUserRefs(app.db, [...new Set(authorIds)])
  const linksOf = Map.groupBy(links, ({ releaseId }) => releaseId)
  return Promise.all(
    rows.map(async (row) => ({
      row,
      html: await renderMarkdown(row.description ?? ''),
      author: authors.find(({ id }) => id === row.authorId),
      commit: await commitOf(app, place, row.tag),
      links: linksOf.get(row.id) ?? [],
    })),
  )
}

/** `viewReleases` for a single one. */
export async function viewRelease(
  app: App,
  place: CodePlace,
  row: ReleaseRow,
): Promise<ReleaseView> {
  const [view] = await viewReleases(app, place, [row])
  if (view === undefined) throw new TypeError('a release has no view')
  return view
}

async function commitOf(app: App, place: CodePlace, tag: string): Promise<Commit | undefined> {
  const repository = repositoryOf(app, place)
  const ref = await findTag(app.git, repository, tag)
  return ref && readCommit(app.git, repository, ref.peeled ?? ref.oid)
}
