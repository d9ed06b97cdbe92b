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
  listEventsOfAuthor,
  listEventsOfProject,
  listEventTargets,
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
import { type EventTargets, presentEvents, targetKey } from './event.presenter.ts'
import { eventReach } from './event-reach.ts'

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

/** What was done in a project, as far as the caller may read what it is about. */
export async function eventsOfProject(
  app: App,
  subject: ProjectSubject,
  caller: CallerFacts,
  query: EventQuery,
  request: PageRequest,
): Promise<Page<ActivityEvent>> {
  const whose = {
    projectId: subject.row.id,
    userId: caller.userId ?? 0,
    reach: eventReach(caller, subject.facts),
  }
  return present(app, await listEventsOfProject(app.db, whose, toFilter(query), request))
}

async function present(app: App, page: Page<Row<'events'>>): Promise<Page<ActivityEvent>> {
  const notes = await notesOf(app, page.items)
  const written = [...page.items, ...notes].map(({ authorId }) => authorId)
  const context = {
    authors: await userRefs(app, written),
    notes: new Map(notes.map((note) => [note.id, note])),
    targets: await targetsOf(app, page.items, notes),
  }
  return { ...page, items: presentEvents(page.items, context) }
}

/** The notes that events tell of. At most one query. */
async function notesOf(app: App, events: readonly Row<'events'>[]): Promise<NoteRow[]> {
  const ids = events.flatMap(({ targetType, targetId }) =>
    isAboutNote(targetType) && targetId !== null ? [targetId] : [],
  )
  return ids.length === 0 ? [] : listNotesById(app.db, ids)
}

/** What events, and the notes among them, are about. At most one query. */
async function targetsOf(
  app: App,
  events: readonly Row<'events'>[],
  notes: readonly NoteRow[],
): Promise<EventTargets> {
  const named = [
    ...events.map(({ targetType: type, targetId: id }) => ({ type, id })),
    ...notes.map(({ noteableType: type, noteableId: id }) => ({ type, id })),
  ]
  const idsOf = (wanted: EventTarget['type']) => [
    ...new Set(named.flatMap(({ type, id }) => (type === wanted && id !== null ? [id] : []))),
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
