import type { NamedSource, SystemNote, SystemNoteSource } from '@stithy/core'
import {
  type ListedNoteRow,
  listMentionedNames,
  type MentionedIds,
  type MentionedName,
} from '@stithy/store'
import type { App } from '../../platform/app.ts'

/** The row of a system note with its decoded action and parameters. */
export interface DecodedSystemNote {
  row: ListedNoteRow
  note: SystemNote
}

/** Current names of everything that system notes mention; deleted targets have none. */
export interface MentionedNames {
  find(kind: MentionedName['kind'], id: number | null): MentionedName | undefined
  username(id: number): string | undefined
  /** The title of a group milestone that the project can use. */
  milestoneTitle(id: number, projectId: number | null): string | undefined
}

/** Loads the names of everything that system notes mention. At most one query. */
export async function loadMentionedNames(
  app: App,
  notes: readonly DecodedSystemNote[],
): Promise<MentionedNames> {
  const ids = mentionedIds(notes)
  const isEmpty = Object.values(ids).every((some) => some.length === 0)
  const names = isEmpty ? [] : await listMentionedNames(app.db, ids)
  const byId = new Map(names.map((name) => [`${name.kind} ${name.id}`, name]))
  const milestones = names.filter(({ kind }) => kind === 'milestone')
  const titles = new Map(milestones.map(({ id, scopeId, name }) => [`${id} ${scopeId}`, name]))
  return {
    find: (kind, id) => byId.get(`${kind} ${id}`),
    username: (id) => byId.get(`user ${id}`)?.name ?? undefined,
    milestoneTitle: (id, projectId) => titles.get(`${id} ${projectId}`) ?? undefined,
  }
}

function mentionedIds(notes: readonly DecodedSystemNote[]): MentionedIds {
  const sources = notes.flatMap(({ row, note: { source } }) => (source ? [{ row, source }] : []))
  const keysOf = (type: SystemNoteSource['type']) =>
    sources.flatMap(({ source }) => (source.type === type ? Number(source.key) : []))
  const onEpics = sources.filter(({ source }) => source.type === 'epic').map(({ row }) => row)
  const code = sources.filter(({ source: { type } }) => type === 'commit' || type === 'code')
  const planned = notes.filter(({ note }) => milestoneIds(note).length > 0)
  return {
    userIds: notes.flatMap(({ note }) => userIds(note)),
    issueIds: keysOf('issue'),
    mergeRequestIds: keysOf('merge_request'),
    snippetIds: keysOf('snippet'),
    // Within its group, an epic is referred to by its iid alone.
    epicIds: [...keysOf('epic'), ...nonNull(onEpics.map(epicIdOf))],
    projectIds: nonNull([
      ...code.map(({ source }) => source.projectId),
      ...onEpics.map(({ projectId }) => projectId),
    ]),
    milestoneIds: planned.flatMap(({ note }) => milestoneIds(note)),
    milestoneProjectIds: nonNull(
      planned.map(({ row, note }) => note.source?.projectId ?? row.projectId),
    ),
  }
}

function nonNull(ids: readonly (number | null)[]): number[] {
  return ids.filter((id) => id !== null)
}

function epicIdOf({ noteableType, noteableId }: ListedNoteRow): number | null {
  return noteableType === 'epic' ? noteableId : null
}

function userIds(note: SystemNote): number[] {
  if (note.action !== 'assignees_changed') return []
  return [...note.added, ...note.removed].map(({ id }) => id)
}

/** Only group milestones are referred to by title. */
function milestoneIds(note: SystemNote): number[] {
  if (note.action !== 'milestone_changed' || note.milestone === null) return []
  return note.milestone.title === null ? [] : [note.milestone.id]
}

/** Resolves the source of a system note to its current name; undefined if it was deleted. */
export function resolveSource(
  names: MentionedNames,
  row: ListedNoteRow,
  { type, key, projectId }: SystemNoteSource,
): NamedSource | undefined {
  if (type === 'commit' || type === 'code') {
    const project = names.find('project', projectId)
    const isNear = projectId === row.projectId
    return project && { type, id: key, path: project.name, isNear }
  }
  const found = names.find(type, Number(key))
  const scopeId = type === 'epic' ? groupIdOf(names, row) : row.projectId
  return found && { type, id: found.iid, path: found.name, isNear: found.scopeId === scopeId }
}

/** The group in which epic references without a path on the noteable are resolved. */
function groupIdOf(names: MentionedNames, row: ListedNoteRow): number | null | undefined {
  if (row.noteableType === 'epic') return names.find('epic', row.noteableId)?.scopeId
  return names.find('project', row.projectId)?.scopeId
}
