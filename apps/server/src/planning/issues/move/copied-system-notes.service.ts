import { systemNoteOf } from '@stithy/core'
import { type CopiedNote, listUnusableMilestoneIds, sourceColumns } from '@stithy/store'
import type { ProjectSubject } from '../../../directory/projects/project-subject.ts'
import type { App } from '../../../platform/app.ts'
import type { IssueItem } from '../../items/item.ts'
import { sourceOf } from '../../system-notes/system-note.service.ts'

/**
 * Prepares notes for a copy of the issue in another project. A note about a milestone that this
 * project can't use gets the source issue as its source: it is rendered with the milestone's full
 * path, and hidden from users who can't see the source issue. At most one query.
 */
export async function withMilestoneSources(
  app: App,
  source: IssueItem,
  { row: target }: ProjectSubject,
  notes: readonly CopiedNote[],
): Promise<CopiedNote[]> {
  const milestones = new Map(notes.map((note) => [note, milestoneOf(note)]))
  const ids = [...new Set(milestones.values())].filter((id) => id !== undefined)
  if (ids.length === 0) return [...notes]
  const scope = { projectId: target.id, namespaceId: target.namespaceId }
  const elsewhere = await listUnusableMilestoneIds(app.db, { ids, ...scope })
  return notes.map((note) => {
    const id = milestones.get(note)
    if (id === undefined || !elsewhere.has(id)) return note
    return { ...note, ...sourceColumns(sourceOf(source)) }
  })
}

/** The milestone that a note without a source says was set. */
function milestoneOf({ action, params, sourceType }: CopiedNote): number | undefined {
  if (action !== 'milestone_changed' || params === null || sourceType !== null) return undefined
  const note = systemNoteOf({ action, params }, undefined)
  return note.action === 'milestone_changed' ? note.milestone?.id : undefined
}
