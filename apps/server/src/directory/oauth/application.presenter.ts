import type { Application } from '@stithy/core'
import { type ApplicationRow, fromJsonText } from '@stithy/store'

/** Builds the shape of an application. */
export function presentApplication(row: ApplicationRow): Application {
  return {
    id: row.id,
    application_id: row.uid,
    application_name: row.name,
    callback_url: fromJsonText<string[]>(row.redirectUris).join('\n'),
    confidential: row.confidential === 1,
    trusted: row.trusted === 1,
  }
}
