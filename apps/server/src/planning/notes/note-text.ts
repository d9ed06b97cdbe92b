import { invalidNote, noteTextProblem } from '@stithy/core'

/** @throws DomainError `bad_request` for a text that cannot be a note. */
export function requireNoteText(body: string): void {
  const problem = noteTextProblem(body)
  if (problem !== undefined) throw invalidNote({ note: [problem] })
}
