import { contentDisposition } from '../../platform/http/content-disposition.ts'
import { sandboxHeaders } from '../../platform/http/sandbox.ts'
import type { FileDigest } from './resolved-file.ts'

/** The headers of a blob's raw bytes. A browser must not run the content. */
export function contentHeaders(
  { text }: Pick<FileDigest, 'text'>,
  filename: string,
): Record<string, string> {
  return {
    'content-type': text ? 'text/plain; charset=utf-8' : 'application/octet-stream',
    'content-disposition': contentDisposition(text ? 'inline' : 'attachment', filename),
    ...sandboxHeaders,
  }
}
