import { contentDisposition } from '../http/content-disposition.ts'
import { sandboxHeaders } from '../http/sandbox.ts'

/**
 * The headers of an uploaded file: a browser shows images, audio and video, and downloads the rest.
 * @param type the media type of what a browser may show
 */
export function uploadHeaders(type: string | undefined, filename: string): Record<string, string> {
  const kind = type === undefined ? 'attachment' : 'inline'
  return {
    'content-type': type ?? 'application/octet-stream',
    'content-disposition': contentDisposition(kind, filename),
    ...sandboxHeaders,
  }
}
