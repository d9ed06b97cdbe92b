import type { FieldErrors } from '../../platform/errors.ts'
import { isLongerThan } from '../notes/note.rules.ts'

/** Maximum length of a title or file name, in characters. */
const maxNameLength = 255
/** Maximum length of a description, in characters. */
const maxDescriptionLength = 1_000_000
/** Maximum size of the content, in bytes of UTF-8. */
export const maxSnippetBytes = 1_048_576

/** Editable texts of a snippet; absent ones stay unchanged. */
export interface SnippetTexts {
  title?: string | undefined
  fileName?: string | undefined
  description?: string | null | undefined
  content?: string | undefined
}

/** Validates the texts of a snippet; returns errors by field, empty when valid. */
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
