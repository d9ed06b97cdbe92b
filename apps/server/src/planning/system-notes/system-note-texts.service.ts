import { type NamedSource, renderSystemNote, type SystemNote, systemNoteOf } from '@stithy/core'
import { type ListedNoteRow, sourceFrom } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import {
  type DecodedSystemNote,
  loadMentionedNames,
  resolveSource,
} from './mentioned-names.service.ts'

/**
 * Renders the system notes among some notes; returns texts by note id. A note whose source was
 * deleted since it was read is left out. At most one query, and none if no note mentions anything.
 */
export async function systemNoteTexts(
  app: App,
  rows: readonly ListedNoteRow[],
): Promise<ReadonlyMap<number, string>> {
  const notes = rows.flatMap(decodeSystemNote)
  const names = await loadMentionedNames(app, notes)
  const texts = new Map<number, string>()
  for (const { row, note } of notes) {
    const source = note.source && resolveSource(names, row, note.source)
    if (note.source !== undefined && source === undefined) continue
    // Notes of a copied issue are rendered for the project of the original.
    const projectId = note.source?.projectId ?? row.projectId
    const text = renderSystemNote({ ...note, source } as SystemNote<NamedSource>, {
      noteableType: row.noteableType,
      webUrl: app.config.externalUrl,
      username: names.username,
      milestoneTitle: (id) => names.milestoneTitle(id, projectId),
    })
    texts.set(row.id, text)
  }
  return texts
}

/** Decodes a system note; nothing for a comment. */
function decodeSystemNote(row: ListedNoteRow): DecodedSystemNote[] {
  const { action, params } = row
  if (action === null || params === null) return []
  return [{ row, note: systemNoteOf({ action, params }, sourceFrom(row)) }]
}
