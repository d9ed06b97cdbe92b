import type { Note } from '@stithy/core'
import type { Form } from '../../platform/forms/form.ts'
import type { FormError } from '../../platform/forms/submit.ts'
import { type Html, html } from '../../platform/html/html.ts'
import type { PageCall, Viewer } from '../../platform/pages/page-call.ts'
import { withQuery } from '../../platform/text/addresses.ts'
import type { Noteable } from './noteable.ts'
import type { DiscussionPage, ShownDiscussion, TimelineTexts } from './read-discussions.ts'

/** A form of a discussion that was refused, and is shown again with what was typed. */
export interface FailedForm {
  /** `comment`, the id of a discussion, or `note_1` of the note that was edited. */
  at: string
  form: Form
  formErrors: readonly FormError[]
}

/** What the components of discussions show. */
export interface DiscussionView {
  call: Pick<PageCall, 'csrfToken' | 'now' | 'query'>
  noteable: Noteable
  page: DiscussionPage
  texts: TimelineTexts
  /** Null for visitors. */
  viewer: Pick<Viewer, 'id'> | null
  /** The user who opened the thing. */
  authorId: number
  /** Whether the viewer may change the notes of others. */
  mayModerate: boolean
  /** Whether forms to write are offered; the API decides. */
  mayComment: boolean
  /** Whether buttons to resolve are offered. */
  mayResolve?: boolean
  /** The page that shows a thread alone, by `discussion`; by default that of the noteable. */
  threadAddress?: string
  /** What stands above a thread, such as the lines of a diff that it is about. */
  above?: (discussion: ShownDiscussion) => Html | undefined
  failed?: FailedForm | undefined
}

/** The address of the page that is shown, with nothing to edit. */
export function shownAddress({ call, noteable }: DiscussionView): string {
  return withQuery(noteable.address, { edit_note: undefined, in: undefined }, call.query)
}

/** Has a form lead back to the page that it is on, also if it is refused. */
export function backField(view: DiscussionView): Html {
  return html`<input type="hidden" name="back" value="${shownAddress(view)}">`
}

/** Whether the viewer may edit and delete a note. */
export function mayEdit({ viewer, mayModerate, mayComment }: DiscussionView, note: Note): boolean {
  if (note.system || viewer === null || !mayComment) return false
  return mayModerate || note.author.id === viewer.id
}

/** The refused form of one place. */
export function failedAt({ failed }: DiscussionView, at: string): FailedForm | undefined {
  return failed?.at === at ? failed : undefined
}
