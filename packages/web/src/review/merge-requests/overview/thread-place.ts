import type { NotePosition } from '@stithy/core'
import type { ShownDiscussion } from '../../../planning/discussions/read-discussions.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { withQuery } from '../../../platform/text/addresses.ts'

/** Names the file and line that a thread is on, as a link into the changes. @param address that of the merge request */
export function threadPlace(address: string) {
  return ({ id, notes }: ShownDiscussion): Html | undefined => {
    const position = notes.find((note) => note.position !== undefined)?.position
    if (position === undefined) return undefined
    const href = withQuery(`${address}/diffs`, { path: position.new_path, discussion: id })
    return html`<a href="${href}#discussion_${id}"><code>${position.new_path}</code>${lineText(position)}</a>`
  }
}

function lineText(position: NotePosition): string {
  if (position.position_type === 'image') return ''
  const { new_line: after, old_line: before } = position
  return after === null ? ` line ${before}, removed` : ` line ${after}`
}
