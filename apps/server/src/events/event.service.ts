import {
  type ActivityEvent,
  type CallerFacts,
  decideOnProject,
  type EventAction,
  type EventTargetType,
  eventRange,
  isAboutNote,
} from '@stithy/core'
import {
  type EventFilter,
  listEventsOfAuthor,
  listEventsOfProject,
  listNotesById,
  type NoteRow,
  type Page,
  type PageRequest,
  type Row,
} from '@stithy/store'
import type { App } from '../app.ts'
import { dayOf } from '../members/day.ts'
import type { ProjectSubject } from '../projects/project-subject.ts'
import { userRefs } from '../users/user-views.service.ts'
import { presentEvents } from './event.presenter.ts'

/** What a list is narrowed to, as it is asked for; days as `YYYY-MM-DD`. */
export interface EventQuery {
  action?: EventAction | undefined
  target_type?: EventTargetType | undefined
  before?: string | undefined
  after?: string | undefined
  sort: 'asc' | 'desc'
}

function toFilter({ action, target_type: targetType, sort, ...days }: EventQuery): EventFilter {
  return { action, targetType, sort, ...eventRange(days) }
}

/** What a user did, as far as the caller may see it; a private profile shows it to nobody else. */
export async function eventsOfUser(
  app: App,
  user: { id: number; privateProfile: boolean },
  caller: CallerFacts,
  query: EventQuery,
  request: PageRequest,
): Promise<Page<ActivityEvent>> {
  if (user.privateProfile && user.id !== caller.userId && !caller.admin) {
    return { items: [], total: 0, ...request }
  }
  const whose = { authorId: user.id, caller, today: dayOf(app.now()) }
  return present(app, await listEventsOfAuthor(app.db, whose, toFilter(query), request))
}

/** What was done in a project; what is about code or merge requests only for those who may read them. */
export async function eventsOfProject(
  app: App,
  subject: ProjectSubject,
  caller: CallerFacts,
  query: EventQuery,
  request: PageRequest,
): Promise<Page<ActivityEvent>> {
  const may = (ability: 'read_code' | 'read_merge_requests') =>
    decideOnProject(ability, caller, subject.facts).allowed
  const whose = {
    projectId: subject.row.id,
    withCode: may('read_code'),
    withMergeRequests: may('read_merge_requests'),
  }
  return present(app, await listEventsOfProject(app.db, whose, toFilter(query), request))
}

async function present(app: App, page: Page<Row<'events'>>): Promise<Page<ActivityEvent>> {
  const notes = await notesOf(app, page.items)
  const written = [...page.items, ...notes].map(({ authorId }) => authorId)
  const authors = await userRefs(app, written)
  const context = { authors, notes: new Map(notes.map((note) => [note.id, note])) }
  return { ...page, items: presentEvents(page.items, context) }
}

/** The notes that events tell of. At most one query. */
async function notesOf(app: App, events: readonly Row<'events'>[]): Promise<NoteRow[]> {
  const ids = events.flatMap(({ targetType, targetId }) =>
    isAboutNote(targetType) && targetId !== null ? [targetId] : [],
  )
  return ids.length === 0 ? [] : listNotesById(app.db, ids)
}
