import { systemNoteOf } from '@stithy/core'
import { type CopiedNote, listUnusableMilestoneIds, sourceColumns } from '@stithy/store'
import type { App } from '../../../platform/app.ts'
import type { IssueItem, ItemPlace } from '../../items/item.ts'
import { sourceOf } from '../../system-notes/system-note.service.ts'

/**
 * Prepares notes for a copy of the issue in another project, or in its group. A note about a milestone
 * that this place can't use gets the source issue as its source: it is rendered with the milestone's
 * full path, and hidden from users who can't see the source issue. At most one query.
 */
export async function withMilestoneSources(
  app: App,
  source: IssueItem,
  place: ItemPlace,
  notes: readonly CopiedNote[],
): Promise<CopiedNote[]> {
  const milestones = new Map(notes.map((note) => [note, milestoneOf(note)]))
  const ids = [...new Set(milestones.values())].filter((id) => id !== undefined)
  if (ids.length === 0) return [...notes]
  const elsewhere = await listUnusableMilestoneIds(app.db, { ids, ...scopeOf(place) })
  return notes.map((note) => {
    const id = milestones.get(note)
    if (id === undefined || !elsewhere.has(id)) return note
    return { ...note, ...sourceColumns(sourceOf(source)) }
  })
}

/** The ids of the place in queries for milestones; no project has the id 0. */
function scopeOf(place: ItemPlace): { projectId: number; namespaceId: number } {
  if ('group' in place) return { projectId: 0, namespaceId: place.group.row.id }
  const { id, namespaceId } = place.project.row
  return { projectId: id, namespaceId }
}

/** The milestone that a note without a source says was set. */
function milestoneOf({ action, params, sourceType }: CopiedNote): number | undefined {
  if (action !== 'milestone_changed' || params === null || sourceType !== null) return undefined
  const note = systemNoteOf({ action, params }, undefined)
  return note.action === 'milestone_changed' ? note.milestone?.id : undefined
}
