import type { FoundNote } from '@stithy/core'
import { type FoundNoteRow, type Page, searchNotes } from '@stithy/store'
import type { ProjectSubject } from '../../directory/projects/project-subject.ts'
import { userRefs } from '../../directory/users/user-views.service.ts'
import { presentNote } from '../../planning/notes/note.presenter.ts'
import { withBody } from '../../planning/notes/note-bodies.ts'
import type { App } from '../../platform/app.ts'
import { type SearchRequest, textSearch } from './search-request.ts'

/** Comments on the issues, merge requests, snippets and commits of a project. */
export async function searchProjectNotes(
  request: SearchRequest<ProjectSubject>,
): Promise<Page<FoundNote>> {
  const { app, subject, query, page } = request
  const { totalMs } = app.config.codeLimits.search
  const search = { ...textSearch(request), projectId: subject.row.id, totalMs }
  const rows = await searchNotes(app.db, search, page)
  return { ...rows, items: await viewFoundNotes(app, rows.items, query.max_body_length) }
}

/** One query, for the users. */
async function viewFoundNotes(
  app: App,
  rows: readonly FoundNoteRow[],
  maxBodyLength: number | undefined,
): Promise<FoundNote[]> {
  const userIds = rows.flatMap(({ authorId, resolvedById }) => [authorId, resolvedById ?? authorId])
  const authors = await userRefs(app, userIds)
  return rows.flatMap((row) => {
    const context = { authors, texts: new Map(), suggestions: new Map(), iid: row.noteableIid }
    const note = presentNote(withBody(app, row, maxBodyLength), context)
    if (note === undefined) return []
    const { suggestions: _, ...found } = note
    return [found]
  })
}
