import type { FieldErrors } from '../errors.ts'
import { isLongerThan } from '../notes/note.rules.ts'

/** The longest title, and the longest name of a file, in characters. */
const maxNameLength = 255
/** The longest description, in characters. */
const maxDescriptionLength = 1_000_000
/** The largest content, in bytes of UTF-8. */
export const maxSnippetBytes = 1_048_576

/** What of a snippet is to be set; what is left out stays as it is. */
export interface SnippetTexts {
  title?: string | undefined
  fileName?: string | undefined
  description?: string | null | undefined
  content?: string | undefined
}

/** Why these texts cannot be those of a snippet, by field (catalogue: planning, 6); empty where they can. */
export function snippetProblems(texts: SnippetTexts): FieldErrors {
  const { title, fileName, description, content } = texts
  const found: FieldErrors = {}
  if (title?.trim() === '') found.title = ["can't be blank"]
  if (isLongerThan(title, maxNameLength)) found.title = [tooLong(maxNameLength, 'characters')]
  if (isLongerThan(fileName, maxNameLength))
    found.file_name = [tooLong(maxNameLength, 'characters')]
  if (isLongerThan(description, maxDescriptionLength)) {
    found.description = [tooLong(maxDescriptionLength, 'characters')]
  }
  if (content?.trim() === '') found.content = ["can't be blank"]
  if (content !== undefined && bytesOf(content) > maxSnippetBytes) {
    found.content = [tooLong(maxSnippetBytes, 'bytes')]
  }
  return found
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length
}

function tooLong(limit: number, unit: 'bytes' | 'characters'): string {
  return `is too long (maximum is ${limit} ${unit})`
}
