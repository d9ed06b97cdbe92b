import { maxNameLength, maxProseLength } from '../../platform/contract/text-options.ts'
import type { FieldErrors } from '../../platform/errors.ts'
import { isLongerThan, tooLong } from '../../platform/text/length.rules.ts'

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
  if (isLongerThan(title, maxNameLength)) found.title = [tooLong(maxNameLength)]
  if (isLongerThan(fileName, maxNameLength)) found.file_name = [tooLong(maxNameLength)]
  if (isLongerThan(description, maxProseLength)) {
    found.description = [tooLong(maxProseLength)]
  }
  if (content?.trim() === '') found.content = ["can't be blank"]
  if (content !== undefined && bytesOf(content) > maxSnippetBytes) {
    found.content = [`is too long (maximum is ${maxSnippetBytes} bytes)`]
  }
  return found
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length
}
