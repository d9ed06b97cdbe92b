import {
  type ActivityEvent,
  type CallerFacts,
  type EventAction,
  type EventTargetType,
  eventRange,
  isAboutNote,
} from '@stithy/core'
import {
  type EventFilter,
  type EventTarget,
  type ListedNoteRow,
  listEventsOfAuthor,
  listEventsOfGroup,
  listEventsOfProject,
  listEventTargets,
  listNotesById,
  type NoteRow,
  type Page,
  type PageRequest,
  type Row,
} from '@stithy/store'
import type { ProjectSubject } from '../../directory/projects/project-subject.ts'
import { userRefs } from '../../directory/users/user-views.service.ts'
import { withBodies } from '../../planning/notes/note-bodies.ts'
import { systemNoteTexts } from '../../planning/system-notes/system-note-texts.service.ts'
import type { App } from '../../platform/app.ts'
import { dayOf } from '../../platform/calendar/day.ts'
import { type EventTargets, presentEvents, targetKey } from './event.presenter.ts'
import { eventAccess } from './event-access.ts'

/** Filters of an event list, as requested; days as `YYYY-MM-DD`. */
export interface EventQuery {
  action?: EventAction | undefined
  target_type?: EventTargetType | undefined
  before?: string | undefined
  after?: string | undefined
  sort: 'asc' | 'desc'
  max_body_length?: number | undefined
}

function toFilter({
  action,
  target_type: targetType,
  sort,
  before,
  after,
}: EventQuery): EventFilter {
  return { action, targetType, sort, ...eventRange({ before, after }) }
}

/**
 * Lists a user's events that the caller may see; a private profile hides them from everyone else.
 */
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
  const owner = { authorId: user.id, caller, today: dayOf(app.now()) }
  return present(app, await listEventsOfAuthor(app.db, owner, toFilter(query), request), query)
}

/** Lists a project's events whose targets the caller may read. */
export async function eventsOfProject(
  app: App,
  subject: ProjectSubject,
  caller: CallerFacts,
  query: EventQuery,
  request: PageRequest,
): Promise<Page<ActivityEvent>> {
  const owner = {
    projectId: subject.row.id,
    userId: caller.userId ?? 0,
    access: eventAccess(caller, subject.facts),
  }
  return present(app, await listEventsOfProject(app.db, owner, toFilter(query), request), query)
}

/** Lists the events of the projects below a group whose targets the caller may read. */
export async function eventsOfGroup(
  app: App,
  groupId: number,
  caller: CallerFacts,
  query: EventQuery,
  request: PageRequest,
): Promise<Page<ActivityEvent>> {
  const scope = { groupId, caller, today: dayOf(app.now()) }
  return present(app, await listEventsOfGroup(app.db, scope, toFilter(query), request), query)
}

async function present(
  app: App,
  page: Page<Row<'events'>>,
  { max_body_length: maxLength }: EventQuery,
): Promise<Page<ActivityEvent>> {
  const notes = withBodies(app, await notesOf(app, page.items), maxLength)
  const written = [...page.items, ...notes].map(({ authorId }) => authorId)
  const context = {
    authors: await userRefs(app, written),
    notes: new Map(notes.map((note) => [note.id, note])),
    texts: await systemNoteTexts(app, notes),
    targets: await targetsOf(app, page.items, notes),
  }
  return { ...page, items: presentEvents(page.items, context) }
}

/** Loads the notes that events are about. At most one query. */
async function notesOf(app: App, events: readonly Row<'events'>[]): Promise<ListedNoteRow[]> {
  const ids = events.flatMap(({ targetType, targetId }) =>
    isAboutNote(targetType) && targetId !== null ? [targetId] : [],
  )
  return ids.length === 0 ? [] : listNotesById(app.db, ids)
}

/** Loads the targets of events, and of the notes among them. At most one query. */
async function targetsOf(
  app: App,
  events: readonly Row<'events'>[],
  notes: readonly NoteRow[],
): Promise<EventTargets> {
  const named = [
    ...events.map(({ targetType: type, targetId: id }) => ({ type, id })),
    ...notes.map(({ noteableType: type, noteableId: id }) => ({ type, id })),
  ]
  const idsOf = (expectedType: EventTarget['type']) => [
    ...new Set(named.flatMap(({ type, id }) => (type === expectedType && id !== null ? [id] : []))),
  ]
  const ids = {
    issueIds: idsOf('issue'),
    mergeRequestIds: idsOf('merge_request'),
    milestoneIds: idsOf('milestone'),
  }
  if (Object.values(ids).every((some) => some.length === 0)) return new Map()
  const targets = await listEventTargets(app.db, ids)
  return new Map(targets.map((target) => [targetKey(target.type, target.id), target]))
}
