import { findReleaseDescription, type TagReleaseRow } from '@stithy/store'
import type { App } from '../../platform/app.ts'
import { listedText } from '../../platform/http/listed-text.ts'

/** The description of a release in a list, of which a long one is read when it is written. */
export function releaseDescription(
  app: App,
  { id, description: text, descriptionBytes: bytes }: TagReleaseRow,
  maxLength?: number,
): string | null {
  const read = () => findReleaseDescription(app.db, id)
  return listedText({ text, bytes, read, isDated: false }, maxLength)
}
